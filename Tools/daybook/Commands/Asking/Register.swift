import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook register`: lists the transactions of accounts with the balance after each, oldest
/// first.
struct RegisterCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "register",
    abstract: "Show an account's transactions with the balance after each, newest last.",
    discussion: """
      The balance is the account's actual balance, even if filters hide some transactions. Several \
      accounts share one balance column per currency; with --each, every account has its own.

        daybook register Checking
        daybook register Checking Savings --each --from 2026-01-01
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var output: ReportOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "One or more accounts.", completion: LedgerCompletion.accounts)
  var accounts: [String]

  @OptionGroup(title: "Filters") var filters: RowFilterOptions

  @Flag(help: "Show a column for each account.")
  var each = false

  @Option(help: "The number of newest transactions to show.")
  var limit = 50

  @Option(
    help: ArgumentHelp(
      "Show only transactions before this place.", valueName: "yyyy-mm-dd#number"))
  var before: String?

  func validate() throws {
    guard (1...100_000).contains(limit) else {
      throw ValidationError("--limit must be from 1 to 100000.")
    }
    if let before, Lookup.key(before) == nil {
      throw ValidationError(
        "--before “\(before)” isn't a transaction's place, such as 2026-02-14#123.")
    }
  }

  private struct Answer: Sendable {
    /// The transactions, oldest first.
    var rows: [Transaction]
    var hasMore: Bool
    var names: Names
    var accounts: [AccountID]
    var balances: RunningBalance
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let answer = try answer(snapshot, today.day)
    let columns = RegisterRow.columns(answer.accounts) + answer.balances.columns
    var report = Report(columns, ifEmpty: "No transactions.", json: json(answer))
    for (index, row) in answer.rows.enumerated() {
      let balances = answer.balances.cells(index)
      for cells in RegisterRow.lines(of: row, answer.names, seenFrom: answer.accounts) {
        report.add(cells + balances)
      }
    }
    if answer.hasMore, let first = answer.rows.first {
      report.remarks.append(
        "Showing the newest \(Figures.counted(answer.rows.count, "transaction")). For earlier "
          + "ones, add --before \(first.place)"
      )
      report.remarksStandApart = true
    }
    return report
  }

  private func answer(_ snapshot: borrowing Snapshot, _ today: Day) throws -> Answer {
    var filter = try filters.filter(in: snapshot, today: today)
    filter.accounts = try accounts.map {
      try Lookup.account($0, includingDeleted: true, in: snapshot).id
    }
    // Fetch one more row than the limit, to find out whether there are more.
    var rows = try snapshot.transactions(
      filter, after: before.flatMap { Lookup.key($0) }, limit: min(limit + 1, 100_000))
    let hasMore = rows.count > limit
    if hasMore { rows.removeLast() }
    rows.reverse()
    return Answer(
      rows: rows, hasMore: hasMore, names: try Names(snapshot), accounts: filter.accounts,
      balances: try RunningBalance(filter.accounts, after: rows, isEach: each, in: snapshot))
  }

  private struct Content: Encodable, Sendable {
    struct Row: Encodable, Sendable {
      var transaction: Transaction
      var amounts: [Total]
      var balances: [RunningBalance.Balance]
    }

    var rows: [Row]
    var before: TransactionPosition?
  }

  private func json(_ answer: Answer) -> JSONAnswer {
    let filter = TransactionFilter(accounts: answer.accounts)
    let first = answer.rows.first
    let rows = answer.rows.enumerated().map { index, row in
      Content.Row(
        transaction: row, amounts: RegisterRow.amounts(of: row, seenFrom: answer.accounts),
        balances: answer.balances.balances(index))
    }
    return JSONAnswer(
      Content(rows: rows, before: answer.hasMore ? first.map { filter.position(of: $0) } : nil),
      answer.names)
  }
}

/// A transaction from the viewpoint of some accounts: the amounts by which it changed them, and its
/// other accounts and categories.
enum RegisterRow {
  /// The columns in front of the balances.
  static func columns(_ accounts: [AccountID]) -> [Report.Column] {
    let own: [Report.Column] =
      accounts.count > 1 ? [.text("account", "Account", yielding: .below(3))] : []
    return [.fixed("place", "Place"), .data("day"), .data("status")] + own + [
      .text("other", "Category or account", yielding: .below(2)),
      .text(nil, "Payee", yielding: .below(1)), .data("payee"), .data("description"),
      .data("note"), .figure("amount", "Amount"), .fixed("currency"),
    ]
  }

  /// Returns the sums by which a transaction changed the given accounts, one for each currency, in
  /// order of currency code.
  static func amounts(of row: Transaction, seenFrom accounts: [AccountID]) -> [Total] {
    var sums: [Currency: Int128] = [:]
    for posting in row.postings {
      guard case .account(let id) = posting.account, accounts.contains(id) else { continue }
      sums[posting.amount.currency, default: 0] += Int128(posting.amount.minorUnits)
    }
    return sums.sorted { $0.key < $1.key }.map { Total(units: $0.value, currency: $0.key) }
  }

  /// Returns the lines of a transaction: one for each currency in which it changed the accounts.
  static func lines(
    of row: Transaction, _ names: Names, seenFrom accounts: [AccountID]
  ) -> [[Report.Cell]] {
    var own: [String] = []
    var others: [String] = []
    for posting in row.postings {
      var isOwn = false
      if case .account(let id) = posting.account {
        isOwn = accounts.contains(id)
        // In a transaction with more postings, built-in accounts only balance the others, so they
        // aren't named.
        if !isOwn, !names.isListed(id), row.postings.count > 2 { continue }
      }
      let name = names.name(of: posting.account)
      if isOwn, !own.contains(name) { own.append(name) }
      if !isOwn, !others.contains(name) { others.append(name) }
    }
    // If there is no other account or category, the row is a transfer between two of the given
    // accounts.
    let ownText = others.isEmpty ? RowSummary(row, names).account : own.joined(separator: ", ")
    let words = [row.payee, row.description, row.note].filter { !$0.isEmpty }
    let place: [Report.Cell] = [
      row.placeCell(seenFrom: accounts), .day(row.day(seenFrom: accounts)),
      .init("\(row.status)"),
    ]
    let account: [Report.Cell] = accounts.count > 1 ? [.init(ownText)] : []
    let texts: [Report.Cell] = [
      .init(others.joined(separator: ", ")), .init(words.joined(separator: "; ")),
      .init(row.payee), .init(row.description), .init(row.note),
    ]
    return amounts(of: row, seenFrom: accounts).map { amount in
      let style: Style = amount.units > 0 ? .green : .plain
      return place + account + texts
        + [
          .init(data: amount.text, .init(Figures.text(amount), style)),
          .currency(amount.currency, style),
        ]
    }
  }
}
