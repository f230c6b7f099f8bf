import Synchronization

/// Answers concurrent questions in groups.
///
/// One group is answered at a time. Questions that arrive in the meantime form the next group. No
/// question waits for others to arrive, and groups grow with the load.
final class Batcher<Question: Sendable, Answer: Sendable>: Sendable {
  /// Answers a group of questions, each exactly once and in any order.
  typealias Answering = @Sendable ([Asked]) async -> Void

  /// A question and its waiting caller.
  struct Asked: Sendable {
    let question: Question
    fileprivate let continuation: CheckedContinuation<Answer, any Error>

    /// Answers the question; must be called exactly once.
    func tell(_ answer: Result<Answer, any Error>) { continuation.resume(with: answer) }
  }

  private struct State {
    var waiting: [Asked] = []
    var isUnderWay = false
  }

  private let groupSizeMax: Int
  private let state = Mutex(State())

  /// - Parameter groupSizeMax: The maximum number of questions in a group.
  init(groupSizeMax: Int = .max) { self.groupSizeMax = groupSizeMax }

  /// The number of questions that are waiting for the next group.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Adds a question to a group that begins after this call.
  ///
  /// The function isn't async, because one more stack frame for each of ten thousand waiting
  /// callers would take ten megabytes.
  ///
  /// - Parameters:
  ///   - continuation: The caller that waits for the answer.
  ///   - answering: Answers a group; must be the same for all calls.
  func ask(
    _ question: Question, _ continuation: CheckedContinuation<Answer, any Error>,
    _ answering: @escaping Answering
  ) {
    let begins = state.withLock { state in
      state.waiting.append(Asked(question: question, continuation: continuation))
      defer { state.isUnderWay = true }
      return !state.isUnderWay
    }
    if begins { Task { await answerAll(answering) } }
  }

  /// Answers groups until no questions are left.
  private func answerAll(_ answering: Answering) async {
    while true {
      let group = state.withLock { state in
        let group = Array(state.waiting.prefix(groupSizeMax))
        state.waiting.removeFirst(group.count)
        state.isUnderWay = !group.isEmpty
        return group
      }
      if group.isEmpty { return }
      await answering(group)
    }
  }
}
