import Daybook
import Foundation
import SyncWire
import Synchronization
import Syncing

/// Accounts, a category, and rows to be recorded.
struct Book: Sendable {
  private let account: AccountID
  private let category: CategoryID

  /// Makes a ledger of so many rows.
  init(_ ledger: Ledger, rows: Int) async throws {
    try await ledger.append(.openAccount(NewAccount(name: "Cash", currency: .eur)))
    try await ledger.append(.createCategory(NewCategory(name: "Food", kind: .expense)))
    account = try ledger.read { try $0.accounts()[0].id }
    category = try ledger.read { try $0.categories()[0].id }
    for start in stride(from: 0, to: rows, by: 1_000) {
      try await ledger.append((start..<min(rows, start + 1_000)).map { command($0) })
    }
  }

  private func command(_ number: Int) -> Command {
    .record(
      .expense(
        Money(Int64(100 + number % 9_000), .eur), from: account, category: category,
        on: Day(rawValue: Int32(19_700 + number % 700))))
  }

  /// Records one row.
  func record(in ledger: Ledger) async throws {
    try await ledger.append(command(Int.random(in: 0..<10_000)))
  }
}

/// How devices of the benchmark reach their relay.
struct Way: Sendable {
  let memory: MemoryRelay?
  let relay: String

  func sync(_ ledger: Ledger) -> LedgerSync {
    var options = SyncOptions(secrets: FileSecrets(path: ledger.path + "/sync.json"))
    if let memory { options.connect = { MemoryTransport(memory, token: $1) } }
    return LedgerSync(ledger, options: options)
  }
}

/// How long things took, in seconds.
final class Waits: Sendable {
  private let list = Mutex<[Double]>([])

  func add(_ seconds: Double) { list.withLock { $0.append(seconds) } }

  var all: [Double] { list.withLock { $0 } }
  var median: Double {
    let sorted = all.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }
}
