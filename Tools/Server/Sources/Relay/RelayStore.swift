public import Entities
public import SyncWire

/// What keeps the logs of ledgers: embedded on one machine, or a database cluster.
///
/// Every function may throw `RelayRefusal`, which a device is told, or what the store itself throws.
/// What a function changed is durable when it returns.
public protocol RelayStore: Sendable {
  /// Makes a log for a ledger, empty; nothing where there is one.
  ///
  /// - Parameter quota: How many bytes of entries and chunks it may hold.
  func makeLedger(_ ledger: EntityID, quota: UInt64) async throws
  /// The ledgers that are kept.
  func ledgers() async throws -> [EntityID]
  /// How much of its quota a ledger has taken.
  func usage(of ledger: EntityID) async throws -> LedgerUsage
  /// Says how many bytes of entries and chunks a ledger may hold from now on; what is there stays.
  func setQuota(_ quota: UInt64, of ledger: EntityID) async throws
  /// What all ledgers come to.
  func totals() async throws -> RelayTotals
  /// The ledgers that may have entries to let go of, as many as one round takes.
  func trimmable() async throws -> [EntityID]
  /// Returns where the store can take and tell entries now.
  func checkReady() async throws
  /// How long its commits took.
  var commitTimes: CommitTimes { get }
  /// What the store measures of itself beside its commits, in Prometheus' text format.
  func measurements() async -> String
  /// What the log of a ledger comes to.
  ///
  /// - Parameter now: The relay's clock, in microseconds since 1970.
  func status(of ledger: EntityID, now: Int64) async throws -> LogStatus

  /// Puts a replica's entries into the log, in order, all or none.
  ///
  /// Entries that are there are answered with their first positions. Refused are gaps, bases
  /// beyond the head or below the floor, other bytes under a number that was used, and what goes
  /// beyond the quota: except a floor alone, so that a ledger that is full can let go of what all have seen.
  func push(_ page: PushPage, to ledger: EntityID, now: Int64) async throws -> PushAnswer
  /// Entries behind a position, as many as `byteCountMax` bytes hold, but one at least.
  func pull(from ledger: EntityID, after position: UInt64, byteCountMax: Int) async throws
    -> PullPage
  /// The same for a device that is let in, and has pushed as the replica before: a database is asked once.
  ///
  /// - Parameter token: The hash of the device's token.
  /// - Returns: `nil`, and nothing is done, where it is no such device.
  func push(_ page: PushPage, to ledger: EntityID, by token: Hash256, now: Int64) async throws
    -> PushAnswer?
  /// The same for a device that is let in: a database is asked once.
  ///
  /// - Parameter token: The hash of the device's token.
  /// - Returns: `nil` where it is no such device.
  func pull(
    from ledger: EntityID, by token: Hash256, after position: UInt64, byteCountMax: Int
  ) async throws -> PullPage?
  /// Waits until the log is longer than `position`, or for `seconds`; returns its head.
  func ring(_ ledger: EntityID, after position: UInt64, seconds: Double) async throws -> UInt64

  /// Lets whoever has the token of this hash in; the name has 1 to 200 bytes.
  func addDevice(_ device: RelayDevice) async throws
  /// The device of a token's hash, or `nil` where it was never let in or is revoked.
  ///
  /// Refused with `noLedger` where its log was copied to another relay.
  func device(_ tokenHash: Hash256) async throws -> RelayDevice?
  /// The devices of a ledger, also those that were turned away.
  func devices(of ledger: EntityID) async throws -> [RelayDevice]
  /// Says that a device pushes as a replica, from now on too.
  ///
  /// A token can have several replicas, as a restored copy takes another name; never one that another
  /// token of the ledger has or had.
  func bind(_ tokenHash: Hash256, to replica: UInt64) async throws
  /// Turns a device of a ledger away from now on.
  ///
  /// - Returns: Whether it was there.
  func revoke(_ tokenHash: Hash256, of ledger: EntityID) async throws -> Bool

  /// Keeps a chunk of a snapshot under its digest; nothing where a snapshot of its base, or a later one, is there.
  func putChunk(_ chunk: SealedEntry, of ledger: EntityID) async throws
  /// The chunk of a digest.
  func chunk(_ digest: Hash256, of ledger: EntityID) async throws -> SealedEntry
  /// Makes a manifest, all of whose chunks are there, the newest; nothing where one of its base, or of a later one, is there.
  ///
  /// Chunks of older snapshots are let go, and those of a newer one stay: a device is just sending it.
  func putManifest(_ manifest: SealedEntry, chunks: [Hash256], of ledger: EntityID) async throws
  /// The newest manifest.
  func manifest(of ledger: EntityID) async throws -> SealedEntry

