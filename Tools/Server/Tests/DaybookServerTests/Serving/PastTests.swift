// Goal: a moment is what its text says, and the past lets so many wait and no more. Method: texts are read; a
// reader is asked by one more than may wait, while the first is held.
import Daybook
import Dispatch
import Testing

@testable import Moments

@Suite struct PastTests {
  @Test func aMomentIsACommitADayOrAnInstant() {
    #expect(Moment("12") == .commit(12))
    #expect(Moment("1970-01-01") == .before(86_400_000_000), "the end of the day")
    #expect(Moment("1970-01-01T00:00:01Z") == .before(1_000_001))
    for text in ["", "-1", "1970-01-32", "1970-01-01T00:00:01", "99999999999999999999999", "x"] {
      #expect(Moment(text) == nil, "\(text)")
    }
  }

  @Test func noMoreWaitThanMay() async throws {
    let ledger = try await Ledger.inMemory()
    try await ledger.append(.createCategory(NewCategory(name: "Food", kind: .expense)))
    let (past, token) = (PastReader(ledger), try ledger.token)
    let gate = DispatchSemaphore(value: 0)
    let count = PastReader.waitingCountMax
    try await withThrowingTaskGroup(of: UInt64?.self) { group in
      for _ in 0...count {
        group.addTask {
          do {
            return try await past.read(asOf: token) { snapshot in
              gate.wait()
              gate.signal()
              return snapshot.token.sequence
            }
          } catch is PastIsBusy {
            return nil
          }
        }
      }
      // Nobody is answered before the gate opens, so the first to come back is the one too many.
      let first = try await group.next()
      #expect(first == .some(nil))
      gate.signal()
      var answers: [UInt64?] = []
      for try await answer in group { answers.append(answer) }
      #expect(answers == Array(repeating: token.sequence, count: count))
    }
    let again = try await past.read(asOf: token) { $0.token }
    #expect(again == token, "room is given back")
    try await ledger.close()
  }
}
