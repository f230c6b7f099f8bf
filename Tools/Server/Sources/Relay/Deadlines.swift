import Synchronization

/// Runs closures when deadlines pass.
///
/// One task checks all deadlines ten times a second. There can be thousands of deadlines, most of
/// them short, and a timer for each would cost several times as much as the requests themselves.
public final class Deadlines: Sendable {
  private struct State {
    var next = 0
    var waiting: [Int: (end: ContinuousClock.Instant, expire: @Sendable () -> Void)] = [:]
    var isLooking = false
  }

  private let state = Mutex(State())

  /// Creates an instance without deadlines.
  public init() {}

  /// Runs `body`, and calls `expire` if it takes longer than `seconds`.
  ///
  /// `expire` is called at most a tenth of a second late.
  public func within<Result>(
    seconds: Double, _ expire: @escaping @Sendable () -> Void,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    let number = add(.now + .seconds(seconds), expire)
    defer { _ = state.withLock { $0.waiting.removeValue(forKey: number) } }
    return try await body()
  }

  private func add(_ end: ContinuousClock.Instant, _ expire: @escaping @Sendable () -> Void) -> Int
  {
    let (number, isFirst) = state.withLock { state in
      state.next += 1
      state.waiting[state.next] = (end, expire)
      defer { state.isLooking = true }
      return (state.next, !state.isLooking)
    }
    if isFirst { Task { await look() } }
    return number
  }

  /// Checks the deadlines until none are left.
  @concurrent private func look() async {
    while state.withLock({ state in
      state.isLooking = !state.waiting.isEmpty
      return state.isLooking
    }) {
      try? await Task.sleep(for: .milliseconds(100))
      let now = ContinuousClock.now
      let late = state.withLock { $0.waiting.values.filter { $0.end <= now } }
      for one in late { one.expire() }
    }
  }
}
