import DaybookSyncWire
import Relay
import Synchronization

/// A relay's counters, for Prometheus.
final class RelayMetrics: Sendable {
  enum Counter: String, CaseIterable {
    case requests, refusals
    case pushes
    case pushedEntries = "pushed_entries"
    case pushedBytes = "pushed_bytes"
    case pulls
    case pulledEntries = "pulled_entries"
    case pulledBytes = "pulled_bytes"
    case rings
    case trimmedEntries = "trimmed_entries"
  }

  private struct State {
    var counts: [Counter: Int] = [:]
    var ringing = 0
  }

  private let state = Mutex(State())

  func count(_ counter: Counter, _ amount: Int = 1) {
    state.withLock { $0.counts[counter, default: 0] += amount }
  }

  /// Counts a long poll while `body` runs.
  func ringing<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    state.withLock { state in
      state.counts[.rings, default: 0] += 1
      state.ringing += 1
    }
    defer { state.withLock { $0.ringing -= 1 } }
    return try await body()
  }

  /// Returns all metrics in Prometheus' text format, including totals over all ledgers.
  ///
  /// The metrics don't identify any ledger.
  ///
  /// If the store doesn't respond, `store_answers` is 0 and only this process's counters are
  /// included.
  func text(_ store: any RelayStore) async -> String {
    let state = state.withLock { $0 }
    let text = Counter.allCases.map { counter in
      let name = "daybook_relay_\(counter.rawValue)_total"
      return "# TYPE \(name) counter\n\(name) \(state.counts[counter] ?? 0)\n"
    }.joined()
    let totals = try? await store.totals()
    var gauges: [(String, UInt64)] = [
      ("waiting_rings", UInt64(state.ringing)), ("store_answers", totals == nil ? 0 : 1),
    ]
    if let totals {
      gauges += [
        ("ledgers", totals.ledgerCount), ("kept_entries", totals.entryCount),
        ("kept_bytes", totals.byteCount),
      ]
    }
    return text
      + gauges.map { "# TYPE daybook_relay_\($0) gauge\ndaybook_relay_\($0) \($1)\n" }.joined()
      + store.commitTimes.text("daybook_relay_commit_seconds") + (await store.measurements())
  }
}
