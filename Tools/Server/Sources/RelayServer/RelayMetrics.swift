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
