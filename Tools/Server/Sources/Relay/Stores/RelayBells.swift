import Entities
import Synchronization

/// Wakes those who wait for a ledger's log to grow.
final class RelayBells: Sendable {
  private let state = Mutex(State())

  private struct State {
    var next = 0
    var waiting: [EntityID: [Int: AsyncStream<Void>.Continuation]] = [:]
  }

  /// Wakes everybody who waits for a ledger.
  func ring(_ ledger: EntityID) {
    for one in state.withLock({ Array(($0.waiting[ledger] ?? [:]).values) }) { one.yield() }
  }

  /// Asks again at each ring until there is an answer, or the time is over.
  func wait<Answer>(
    for ledger: EntityID, seconds: Double, _ ask: () async throws -> Answer?
  ) async throws -> Answer? {
    let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.next += 1
      state.waiting[ledger, default: [:]][state.next] = bell
      return state.next
    }
    defer { state.withLock { $0.waiting[ledger]?[number] = nil } }
    if let answer = try await ask() { return answer }
    let timer = Task {
      try await Task.sleep(for: .seconds(seconds))
      bell.finish()
    }
    defer { timer.cancel() }
    for await _ in rings {
      if let answer = try await ask() { return answer }
    }
    return nil
  }
}
