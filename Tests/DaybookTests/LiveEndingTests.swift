/// Goal: what follows a ledger live ends as it should, by cancelling, closing or an error, and
/// costs the ledger nothing while it lasts.
/// Method: followers and observers of the fixture are waited for until they are at rest, then
/// ended; the size of the views' file tells who held a read transaction.
import Daybook
import Dispatch
import Foundation
import Testing

@Suite(.timeLimit(.minutes(20))) struct LiveEndingTests {
  @Test func cancellingEndsIt() async throws {
    let house = try await House()
    let ledger = house.ledger
    let follower = Task {
      var count: UInt64 = 0
      for try await _ in ledger.changes() { count += 1 }
      return count
    }
    let observer = Task {
      var count = 0
      for try await _ in ledger.observe({ try $0.accounts().count }) { count += 1 }
      return count
    }
    try await house.settled(2)
    let live = ledger.liveness
    #expect(live.listenerCount == 2 && live.isWatching)
    follower.cancel()
    observer.cancel()
    #expect(try await follower.value == ledger.token.sequence)
    #expect(try await observer.value == 1)
    let after = ledger.liveness
    #expect(after.listenerCount == 0 && after.waiterCount == 0 && !after.isWatching)
    try await house.end()
  }

  @Test func closingEndsIt() async throws {
    let house = try await House()
    let ledger = house.ledger
    let follower = Task { for try await _ in ledger.changes() {} }
    let observer = Task { for try await _ in ledger.observe({ $0.token }) {} }
    try await house.settled(2)
    try await ledger.close()
    try await follower.value
    try await observer.value
    var late = ledger.changes().makeAsyncIterator()
    #expect(try await late.next() == nil)
    #expect(ledger.liveness.listenerCount == 0)
    try await house.end()
  }

  @Test func whatAClosureThrowsEndsItsObservation() async throws {
    struct Stop: Error {}
    let house = try await House()
    var thrown = house.ledger.observe { _ -> Int in throw Stop() }.makeAsyncIterator()
    await #expect(throws: Stop.self) { try await thrown.next() }
    #expect(try await thrown.next() == nil)
    let missing = AccountID(EntityID(high: 1, low: 1))
    var query = house.ledger.observe { try $0.balance(of: missing, on: today) }.makeAsyncIterator()
    let error = await #expect(throws: DaybookError.self) { try await query.next() }
    #expect(error?.code == .invalidQuery)
    try await house.end()
  }

  /// A read transaction that is held keeps every page written since from being used again, as the
  /// last case shows.
  @Test func whoListensHoldsNoTransaction() async throws {
    enum Case { case nobody, listeners, reader }
    func viewsByteCount(_ which: Case) async throws -> Int {
      let house = try await House()
      let a = try await house.account("A")
      let (ledger, start) = (house.ledger, try house.ledger.token)
      let gate = DispatchSemaphore(value: 0)
      var listeners: [Task<Void, any Error>] = []
      if which == .listeners {
        listeners = [
          Task { for try await _ in ledger.changes(after: start) {} },
          Task { for try await _ in ledger.observe({ try $0.settings().firstWeekday }) {} },
        ]
        try await house.settled(2)
      }
      if which == .reader {
        let begun = DispatchSemaphore(value: 0)
        Thread.detachNewThread { ledger.hold(begun, until: gate) }
        while begun.wait(timeout: .now()) == .timedOut { await Task.yield() }
      }
      for _ in 0..<300 { try await house.expense(money("1"), from: a) }
      let attributes = try FileManager.default.attributesOfItem(
        atPath: house.path + "/views-0001/data.mdb")
      for listener in listeners { listener.cancel() }
      gate.signal()
      try await house.end()
      return try #require(attributes[.size] as? Int)
    }
    let alone = try await viewsByteCount(.nobody)
    #expect(try await viewsByteCount(.listeners) < 2 * alone)
    #expect(try await viewsByteCount(.reader) > 3 * alone)
  }
}

extension Ledger {
  /// Reads for as long as the gate is closed.
  fileprivate func hold(_ begun: DispatchSemaphore, until gate: DispatchSemaphore) {
    try? read { _ in
      begun.signal()
      gate.wait()
    }
  }
}
