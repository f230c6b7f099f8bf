import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook reconcile`: marks transactions as matching a statement and locks them.
struct ReconcileCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "reconcile",
    abstract: "Lock transactions that match a bank statement, or unlock them.",
    discussion: """
      The account, day and amounts of a reconciled transaction can't change; categories, notes and \
      tags can. Name transactions, or an account and the statement's last day. The account's \
      pending transactions are left out unless you add --pending, since the bank hasn't booked \
      them. With --balance, nothing is locked unless the ledger's balance, without pending \
      transactions, equals the statement's balance on that day.

        daybook reconcile --account Checking --through 2026-01-31 --balance 1250.30
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The transactions' ids, or places such as 2026-02-14#123.")
  var transactions: [String] = []

  @Option(
    help: "Reconcile all transactions of this account.",
    completion: LedgerCompletion.accounts)
  var account: String?

  @Option(
    help: ArgumentHelp("The statement's last day (default: today).", valueName: "yyyy-mm-dd"))
  var through: DayArgument?

  @Option(parsing: .unconditional, help: "The statement's balance.")
  var balance: String?

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Tick the transactions of --account one by one, or lock them all at once.",
      discussion: "On a terminal, ticking is the default."))
  var interactive: Bool?

  @Flag(help: "Lock the account's pending transactions too.")
  var pending = false

  @Flag(help: "Unlock the transactions.")
  var undo = false

  /// Whether the user ticks the transactions on the terminal.
  private var isInteractive: Bool {
    interactive ?? (account != nil && !undo && !pending && !ledger.json && Keyboard.isThere)
  }

  func validate() throws {
    if interactive == true, account == nil || undo || pending || ledger.json {
      throw ValidationError(
        "--interactive requires --account, and can't be used with --undo, --pending or --json.")
    }
    guard transactions.isEmpty != (account == nil) else {
      throw ValidationError("Specify transactions, or use --account with --through.")
    }
    if account == nil, balance != nil || through != nil || pending {
      throw ValidationError("--through, --balance and --pending require --account.")
    }
    if undo, pending {
      throw ValidationError(
        "--pending can't be used with --undo, which unlocks pending transactions too.")
    }
  }

  /// The transactions to lock or unlock.
  private struct Chosen {
    var ids: [TransactionID]
    /// The number of pending transactions that remain unchanged.
    var leftOut = 0
    /// The account and the last day of the transactions, in words.
    ///
    /// `nil` if the transactions were specified individually.
    var extent: String?
  }

  func execute() async throws {
    if let account, isInteractive { return try await executeOnTerminal(account: account) }
    var chosen = Chosen(ids: [])
    let recorded = try await ledger.record { snapshot in
      chosen =
        try account.map { try rows(of: $0, snapshot) }
        ?? Chosen(ids: transactions.map { try Lookup.transaction($0, in: snapshot).id })
      if chosen.ids.isEmpty { return [] }
      return [undo ? .unreconcile(chosen.ids) : .reconcile(chosen.ids)]
    }
    try ledger.answer(
      recorded, with: SortedMembers(["count": chosen.ids.count, "pendingLeftOut": chosen.leftOut]),
      sentence(chosen))
  }

  private func sentence(_ chosen: Chosen) -> String {
    let count = Figures.counted(chosen.ids.count, "transaction")
    let extent = chosen.extent.map { " of \($0)" } ?? ""
    if undo { return "Unlocked \(count)\(extent)." }
    let locked =
      chosen.ids.count == 1
      ? "Its account, day and amount are locked." : "Their accounts, days and amounts are locked."
    var sentence =
      chosen.ids.isEmpty
      ? "Nothing to reconcile\(chosen.extent.map { " in \($0)" } ?? "")."
      : "Reconciled \(count)\(extent). \(locked)"
    if chosen.leftOut > 0 {
      let left = Figures.counted(chosen.leftOut, "pending transaction")
      sentence +=
        " Skipped \(left); to lock \(chosen.leftOut == 1 ? "it" : "them") too, add --pending."
    }
    return sentence
  }

  private func rows(of name: String, _ snapshot: borrowing Snapshot) throws -> Chosen {
    let found = try Lookup.account(name, in: snapshot)
    let day = through?.day(today: today.day) ?? today.day
    let filter = TransactionFilter(account: found.id, days: Day.min..<day.adding(days: 1))
    var chosen = Chosen(ids: [], extent: "\(found.name) through \(day)")
    var waiting = Total(units: 0, currency: found.currency)
    var last: TransactionPosition?
    while true {
      let page = try snapshot.transactions(filter, after: last, limit: 1000)
      for row in page {
        if !undo, !pending, row.status == .pending {
          chosen.leftOut += 1
          waiting.units += row.units(of: found.id)
        } else if (row.status == .reconciled) == undo {
          chosen.ids.append(row.id)
        }
      }
      guard page.count == 1000, let row = page.last else { break }
      last = filter.position(of: row)
    }
    try check(found, day, leaving: waiting, of: chosen.leftOut, snapshot)
    return chosen
  }

  /// Checks the account's balance without the pending transactions against the statement's balance.
  ///
  /// - Throws: `CommandFailure` if the two differ.
  private func check(
    _ found: Account, _ day: Day, leaving waiting: Total, of count: Int,
    _ snapshot: borrowing Snapshot
  ) throws {
    guard let balance else { return }
    let stated = try Amounts.money(balance, in: found.currency, snapshot)
    var actual = try snapshot.balance(of: found.id, on: day)
    actual.units -= waiting.units
    guard actual != Total(stated) else { return }
    let difference = Total(
      units: actual.units - Int128(stated.minorUnits), currency: found.currency)
    let without =
      count == 0
      ? ""
      : " without \(Figures.counted(count, "pending transaction")) of "
        + "\(Figures.withCode(waiting))"
    throw CommandFailure(
      .refused, code: "balance",
      "Couldn't reconcile: the balance of \(found.name) on \(day)\(without) is "
        + "\(Figures.withCode(actual)), not \(Figures.withCode(Total(stated))): a difference of "
        + "\(Figures.withCode(difference)).",
      remedy: "Look for a missing or duplicate transaction: daybook list --account "
        + "\"\(found.name)\" --through \(day)"
        + (count == 0
          ? "" : ". If the statement includes pending transactions, add --pending"))
  }
}

extension Transaction {
  /// The sum of the transaction's postings to an account, in minor units.
  fileprivate func units(of account: AccountID) -> Int128 {
    postings.reduce(0) { sum, posting in
      posting.account == .account(account) ? sum + Int128(posting.amount.minorUnits) : sum
    }
  }
}
