import Synchronization

/// Ends the waiting of those whose time is over.
///
/// Thousands wait at a time, and most do not wait for long: one task, which looks ten times a second, serves all. A timer
/// for each costs several times as much as what is waited for.
public final class Deadlines: Sendable {
  private struct State {
    var next = 0
    var waiting: [Int: (end: ContinuousClock.Instant, expire: @Sendable () -> Void)] = [:]
    var isLooking = false
  }

  private let state = Mutex(State())

  /// Nobody waits.
  public init() {}

  /// Calls a closure once some seconds are over, or up to a tenth of one later, unless what runs has ended before.
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

  /// Looks until nobody waits.
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
