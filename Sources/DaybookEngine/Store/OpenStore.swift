internal import DaybookJournal
internal import DaybookLMDB
private import Synchronization

/// A journal and its views, opened according to one state of `CURRENT`.
///
/// Readers retain this object while they read, so a replaced generation is kept until its last
/// reader ends.
final class OpenStore: Sendable {
  let journal: JournalStore
  let views: ViewsStore
  let stamp: CurrentStamp?
  /// Acknowledged commits that the journal lacks; appends are refused until this loss is accepted.
  let loss: JournalLoss?
  /// The damage of the previous views, if opening the store replaced damaged views with the current
  /// ones.
  let replacedDamage: ProjectingError?

  init(
    journal: JournalStore, views: ViewsStore, stamp: CurrentStamp?, loss: JournalLoss? = nil,
    replacedDamage: ProjectingError? = nil
  ) {
    self.journal = journal
    self.views = views
    self.stamp = stamp
    self.loss = loss
    self.replacedDamage = replacedDamage
  }

  /// Whether the files are closed.
  var isClosed: Bool { views.environment.isClosed && journal.isClosed }

  /// Closes the files unless they are being read, and returns whether they are closed.
  func closeIfIdle() -> Bool {
    // Readers of the views may read the journal as well, so it is closed last.
    do {
      try views.environment.close()
      try journal.close()
      return true
    } catch {
      return false
    }
  }
}

/// The store that readers in this process use, and the lock for replacing it.
final class Published: Sendable {
  private let slot: Lock<OpenStore?>
  private let lastLook = Atomic<UInt64>(0)
  private let lastTailLook = Atomic<UInt64>(0)
  /// The damage of the most recently replaced views, if they were replaced because of damage.
  let viewsDamage: Lock<ProjectingError?>
  /// Held while the store is replaced.
  ///
  /// The lock's value is unused. Its type isn't empty, because ThreadSanitizer reports false races
  /// on empty values.
  private let flipping = Lock(false)

  init(_ open: OpenStore) {
    slot = Lock(open)
    viewsDamage = Lock(open.replacedDamage)
  }

  /// The store that readers use, or `nil` when it is closed.
  var open: OpenStore? {
    get { slot.withLock { $0 } }
    set { slot.withLock { $0 = newValue } }
  }

  /// Returns whether it is time to check `CURRENT`; if so, the caller must do it.
  func isLookDue() -> Bool {
    let now = coarseMilliseconds()
    guard now &- lastLook.load(ordering: .relaxed) >= Published.lookMilliseconds else {
      return false
    }
    lastLook.store(now, ordering: .relaxed)
    return true
  }

  /// Returns whether it is time to compare the journal with the views; if so, the caller must do
  /// it.
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

  /// Prevents other threads from opening the generations that `CURRENT` names until `body` returns.
  ///
  /// `body` changes or opens these generations and publishes the result.
  func whileFlipping(_ body: () throws -> Void) rethrows {
    try flipping.withLock { _ in try body() }
  }
}

extension EventStoreOptions {
  /// Returns the options of the store's environments.
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
      isUnchanging: isUnchanging,
      mapByteCount: mapByteCount ?? EnvironmentOptions.mapByteCountDefault)
  }
}
