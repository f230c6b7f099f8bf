/// Goal: the tests of pagers read as they are told. Method: a house with known rows, waiting for what is to be
/// shown, and a gate that holds nobody's thread.
import Daybook
import Synchronization
import Testing

/// A house with so many rows, one a day back from today, and a pager over it.
@MainActor func shelf(_ count: Int, pageSize: Int = 10) async throws -> (
  house: House, account: AccountID, pager: TransactionPager
) {
  let house = try await House()
  let account = try await house.account("A", opening: "1000")
  try await house.ledger.append(
    (0..<count).map {
      .record(
        .expense(money("1"), from: account, on: today.adding(days: -$0), description: "row \($0)")
      )
    })
  return (house, account, TransactionPager(house.ledger, pageSize: pageSize))
}

extension TransactionPager {
  /// All rows that are held.
  var rows: [TransactionRow] { sections.flatMap(\.rows) }

  /// Waits until the newest commit is shown.
  func rest() async throws {
    while try settledToken != ledger.token { try await Task.sleep(for: .milliseconds(1)) }
  }
}

extension TransactionWindow {
  /// Waits until the newest commit is shown.
  func rest() async throws {
    while try settledToken != ledger.token { try await Task.sleep(for: .milliseconds(1)) }
  }
}

/// Lets nobody pass until it is opened, without holding up a thread.
final class Gateway: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
