internal import Journal
internal import LMDB
private import Synchronization

/// A journal and the views over it, opened from one reading of `CURRENT`.
///
/// Readers keep the object while they read, so a generation that was replaced stays until its last
/// reader has gone.
final class OpenStore: Sendable {
  let journal: JournalStore
  let views: ViewsStore
  let stamp: CurrentStamp?

  init(journal: JournalStore, views: ViewsStore, stamp: CurrentStamp?) {
    self.journal = journal
    self.views = views
    self.stamp = stamp
  }

  /// Closes the files, unless readers are at work; whether they are closed.
  func closeIfIdle() -> Bool {
    var isClosed = true
    do { try views.environment.close() } catch { isClosed = false }
    do { try journal.close() } catch { isClosed = false }
    return isClosed
  }
}

/// What readers of this process read now, and the right to replace it.
final class Published: Sendable {
  private let slot: Lock<OpenStore?>
  private let lastLook = Atomic<UInt64>(0)
  private let lastTailLook = Atomic<UInt64>(0)
  /// Held while the store is replaced; the value says nothing (one without bytes confuses ThreadSanitizer).
  private let flipping = Lock(false)

  init(_ open: OpenStore) { slot = Lock(open) }

  /// What readers read now; `nil` when the store is closed.
  var open: OpenStore? {
    get { slot.withLock { $0 } }
    set { slot.withLock { $0 = newValue } }
  }

  /// Whether nobody has looked at `CURRENT` for a while; if so, the caller does.
  func isLookDue() -> Bool {
    let now = coarseMilliseconds()
    guard now &- lastLook.load(ordering: .relaxed) >= Published.lookMilliseconds else {
      return false
    }
    lastLook.store(now, ordering: .relaxed)
    return true
  }

  /// Whether nobody has compared the journal with the views for a while; if so, the caller does.
  func isTailLookDue() -> Bool {
    let now = coarseMilliseconds()
    let last = lastTailLook.load(ordering: .relaxed)
    guard now &- last >= Published.tailLookMilliseconds else { return false }
    return lastTailLook.compareExchange(
      expected: last, desired: now, ordering: .relaxed
    ).exchanged
  }

  private static let lookMilliseconds: UInt64 = 20
  private static let tailLookMilliseconds: UInt64 = 500

  /// Keeps other threads of this process from opening what `CURRENT` names until `body`, which
  /// changes or adopts it, has published the result.
  func whileFlipping(_ body: () throws -> Void) rethrows {
    try flipping.withLock { _ in try body() }
  }
}

extension EventStoreOptions {
  /// How the environments of a store are opened.
  func environmentOptions(_ durability: EnvironmentOptions.Durability) -> EnvironmentOptions {
    var environment = EnvironmentOptions()
    if let mapByteCount { environment.mapByteCount = mapByteCount }
    environment.durability = isEphemeral ? .deferred : durability
    environment.disk = disk
    return environment
  }

  /// Opens the journal that `current` names.
  func openJournal(
    _ folder: StoreFolder, _ current: Current, _ schema: Schema
  ) throws(JournalError) -> JournalStore {
    try JournalStore.open(
      folder, current, schema: schema, readOnly: isReadOnly, isFlushed: !leavesJournalUnflushed,
      redoing: redoing, bootIdentity: bootIdentity, sharedLockPath: sharedLockPath,
      mapByteCount: mapByteCount ?? EnvironmentOptions.mapByteCountDefault)
  }
}
