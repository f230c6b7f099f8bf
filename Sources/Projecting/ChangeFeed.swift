internal import Entities

/// Changes on their way from the thread that decides them to the one that brings State past them.
///
/// Unchecked `Sendable`: all is only touched with `monitor` locked.
final class ChangeFeed: @unchecked Sendable {
  /// What the thread that takes the changes is to do next.
  enum Step {
    case apply([Change])
    /// All that was given so far was not decided after all.
    case takeBack
    /// Nothing follows: all that was given is decided, or nothing of it will be.
    case end(isDecided: Bool)
  }

  private enum Answer {
    case none
    case taken
    case refused(any Error)
  }

  private let monitor = Monitor()
  private var steps: [Step] = []
  private var answer = Answer.none

  /// Gives something to do.
  func give(_ step: Step) {
    monitor.locked { steps.append(step) }
    monitor.wakeAll()
  }

  /// What has been given since the last time; waits for it.
  func next() -> [Step] {
    monitor.locked {
      while steps.isEmpty { monitor.wait() }
      defer { steps.removeAll() }
      return steps
    }
  }

  /// Says whether State has taken all changes.
  func tell(_ failure: (any Error)?) {
    monitor.locked { answer = failure.map { .refused($0) } ?? .taken }
    monitor.wakeAll()
  }

  /// Waits until State has taken all changes.
  ///
  /// - Throws: why it could not.
  func waitUntilTaken() throws {
    let answer = monitor.locked {
      while case .none = self.answer { monitor.wait() }
      return self.answer
    }
    if case .refused(let failure) = answer { throw failure }
  }
}
