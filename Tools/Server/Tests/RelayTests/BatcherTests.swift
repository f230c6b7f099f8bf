// Goal: who asks while others are answered is answered next, with all who came meanwhile, and nobody is forgotten.
// Method: groups that are held up until as many wait as are to.

import Synchronization
import Testing

@testable import RelayPostgres

@Suite(.timeLimit(.minutes(5))) struct GatheringTests {
  private final class Groups: Sendable {
    let noted = Mutex<[[Int]]>([])
  }

  @Test func whoComesMeanwhileGoesTogether() async throws {
    let batcher = Batcher<Int, Int>(groupSizeMax: 3)
    let groups = Groups()
    @Sendable func ask(_ number: Int) async throws -> Int {
      try await batcher.answer(number) { group in
        groups.noted.withLock { $0.append(group.map(\.question)) }
        // The first is under way until all others are there.
        while group[0].question == 0, batcher.waitingCount < 7 { await Task.yield() }
        for one in group.reversed() { one.tell(.success(one.question * 10)) }
      }
    }
    let answers = try await withThrowingTaskGroup(of: Int.self) { tasks in
      tasks.addTask { try await ask(0) }
      while groups.noted.withLock({ $0.isEmpty }) { await Task.yield() }
      for number in 1...7 { tasks.addTask { try await ask(number) } }
      return try await tasks.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.sorted() == (0...7).map { $0 * 10 })
    let noted = groups.noted.withLock { $0 }
    #expect(noted.map(\.count) == [1, 3, 3, 1])
    #expect(noted.joined().sorted() == Array(0...7))
  }

  @Test func whatFailsIsToldAndTheNextGoOn() async throws {
    struct Refused: Error {}
    let batcher = Batcher<Int, Int>()
    @Sendable func ask(_ number: Int) async throws -> Int {
      try await batcher.answer(number) { group in
        for one in group {
          one.tell(one.question == 1 ? .failure(Refused()) : .success(one.question))
        }
      }
    }
    await #expect(throws: Refused.self) { _ = try await ask(1) }
    #expect(try await ask(2) == 2)
    #expect(batcher.waitingCount == 0)
  }
}

extension Batcher {
  fileprivate func answer(_ question: Question, _ answering: @escaping Answering) async throws
    -> Answer
  {
    try await withCheckedThrowingContinuation { ask(question, $0, answering) }
  }
}
