import Daybook
import DaybookSync
import DaybookSyncWire
import Foundation
import Synchronization

/// Accounts, categories and generated rows: ten years of a household's purchases with payees and
/// some notes.
struct Book: Sendable {
  private let accounts: [AccountID]
  private let categories: [CategoryID]

  /// Adds accounts, categories and `rows` rows to a ledger.
  init(_ ledger: Ledger, rows: Int) async throws {
    for number in 1...4 {
      try await ledger.append(.openAccount(NewAccount(name: "Account \(number)", currency: .eur)))
    }
    for number in 1...12 {
      try await ledger.append(
        .createCategory(NewCategory(name: "Category \(number)", kind: .expense)))
    }
    accounts = try ledger.read { try $0.accounts().map(\.id) }
    categories = try ledger.read { try $0.categories().map(\.id) }
    for start in stride(from: 0, to: rows, by: 1_000) {
      try await ledger.append((start..<min(rows, start + 1_000)).map { command($0) })
    }
  }

  private func command(_ number: Int) -> Command {
    .record(
      .expense(
        Money(Int64(100 + number % 9_000), .eur), from: accounts[number % accounts.count],
        category: categories[number % 7 * number % categories.count],
        on: Day(rawValue: Int32(16_700 + number % 3_650)), payee: "Shop \(number % 500)",
        note: number % 3 == 0 ? "What was bought the \(number % 1_000). time" : ""))
  }

  func record(in ledger: Ledger) async throws {
    try await ledger.append(command(Int.random(in: 0..<10_000)))
  }
}

/// How the benchmark's devices reach their relay.
struct Way: Sendable {
  let memory: MemoryRelay?
  let relay: String

  func sync(_ ledger: Ledger) -> LedgerSync {
    var options = SyncOptions(secrets: FileSecrets(path: ledger.path + "/sync.json"))
    if let memory { options.connect = { MemoryTransport(memory, token: $1) } }
    return LedgerSync(ledger, options: options)
  }
}

/// Durations in seconds.
final class Waits: Sendable {
  private let list = Mutex<[Double]>([])

  func add(_ seconds: Double) { list.withLock { $0.append(seconds) } }

  var all: [Double] { list.withLock { $0 } }
  var median: Double {
    let sorted = all.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }
}
