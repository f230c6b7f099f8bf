import ArgumentParser
import Daybook
import Terminal

/// `daybook reconcile`: rows agree with a statement and are locked.
struct ReconcileCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "reconcile",
    abstract: "Lock rows that agree with a bank's statement, or unlock them.",
    discussion: """
      A reconciled row keeps its account, day and amounts; notes and labels may change. Name rows, \
      or an account and the statement's last day. With --balance nothing is locked unless the \
      account's balance on that day is the statement's.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "Ids, or places such as 2026-02-14#123.")
  var transactions: [String] = []

  @Option(
    help: "All rows of this account, instead of rows by name.",
    completion: LedgerCompletion.accounts)
  var account: String?

  @Option(
    help: ArgumentHelp("The statement's last day; today if not given.", valueName: "yyyy-mm-dd"))
  var through: DayArgument?

  @Option(parsing: .unconditional, help: "The balance that the statement says.")
  var balance: String?

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Tick the rows of --account one by one, or lock all of them at once.",
      discussion: "On a terminal rows are ticked unless told otherwise."))
  var interactive: Bool?

  @Flag(help: "Unlock instead.")
  var undo = false

  /// Whether a person ticks the rows.
  private var isInteractive: Bool {
    interactive ?? (account != nil && !undo && !ledger.json && Keyboard.isThere)
  }

  func validate() throws {
    if interactive == true, account == nil || undo || ledger.json {
      throw ValidationError("--interactive ticks rows of --account, without --undo and --json.")
    }
    guard transactions.isEmpty != (account == nil) else {
      throw ValidationError("Name rows, or --account with --through.")
    }
    if account == nil, balance != nil || through != nil {
      throw ValidationError("--through and --balance belong to --account.")
    }
  }

  func execute() async throws {
    if let account, isInteractive { return try await executeOnTerminal(account: account) }
    var count = 0
    try await ledger.record { snapshot in
      let ids =
        try account.map { try rows(of: $0, snapshot) }
        ?? transactions.map { try Lookup.transaction($0, in: snapshot).id }
      count = ids.count
      if ids.isEmpty { return [] }
      return [undo ? .unreconcile(ids) : .reconcile(ids)]
    }
    let verb = undo ? "Unlocked" : "Reconciled"
    try ledger.answer(
      [("count", .count(count)), ("reconciled", .bool(!undo))],
      "\(verb) \(count == 1 ? "1 row" : "\(Figures.count(count)) rows").")
  }

  private func rows(of name: String, _ snapshot: borrowing Snapshot) throws -> [TransactionID] {
    let found = try Lookup.account(name, in: snapshot)
    let day = through?.day(today: today.day) ?? today.day
    if let balance {
      let stated = try Amounts.money(balance, in: found.currency, snapshot)
      let actual = try snapshot.balance(of: found.id, on: day)
      guard actual == Total(stated) else {
        let difference = Total(
          units: actual.units - Int128(stated.minorUnits), currency: found.currency)
        throw CommandFailure(
          .refused, code: "balance",
          "\(found.name) has \(Figures.withCode(actual)) on \(day), not \(stated): a difference "
            + "of \(Figures.withCode(difference)).",
          remedy: "Look for a row that is missing or twice: "
            + "daybook list --account \"\(found.name)\" --through \(day)")
      }
    }
    let filter = TransactionFilter(account: found.id, days: Day.min..<day.adding(days: 1))
    let wanted: (Transaction) -> Bool = { ($0.status == .reconciled) == undo }
    var ids: [TransactionID] = []
    var last: TransactionKey?
    while true {
      let page = try snapshot.transactions(filter, after: last, limit: 1000)
      ids += page.filter(wanted).map(\.id)
      guard page.count == 1000, let key = page.last?.key else { return ids }
      last = key
    }
  }
}
