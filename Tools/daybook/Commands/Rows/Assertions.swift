import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook assertions`: lists and manages stated balances.
struct AssertionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "assertions",
    abstract: "Manage stated balances and check them against the ledger.",
    discussion: """
      A stated balance is an account's balance according to its statement. It changes and locks \
      nothing; a balance that differs from the ledger's is reported. To lock a statement's \
      transactions, use `daybook reconcile`.
      """,
    subcommands: [
      AssertionsListCommand.self, AssertionsCheckCommand.self, AssertionsAddCommand.self,
      AssertionsRemoveCommand.self,
    ], defaultSubcommand: AssertionsListCommand.self)
}

/// `daybook assertions list`: lists stated balances.
struct AssertionsListCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List stated balances next to the ledger's balances.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var output: ReportOptions

  @Argument(help: "Only these accounts.", completion: LedgerCompletion.accounts)
  var accounts: [String] = []

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    try AssertionTable(snapshot, accounts).report()
  }
}

/// `daybook assertions check`: lists the stated balances that don't match the ledger, for scripts.
struct AssertionsCheckCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "List the stated balances that differ from the ledger; exit with 1 if any do.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var output: ReportOptions

  @Argument(help: "Only these accounts.", completion: LedgerCompletion.accounts)
  var accounts: [String] = []

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let table = try AssertionTable(snapshot, accounts)
    var report = table.report(failingOnly: true)
    if table.failingCount > 0 { report.exitStatus = .refused }
    return report
  }
}

/// `daybook assertions add`: records the balance that a statement shows.
struct AssertionsAddCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an account's stated balance at the end of a day.",
    discussion: """
      For a debt, both of these are equivalent:
        daybook assertions add "Credit card" --owed 384.20 --on 2026-01-31
        daybook assertions add "Credit card" -384.20 --on 2026-01-31

      An account has one stated balance a day: another one for the same day replaces it.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The account.", completion: LedgerCompletion.accounts)
  var account: String

  @Argument(help: "The stated balance, such as 1200.50; negative for a debt.")
  var amount: String?

  @Option(help: "The amount owed, instead of a negative balance.")
  var owed: String?

  @Option(
    help: ArgumentHelp(
      "The balance applies at the end of this day (default: today).", valueName: "yyyy-mm-dd"))
  var on: DayArgument?

  @Option(help: "A note, such as where the balance is stated.")
  var note: String?

  func validate() throws {
    guard (amount != nil) != (owed != nil) else {
      throw ValidationError("Use either an amount or --owed.")
    }
  }

  func execute() async throws {
    let day = on?.day(today: today.day) ?? today.day
    let (check, replaced, recorded) = try await ledger.withLedger { opened in
      let (found, money, old) = try opened.read { snapshot in
        let found = try Lookup.account(account, in: snapshot)
        let old = try snapshot.assertions().filter { $0.account == found.id && $0.day == day }
        return (found, try Amounts.held(amount, owed: owed, by: found, snapshot), old)
      }
      let receipt = try await opened.append(
        [.assertBalance(found.id, money, on: day, note: note ?? "")]
          + old.map { .removeAssertion($0.id) })
      let id = receipt.assertions.first
      let assertion = BalanceAssertion(
        id: id ?? .unassigned, account: found.id, day: day, balance: money, note: note ?? "")
      let balance = try opened.read { try $0.balance(of: found.id, on: day) }
      return (
        AssertionCheck(assertion: assertion, balance: balance), old,
        Recorded(receipt: receipt, names: try ledger.names(in: opened))
      )
    }
    let said = Figures.withCode(check.stated)
    let before = Figures.list(replaced.map { Total($0.balance) })
    let done =
      replaced.isEmpty
      ? "Added stated balance of \(said) on \(day)."
      : "Replaced stated balance of \(before) on \(day) by \(said)."
    try ledger.answer(
      recorded, with: check,
      check.holds
        ? "\(done) It matches the ledger."
        : "\(done) The ledger's balance is \(Figures.withCode(check.balance))."
    )
  }
}

/// `daybook assertions remove`: removes a stated balance.
struct AssertionsRemoveCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a stated balance.",
    discussion: "  daybook assertions remove Checking --on 2026-01-31")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The stated balance's id, or its account with --on.")
  var assertion: String

  @Option(help: ArgumentHelp("The day of the stated balance.", valueName: "yyyy-mm-dd"))
  var on: DayArgument?

  func execute() async throws {
    let day = on?.day(today: today.day)
    var removed = ""
    let recorded = try await ledger.record { snapshot in
      let all = try snapshot.assertions()
      if day == nil, let found = all.first(where: { "\($0.id)" == assertion }) {
        removed = "of \(try Names(snapshot).name(of: found.account)) on \(found.day)"
        return [.removeAssertion(found.id)]
      }
      let account = try Lookup.account(assertion, in: snapshot)
      guard let day else {
        throw CommandFailure.usage(
          "Couldn't remove the stated balance: its day is missing.",
          remedy: "Add --on DAY, or give the stated balance's id.")
      }
      let found = all.filter { $0.account == account.id && $0.day == day }
      guard let first = found.first, found.count == 1 else {
        throw CommandFailure.notFound(
          found.isEmpty
            ? "\(account.name) has no stated balance on \(day)."
            : "\(account.name) has \(found.count) stated balances on \(day).",
          remedy: found.isEmpty
            ? "List them with `daybook assertions list`."
            : "Give the id of one; `daybook assertions list --json` shows ids.")
      }
      removed = "of \(account.name) on \(day)"
      return [.removeAssertion(first.id)]
    }
    try ledger.answer(recorded, "Removed the stated balance \(removed).".printable)
  }
}

/// The stated balances next to the ledger's balances.
private struct AssertionTable {
  private let checks: [AssertionCheck]
  private let names: Names

  init(_ snapshot: borrowing Snapshot, _ accounts: [String]) throws {
    let only = Set(try accounts.map { try Lookup.account($0, in: snapshot).id })
    checks = try snapshot.assertionChecks()
      .filter { only.isEmpty || only.contains($0.assertion.account) }
      .sorted {
        ($0.assertion.day, $0.assertion.number) < ($1.assertion.day, $1.assertion.number)
      }
    names = try Names(snapshot)
  }

  private struct Content: Encodable, Sendable {
    var count: Int
    var failing: Int
    var assertions: [AssertionCheck]
  }

  var failingCount: Int { checks.count { !$0.holds } }

  func report(failingOnly: Bool = false) -> Report {
    let shown = checks.filter { !failingOnly || !$0.holds }
    let nothing =
      checks.isEmpty
      ? "No stated balances. Add one with `daybook assertions add`."
      : checks.count == 1
        ? "The stated balance matches the ledger."
        : "All \(Figures.count(checks.count)) stated balances match the ledger."
    let content = Content(count: checks.count, failing: failingCount, assertions: shown)
    var report = Report(Self.columns, ifEmpty: nothing, json: JSONAnswer(content, names))
    for check in shown {
      report.add([
        .day(check.assertion.day), .init(names.name(of: check.assertion.account)),
        .init("\(check.assertion.id)"), .total(check.stated), .total(check.balance),
        .init(
          data: check.difference.text,
          check.holds ? .init("holds", .green) : .init(Figures.text(check.difference), .red)),
        .currency(check.balance.currency), .flag(check.holds), .init(check.assertion.note),
      ])
    }
    return report
  }

  private static var columns: [Report.Column] {
    [
      .fixed("day", "Day"), .text("account", "Account", yielding: .below(2)), .data("id"),
      .figure("stated", "Stated"), .figure("balance", "Ledger", yielding: .goes(3)),
      .figure("difference", "Difference"), .fixed("currency"), .data("holds"),
      .text("note", "Note", yielding: .below(1)),
    ]
  }
}

extension AssertionCheck {
  /// The stated balance.
  fileprivate var stated: Total { Total(assertion.balance) }

  /// The ledger's balance minus the stated balance.
  fileprivate var difference: Total {
    Total(units: balance.units - stated.units, currency: balance.currency)
  }
}
