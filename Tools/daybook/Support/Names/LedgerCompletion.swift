import ArgumentParser
import Daybook
import DaybookTerminal

/// Shell completions from the ledger.
///
/// Completions are computed while the user types. They open the ledger read-only, and are empty if
/// there is no ledger.
enum LedgerCompletion {
  /// The names of accounts.
  static let accounts = names { try $0.accounts().map(\.name) }
  /// The paths of categories.
  static let categories = names { try CategoryTree($0).paths }
  /// The names of rules.
  static let rules = names { try $0.rules().map(\.name) }
  /// The names of budgets.
  static let budgets = names { try $0.budgets().map(\.name) }
  /// The names of recurring transactions.
  static let series = names { try $0.series().map(\.name) }
  /// The tags in use.
  static let tags = names { try $0.tags(today: TodayOptions.clock).map(\.tag) }
  /// The most used payees.
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

  /// Returns the ledger named in an incomplete command line, whose words still contain their
  /// quotes.
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
