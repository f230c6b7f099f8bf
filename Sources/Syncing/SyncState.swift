/// How a shared ledger stands with the others: what `sync status` shows, and an app's sync screen.
public struct SyncState: Hashable, Sendable {
  /// What the device is doing.
  public enum Activity: String, Hashable, Sendable {
    /// Nothing: it exchanges when it is asked to.
    case idle
    /// It exchanges right now.
    case exchanging
    /// It waits for what others record, and for what is recorded here.
    case listening
    /// It waits before it tries again, because of ``SyncState/problem``.
    case waiting
  }

  /// What it is doing.
  public var activity: Activity = .idle
  /// How much of what it does is done, from 0 to 1, where that takes a while: of a snapshot that is sent or taken in, of
  /// commits that are sent or pulled.
  public var progress: Double?
  /// Up to which position of the log this device has everything.
  public var position: UInt64 = 0
  /// The log's end as the relay last told it.
  public var head: UInt64 = 0
  /// The digest of State at ``position``, 64 hexadecimal digits.
  ///
  /// It is the same on every device that has everything up to there; commits that are not sent are no part of it. `nil`
  /// while an erasure is not sent.
  public var digest: String?
  /// What was to be added to this device's clock to have the relay's when it was asked last, in microseconds.
  public var clockOffset: Int64 = 0
  /// How many commits of this device the log does not have yet.
  public var pendingCount = 0
  /// How many bytes the records of these commits' changes have; a little more is sent.
  public var pendingByteCount = 0
  /// When the oldest of them was recorded, in microseconds since 1970.
  public var pendingSince: Int64?
  /// How many commits of the others were taken since the ledger was opened.
  public var takenCount = 0
  /// How many findings wait for somebody to look at them.
  public var findingCount = 0
  /// When this device last had everything and had sent everything, in microseconds since 1970.
  public var exchanged: Int64?
  /// The commits of this device that can't be sent; none, unless there is a defect.
  public var unsendable: [UnsendableCommit] = []
  /// What is in the way.
  public var problem: SyncError?
  /// The log's floor: up to there it is forgotten what was written without having seen what.
  public var floor: UInt64 = 0
  /// How many commits were recorded anew since the ledger was opened, because this device came later than the floor.
  public var rebasedCount = 0
  /// Whether this device began anew with a snapshot since the ledger was opened.
  public var hasRejoined = false
  /// Whether text that was erased is still in the relay's log, sealed: the floor has not passed the erasure.
  public var isErasing = false
  /// The ledger's devices, by name.
  public var devices: [SyncDevice] = []

  /// Nothing is known yet.
  public init() {}
}

/// A device of a shared ledger.
public struct SyncDevice: Hashable, Sendable {
  /// The replica it records as.
  public var replica: UInt64
  /// What its owner calls it.
  public var name: String
  /// Whether it is this one.
  public var isThis: Bool
  /// Whether it was turned away.
  public var isRevoked: Bool
  /// Up to which position it had seen the log when it last wrote.
  public var position: UInt64
  /// When the relay took its last entry, in microseconds since 1970.
  public var seen: Int64
  /// Whether it is the one, or one of those, beyond whose position the floor cannot go.
  public var holdsFloor = false
  /// Whether it was not heard of for so long that the floor does not wait for it.
  public var isAbsent = false
  /// Where it last said what its State is, and whether that was equal to this device's.
  public var proof: StateProof?
}

/// What came of comparing the State of another device with this one's.
public struct StateProof: Hashable, Sendable {
  /// At which position of the log.
  public var position: UInt64
  /// When the relay took what it said, in microseconds since 1970.
  public var received: Int64
  /// Whether both were equal to the last property.
  public var isEqual: Bool
}
