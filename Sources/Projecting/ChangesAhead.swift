internal import Entities

/// The changes of a large batch, past which a second thread brings State and the projections while the
/// decisions that follow are still made.
///
/// Nothing is written before all is decided: decisions read State, and the tables of projections, as of
/// before the batch. What is decided and then dropped is taken back, and the batch goes on without being ahead.
///
/// Not `Sendable`: it belongs to the writer's thread, whose batch the other thread has meanwhile.
final class ChangesAhead {
  private let batch: ViewsBatch
  private let previous: Checkpoint
  private let aside: AsideThread
  private let feed = ChangeFeed()
  private let countMax: Int
  private var givenCount = 0
  private var outcome = Result<Void, any Error>.success(())
  /// Whether the other thread is at this batch.
  private(set) var isRunning = false
  /// How many changes there are to be before it gets the next ones.
  private(set) var nextCount = ChangesAhead.countMin

  /// The fewest changes for which it pays to wake the other thread.
  static let countMin = 32
  /// How many are given at a time.
  private static let stepCount = 64

  /// - Parameters:
  ///   - previous: the commit that the views held before the batch.
  ///   - aside: the other thread.
  ///   - countMax: how many changes are given ahead at the most: a batch of more may not be applied at all.
  init(_ batch: ViewsBatch, after previous: Checkpoint, with aside: AsideThread, countMax: Int) {
    self.batch = batch
    self.previous = previous
    self.aside = aside
    self.countMax = countMax
  }

  // MARK: While decisions are made

  /// Takes what has been decided so far; to be asked when there are ``nextCount``.
  func offer(_ changes: [Change]) {
    let new = changes[givenCount...]
    // The parts of long records are written at once, where decisions would find them.
    if changes.count > countMax || new.contains(where: StateBuffer.hasParts) || !begin() {
      nextCount = .max
      return
    }
    give(Array(new))
    nextCount = givenCount + ChangesAhead.stepCount
  }

  /// Hears that of the changes only the first so many are left.
  func takeBack(to count: Int) {
    if givenCount <= count { return }
    feed.give(.takeBack)
    givenCount = 0
    nextCount = .max
  }

  // MARK: When all is decided

  /// Brings State and all projections past the changes; those that ask State of nothing are told here.
  ///
  /// - Returns: false where there are too few for two threads, or no second one: nothing has been done then.
  /// - Throws: why State cannot take the changes.
  func finish(_ changes: [Change]) throws -> Bool {
    guard isRunning || changes.count >= ChangesAhead.countMin, begin() else { return false }
    give(Array(changes[givenCount...]))
    feed.give(.end(isDecided: true))
    batch.tellApart(changes)
    try feed.waitUntilTaken()
    return true
  }

  /// Writes what the projections have gathered that were told here, and, when the other thread has written what
  /// it gathered, all that the batch writes last.
  func write(upTo head: Checkpoint) throws {
    let apart = Result { try batch.writeApart(after: previous) }
    wait()
    try outcome.get()
    try apart.get()
    try batch.seal(at: head, after: previous)
  }

  /// Ends the other thread's work, where it is still at it, so that the batch can be dropped.
  func cancel() {
    if !isRunning { return }
    feed.give(.end(isDecided: false))
    wait()
    batch.forgetNumbers()
  }

  private func begin() -> Bool {
    if isRunning { return true }
    isRunning = aside.begin { [self] in
      outcome = Result { try batch.follow(feed, after: previous) }
    }
    return isRunning
  }

  private func give(_ changes: [Change]) {
    givenCount += changes.count
    if !changes.isEmpty { feed.give(.apply(changes)) }
  }

  private func wait() {
    if isRunning { aside.finish() }
    isRunning = false
  }
}
