/// Goal: the tests of what is live read as they are told. Method: a tally that closures can share,
/// a ledger opened as a test wants its engine, and waiting until listeners are at rest.
import Daybook
import DaybookEngine
import Foundation
import Synchronization
import Testing

/// How often something happened.
final class Tally: Sendable {
  private let number = Mutex(0)

  var count: Int { number.withLock { $0 } }

  func add() { number.withLock { $0 += 1 } }
}

extension House {
  /// Opens the ledger again, as an engine adjusted for a test.
  func reopen(
    readOnly: Bool = false, _ adjust: @escaping @Sendable (inout EventStoreOptions) -> Void
  ) async throws {
    try await ledger.close()
    var options = House.options()
    options.isReadOnly = readOnly
    options.adjustsEngine = {
      $0.mapByteCount = 1 << 30
      adjust(&$0)
    }
    ledger = try await Ledger.open(at: path, options: options)
  }

  /// Waits until so many listeners have seen everything there is, and wait for more.
  func settled(_ count: Int = 1) async throws {
    // The views hold what was appended, and it has been rung for.
    _ = try ledger.token
    while ledger.liveness.waiterCount < count { try await Task.sleep(for: .milliseconds(1)) }
  }
}

/// A ledger opened by another process, as a child of a test.
func appendElsewhere(_ path: String, _ account: String, _ count: Int) async throws -> Ledger {
  let ledger = try await Ledger.open(at: path, options: House.options())
  let account = try #require(AccountID(account))
  for _ in 0..<count {
    try await ledger.append(.record(.expense(money("1"), from: account, on: today)))
  }
  return ledger
}
