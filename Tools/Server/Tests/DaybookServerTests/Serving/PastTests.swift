// Goal: a moment is what its text says, and the past lets so many wait and no more. Method: texts are read; a
// reader is asked by one more than may wait, while the first is held.
import Daybook
import Dispatch
import Testing

@testable import DaybookServer
@testable import Moments

@Suite struct PastTests {
  @Test func aMomentIsACommitADayOrAnInstant() {
    #expect(Moment("12") == .commit(12))
    #expect(Moment("1970-01-01") == .endOf(Day("1970-01-01") ?? .min))
    #expect(Moment("1970-01-01T00:00:01Z") == .before(1_000_001))
    for text in ["", "-1", "1970-01-32", "1970-01-01T00:00:01", "99999999999999999999999", "x"] {
      #expect(Moment(text) == nil, "\(text)")
    }
  }

  @Test func whatIsPurgedUnderAReaderIsToldOf() async throws {
    let ledger = try await Ledger.inMemory()
    for name in ["A", "B", "C"] {
      try await ledger.append(.createCategory(NewCategory(name: name, kind: .expense)))
    }
    try await serving(ledger) { client in
      let then = try await client.get("/v1/categories?asOf=1")
      #expect(try then.json()["count"]?.number == 1)
      let page = try await client.get("/v1/history?limit=1").json()
      let cursor = try #require(page["next"]?.text)
      var options = PurgeOptions()
      options.policy = .count(1)
      try await client.ledger.purge(options)
      // It is kept in memory, and yet no longer told: nobody could follow from its token.
      let gone = try await client.get("/v1/categories?asOf=1")
      #expect([400, 410].contains(gone.status), "\(gone.text)")
      #expect(try gone.json()["remedy"] != nil)
      let next = try await client.get("/v1/history?cursor=\(cursor)")
      #expect([200, 400, 410].contains(next.status), "\(next.text)")
      #expect(try await client.get("/v1/categories").json()["count"]?.number == 3)
      #expect(try await client.get("/?asOf=1").status < 500)
    }
    try await ledger.close()
  }

  @Test func noMoreWaitThanMay() async throws {
    let ledger = try await Ledger.inMemory()
    try await ledger.append(.createCategory(NewCategory(name: "Food", kind: .expense)))
    let (past, earlier) = (PastReader(ledger), try ledger.token)
    try await ledger.append(.createCategory(NewCategory(name: "Home", kind: .expense)))
    let token = try ledger.token
    // Moments are made one after the other: while one is held, nobody who waits for another is answered.
    let gate = DispatchSemaphore(value: 0)
    defer { gate.signal() }
    let (begun, begins) = AsyncStream.makeStream(of: Void.self)
    async let held = past.read(asOf: earlier) { snapshot in
      begins.finish()
      gate.wait()
      return snapshot.token
    }
    for await _ in begun {}
    let count = PastReader.waitingCountMax
    try await withThrowingTaskGroup(of: UInt64?.self) { group in
      for _ in 1...count {
        group.addTask {
          do {
            return try await past.read(asOf: token) { $0.token.sequence }
          } catch is PastBusyError {
            return nil
          }
        }
      }
      let first = try await group.next()
      #expect(first == .some(nil), "with the one that is held there is one too many")
      gate.signal()
      var answers: [UInt64?] = []
      for try await answer in group { answers.append(answer) }
      #expect(answers == Array(repeating: token.sequence, count: count - 1))
    }
    #expect(try await held == earlier)
    let again = try await past.read(asOf: token) { $0.token }
    #expect(again == token, "room is given back")
    try await ledger.close()
  }
}
