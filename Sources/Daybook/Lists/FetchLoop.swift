/// Runs the fetches of a list off the main actor, one at a time, and publishes the results on it.
///
/// Requests that arrive during a fetch are combined into the next fetch. A new query cancels the
/// current fetch, whose result is then never published.
@MainActor final class FetchLoop<Answer: Sendable> {
  /// Creates the next fetch from the current state; called on the main actor when the fetch starts.
  var prepare: () -> (@Sendable () throws -> Answer)? = { nil }
  /// Receives a fetch's result; called on the main actor.
  var publish: (Result<Answer, any Error>) -> Void = { _ in }

  /// The number of fetches that have begun.
  private(set) var fetchCount = 0
  /// The numbers of requests made, of requests included in the current fetch, and of requests
  /// included in completed fetches.
  private var wanted = 0
  private var serving = 0
  private var served = 0
  private var running: Task<Void, Never>?
  /// A number that distinguishes the current fetch from cancelled ones.
  private var round = 0
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Waits until the ledger isn't suspended, and returns whether to repeat a fetch that it
  /// interrupted.
  var resumed: @Sendable () async -> Bool = { false }

  /// A closure awaited before each fetch, for tests of slow fetches.
  var gate: (@Sendable () async -> Void)?

  deinit { running?.cancel() }

  /// Whether a fetch is running or about to start.
  var isBusy: Bool { running != nil }

  /// Requests a fetch, which starts after the caller's turn on the main actor.
  ///
  /// - Parameter isNewQuestion: Whether the request makes the current fetch obsolete.
  /// - Returns: A number that identifies the request; see ``hasServed(_:)``.
  @discardableResult
  func want(isNewQuestion: Bool = false) -> Int {
    wanted += 1
    if isNewQuestion { setAside() }
    begin()
    return wanted
  }

  /// Returns whether a fetch for the request has completed.
  func hasServed(_ wish: Int) -> Bool { wish <= served }

  /// Cancels the running fetch and all pending requests.
  func cancel() {
    setAside()
    served = wanted
    wakeWaiters()
  }

  /// Waits until all requests made before this call have been completed.
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
      let result = await answer(gate, resumed, fetch)
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

/// Runs a fetch off the main actor; a suspension of the ledger delays it.
@concurrent
private func answer<Answer: Sendable>(
  _ gate: (@Sendable () async -> Void)?, _ resumed: @Sendable () async -> Bool,
  _ fetch: @Sendable () throws -> Answer
) async -> Result<Answer, any Error> {
  await gate?()
  while true {
    do {
      try Task.checkCancellation()
      return .success(try fetch())
    } catch {
      let isSuspended = (DaybookError.translating(error) as? DaybookError)?.code == .suspended
      if isSuspended, await resumed() { continue }
      return .failure(error)
    }
  }
}
