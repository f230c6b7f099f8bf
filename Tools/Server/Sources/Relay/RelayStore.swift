public import DaybookEntities
public import DaybookSyncWire

/// A store for the logs of ledgers: embedded on one machine, or a database cluster.
///
/// Every function may throw `RelayRefusal`, which is sent to the device, or an error of the store
/// itself. When a function returns, its changes are durable.
public protocol RelayStore: Sendable {
  /// Creates an empty log for a ledger; does nothing if the ledger already has a log.
  ///
  /// - Parameter quota: The maximum size of the log's entries and chunks, in bytes.
  func makeLedger(_ ledger: EntityID, quota: UInt64) async throws
  /// Returns the ledgers in the store.
  func ledgers() async throws -> [EntityID]
  /// Returns a ledger's size and its quota.
  func usage(of ledger: EntityID) async throws -> LedgerUsage
  /// Sets the maximum size of a ledger's entries and chunks, in bytes; existing data is kept.
  func setQuota(_ quota: UInt64, of ledger: EntityID) async throws
  /// Returns totals over all ledgers.
  func totals() async throws -> RelayTotals
  /// Returns ledgers with entries to delete, at most as many as one round of maintenance can
  /// handle.
  func trimmable() async throws -> [EntityID]
  /// Checks that the store can currently accept and serve entries; throws if it can't.
  func checkReady() async throws
  /// The durations of the store's commits.
  var commitTimes: CommitTimes { get }
  /// Returns the store's other metrics in Prometheus' text format.
  func measurements() async -> String
  /// Returns the status of a ledger's log.
  ///
  /// - Parameter now: The relay's clock, in microseconds since 1970.
  func status(of ledger: EntityID, now: Int64) async throws -> LogStatus

  /// Appends a replica's entries to the log, in order: all of them or none.
  ///
  /// For entries that are already in the log, the response contains their original positions. The
  /// store refuses gaps, bases beyond the head or below the floor, different bytes under a used
  /// push number, and pages that exceed the quota. A single floor entry may exceed the quota,
  /// because a full ledger must be able to move its floor, so that entries that all devices have
  /// seen can be deleted.
  func push(_ page: PushPage, to ledger: EntityID, now: Int64) async throws -> PushAnswer
  /// Returns the entries after a position: as many as fit in `byteCountMax` bytes, but at least
  /// one.
  func pull(from ledger: EntityID, after position: UInt64, byteCountMax: Int) async throws
    -> PullPage
  /// Pushes for an accepted device that has pushed as this replica before.
  ///
  /// A store in a database needs only one query for this.
  ///
  /// - Parameter token: The hash of the device's token.
  /// - Returns: `nil`, without any change, if there is no such device.
  func push(_ page: PushPage, to ledger: EntityID, by token: Hash256, now: Int64) async throws
    -> PushAnswer?
  /// Pulls for an accepted device.
  ///
  /// A store in a database needs only one query for this.
  ///
  /// - Parameter token: The hash of the device's token.
  /// - Returns: `nil` if there is no such device.
  func pull(
    from ledger: EntityID, by token: Hash256, after position: UInt64, byteCountMax: Int
  ) async throws -> PullPage?
  /// Waits at most `seconds` until the log's head is beyond `position`, and returns the head.
  func waitForEntries(_ ledger: EntityID, after position: UInt64, seconds: Double) async throws
    -> UInt64

  /// Adds a device, identified by the hash of its token; its name has 1 to 200 bytes.
  func addDevice(_ device: RelayDevice) async throws
  /// Returns the device with the given token hash, or `nil` if it was never added or is revoked.
  ///
  /// Throws `noLedger` if the ledger's log was copied to another relay.
  func device(_ tokenHash: Hash256) async throws -> RelayDevice?
  /// Returns the devices of a ledger, including revoked ones.
  func devices(of ledger: EntityID) async throws -> [RelayDevice]
  /// Permanently binds a replica to a device's token.
  ///
  /// A token can have several replicas, because a restored copy of a device gets a new replica. A
  /// replica that has ever been bound to another token of the ledger is refused.
  func bind(_ tokenHash: Hash256, to replica: UInt64) async throws
  /// Revokes a device of a ledger.
  ///
  /// - Returns: Whether the device existed.
  func revoke(_ tokenHash: Hash256, of ledger: EntityID) async throws -> Bool

  /// Stores a chunk of a snapshot under its digest.
  ///
  /// Does nothing if there is a snapshot with the same or a later base.
  func putChunk(_ chunk: SealedEntry, of ledger: EntityID) async throws
  /// Returns the chunk that has the given digest.
  func chunk(_ digest: Hash256, of ledger: EntityID) async throws -> SealedEntry
  /// Makes a manifest the ledger's newest one, if all of its chunks are stored.
  ///
  /// Does nothing if there is a manifest with the same or a later base.
  ///
  /// Chunks of older snapshots are deleted. Chunks with a later base are kept, because another
  /// device is still sending them.
  func putManifest(_ manifest: SealedEntry, chunks: [Hash256], of ledger: EntityID) async throws
  /// Returns the newest manifest.
  func manifest(of ledger: EntityID) async throws -> SealedEntry

