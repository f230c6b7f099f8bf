import Synchronization

/// How often each of some may ask: a bucket that fills by the second.
final class RequestRates<Asker: Hashable & Sendable>: Sendable {
  private let perSecond: Double
  private let atOnce: Double
  private let buckets = Mutex<[Asker: (level: Double, at: Int64)]>([:])

  /// - Parameter atOnce: How much a bucket holds.
  init(perSecond: Double, atOnce: Double) {
    self.perSecond = perSecond
    self.atOnce = atOnce
  }

  /// - Parameter now: In microseconds since 1970.
  func allows(_ asker: Asker, now: Int64) -> Bool {
    buckets.withLock { buckets in
      var bucket = buckets[asker] ?? (atOnce, now)
      let seconds = Double(max(0, now - bucket.at)) / 1_000_000
      bucket = (min(atOnce, bucket.level + seconds * perSecond), now)
      let allowed = bucket.level >= 1
      if allowed { bucket.level -= 1 }
      buckets[asker] = bucket
      return allowed
    }
  }
}
