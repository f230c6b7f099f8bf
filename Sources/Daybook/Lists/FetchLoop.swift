/// Fetches for a list: one at a time, off the main actor, and published on it.
///
/// What is wanted while a fetch is under way is fetched after it, in one go. A new question sets the
/// running fetch aside: it is cancelled, and what it found is never published.
@MainActor final class FetchLoop<Answer: Sendable> {
  /// Makes the next fetch from what is wanted when it begins; called on the main actor.
  var prepare: () -> (@Sendable () throws -> Answer)? = { nil }
  /// Takes what was fetched; called on the main actor.
  var publish: (Result<Answer, any Error>) -> Void = { _ in }

  /// How many fetches have begun.
  private(set) var fetchCount = 0
  /// How often something was wanted, and how much of that the running fetch, and those that are over,
  /// have seen to.
  private var wanted = 0
  private var serving = 0
  private var served = 0
  private var running: Task<Void, Never>?
  /// Tells the fetch that counts from those set aside.
  private var round = 0
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Waits in front of every fetch: for tests of slow ones.
  var gate: (@Sendable () async -> Void)?

  deinit { running?.cancel() }

  /// Whether something is being fetched, or about to be.
  var isBusy: Bool { running != nil }

  /// Asks for a fetch, which begins when the caller's turn on the main actor is over.
  ///
  /// - Parameter isNewQuestion: whether the running fetch, if any, is worthless.
  /// - Returns: What the fetch that sees to it is known by; see ``hasServed(_:)``.
  @discardableResult
  func want(isNewQuestion: Bool = false) -> Int {
    wanted += 1
    if isNewQuestion { setAside() }
    begin()
    return wanted
  }

  /// Whether what was wanted has been fetched.
  func hasServed(_ wish: Int) -> Bool { wish <= served }

  /// Gives up what is running and wanted.
  func cancel() {
    setAside()
    served = wanted
    wakeWaiters()
  }

  /// Waits until all that is wanted now has been fetched, whatever is wanted after it.
  func settled() async {
    let mine = wanted
    while !hasServed(mine) { await withCheckedContinuation { waiters.append($0) } }
  }

  private func setAside() {
    running?.cancel()
    running = nil
    round += 1
  }

  private func begin() {
    guard served < wanted, running == nil else { return }
    round += 1
    let round = round
    running = Task { [weak self] in await self?.run(round) }
  }

  private func run(_ round: Int) async {
    guard round == self.round else { return }
    serving = wanted
    if let fetch = prepare() {
      fetchCount += 1
      let result = await answer(gate, fetch)
      guard round == self.round else { return }
      running = nil
      served = serving
      publish(result)
    } else {
      running = nil
      served = serving
    }
    begin()
    wakeWaiters()
  }

  private func wakeWaiters() {
    let waiting = waiters
    waiters = []
    for waiter in waiting { waiter.resume() }
  }
}

/// Runs a fetch off the main actor.
@concurrent
private func answer<Answer: Sendable>(
  _ gate: (@Sendable () async -> Void)?, _ fetch: @Sendable () throws -> Answer
) async -> Result<Answer, any Error> {
  await gate?()
  return Result {
    try Task.checkCancellation()
    return try fetch()
  }
}