  /// Stores an invitation until it is taken, for at most ten minutes.
  ///
  /// Throws `tooMany` if too many invitations of the ledger are pending.
  func putInvitation(
    _ invitation: SealedEntry, mailbox: String, of ledger: EntityID, now: Int64
  ) async throws
  /// Removes and returns an invitation; it can be taken only once.
  func takeInvitation(mailbox: String, now: Int64) async throws -> SealedEntry
  /// Deletes the expired invitations of all ledgers.
  func expireInvitations(now: Int64) async throws

  /// Deletes at most `entryCountMax` entries that are below the floor and covered by a snapshot.
  ///
  /// - Returns: The number of deleted entries; 0 if there is nothing left to delete.
  func trim(_ ledger: EntityID, entryCountMax: Int) async throws -> Int
  /// Verifies a log and all data stored with it, and recomputes its chain.
  func verify(_ ledger: EntityID) async throws -> RelayVerification
  /// Writes a copy of the whole store to a new folder, while the store is in use.
  func backup(to path: String) async throws
}

extension RelayStore {
  /// Adds a device with a new token.
  ///
  /// - Returns: The device's token, of which the store keeps only a hash.
  public func admit(_ name: String, to ledger: EntityID) async throws -> String {
    let token = DeviceToken.make()
    try await addDevice(
      RelayDevice(ledger: ledger, tokenHash: DeviceToken.hash(token), name: name))
    return token
  }

  /// Looks up the device, then pushes.
  public func push(
    _ page: PushPage, to ledger: EntityID, by token: Hash256, now: Int64
  ) async throws -> PushAnswer? {
    guard let device = try await device(token), device.ledger == ledger,
      let replica = page.entries.first?.header.replica, device.replicas.contains(replica)
    else { return nil }
    return try await push(page, to: ledger, now: now)
  }

  /// Looks up the device, then pulls.
  public func pull(
    from ledger: EntityID, by token: Hash256, after position: UInt64, byteCountMax: Int
  ) async throws -> PullPage? {
    guard try await device(token)?.ledger == ledger else { return nil }
    return try await pull(from: ledger, after: position, byteCountMax: byteCountMax)
  }
}

/// Totals over all ledgers of a relay.
public struct RelayTotals: Hashable, Sendable {
  /// The number of ledgers.
  public var ledgerCount: UInt64
  /// The number of stored entries.
  public var entryCount: UInt64
  /// The size of entries and chunks, in bytes.
  public var byteCount: UInt64

  /// Creates totals.
  public init(ledgerCount: UInt64, entryCount: UInt64, byteCount: UInt64) {
    self.ledgerCount = ledgerCount
    self.entryCount = entryCount
    self.byteCount = byteCount
  }
}

/// The size of a ledger at a relay, and its quota.
public struct LedgerUsage: Hashable, Sendable {
  /// The number of stored entries.
  public var entryCount: UInt64
  /// The log's head.
  public var head: UInt64
  /// The log's floor.
  public var floor: UInt64
  /// The base of the newest snapshot; 0 if there is none.
  public var snapshot: UInt64
  /// The size of entries and chunks, in bytes.
  public var byteCount: UInt64
  /// The maximum size of entries and chunks, in bytes.
  public var quota: UInt64

  /// Creates a ledger's usage.
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

/// A device that a relay accepts.
public struct RelayDevice: Hashable, Sendable, Codable {
  /// The ledger that the device may access.
  public var ledger: EntityID
  /// The SHA-256 hash of the device's token; the token itself isn't stored.
  public var tokenHash: Hash256
  /// The device's name, which was chosen when the device was added.
  public var name: String
  /// The replicas as which the device has pushed, in order; more than one if a copy of the device
  /// was restored.
  public var replicas: [UInt64]
  /// Whether the device is revoked.
  public var isRevoked: Bool

  /// The maximum number of replicas to which a token can be bound over time.
  public static let replicaCountMax = 16

  /// Creates a device.
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
  /// Creates the description of a device for the ledger's other devices.
  public init(_ device: RelayDevice) {
    self.init(
      tokenHash: device.tokenHash, name: device.name, replicas: device.replicas,
      isRevoked: device.isRevoked)
  }
}

/// The result of verifying a log.
public struct RelayVerification: Hashable, Sendable, Codable {
  /// The number of entries that were checked.
  public var entryCount: UInt64
  /// The log's end.
  public var end: LogEnd
  /// The faults found, one sentence each; empty if there are none.
  public var faults: [String]

  /// Creates a result.
  public init(entryCount: UInt64, end: LogEnd, faults: [String]) {
    self.entryCount = entryCount
    self.end = end
    self.faults = faults
  }
}
