public import Entities

/// What a relay answers to a push: all of it is in the log, durable.
public struct PushAnswer: Hashable, Sendable, Codable {
  /// The positions of the page's entries, in its order; those of entries that were there, the first ones.
  public var positions: [UInt64]
  /// How many of them had been there before.
  public var duplicates: Int
  /// The log's end.
  public var end: LogEnd

  /// An answer.
  public init(positions: [UInt64], duplicates: Int, end: LogEnd) {
    self.positions = positions
    self.duplicates = duplicates
    self.end = end
  }
}

/// What a relay says of a ledger's log.
public struct LogStatus: Hashable, Sendable, Codable {
  /// The ledger that the token is for.
  public var ledger: EntityID
  /// The log's end.
  public var end: LogEnd
  /// The log's floor.
  public var floor: UInt64
  /// The relay's clock, in microseconds since 1970: what a replica corrects its own by.
  public var now: Int64
  /// Another number means: this is not the log that was there before (restored from a copy).
  public var incarnation: UInt64

  /// A status.
  public init(ledger: EntityID, end: LogEnd, floor: UInt64, now: Int64, incarnation: UInt64) {
    self.ledger = ledger
    self.end = end
    self.floor = floor
    self.now = now
    self.incarnation = incarnation
  }
}

/// A device that a relay lets to a ledger, as it tells the ledger's other devices.
public struct PairedDevice: Hashable, Sendable, Codable {
  /// SHA-256 of its token: what it is named by.
  public var tokenHash: Hash256
  /// What whoever let it in calls it.
  public var name: String
  /// The replicas it has pushed as, in order; more than one where a copy of it was restored.
  public var replicas: [UInt64]
  /// Whether it is turned away.
  public var isRevoked: Bool

  /// A device.
  public init(tokenHash: Hash256, name: String, replicas: [UInt64], isRevoked: Bool) {
    self.tokenHash = tokenHash
    self.name = name
    self.replicas = replicas
    self.isRevoked = isRevoked
  }
}

/// Why a relay refuses: the body of an answer that is an error.
public struct RelayRefusal: Error, Hashable, Sendable, Codable {
  /// The kinds of refusal.
  public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
    /// The relay does not keep this ledger.
    case noLedger
    /// The token is missing, wrong, or revoked: pair the device again.
    case unauthorized
    /// The token is another replica's than the one that made the entry.
    case wrongReplica
    /// A push number is missing: push from `expected` on.
    case gap
    /// The base is beyond the log's head: the relay was rolled back, do not push before it is known why.
    case baseBeyondHead
    /// The base is below the floor: the device was away too long, it starts from a snapshot.
    case baseBelowFloor
    /// Other bytes were pushed under this number: this replica is a restored copy.
    case numberReused
    /// What was asked for is below what the relay keeps: start from a snapshot.
    case trimmed
    /// The position is beyond the log's head.
    case beyondHead
    /// The ledger has no room left at this relay.
    case overQuota
    /// The relay's disk is full.
    case full
    /// Something is larger than the relay takes.
    case tooLarge
    /// Too many requests: wait for `retryAfter` seconds.
    case tooMany
    /// The bytes cannot be read.
    case malformed
    /// The relay speaks another version of the wire.
    case otherVersion
    /// There is no such chunk, snapshot or invitation.
    case notFound
    /// The relay cannot answer now: try again later.
    case unavailable
  }

  /// What kind it is.
  public var code: Code
  /// What happened, and what to do, in a sentence.
  public var message: String
  /// Of a gap, the push number that is due; of bases and positions, the bound that was passed.
  public var expected: UInt64?
  /// In how many seconds to try again.
  public var retryAfter: Int?

  /// A refusal.
  public init(_ code: Code, _ message: String, expected: UInt64? = nil, retryAfter: Int? = nil) {
    self.code = code
    self.message = message
    self.expected = expected
    self.retryAfter = retryAfter
  }
}

/// How a replica reaches its ledger's relay: over HTTP, in memory, or by what an app brings.
///
/// Every function may throw ``RelayRefusal``, ``WireError`` where the answer cannot be read, or what
/// the way itself throws where the relay cannot be reached. Pushes and pulls can be repeated.
public protocol SyncTransport: Sendable {
  /// The log's end and floor.
  func status() async throws -> LogStatus
  /// Puts entries into the log; durable when it returns.
  func push(_ page: PushPage) async throws -> PushAnswer
  /// The entries behind a position, own ones too, as many as fit in a page.
  func pull(after position: UInt64) async throws -> PullPage
  /// Waits until the log is longer than `position`, or a while; returns its head.
  func ring(after position: UInt64) async throws -> UInt64
  /// Keeps a chunk of a snapshot under its digest.
  func putChunk(_ chunk: SealedEntry) async throws
  /// The chunk of a digest.
  func chunk(_ digest: Hash256) async throws -> SealedEntry
  /// Makes a manifest, all of whose chunks are there, the ledger's newest snapshot.
  func putManifest(_ manifest: SealedEntry, chunks: [Hash256]) async throws
  /// The manifest of the newest snapshot.
  func manifest() async throws -> SealedEntry
  /// Keeps an invitation under a mailbox for ten minutes.
  func putInvitation(_ invitation: SealedEntry, mailbox: String) async throws
  /// Takes an invitation out: whoever comes second finds none. It needs no token.
  func takeInvitation(mailbox: String) async throws -> SealedEntry
  /// The devices of the ledger, also those that were turned away.
  func devices() async throws -> [PairedDevice]
  /// Lets one more device in; the token that it shows, which the relay does not keep.
  func addDevice(named name: String) async throws -> String
  /// Turns a device away from now on.
  func revokeDevice(_ tokenHash: Hash256) async throws
}
