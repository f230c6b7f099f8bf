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
    times.sort()
    print(
      "push, \(clients) at a time: \(Int(Double(times.count) / seconds)) a second, "
        + "p50 \(milliseconds(times, 50)) ms, p99 \(milliseconds(times, 99)) ms")
    if clients == 1 { try await pull(store, seconds) }
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

  /// Pulls pages of 500 entries.
  private static func pull(_ store: any RelayStore, _ seconds: Double) async throws {
    let ledger = EntityID(high: .random(in: 1 ... .max), low: .random(in: 1 ... .max))
    try await store.makeLedger(ledger, quota: 1 << 40)
    _ = try await store.push(
      PushPage((1...500).map { try entry($0, of: ledger) }), to: ledger, now: 1)
    let end = ContinuousClock.now + .seconds(seconds)
    var times: [Double] = []
    while ContinuousClock.now < end {
      let start = ContinuousClock.now
      let page = try await store.pull(
        from: ledger, after: 0, byteCountMax: WireLimits.pageByteCountMax)
      guard page.entries.count == 500 else { fatalError("a page of \(page.entries.count)") }
      times.append(passed(since: start))
    }
    times.sort()
    print(
      "pull of 500, 1 at a time: \(Int(Double(times.count) / seconds)) a second, "
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
