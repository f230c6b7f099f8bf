public import Entities
import Synchronization

/// Wakes those who wait for a ledger's log to grow.
///
/// Thousands wait at a time: one task, which looks ten times a second, ends the waiting of all whose time is over.
public final class RelayBells: Sendable {
  private let state = Mutex(State())

  private struct State {
    var next = 0
    var waiting: [EntityID: [Int: Waiter]] = [:]
    var isLooking = false
  }

  private struct Waiter {
    /// The position that it has.
    let position: UInt64
    let bell: AsyncStream<UInt64>.Continuation
    let end: ContinuousClock.Instant
  }

  /// Bells for which nobody waits.
  public init() {}

  /// The ledgers for which somebody waits.
  public var ledgers: Set<EntityID> { state.withLock { Set($0.waiting.keys) } }

  /// Says how long a ledger's log is, to those who wait for that.
  public func ring(_ ledger: EntityID, head: UInt64) {
    let woken = state.withLock { state in
      (state.waiting[ledger] ?? [:]).values.filter { $0.position < head }
    }
    for one in woken { one.bell.yield(head) }
  }

  /// Waits until a ledger's log is longer than a position, or the time is over.
  ///
  /// - Parameter look: How long it is now: it may have grown before it was waited for.
  /// - Returns: How long it is.
  public func wait(
    for ledger: EntityID, after position: UInt64, seconds: Double,
    _ look: () async throws -> UInt64
  ) async throws -> UInt64 {
    let (rings, bell) = AsyncStream.makeStream(
      of: UInt64.self, bufferingPolicy: .bufferingNewest(1))
    let waiter = Waiter(position: position, bell: bell, end: .now + .seconds(seconds))
    let number = add(waiter, for: ledger)
    defer { remove(number, for: ledger) }
    let head = try await look()
    if head > position { return head }
    for await head in rings { return head }
    return head
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
