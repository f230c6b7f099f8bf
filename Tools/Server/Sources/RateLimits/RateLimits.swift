import Synchronization

/// Limits the rate of an operation for each caller with a token bucket.
package final class RateLimits<Caller: Hashable & Sendable>: Sendable {
  private let perSecond: Double
  private let burst: Double
  private let buckets = Mutex<[Caller: (level: Double, at: Duration)]>([:])

  /// - Parameters:
  ///   - perSecond: The rate at which the bucket refills, in operations per second.
  ///   - burst: The bucket's capacity, in operations.
  package init(perSecond: Double, burst: Double) {
    self.perSecond = perSecond
    self.burst = burst
  }

  /// Returns whether a caller may perform another operation and, if so, counts it.
  ///
  /// - Parameter now: The time since any fixed moment.
  package func allows(_ caller: Caller, at now: Duration) -> Bool {
    buckets.withLock { buckets in
      var bucket = buckets[caller] ?? (burst, now)
      let seconds = max(0, (now - bucket.at) / .seconds(1))
      bucket = (min(burst, bucket.level + seconds * perSecond), now)
      let allowed = bucket.level >= 1
      if allowed { bucket.level -= 1 }
      buckets[caller] = bucket
      return allowed
    }
  }
}
