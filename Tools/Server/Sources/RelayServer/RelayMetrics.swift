import SyncWire
import Synchronization

/// What a relay counts, for Prometheus.
final class RelayMetrics: Sendable {
  enum Counter: String, CaseIterable {
    case requests, refusals
    case pushedEntries = "pushed_entries"
    case pulledEntries = "pulled_entries"
  }

  private let counts = Mutex<[Counter: Int]>([:])

  func count(_ counter: Counter, _ amount: Int) {
    counts.withLock { $0[counter, default: 0] += amount }
  }

  /// The counters in Prometheus' text format.
  var text: String {
    let counts = counts.withLock { $0 }
    return Counter.allCases.map { counter in
      let name = "daybook_relay_\(counter.rawValue)_total"
      return "# TYPE \(name) counter\n\(name) \(counts[counter] ?? 0)\n"
    }.joined()
  }
}

/// How many requests each device made: a bucket that fills by the second and holds ten seconds' worth.
final class RequestRates: Sendable {
  private let perSecond: Int
  private let buckets = Mutex<[WireHash: (level: Double, at: Int64)]>([:])

  init(perSecond: Int) { self.perSecond = perSecond }

  func allows(_ device: WireHash, now: Int64) -> Bool {
    buckets.withLock { buckets in
      let most = Double(perSecond) * 10
      var bucket = buckets[device] ?? (most, now)
      let seconds = Double(max(0, now - bucket.at)) / 1_000_000
      bucket = (min(most, bucket.level + seconds * Double(perSecond)), now)
      let allowed = bucket.level >= 1
      if allowed { bucket.level -= 1 }
      buckets[device] = bucket
      return allowed
    }
  }
}
