import DaybookEntities
import DaybookMerging
import DaybookReplicas
import DaybookSyncWire

/// One device's exchange with its relay: it pulls, folds, seals and pushes.
///
/// Only one exchange runs at a time. Further requests wait for it to end, and then start an
/// exchange of their own.
actor Exchange {
  let replica: Replica
  let transport: any SyncTransport
  let store: any SecretStore
  var secrets: SyncSecrets
  var memory: LogMemory {
    didSet { if memory.chain.end != oldValue.chain.end { knownDigest = nil } }
  }
  /// The digest of State at the end of `memory.chain`, cached on first use.
  var knownDigest: Hash256?
  /// While a page is folded, this device's digests at the positions for which other devices sent
  /// proofs; `nil` if a digest is unknown.
  var claimedDigests: [UInt64: Hash256?] = [:]
  /// This device's replica in the log.
  nonisolated let own: UInt64
  /// The offset from this device's clock to the relay's, in microseconds.
  var clockOffset: Int64 = 0
  /// The last link that was looked up, cached because many commits share a base.
  private var notedLink: (position: UInt64, link: Hash256)?
  /// The end of `memory.chain` when pulling started.
  var pullStart: UInt64 = 0
  /// The number of other devices' commits that were folded since this object was created.
  var pulledCount = 0
  /// Whether an erasure was recorded on this device that isn't in the log yet.
  ///
  /// Until it is, this device can't compute the State of other devices.
  var hidesState = false
  /// The number of commits that were recorded again because their base was below the floor.
  var rebasedCount = 0
  /// The sequence of the last commit that a rebase recorded.
  var rebasedThrough: UInt64 = 0
  /// Whether this device started over from a snapshot.
  var hasRejoined = false
  /// The end of the log, as last reported by the relay.
  private(set) var head: UInt64 = 0
  /// The incarnation of the log, as last reported by the relay.
  private var incarnation: UInt64?
  let now: @Sendable () -> Int64
  let beaconSeconds: Double
  let absenceSeconds: Double
  /// Splits a commit into the parts that are sent.
  let cut: @Sendable (WireCommit) throws(WireError) -> [CommitPart]
  /// Called with the progress of a long operation, from 0 to 1, and with `nil` at its end.
  let progress: @Sendable (Double?) -> Void
  /// Completes when the most recently queued operation has ended.
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

  /// Runs an operation while no other exchange runs.
  ///
  /// Operations run in the order in which they were requested.
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

  /// Pulls other devices' commits, and pushes the commits that were recorded here before the call.
  ///
  /// Commits that are recorded during the exchange may be left for the next one. Otherwise, an
  /// exchange might never end while the device keeps recording.
  func exchange() async throws {
    try await meet()
    try await exchangeAgain()
  }

  /// Exchanges without requesting the relay's status again.
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
        // The log may contain an earlier push whose response was lost. Pulling shows whether it
        // does.
        let position = memory.chain.end.position
        let refusal = try await refusalOfPush(pending)
        try await catchUp()
        if memory.chain.end.position == position {
          throw refusal
            ?? SyncError(
              .tampered,
              "The relay acknowledged this device's commits, but its log doesn't contain them.",
              remedy: SyncError.suspectLog)
        }
        isSent = refusal == nil
        continue
      } else if try await !sendBeacon(after: beaconSeconds), try await !moveFloor() {
        return
      }
      try await catchUp()
    }
  }

  /// Returns the pending commits.
  ///
  /// Also sets ``hidesState``.
  func unsent() async throws -> [ReplicaCommit] {
    let pending = try await replica.pending()
    hidesState = pending.contains { $0.changes.contains(where: \.isErasure) }
    return pending
  }

  /// Requests the relay's status, checks that its log is the log seen before, and reads the relay's
  /// clock.
  func meet() async throws {
    let before = now()
    let status = try await transport.status()
    clockOffset = status.now - (before + now()) / 2
    try await noteClock()
    head = status.end.position
    incarnation = status.incarnation
    guard status.ledger == memory.ledger else {
      throw SyncError(
        .otherLedger, "The relay's token belongs to another ledger.",
        remedy: "Use the token that was created for this ledger.")
    }
    let end = memory.chain.end
    guard status.end.position >= end.position else {
      throw syncError(.rolledBack(seen: end.position, head: status.end.position))
    }
    if status.end.position == end.position, status.end.link != end.link {
      throw syncError(.wrongLink(position: end.position))
    }
  }

  /// Returns the error for a log that isn't the log seen before.
  ///
  /// If the incarnation differs, the relay was restored from a copy.
  func syncError(_ fault: ProofFault) -> any Error {
    guard let known = memory.incarnation, let incarnation, known != incarnation else {
      return fault
    }
    return SyncError.restoredRelay(seen: memory.chain.end.position, head: head)
  }

  /// Saves this device's clock offset from the relay if it changed by a minute or more.
  private func noteClock() async throws {
    let minute: Int64 = 60_000_000
    let offset = clockOffset.magnitude < UInt64(minute) ? 0 : clockOffset
    guard (offset &- memory.clockOffset).magnitude >= UInt64(minute) else { return }
    try await replica.note([LogMemory.clockNote(offset)])
    memory.clockOffset = offset
  }

  /// Saves the incarnation of the log that was last checked.
  private func noteIncarnation() async throws {
    guard let incarnation, incarnation != memory.incarnation else { return }
    try await replica.note([LogMemory.incarnationNote(incarnation)])
    memory.incarnation = incarnation
  }

  /// Waits until the log has entries that haven't been pulled, or until the relay's long poll ends.
  ///
  /// - Returns: Whether the log has such entries.
  func waitForEntries() async throws -> Bool {
    let position = memory.chain.end.position
    head = max(head, try await transport.waitForEntries(after: position))
    return head > position
  }

  /// Returns the log's link at a position, or `nil` if it is no longer known.
  func link(at position: UInt64) async throws -> Hash256? {
    if let known = memory.chain.link(at: position) { return known }
    if let notedLink, notedLink.position == position { return notedLink.link }
    let noted = try await replica.note(LogMemory.linkKey(position)).flatMap { Hash256($0) }
    notedLink = noted.map { (position, $0) }
    return noted
  }

  /// Returns the key that seals new entries, and its epoch.
  func newestKey() throws -> (epoch: UInt32, key: LedgerKey) {
    let epoch = secrets.keys.newest
    return (epoch, try key(of: epoch))
  }

  /// Returns the key of an epoch.
  ///
  /// - Throws: `WireError` with `missingKey`.
  func key(of epoch: UInt32) throws -> LedgerKey {
    guard let key = secrets.keys[epoch] else {
      throw WireError(.missingKey, "this device has no key of the ledger")
    }
    return key
  }

  func saw(head: UInt64) { self.head = max(self.head, head) }
}
