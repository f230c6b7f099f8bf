import HTTPTypes
import RateLimits

/// A limit on the request rate and the burst size of all clients together.
struct RateLimit {
  private let limits: RateLimits<Bool>
  private let start = ContinuousClock.now

  init(perSecond: Double, burst: Double) {
    limits = RateLimits(perSecond: perSecond, burst: burst)
  }

  /// Returns whether another request is allowed and, if so, counts it.
  func take(at now: ContinuousClock.Instant = .now) -> Bool {
    limits.allows(true, at: now - start)
  }

  /// The problem for a rejected request.
  static var problem: Problem {
    var problem = Problem(
      .tooManyRequests, "tooMany", "Too many requests.",
      remedy: "Wait a second, then send requests more slowly.")
    problem.headers[.retryAfter] = "1"
    return problem
  }
}
