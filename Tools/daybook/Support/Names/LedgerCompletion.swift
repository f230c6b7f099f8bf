import ArgumentParser
import Daybook
import Terminal

/// Names of the ledger that a shell completes: asked for while somebody types, so that nothing is said
/// where there is no ledger, and nothing changes.
enum LedgerCompletion {
  /// The accounts.
  static let accounts = names { try $0.accounts().map(\.name) }
  /// The categories, as paths.
  static let categories = names { try CategoryTree($0).paths }
  /// The rules.
  static let rules = names { try $0.rules().map(\.name) }
  /// The budgets.
  static let budgets = names { try $0.budgets().map(\.name) }
  /// The recurring transactions.
  static let series = names { try $0.series().map(\.name) }
  /// The labels.
  static let tags = names { try $0.tags(today: TodayOptions.clock).map(\.tag) }
  /// The payees used most.
  static let payees = names { snapshot in
    try snapshot.payees(limit: 500, today: TodayOptions.clock).map(\.payee)
  }

  private static func names(
    _ names: @Sendable @escaping (borrowing Snapshot) throws -> [String]
  ) -> CompletionKind {
    .custom { (words: [String], _: Int, _: String) async -> [String] in
      let path = LedgerOptions.path(ledger(in: words))
      let options = Ledger.Options(isReadOnly: true, createsIfMissing: false)
      let found = try? await Ledger.withLedger(at: path, options: options) { ledger in
        try ledger.read { snapshot in try names(snapshot) }
      }
      return found ?? []
    }
  }

  /// The ledger that a line being typed names; its words still have their quotes.
  private static func ledger(in words: [String]) -> String? {
    var given: String?
    for (place, word) in words.enumerated() {
      if word == "--ledger", place + 1 < words.count { given = words[place + 1] }
      if word.hasPrefix("--ledger=") { given = String(word.dropFirst(9)) }
    }
    guard let given else { return nil }
    var path = given.filter { !"\"'\\".contains($0) }
    if path.hasPrefix("~/"), let home = Terminal.variable("HOME") {
      path = home + path.dropFirst()
    }
    return path
  }
}
