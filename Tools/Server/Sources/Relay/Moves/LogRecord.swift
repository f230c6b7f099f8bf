public import Entities
public import SyncWire

/// What a store keeps of a log beside its entries and chunks: all of it travels when the log is moved.
public struct LogRecord: Hashable, Sendable {
  /// The end of what was let go.
  public var trimmed: LogEnd
  /// The log's end.
  public var end: LogEnd
  /// The log's floor.
  public var floor: UInt64
  /// How many bytes entries and chunks have.
  public var byteCount: UInt64
  /// How many they may have.
  public var quota: UInt64
  /// The log's incarnation.
  public var incarnation: UInt64
  /// The position that the newest manifest shows; 0 where there is none.
  public var snapshot: UInt64
  /// The newest manifest.
  public var manifest: SealedEntry?
  /// The digests of the chunks that are there, in order.
  public var chunks: [Hash256]
  /// Each replica's last push number.
  public var lastNumbers: [UInt64: UInt64]
  /// The devices, also those that were turned away, in the order of their tokens' hashes.
  public var devices: [RelayDevice]
  /// The invitations that wait.
  public var invitations: [WaitingInvitation]

  /// What is kept of a log.
  public init(
    trimmed: LogEnd, end: LogEnd, floor: UInt64, byteCount: UInt64, quota: UInt64,
    incarnation: UInt64, snapshot: UInt64, manifest: SealedEntry?, chunks: [Hash256],
    lastNumbers: [UInt64: UInt64], devices: [RelayDevice], invitations: [WaitingInvitation]
  ) {
    self.trimmed = trimmed
    self.end = end
    self.floor = floor
    self.byteCount = byteCount
    self.quota = quota
    self.incarnation = incarnation
    self.snapshot = snapshot
    self.manifest = manifest
    self.chunks = chunks
    self.lastNumbers = lastNumbers
    self.devices = devices
    self.invitations = invitations
  }
}

/// An invitation that was not taken yet.
public struct WaitingInvitation: Hashable, Sendable {
  /// Where it waits.
  public var mailbox: String
  /// Until when, in microseconds since 1970.
  public var expires: Int64
  /// What is handed out.
  public var entry: SealedEntry

  /// An invitation.
  public init(mailbox: String, expires: Int64, entry: SealedEntry) {
    self.mailbox = mailbox
    self.expires = expires
    self.entry = entry
  }
}

extension LogRecord {
  /// Returns where a log that arrived has the end and the chunks of this one.
  ///
  /// - Throws: ``MoveFault/incomplete(_:)``.
  package func check(end: LogEnd, chunks: [Hash256]) throws {
    guard end == self.end else {
      throw MoveFault.incomplete(
        "the log ends at \(end.position) there, and at \(self.end.position) here, or differs")
    }
    let lacking = Set(self.chunks).subtracting(chunks)
    guard lacking.isEmpty else {
      throw MoveFault.incomplete("\(lacking.count) chunks of the snapshot are lacking")
    }
  }
}
