import Entities
import Synchronization

/// Wakes those who wait for a ledger's log to grow.
///
/// Thousands wait at a time: one task, which looks ten times a second, ends the waiting of all whose time is over.
final class RelayBells: Sendable {
  private let state = Mutex(State())

  private struct State {
    var next = 0
    var waiting: [EntityID: [Int: Waiter]] = [:]
    var isLooking = false
  }

  private struct Waiter {
    let bell: AsyncStream<Void>.Continuation
    let end: ContinuousClock.Instant
  }

  /// Wakes everybody who waits for a ledger.
  func ring(_ ledger: EntityID) {
    for one in state.withLock({ Array(($0.waiting[ledger] ?? [:]).values) }) { one.bell.yield() }
  }

  /// Asks again at each ring until there is an answer, or the time is over.
  func wait<Answer>(
    for ledger: EntityID, seconds: Double, _ ask: () async throws -> Answer?
  ) async throws -> Answer? {
    let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = add(Waiter(bell: bell, end: .now + .seconds(seconds)), for: ledger)
    defer { remove(number, for: ledger) }
    if let answer = try await ask() { return answer }
    for await _ in rings {
      if let answer = try await ask() { return answer }
    }
    return nil
  }

  private func add(_ waiter: Waiter, for ledger: EntityID) -> Int {
    let (number, isFirst) = state.withLock { state in
      state.next += 1
      state.waiting[ledger, default: [:]][state.next] = waiter
      let isFirst = !state.isLooking
      state.isLooking = true
      return (state.next, isFirst)
    }
    if isFirst { Task { await endWaiting() } }
    return number
  }

  private func remove(_ number: Int, for ledger: EntityID) {
    state.withLock { state in
      state.waiting[ledger]?[number] = nil
      if state.waiting[ledger]?.isEmpty == true { state.waiting[ledger] = nil }
    }
  }

  /// Ends the waiting of all whose time is over, until nobody waits.
  @concurrent private func endWaiting() async {
    while state.withLock({ state in
      state.isLooking = !state.waiting.isEmpty
      return state.isLooking
    }) {
      try? await Task.sleep(for: .milliseconds(100))
      let now = ContinuousClock.now
      let late = state.withLock { state in
        state.waiting.values.flatMap { $0.values.filter { $0.end <= now } }
      }
      for one in late { one.bell.finish() }
    }
  }
}
