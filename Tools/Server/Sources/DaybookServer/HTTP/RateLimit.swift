import HTTPTypes
import RateLimits

/// Limits how many requests a second, and how many at once, all callers together may make.
struct RateLimit {
  private let limits: RateLimits<Bool>
  private let start = ContinuousClock.now

  init(perSecond: Double, burst: Double) {
    limits = RateLimits(perSecond: perSecond, burst: burst)
  }

  /// Whether one more may pass; it is counted then.
  func take(at now: ContinuousClock.Instant = .now) -> Bool {
    limits.allows(true, at: now - start)
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
