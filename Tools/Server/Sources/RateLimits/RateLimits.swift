import Synchronization

/// Limits how often each of several callers may do something: a bucket for each, which fills by the second.
package final class RateLimits<Caller: Hashable & Sendable>: Sendable {
  private let perSecond: Double
  private let burst: Double
  private let buckets = Mutex<[Caller: (level: Double, at: Duration)]>([:])

  /// - Parameter burst: How much a bucket holds.
  package init(perSecond: Double, burst: Double) {
    self.perSecond = perSecond
    self.burst = burst
  }

  /// Whether a caller may go on; it is counted then.
  ///
  /// - Parameter now: The time since any moment that stays the same.
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
