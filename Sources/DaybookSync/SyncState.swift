/// The sync state of a shared ledger, for `sync status` or an app's sync screen.
public struct SyncState: Hashable, Sendable {
  /// The current activity of this device.
  public enum Activity: String, Hashable, Sendable {
    /// The device exchanges only when requested.
    case idle
    /// The device is exchanging.
    case exchanging
    /// The device listens for local changes and for changes of other devices.
    case listening
    /// The device waits before retrying, because of ``SyncState/problem``.
    case waiting
  }

  /// This device's current activity.
  public var activity: Activity = .idle
  /// The progress of a long operation, from 0 to 1: sending or receiving a snapshot, or pushing or
  /// pulling commits.
  public var progress: Double?
  /// The log position up to which this device has pulled.
  public var position: UInt64 = 0
  /// The end of the log, as last reported by the relay.
  public var head: UInt64 = 0
  /// The digest of State at ``position``: 64 hexadecimal digits.
  ///
  /// It is the same on every device that has pulled up to that position, and excludes pending
  /// commits. It is `nil` while an erasure is pending.
  public var digest: String?
  /// The offset from this device's clock to the relay's at the last request, in microseconds.
  public var clockOffset: Int64 = 0
  /// The number of this device's commits that aren't in the log yet.
  public var pendingCount = 0
  /// The size of the records in the pending commits' changes, in bytes; slightly more bytes are
  /// sent.
  public var pendingByteCount = 0
  /// When the oldest pending commit was recorded, in microseconds since 1970.
  public var pendingSince: Int64?
  /// The number of other devices' commits that were pulled since the ledger was opened.
  public var pulledCount = 0
  /// The number of findings that aren't dismissed.
  public var findingCount = 0
  /// When this device was last fully synced, in microseconds since 1970.
  public var exchanged: Int64?
  /// The commits of this device that can't be sent; empty unless there is a defect.
  public var unsendable: [UnsendableCommit] = []
  /// The error that keeps this device from syncing.
  public var problem: SyncError?
  /// The floor of the log: the position below which the log can be deleted.
  public var floor: UInt64 = 0
  /// The number of commits that were recorded again since the ledger was opened, because their base
  /// was below the floor.
  public var rebasedCount = 0
  /// Whether this device started over from a snapshot since the ledger was opened.
  public var hasRejoined = false
  /// Whether the relay's log still contains text that has been erased, in encrypted form, because
  /// the floor is below the erasure.
  public var isErasing = false
  /// The ledger's devices, ordered by name.
  public var devices: [SyncDevice] = []

  /// Creates the state of a device before its first exchange.
  public init() {}
}

/// A device of a shared ledger.
public struct SyncDevice: Hashable, Sendable {
  /// The replica under whose name the device records.
  public var replica: UInt64
  /// The name that the device's owner chose.
  public var name: String
  /// Whether this is the device on which the program runs.
  public var isThis: Bool
  /// Whether the device was revoked.
  public var isRevoked: Bool
  /// The log position that the device had seen when it last wrote an entry.
  public var position: UInt64
  /// When the relay received the device's last entry, in microseconds since 1970.
  public var seen: Int64
  /// Whether the device limits the floor, because no other device is further behind.
  public var holdsFloor = false
  /// Whether the device has sent nothing for so long that the floor doesn't wait for it.
  public var isAbsent = false
  /// The device's last proof of its State, compared with this device's State.
  public var proof: StateProof?
}

/// The result of comparing another device's State with the State of this device.
public struct StateProof: Hashable, Sendable {
  /// The log position at which the States were compared.
  public var position: UInt64
  /// When the relay received the proof, in microseconds since 1970.
  public var received: Int64
  /// Whether the two States were equal in every property.
  public var isEqual: Bool
}
