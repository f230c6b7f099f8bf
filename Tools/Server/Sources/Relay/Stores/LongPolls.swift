public import DaybookEntities
import Synchronization

/// Wakes callers that are waiting for a ledger's log to grow.
public final class LongPolls: Sendable {
  private let state = Mutex(State())
  private let deadlines = Deadlines()

  private struct State {
    var next = 0
    var waiting: [EntityID: [Int: Waiter]] = [:]
  }

  private struct Waiter {
    /// The position that the caller already has.
    let position: UInt64
    let bell: AsyncStream<UInt64>.Continuation
  }

  /// Creates an instance without waiting callers.
  public init() {}

  /// The ledgers for which callers are waiting.
  public var ledgers: Set<EntityID> { state.withLock { Set($0.waiting.keys) } }

  /// Wakes the callers whose position in a ledger's log is below `head`.
  public func wake(_ ledger: EntityID, head: UInt64) {
    let woken = state.withLock { state in
      (state.waiting[ledger] ?? [:]).values.filter { $0.position < head }
    }
    for one in woken { one.bell.yield(head) }
  }

  /// Waits until a ledger's log extends beyond a position, or until the time is up.
  ///
  /// - Parameter look: Returns the current head; it is called because the log may have grown before
  ///   this call.
  /// - Returns: The log's head.
  public func wait(
    for ledger: EntityID, after position: UInt64, seconds: Double,
    _ look: () async throws -> UInt64
  ) async throws -> UInt64 {
    let (rings, bell) = AsyncStream.makeStream(
      of: UInt64.self, bufferingPolicy: .bufferingNewest(1))
    let number = add(Waiter(position: position, bell: bell), for: ledger)
    defer { remove(number, for: ledger) }
    return try await deadlines.within(seconds: seconds, bell.finish) {
      let head = try await look()
      if head > position { return head }
      for await head in rings { return head }
      return head
    }
  }

  private func add(_ waiter: Waiter, for ledger: EntityID) -> Int {
    state.withLock { state in
      state.next += 1
      state.waiting[ledger, default: [:]][state.next] = waiter
      return state.next
    }
  }

  private func remove(_ number: Int, for ledger: EntityID) {
    state.withLock { state in
      state.waiting[ledger]?[number] = nil
      if state.waiting[ledger]?.isEmpty == true { state.waiting[ledger] = nil }
    }
  }
}
