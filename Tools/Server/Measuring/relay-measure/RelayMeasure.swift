import Entities
import Foundation
import Relay
import RelayPostgres
import SyncWire

/// Pushes and pulls on a store, as many devices at a time as are asked for, each on a ledger of its own.
///
/// Usage: relay-measure PLACE CLIENTS SECONDS; the place is a folder, or a cluster as libpq takes it.
@main
struct RelayMeasure {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 4, let clients = Int(words[2]), let seconds = Double(words[3]) else {
      print("Usage: relay-measure PLACE CLIENTS SECONDS")
      exit(64)
    }
    let store = try await open(words[1], clients)
    let end = ContinuousClock.now + .seconds(seconds)
    var times: [Double] = []
    try await withThrowingTaskGroup(of: [Double].self) { group in
      for _ in 0..<clients { group.addTask { try await push(to: store, until: end) } }
      while let some = try await group.next() { times += some }
    }
    report("push", clients, seconds, times)
    let log = try await makeLog(store)
    let pages: [(String, [UInt64])] = [
      ("pull of 500 amid a log", [0, 500, 1_000, 1_500]), ("pull of the last 500", [2_000]),
    ]
    for (name, positions) in pages {
      var times: [Double] = []
      let end = ContinuousClock.now + .seconds(seconds)
      try await withThrowingTaskGroup(of: [Double].self) { group in
        for _ in 0..<clients {
          group.addTask { try await pull(from: log, of: store, after: positions, until: end) }
        }
        while let some = try await group.next() { times += some }
      }
      report(name, clients, seconds, times)
    }
  }

  private static func open(_ place: String, _ clients: Int) async throws -> any RelayStore {
    guard place.contains("=") else { return try EmbeddedRelayStore.open(folder: place) }
    let pool = PostgresPool(place, size: max(2, clients))
    _ = try await Schema.migrate(pool)
    return try await PostgresRelayStore.open(pool)
  }

  /// Pushes entries of 300 bytes, one after another; how long each took, in seconds.
  private static func push(
    to store: any RelayStore, until end: ContinuousClock.Instant
  ) async throws -> [Double] {
    let ledger = EntityID(high: .random(in: 1 ... .max), low: .random(in: 1 ... .max))
    try await store.makeLedger(ledger, quota: 1 << 40)
    var times: [Double] = []
    while ContinuousClock.now < end {
      let page = PushPage([try entry(UInt64(times.count + 1), of: ledger)])
      let start = ContinuousClock.now
      _ = try await store.push(page, to: ledger, now: 1)
      times.append(passed(since: start))
    }
    return times
  }

  /// A log of 2,500 entries.
  private static func makeLog(_ store: any RelayStore) async throws -> EntityID {
    let ledger = EntityID(high: .random(in: 1 ... .max), low: .random(in: 1 ... .max))
    try await store.makeLedger(ledger, quota: 1 << 40)
    _ = try await store.push(
      PushPage((1...2_500).map { try entry($0, of: ledger) }), to: ledger, now: 1)
    return ledger
  }

  /// Pulls pages of 500 entries behind one position after another; how long each took, in seconds.
  private static func pull(
    from ledger: EntityID, of store: any RelayStore, after positions: [UInt64],
    until end: ContinuousClock.Instant
  ) async throws -> [Double] {
    let byteCount = 128 + 500 * (72 + (try entry(1, of: ledger)).bytes.count)
    var times: [Double] = []
    while ContinuousClock.now < end {
      let start = ContinuousClock.now
      let page = try await store.pull(
        from: ledger, after: positions[times.count % positions.count], byteCountMax: byteCount)
      guard page.entries.count == 500 else {
        throw RelayRefusal(.malformed, "A page has \(page.entries.count) entries instead of 500.")
      }
      times.append(passed(since: start))
    }
    return times
  }

  private static func report(_ name: String, _ clients: Int, _ seconds: Double, _ times: [Double]) {
    let times = times.sorted()
    print(
      "\(name), \(clients) at a time: \(Int(Double(times.count) / seconds)) a second, "
        + "p50 \(milliseconds(times, 50)) ms, p99 \(milliseconds(times, 99)) ms")
  }

  private static let key = LedgerKey()

  private static func entry(_ number: UInt64, of ledger: EntityID) throws -> SealedEntry {
    try SealedEntry.seal(
      [UInt8](repeating: 1, count: 220),
      EntryHeader(
        kind: .commit, replica: 1, number: number, base: 0, clock: 1, floor: 0, epoch: 1),
      ledger: ledger, key: key)
  }

  private static func passed(since start: ContinuousClock.Instant) -> Double {
    let time = (ContinuousClock.now - start).components
    return Double(time.seconds) + Double(time.attoseconds) / 1e18
  }

  private static func milliseconds(_ times: [Double], _ percent: Int) -> String {
    guard !times.isEmpty else { return "-" }
    return String(format: "%.2f", times[min(times.count - 1, times.count * percent / 100)] * 1_000)
  }
}
