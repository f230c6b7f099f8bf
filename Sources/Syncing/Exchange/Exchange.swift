import Entities
import Merging
import Replicas
import SyncWire

/// A device's end of the exchange with its relay: pulls, folds, seals, pushes.
///
/// One exchange runs at a time; whoever asks meanwhile waits, and then has one of its own.
actor Exchange {
  let replica: Replica
  let transport: any SyncTransport
  let store: any SecretStore
  var secrets: SyncSecrets
  var memory: LogMemory {
    didSet { if memory.chain.end != oldValue.chain.end { knownDigest = nil } }
  }
  /// The digest of State where `memory` ends, once it was asked for.
  var knownDigest: Hash256?
  /// The digests, known or not, where other devices say what theirs were, while a page is folded.
  var claimedDigests: [UInt64: Hash256?] = [:]
  /// What this device is called in the log.
  nonisolated let own: UInt64
  /// What is added to this device's clock to have the relay's, in microseconds.
  var clockOffset: Int64 = 0
  /// The link that was looked up last: many commits have one base.
  private var notedLink: (position: UInt64, link: Hash256)?
  /// The log's end where pulling began.
  var pullStart: UInt64 = 0
  /// How many commits of others were folded.
  var takenCount = 0
  /// Whether something was erased here that the log does not know of yet: what it has in place of this one's State
  /// cannot be told.
  var hidesState = false
  /// How many commits were recorded again on top of the log, because they came too late.
  var rebasedCount = 0
  /// The last commit of the journal that was recorded again.
  var rebasedThrough: UInt64 = 0
  /// Whether this device began anew with a snapshot.
  var hasRejoined = false
  /// The log's end as the relay last told it.
  private(set) var head: UInt64 = 0
  /// The incarnation that the relay's log has, as the relay last told it.
  private var incarnation: UInt64?
  let now: @Sendable () -> Int64
  let beaconSeconds: Double
  let absenceSeconds: Double
  /// Cuts a commit into the parts that are sent.
  let cut: @Sendable (WireCommit) throws(WireError) -> [CommitPart]
  /// Is told how much of what takes long is done, from 0 to 1; `nil` at its end.
  let progress: @Sendable (Double?) -> Void
  /// Ends when the last that was asked for has ended.
  private var last: Task<Void, Never>?

  init(
    _ replica: Replica, _ transport: any SyncTransport, _ store: any SecretStore,
    _ secrets: SyncSecrets, _ memory: LogMemory, _ options: SyncOptions,
    progress: @escaping @Sendable (Double?) -> Void
  ) {
    self.replica = replica
    self.transport = transport
    self.store = store
    self.secrets = secrets
    self.memory = memory
    own = memory.own
    clockOffset = memory.clockOffset
    now = options.now
    beaconSeconds = options.beaconSeconds
    absenceSeconds = options.absenceSeconds
    cut = options.parts
    self.progress = progress
  }

  /// Runs something while nothing else is exchanged, in the order in which it was asked for.
  func alone<Result: Sendable>(
    _ body: @escaping @Sendable (isolated Exchange) async throws -> Result
  ) async throws -> Result {
    let before = last
    let task = Task {
      await before?.value
      return try await body(self)
    }
    last = Task { _ = await task.result }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Pulls what the others recorded, and pushes what was recorded here before.
  ///
  /// What is recorded meanwhile may be left for the next: an exchange ends, however fast somebody records.
  func exchange() async throws {
    try await meet()
    try await exchangeAgain()
  }

  /// The same, with a relay that was met.
  func exchangeAgain() async throws {
    _ = try await unsent()
    try await catchUp()
    try await noteIncarnation()
    var isSent = false
    while true {
      let pending = try await unsent()
      if try await rebase(pending) { continue }
      if isSent, !pending.isEmpty { return }
      if !pending.isEmpty || memory.devices[own] == nil {
        // What was pushed before, and not answered, may have been placed since: the log says.
        let position = memory.chain.end.position
        let refusal = try await refusalOfPush(pending)
        try await catchUp()
        if memory.chain.end.position == position {
          throw refusal
            ?? SyncError(
              .tampered, "The relay says that it has what was recorded here, and does not show it.",
              remedy: "Nothing is lost here. Ask whoever keeps the relay what became of it.")
        }
        isSent = refusal == nil
        continue
      } else if try await !sendBeacon(after: beaconSeconds), try await !moveFloor() {
        return
      }
      try await catchUp()
    }
  }

  /// What is pending; notes whether something of it erases.
  func unsent() async throws -> [ReplicaCommit] {
    let pending = try await replica.pending()
    hidesState = pending.contains { $0.changes.contains(where: \.isErasure) }
    return pending
  }

  /// Asks the relay how its log stands: whether it is still the one that was seen, and what its clock says.
  func meet() async throws {
    let before = now()
    let status = try await transport.status()
    clockOffset = status.now - (before + now()) / 2
    try await noteClock()
    head = status.end.position
    incarnation = status.incarnation
    guard status.ledger == memory.ledger else {
      throw SyncError(
        .otherLedger, "The relay's token is for another ledger than this one.",
        remedy: "Give the token that was made for this ledger.")
    }
    let end = memory.chain.end
    guard status.end.position >= end.position else {
      throw told(.rolledBack(seen: end.position, head: status.end.position))
    }
    if status.end.position == end.position, status.end.link != end.link {
      throw told(.wrongLink(position: end.position))
    }
  }

  /// What it means that the log is not the one that was seen: where its incarnation is another one, the relay says
  /// itself that it was restored from a copy.
  func told(_ fault: ProofFault) -> any Error {
    guard let known = memory.incarnation, let incarnation, known != incarnation else {
      return fault
    }
    return SyncError.restoredRelay(seen: memory.chain.end.position, head: head)
  }

  /// Notes how far this device's clock is from the relay's, where that is other than noted by a minute or more.
  private func noteClock() async throws {
    let minute: Int64 = 60_000_000
    let offset = clockOffset.magnitude < UInt64(minute) ? 0 : clockOffset
    guard (offset &- memory.clockOffset).magnitude >= UInt64(minute) else { return }
    try await replica.note([LogMemory.clockNote(offset)])
    memory.clockOffset = offset
  }

  /// Notes in which incarnation the log was found to be the one that was seen.
  private func noteIncarnation() async throws {
    guard let incarnation, incarnation != memory.incarnation else { return }
    try await replica.note([LogMemory.incarnationNote(incarnation)])
    memory.incarnation = incarnation
  }

  /// Waits until the log is longer than what was pulled, or a while.
  func ring() async throws -> Bool {
    let position = memory.chain.end.position
    head = max(head, try await transport.ring(after: position))
    return head > position
  }

  /// The log's link at a position, where it is still known.
  func link(at position: UInt64) async throws -> Hash256? {
    if let known = memory.chain.link(at: position) { return known }
    if let notedLink, notedLink.position == position { return notedLink.link }
    let noted = try await replica.note(LogMemory.linkKey(position)).flatMap { Hash256($0) }
    notedLink = noted.map { (position, $0) }
    return noted
  }

  /// The key that entries are sealed with now.
  func newestKey() throws -> (epoch: UInt32, key: LedgerKey) {
    let epoch = secrets.keys.newest
    return (epoch, try key(of: epoch))
  }

  /// The key of an epoch.
  ///
  /// - Throws: `WireError` with `missingKey`.
  func key(of epoch: UInt32) throws -> LedgerKey {
    guard let key = secrets.keys[epoch] else {
      throw WireError(.missingKey, "there is no key of the ledger here")
    }
    return key
  }

  func saw(head: UInt64) { self.head = max(self.head, head) }
}