  /// Keeps an invitation until it is taken, or ten minutes from `now` (microseconds since 1970) on.
  ///
  /// Refused with `tooMany` where too many of the ledger wait already.
  func putInvitation(
    _ invitation: SealedEntry, mailbox: String, of ledger: EntityID, now: Int64
  ) async throws
  /// Takes an invitation out: whoever comes second finds none.
  func takeInvitation(mailbox: String, now: Int64) async throws -> SealedEntry
  /// Deletes the invitations of all ledgers whose time is over.
  func expireInvitations(now: Int64) async throws

  /// Lets go of at most `entryCountMax` entries below the floor, where a snapshot shows them.
  ///
  /// - Returns: How many were let go; 0 where there is nothing more to do.
  func trim(_ ledger: EntityID, entryCountMax: Int) async throws -> Int
  /// Goes over what is kept of a log, and counts its chain anew.
  func verify(_ ledger: EntityID) async throws -> RelayVerification
  /// Writes a copy of everything to a new folder, while the store is in use.
  func backup(to path: String) async throws
}

extension RelayStore {
  /// Lets a device in by a new token.
  ///
  /// - Returns: The token that it shows; the store keeps the hash alone.
  public func letIn(_ name: String, to ledger: EntityID) async throws -> String {
    let token = DeviceToken.make()
    try await addDevice(
      RelayDevice(ledger: ledger, tokenHash: DeviceToken.hash(token), name: name))
    return token
  }

  /// Looks the device up, and pushes.
  public func push(
    _ page: PushPage, to ledger: EntityID, by token: Hash256, now: Int64
  ) async throws -> PushAnswer? {
    guard let device = try await device(token), device.ledger == ledger,
      let replica = page.entries.first?.header.replica, device.replicas.contains(replica)
    else { return nil }
    return try await push(page, to: ledger, now: now)
  }

  /// Looks the device up, and pulls.
  public func pull(
    from ledger: EntityID, by token: Hash256, after position: UInt64, byteCountMax: Int
  ) async throws -> PullPage? {
    guard try await device(token)?.ledger == ledger else { return nil }
    return try await pull(from: ledger, after: position, byteCountMax: byteCountMax)
  }
}

/// What a relay keeps of all ledgers.
public struct RelayTotals: Hashable, Sendable {
  /// How many ledgers there are.
  public var ledgerCount: UInt64
  /// How many entries are kept.
  public var entryCount: UInt64
  /// How many bytes entries and chunks have.
  public var byteCount: UInt64

  /// What is kept.
  public init(ledgerCount: UInt64, entryCount: UInt64, byteCount: UInt64) {
    self.ledgerCount = ledgerCount
    self.entryCount = entryCount
    self.byteCount = byteCount
  }
}

/// How much a relay keeps of a ledger.
public struct LedgerUsage: Hashable, Sendable {
  /// How many entries are kept.
  public var entryCount: UInt64
  /// The log's head.
  public var head: UInt64
  /// The log's floor.
  public var floor: UInt64
  /// The position that the newest snapshot shows; 0 where there is none.
  public var snapshot: UInt64
  /// How many bytes entries and chunks have.
  public var byteCount: UInt64
  /// How many they may have.
  public var quota: UInt64

  /// What is kept.
  public init(
    entryCount: UInt64, head: UInt64, floor: UInt64, snapshot: UInt64, byteCount: UInt64,
    quota: UInt64
  ) {
    self.entryCount = entryCount
    self.head = head
    self.floor = floor
    self.snapshot = snapshot
    self.byteCount = byteCount
    self.quota = quota
  }
}

/// A device that a relay lets in.
public struct RelayDevice: Hashable, Sendable, Codable {
  /// The ledger it may reach.
  public var ledger: EntityID
  /// SHA-256 of its token; the token itself is not kept.
  public var tokenHash: Hash256
  /// What whoever let it in calls it.
  public var name: String
  /// The replicas it has pushed as, in order: more than one where a copy of it was restored.
  public var replicas: [UInt64]
  /// Whether it is turned away.
  public var isRevoked: Bool

  /// How many replicas a token may have, one after another.
  public static let replicaCountMax = 16

  /// A device.
  public init(
    ledger: EntityID, tokenHash: Hash256, name: String, replicas: [UInt64] = [],
    isRevoked: Bool = false
  ) {
    self.ledger = ledger
    self.tokenHash = tokenHash
    self.name = name
    self.replicas = replicas
    self.isRevoked = isRevoked
  }
}

extension PairedDevice {
  /// What the ledger's other devices are told of a device.
  public init(_ device: RelayDevice) {
    self.init(
      tokenHash: device.tokenHash, name: device.name, replicas: device.replicas,
      isRevoked: device.isRevoked)
  }
}

/// What a relay found when it went over a log.
public struct RelayVerification: Hashable, Sendable, Codable {
  /// How many entries are kept.
  public var entryCount: UInt64
  /// The log's end.
  public var end: LogEnd
  /// What is not as it should be, a sentence each; empty where all is well.
  public var faults: [String]

  /// What was found.
  public init(entryCount: UInt64, end: LogEnd, faults: [String]) {
    self.entryCount = entryCount
    self.end = end
    self.faults = faults
  }
}
