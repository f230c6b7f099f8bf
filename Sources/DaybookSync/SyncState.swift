/// The sync state of a shared ledger, as shown by `sync status` and an app's sync screen.
public struct SyncState: Hashable, Sendable {
  /// What the device is doing.
  public enum Activity: String, Hashable, Sendable {
    /// Nothing: it exchanges only on request.
    case idle
    /// It is exchanging.
    case exchanging
    /// It is listening for changes on this device and on others.
    case listening
    /// It waits before retrying, because of ``SyncState/problem``.
    case waiting
  }

  /// What this device is doing.
  public var activity: Activity = .idle
  /// The progress of a long operation, from 0 to 1: sending or receiving a snapshot, or pushing or
  /// pulling commits.
  public var progress: Double?
  /// The log position up to which this device has everything.
  public var position: UInt64 = 0
  /// The end of the log, as last reported by the relay.
  public var head: UInt64 = 0
  /// The digest of State at ``position``: 64 hexadecimal digits.
  ///
  /// It is the same on every device that has everything up to that position. Pending commits aren't
  /// part of it. `nil` while an erasure is pending.
  public var digest: String?
  /// The offset from this device's clock to the relay's when the relay was last asked, in
  /// microseconds.
  public var clockOffset: Int64 = 0
  /// The number of this device's commits that aren't in the log yet.
  public var pendingCount = 0
  /// The size of the records in the pending commits' changes, in bytes; slightly more is sent.
  public var pendingByteCount = 0
  /// When the oldest pending commit was recorded, in microseconds since 1970.
  public var pendingSince: Int64?
  /// The number of other devices' commits that were pulled since the ledger was opened.
  public var takenCount = 0
  /// The number of findings that nobody has dismissed yet.
  public var findingCount = 0
  /// When this device was last fully synced, in microseconds since 1970.
  public var exchanged: Int64?
  /// The commits of this device that can't be sent; empty unless there is a defect.
  public var unsendable: [UnsendableCommit] = []
  /// The error that keeps this device from syncing.
  public var problem: SyncError?
  /// The floor of the log: the position below which the log has been deleted.
  public var floor: UInt64 = 0
  /// The number of commits that were recorded again since the ledger was opened, because their base
  /// lay below the floor.
  public var rebasedCount = 0
  /// Whether this device started over from a snapshot since the ledger was opened.
  public var hasRejoined = false
  /// Whether erased text is still in the relay's log, encrypted, because the floor hasn't passed
  /// the erasure.
  public var isErasing = false
  /// The ledger's devices, ordered by name.
  public var devices: [SyncDevice] = []

  /// Creates a state in which nothing is known yet.
  public init() {}
}

/// A device of a shared ledger.
public struct SyncDevice: Hashable, Sendable {
  /// The replica that it records as.
  public var replica: UInt64
  /// The name that its owner gave it.
  public var name: String
  /// Whether it is this device.
  public var isThis: Bool
  /// Whether it was revoked.
  public var isRevoked: Bool
  /// The log position that it had seen when it last wrote.
  public var position: UInt64
  /// When the relay received its last entry, in microseconds since 1970.
  public var seen: Int64
  /// Whether the floor can't move past its position, because no other device is further behind.
  public var holdsFloor = false
  /// Whether it wasn't heard from for so long that the floor doesn't wait for it.
  public var isAbsent = false
  /// The last proof of its State, compared with this device's State.
  public var proof: StateProof?
}

/// The result of comparing another device's State with this device's.
public struct StateProof: Hashable, Sendable {
  /// The log position at which both were compared.
  public var position: UInt64
  /// When the relay received the proof, in microseconds since 1970.
  public var received: Int64
  /// Whether both States were equal, down to every property.
  public var isEqual: Bool
}
