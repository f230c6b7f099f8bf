public import DaybookEntities
public import DaybookSyncWire

/// A relay in memory, for tests, previews and simulations.
///
/// It stores one ledger's log until the process exits.
///
/// It is the simplest implementation of the relay that `Docs/Sync.md` describes.
public actor MemoryRelay {
  /// The ledger to which the log belongs.
  public nonisolated let ledger: EntityID
  private let now: @Sendable () -> Int64
  private var log: [PlacedEntry] = []
  /// The number of entries that were deleted from the start of the log.
  private var trimmedCount: UInt64 = 0
  private var ends: [LogEnd]
  /// The positions of each replica's entries, ordered by push number.
  private var places: [UInt64: [UInt64]] = [:]
  private var floor: UInt64 = 0
  private var chunks: [Hash256: SealedEntry] = [:]
  private var newest: SealedEntry?
  private var invitations: [String: (entry: SealedEntry, until: Int64)] = [:]
  private var paired: [PairedDevice] = []
  private var ringing: [Int: CheckedContinuation<Void, Never>] = [:]
  private var nextRing = 0
  private var incarnation = UInt64.random(in: 1...(1 << 53) - 1)

  /// Creates a relay with an empty log.
  ///
  /// - Parameters:
  ///   - ledger: The ledger to which the log belongs.
  ///   - now: The relay's clock, in microseconds since 1970.
  public init(ledger: EntityID, now: @escaping @Sendable () -> Int64) {
    self.ledger = ledger
    self.now = now
    ends = [LogEnd(startOf: ledger)]
  }

  /// The log's entries.
  public var entries: [PlacedEntry] { log }

  private var end: LogEnd { ends[ends.count - 1] }

  // MARK: Devices

  /// Adds a device, and returns its token.
  public func addDevice(named name: String) -> String {
    let token = DeviceToken.make()
    paired.append(
      PairedDevice(
        tokenHash: DeviceToken.hash(token), name: name, replicas: [], isRevoked: false))
    return token
  }

  func allow(_ token: String) throws {
    let hash = DeviceToken.hash(token)
    guard paired.contains(where: { $0.tokenHash == hash && !$0.isRevoked }) else {
      throw RelayRefusal(.unauthorized, "The token is missing, wrong, or revoked.")
    }
  }

  func devices() -> [PairedDevice] { paired }

  func revoke(_ hash: Hash256) throws {
    guard let index = paired.firstIndex(where: { $0.tokenHash == hash }) else {
      throw RelayRefusal(.notFound, "There is no such device.")
    }
    paired[index].isRevoked = true
  }

  private func bind(_ token: String, to replica: UInt64) throws {
    let hash = DeviceToken.hash(token)
    guard let index = paired.firstIndex(where: { $0.tokenHash == hash }) else { return }
    if paired[index].replicas.contains(replica) { return }
    guard !paired.contains(where: { $0.replicas.contains(replica) }) else {
      throw RelayRefusal(.wrongReplica, "Another device already pushes under this name.")
    }
    paired[index].replicas.append(replica)
  }

  // MARK: The log

  func status() -> LogStatus {
    LogStatus(ledger: ledger, end: end, floor: floor, now: now(), incarnation: incarnation)
  }

  func push(_ page: PushPage, by token: String) throws -> PushAnswer {
    var positions: [UInt64] = []
    var taken: [(entry: SealedEntry, end: LogEnd)] = []
    let replica = page.entries[0].header.replica
    let known = places[replica] ?? []
    var last = UInt64(known.count)
    var bounds = LogBounds(end: end, floor: floor)
    let received = max(now(), end.received)
    for entry in page.entries {
      let header = entry.header
      if header.number >= 1, header.number <= UInt64(known.count) {
        let position = known[Int(header.number) - 1]
        try LogBounds.check(
          entry,
          repeats: position > trimmedCount ? log[Int(position - trimmedCount) - 1].entry : nil)
        positions.append(position)
        continue
      }
      try bounds.append(entry, after: last, received: received)
      last = header.number
      taken.append((entry, bounds.end))
      positions.append(bounds.end.position)
    }
    try bind(token, to: replica)
    for (entry, end) in taken {
      log.append(PlacedEntry(position: end.position, received: received, entry: entry))
      ends.append(end)
      places[replica, default: []].append(end.position)
    }
    floor = bounds.floor
    wakeAll()
    return PushAnswer(
      positions: positions, duplicates: page.entries.count - taken.count, end: end)
  }

  /// Reverts to a backup that was made when the log ended at `position`; the incarnation changes.
  func restore(to position: UInt64) {
    log.removeSubrange(Int(position - trimmedCount)...)
    ends.removeSubrange((Int(position) + 1)...)
    for replica in places.keys { places[replica]?.removeAll { $0 > position } }
    floor = log.reduce(0) { max($0, $1.entry.header.floor) }
    incarnation = .random(in: 1...(1 << 53) - 1)
  }

  /// Makes the relay report another incarnation, as if it had another log.
  func pretend(_ incarnation: UInt64) { self.incarnation = incarnation }

  /// Deletes the entries below the floor that the newest snapshot covers.
  public func trim() {
    let through = min(floor, newest?.header.base ?? 0)
    guard through > trimmedCount else { return }
    log.removeFirst(Int(through - trimmedCount))
    trimmedCount = through
  }

  func pull(after position: UInt64) throws -> PullPage {
    try LogBounds.checkPull(after: position, head: end.position, trimmed: trimmedCount)
    var entries: [PlacedEntry] = []
    var byteCount = 128
    for placed in log[Int(position - trimmedCount)...] {
      byteCount += placed.entry.bytes.count + 20
      if byteCount > WireLimits.pageByteCountMax || entries.count == WireLimits.pageEntryCountMax {
        break
      }
      entries.append(placed)
    }
    return PullPage(
      head: end.position, floor: floor, link: ends[Int(position) + entries.count].link,
      entries: entries)
  }

  func waitForEntries(after position: UInt64) async -> UInt64 {
    let number = nextRing
    nextRing += 1
    await withTaskCancellationHandler {
      if end.position > position || Task.isCancelled { return }
      await withCheckedContinuation { ringing[number] = $0 }
    } onCancel: {
      Task { await self.stopRinging(number) }
    }
    return end.position
  }

  private func stopRinging(_ number: Int) { ringing.removeValue(forKey: number)?.resume() }

  /// Wakes all requests that are waiting for the log to grow.
  public func wakeAll() {
    for waiter in ringing.values { waiter.resume() }
    ringing = [:]
  }

  // MARK: Snapshots and invitations

  /// Returns whether there is a snapshot at or after a position.
  private func hasSnapshot(from position: UInt64) -> Bool {
    newest.map { $0.header.base >= position } ?? false
  }

  func put(_ chunk: SealedEntry) {
    if !hasSnapshot(from: chunk.header.base) { chunks[chunk.digest] = chunk }
  }

  func chunk(_ digest: Hash256) throws -> SealedEntry {
    guard let chunk = chunks[digest] else {
      throw RelayRefusal(.notFound, "There is no such chunk.")
    }
    return chunk
  }

  func put(manifest: SealedEntry, chunks digests: [Hash256]) throws {
    let base = manifest.header.base
    if hasSnapshot(from: base) { return }
    for digest in digests { _ = try chunk(digest) }
    newest = manifest
    // Chunks with a higher base belong to a snapshot that a device is still sending.
    let kept = Set(digests)
    chunks = chunks.filter { kept.contains($0.key) || $0.value.header.base > base }
  }

  func manifest() throws -> SealedEntry {
    guard let newest else { throw RelayRefusal(.notFound, "There is no snapshot.") }
    return newest
  }

  func put(_ invitation: SealedEntry, mailbox: String) {
    invitations = invitations.filter { $0.value.until > now() }
    invitations[mailbox] = (invitation, now() + Int64(WireLimits.pairingSeconds) * 1_000_000)
  }

  func takeInvitation(_ mailbox: String) throws -> SealedEntry {
    guard let found = invitations.removeValue(forKey: mailbox), found.until > now() else {
      throw RelayRefusal(.notFound, "There is no such invitation.")
    }
    return found.entry
  }
}
