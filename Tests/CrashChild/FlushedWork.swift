// Goal: work of which is seen from outside what it flushes, and when.
// Method: see FlushTests, which runs it under the recorder of writes and flushes.

import Daybook
import DaybookEngine
import DaybookJournal
import DaybookPlatform
import Synchronization

/// How many tasks have begun to append, and how many group commits there were.
private final class Crowd: Sendable {
  let begunCount: Mutex<Int>
  let groupCount = Mutex(0)

  init(_ begunCount: Int) { self.begunCount = Mutex(begunCount) }
}

struct FlushedWork {
  let path: String
  private let account = AccountID(EntityID(high: 77, low: 1))

  init(path: String) { self.path = path }

  /// Appends some, waits until `SESSION` is gone, and ends without closing; prints `committed` and `idle`.
  func waitUntilIdle() async throws {
    let ledger = try await open { $0.idleSeconds = 1 }
    for row in 0..<50 { try await record(row, in: ledger) }
    CrashChild.say("committed")
    while try hasSession() { usleep(10_000) }
    // Whoever removed it holds WRITER until that is flushed.
    try StoreFolder.open(at: path).lockWriter().release()
    CrashChild.say("idle")
    exit(0)
  }

  /// Appends some and closes, opens again with a projection more, and ends when the tables of that one are
  /// there and nothing is in them yet; prints `closed`.
  func beginProjection() async throws {
    let ledger = try await open { _ in }
    for row in 0..<50 { try await record(row, in: ledger) }
    try await ledger.close()
    CrashChild.say("closed")
    var options = Ledger.Options(projections: [Late.self])
    options.adjustsEngine = { $0.trace = { if $0 == "rebuild reserved" { exit(0) } } }
    _ = try await Ledger.open(at: path, options: options)
    exit(1)
  }

  /// A projection that is registered late, with tables enough to change many pages.
  private struct Late: Projection {
    static let name = "late"
    static let version: UInt32 = 1
    static let tables = (0..<40).map { TableDefinition("table \($0)", .sums(fields: 1)) }

    func apply(
      _ change: borrowing ProjectedChange, reading state: any StateReading,
      to tables: inout ProjectionTables
    ) throws {}
  }

  private func hasSession() throws -> Bool {
    guard let folder = opendir(path) else { exit(64) }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix("views-"), access("\(path)/\(name)/SESSION", F_OK) == 0 { return true }
    }
    return false
  }

  /// Has many tasks append a row each, all of which are begun before the first group commit is
  /// flushed; prints `begin`, then `groups=` how many group commits there were.
  func append(atOnce count: Int) async throws {
    let crowd = Crowd(count)
    let ledger = try await open { options in
      options.trace = { name in
        guard name == "before journal commit" else { return }
        crowd.groupCount.withLock { $0 += 1 }
        while crowd.begunCount.withLock({ $0 }) < count { usleep(1_000) }
      }
    }
    try await record(0, in: ledger)
    CrashChild.say("begin")
    crowd.groupCount.withLock { $0 = 0 }
    crowd.begunCount.withLock { $0 = 0 }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for row in 1...count {
        group.addTask {
          crowd.begunCount.withLock { $0 += 1 }
          try await record(row, in: ledger)
        }
      }
      try await group.waitForAll()
    }
    CrashChild.say("groups=\(crowd.groupCount.withLock { $0 })")
    exit(0)
  }

  private func open(
    _ adjust: @escaping @Sendable (inout EventStoreOptions) -> Void
  ) async throws -> Ledger {
    guard let euro = Currency.iso("EUR") else { exit(64) }
    var options = Ledger.Options()
    options.adjustsEngine = { engine in
      engine.idleSeconds = 3_600
      adjust(&engine)
    }
    let ledger = try await Ledger.open(at: path, options: options)
    try await ledger.append(.openAccount(NewAccount(id: account, name: "Cash", currency: euro)))
    return ledger
  }

  private func record(_ row: Int, in ledger: Ledger) async throws {
    guard let euro = Currency.iso("EUR"), let day = Day(year: 2026, month: 1, day: 1) else {
      exit(64)
    }
    try await ledger.append(
      .record(
        .expense(
          Money(Int64(row + 1), euro), from: account, on: day.adding(days: row % 100),
          description: "row \(row)")))
  }
}
