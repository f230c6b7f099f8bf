import ArgumentParser
import Daybook
import DaybookSync
import DaybookSyncWire
import Foundation

/// Measures the cost of sharing a ledger.
///
/// Devices are ledgers on disk. The relay runs in memory, or is a real one with `--relay`.
@main
struct SyncBenchmarks: AsyncParsableCommand {
  @Option(help: "Rows that the ledger begins with.") var rows = 100_000
  @Option(help: "Commits that are pending.") var commits = 10_000
  @Option(help: "A relay's address; without one it is in memory.") var relay: String?
  @Option(help: "The relay's token.") var token: String?

  func run() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sync-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let memory = MemoryRelay(ledger: EntityID(high: 1, low: 2)) {
      Int64(Date().timeIntervalSince1970 * 1_000_000)
    }
    let way = Way(memory: relay == nil ? memory : nil, relay: relay ?? "memory")
    let first = try await Ledger.open(at: folder + "/first")
    let book = try await Book(first, rows: rows)

    let alone = try await seconds { for _ in 0..<1_000 { try await book.record(in: first) } }
    let firstSize = size(folder + "/first/journal-0001")
    let sync = way.sync(first)
    let made = await memory.addDevice(named: "first")
    let given = token ?? made
    let begun = try await seconds {
      try await sync.start(
        relay: way.relay, token: given, deviceName: "first")
    }
    say("starting to share \(rows) rows", begun, "s")
    let shared = try await seconds { for _ in 0..<1_000 { try await book.record(in: first) } }
    say("an append while sharing, to one without", shared / alone, "x")
    say("size while sharing, to without", size(folder + "/first/journal-0001") / firstSize, "x")
    try await sync.exchange()

    let second = try await Ledger.open(at: folder + "/second")
    let other = way.sync(second)
    let code = try await sync.invite()
    let joined = try await seconds {
      try await other.join(code, relay: way.relay, deviceName: "second")
    }
    let rebuilt = try await seconds { _ = try await second.rebuild() }
    say("joining with \(rows) rows", joined, "s")
    say("joining, to a rebuild", joined / rebuilt, "x")

    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<64 {
        group.addTask { for _ in 0..<commits / 64 { try await book.record(in: first) } }
      }
      try await group.waitForAll()
    }
    let count = Double(commits / 64 * 64)
    var processor = processorSeconds()
    let pushed = try await seconds { try await sync.exchange() }
    say("commits pushed, and had back", count / pushed, "/s")
    say("the same, to a second of the processor", count / (processorSeconds() - processor), "/s")
    let waits = Waits()
    let appending = Task {
      while !Task.isCancelled {
        waits.add(try await seconds { try await book.record(in: second) })
        try await Task.sleep(for: .milliseconds(2))
      }
    }
    processor = processorSeconds()
    let pulled = try await seconds { try await other.exchange() }
    appending.cancel()
    say("commits pulled", count / pulled, "/s")
    say("the same, to a second of the processor", count / (processorSeconds() - processor), "/s")
    say("longest append meanwhile", (waits.all.max() ?? 0) * 1_000, "ms")
    say("median append meanwhile", waits.median * 1_000, "ms")

    try await other.exchange()
    try await sync.exchange()
    let running = [sync, other].map { sync in Task { try await sync.run() } }
    for sync in [sync, other] {
      for await state in sync.states() where state.activity == .listening { break }
    }
    let latencies = Waits()
    for _ in 0..<200 {
      var there = second.changes(after: try second.token).makeAsyncIterator()
      latencies.add(
        try await seconds {
          try await book.record(in: first)
          _ = try await there.next()
        })
      try await Task.sleep(for: .milliseconds(20))
    }
    say("recorded here and seen there, median", latencies.median * 1_000, "ms")
    for task in running { task.cancel() }
    for task in running { _ = await task.result }
    try await first.close()
    try await second.close()
  }

  private func say(_ what: String, _ value: Double, _ unit: String) {
    print("\(what): \(String(format: "%.3g", value)) \(unit)")
  }

  private func seconds(_ body: () async throws -> Void) async throws -> Double {
    let start = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - start) / .seconds(1)
  }

  /// The processor time of this process, which is less affected by other processes than wall time.
  private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
  }

  private func size(_ folder: String) -> Double {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.reduce(0) { sum, name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      return sum + Double((attributes?[.size] as? UInt64) ?? 0)
    }
  }
}
