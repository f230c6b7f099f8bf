public import DaybookEntities

/// A relay's response to a push, after which all entries are durable in the log.
public struct PushAnswer: Hashable, Sendable, Codable {
  /// The positions of the page's entries, in the same order; for an entry that was already in the
  /// log, its original position.
  public var positions: [UInt64]
  /// The number of entries that were already in the log.
  public var duplicates: Int
  /// The log's end.
  public var end: LogEnd

  /// Creates a response.
  public init(positions: [UInt64], duplicates: Int, end: LogEnd) {
    self.positions = positions
    self.duplicates = duplicates
    self.end = end
  }
}

/// The status of a ledger's log at a relay.
public struct LogStatus: Hashable, Sendable, Codable {
  /// The ledger that the token belongs to.
  public var ledger: EntityID
  /// The log's end.
  public var end: LogEnd
  /// The log's floor.
  public var floor: UInt64
  /// The relay's clock, in microseconds since 1970; replicas use it to correct their own.
  public var now: Int64
  /// The incarnation of the log; a different number means that the log was replaced, for example by
  /// restoring a copy.
  public var incarnation: UInt64

  /// Creates a status.
  public init(ledger: EntityID, end: LogEnd, floor: UInt64, now: Int64, incarnation: UInt64) {
    self.ledger = ledger
    self.end = end
    self.floor = floor
    self.now = now
    self.incarnation = incarnation
  }
}

/// A device that a relay accepts for a ledger, as shown to the ledger's other devices.
public struct PairedDevice: Hashable, Sendable, Codable {
  /// The SHA-256 of its token, which identifies the device.
  public var tokenHash: Hash256
  /// The name given to it by the device that added it.
  public var name: String
  /// The replicas under whose names it has pushed, in order; more than one if a copy of it was
  /// restored.
  public var replicas: [UInt64]
  /// Whether it was revoked.
  public var isRevoked: Bool

  /// Creates a device.
  public init(tokenHash: Hash256, name: String, replicas: [UInt64], isRevoked: Bool) {
    self.tokenHash = tokenHash
    self.name = name
    self.replicas = replicas
    self.isRevoked = isRevoked
  }
}

/// The reason why a relay refused a request: the body of an error response.
public struct RelayRefusal: Error, Hashable, Sendable, Codable {
  /// The reasons for a refusal.
  public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
    /// The relay doesn't have this ledger.
    case noLedger
    /// The token is missing, wrong, or revoked: pair the device again.
    case unauthorized
    /// The token belongs to a device other than the one that uses this replica name.
    case wrongReplica
    /// A push number is missing: push again, starting at `expected`.
    case gap
    /// The base is beyond the log's head: the relay was rolled back.
    ///
    /// Don't push until the operator knows the cause.
    case baseBeyondHead
    /// The base is below the floor: the device was offline for too long, and has to start over from
    /// a snapshot.
    case baseBelowFloor
    /// Different bytes were pushed under this number: this replica is a restored copy.
    case numberReused
    /// The relay has deleted the requested entries: start from a snapshot.
    case trimmed
    /// The position is beyond the log's head.
    case beyondHead
    /// The ledger has no space left at this relay.
    case overQuota
    /// The relay's disk is full.
    case full
    /// The request, or a part of it, is larger than the relay accepts.
    case tooLarge
    /// Too many requests: wait for `retryAfter` seconds.
    case tooMany
    /// The bytes can't be decoded.
    case malformed
    /// The relay uses another protocol version.
    case otherVersion
    /// There is no such chunk, snapshot or invitation.
    case notFound
    /// The relay is temporarily unable to respond: try again later.
    case unavailable
  }

  /// The reason.
  public var code: Code
  /// The problem and its remedy, as a sentence.
  public var message: String
  /// For a gap, the next push number; for bases and positions, the bound that was exceeded.
  public var expected: UInt64?
  /// The number of seconds after which to retry.
  public var retryAfter: Int?

  /// Creates a refusal.
  public init(_ code: Code, _ message: String, expected: UInt64? = nil, retryAfter: Int? = nil) {
    self.code = code
    self.message = message
    self.expected = expected
    self.retryAfter = retryAfter
  }
}

/// A transport to a ledger's relay: over HTTP, in memory, or an app's own.
///
/// Every function may throw ``RelayRefusal``, ``WireError`` if the response can't be decoded, or
/// the transport's own error if the relay can't be reached. Pushes and pulls can be repeated.
public protocol SyncTransport: Sendable {
  /// Returns the log's end, floor and incarnation, and the relay's clock.
  func status() async throws -> LogStatus
  /// Appends entries to the log; they are durable when this returns.
  func push(_ page: PushPage) async throws -> PushAnswer
  /// Returns the entries after a position, including the replica's own: as many as fit in a page.
  func pull(after position: UInt64) async throws -> PullPage
  /// Waits until the log is longer than `position` or the long poll ends, and returns the log's
  /// head.
  func waitForEntries(after position: UInt64) async throws -> UInt64
  /// Stores a chunk of a snapshot under its digest.
  func putChunk(_ chunk: SealedEntry) async throws
  /// Returns the chunk that has the given digest.
  func chunk(_ digest: Hash256) async throws -> SealedEntry
  /// Makes a manifest the ledger's newest snapshot; all its chunks must be stored.
  func putManifest(_ manifest: SealedEntry, chunks: [Hash256]) async throws
  /// Returns the manifest of the newest snapshot.
  func manifest() async throws -> SealedEntry
  /// Stores an invitation in a mailbox for ten minutes.
  func putInvitation(_ invitation: SealedEntry, mailbox: String) async throws
  /// Returns an invitation and removes it from its mailbox, so that it can be taken only once.
  ///
  /// This request needs no token.
  func takeInvitation(mailbox: String) async throws -> SealedEntry
  /// Returns the devices of the ledger, including revoked ones.
  func devices() async throws -> [PairedDevice]
  /// Adds a device, and returns its token, which the relay doesn't store.
  func addDevice(named name: String) async throws -> String
  /// Revokes a device's token.
  func revokeDevice(_ tokenHash: Hash256) async throws
}
