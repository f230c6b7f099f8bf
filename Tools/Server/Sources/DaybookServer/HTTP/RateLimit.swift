import Daybook
import HTTPTypes
import Synchronization

/// Lets through so many a second, and so many at once.
final class RateLimit: Sendable {
  private struct State {
    var left: Double
    var at: ContinuousClock.Instant
  }

  private let perSecond: Double
  private let burst: Double
  private let state: Mutex<State>

  init(perSecond: Double, burst: Double) {
    self.perSecond = perSecond
    self.burst = burst
    state = Mutex(State(left: burst, at: .now))
  }

  /// Whether one more may pass; it is counted then.
  func take(at now: ContinuousClock.Instant = .now) -> Bool {
    state.withLock { state in
      state.left = min(burst, state.left + (now - state.at).seconds * perSecond)
      state.at = now
      guard state.left >= 1 else { return false }
      state.left -= 1
      return true
    }
  }

  /// The problem of one that may not.
  static var problem: Problem {
    var problem = Problem(
      .tooManyRequests, "tooMany", "There were too many requests in a short time.",
      remedy: "Wait a second, then go on more slowly.")
    problem.headers[.retryAfter] = "1"
    return problem
  }
}

extension Duration {
  /// The duration in seconds.
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
