import Synchronization

/// Lets those who ask at the same time be answered together.
///
/// One group is under way at a time. Whoever comes meanwhile waits, and all who did go together next. So nobody waits for
/// company, and the more there are the larger the groups.
final class Gathering<Question: Sendable, Answer: Sendable>: Sendable {
  /// Answers a group; each of it is told once, in any order.
  typealias Answering = @Sendable ([Asked]) async -> Void

  /// A question, and who waits for its answer.
  struct Asked: Sendable {
    let question: Question
    fileprivate let continuation: CheckedContinuation<Answer, any Error>

    /// Tells who asked; to be called once.
    func tell(_ answer: Result<Answer, any Error>) { continuation.resume(with: answer) }
  }

  private struct State {
    var waiting: [Asked] = []
    var isUnderWay = false
  }

  private let groupSizeMax: Int
  private let state = Mutex(State())

  /// - Parameter groupSizeMax: How many questions are answered together at most.
  init(groupSizeMax: Int = .max) { self.groupSizeMax = groupSizeMax }

  /// How many wait for a group of theirs.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Has a question answered, in a group that begins after this was called.
  ///
  /// It does not wait itself: a frame more for each of ten thousand who wait is ten megabytes.
  ///
  /// - Parameters:
  ///   - continuation: Who waits for the answer.
  ///   - answering: Answers a group: the same, whoever asks.
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

  /// Answers groups until nobody waits.
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
