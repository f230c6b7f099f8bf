import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook loan`: shows a loan's plan, and records payments.
struct LoanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "loan", abstract: "Show a loan's plan, pay it, and repay it early.",
    discussion: "Set the loan's terms first, with `daybook accounts terms set --payments`.",
    subcommands: [LoanPlanCommand.self, LoanPayCommand.self, LoanRepayCommand.self],
    defaultSubcommand: LoanPlanCommand.self)
}

/// `daybook loan plan`: shows the payments of a loan.
struct LoanPlanCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Show a loan's payments: those made and those to come.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions

  @Argument(help: "The loan's account.", completion: LedgerCompletion.accounts)
  var account: String

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let found = try Lookup.account(account, in: snapshot)
    let plan = try snapshot.loanPlan(of: found.id, today: today.day)
    var report = Report(
      [
        .figure("number", "No."), .fixed("due", "Due"), .text("paid", "", yielding: .goes(1)),
        .figure("payment", "Payment"), .figure("interest", "Interest"),
        .figure("principal", "Principal"), .figure("remaining", "Remaining"), .fixed("currency"),
      ], ifEmpty: "No payments: nothing is owed on \(found.name).",
      json: JSONAnswer(plan, try Names(snapshot)))
    for payment in plan.payments {
      let state = payment.transaction != nil ? "paid" : payment.due <= today.day ? "due" : ""
      report.add([
        .init("\(payment.number)"), .day(payment.due), .init(state), .total(payment.amount, .bold),
        .total(payment.interest), .total(payment.principal), .total(payment.remaining),
        .currency(payment.interest.currency),
      ])
    }
    if !plan.payments.isEmpty {
      report.remarks = ["Total interest: \(Figures.withCode(plan.interest))."]
      report.remarksStandApart = true
    }
    return report
  }
}

/// `daybook loan pay`: records the payment that is due next.
struct LoanPayCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "pay", abstract: "Record a payment, divided into interest and principal.",
    discussion: """
        daybook loan pay Mortgage --from Checking
        daybook loan pay Mortgage --transaction 2026-02-01#3

      A higher amount than planned repays more principal. With --transaction, an existing \
      transaction, such as an imported one, becomes the payment.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The loan's account.", completion: LedgerCompletion.accounts)
  var account: String

  @Option(help: "The account that pays.", completion: LedgerCompletion.accounts)
  var from: String?

  @Option(help: "The existing transaction that is the payment.")
  var transaction: String?

  @Option(help: "The amount (default: the planned payment).")
  var amount: String?

  @Option(
    help: ArgumentHelp("The day of the payment (default: today).", valueName: "yyyy-mm-dd"))
  var on: DayArgument?

  @Option(
    help: ArgumentHelp(
      "The due day that is paid (default: the first unpaid one).", valueName: "yyyy-mm-dd"))
  var due: DayArgument?

  @Option(help: "The description.")
  var description: String = "Loan payment"

  func validate() throws {
    guard (from == nil) != (transaction == nil) else {
      throw ValidationError("Use either --from or --transaction.")
    }
    guard transaction == nil || amount == nil && on == nil else {
      throw ValidationError(
        "--amount and --on can't be used with --transaction, which keeps its amount and day.")
    }
  }

  func execute() async throws {
    try await ledger.recordAndShow("Paid") { snapshot in
      let loan = try Lookup.account(account, in: snapshot)
      if let transaction {
        let row = try Lookup.transaction(transaction, in: snapshot)
        return [.payLoan(LoanPayment(of: loan.id, by: row, due: due?.day(today: today.day)))]
      }
      return [
        .payLoan(
          LoanPayment(
            of: loan.id, from: try from.map { try Lookup.account($0, in: snapshot).id },
            on: on?.day(today: today.day) ?? today.day,
            amount: try amount.map { try Amounts.payment($0, of: loan, snapshot) },
            due: due?.day(today: today.day),
            description: description))
      ]
    }
  }
}

/// `daybook loan repay`: repays a loan early.
struct LoanRepayCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "repay", abstract: "Repay a part of a loan early, or all of it.",
    discussion: """
        daybook loan repay Mortgage 5000 --from Checking
        daybook loan repay Mortgage 5000 --from Checking --lower-payments
        daybook loan repay Mortgage --all --from Checking

      An early repayment shortens the loan, unless --lower-payments is used. --all also pays the \
      interest accrued by the day.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The loan's account.", completion: LedgerCompletion.accounts)
  var account: String

  @Argument(help: "The amount.")
  var amount: String?

  @Option(help: "The account that pays.", completion: LedgerCompletion.accounts)
  var from: String

  @Option(help: ArgumentHelp("The day (default: today).", valueName: "yyyy-mm-dd"))
  var on: DayArgument?

  @Flag(help: "Lower the later payments, instead of their number.")
  var lowerPayments = false

  @Flag(help: "Repay everything that is owed.")
  var all = false

  @Option(help: "The description.")
  var description: String = "Early repayment"

  func validate() throws {
    guard (amount == nil) == all else {
      throw ValidationError("Use either an amount or --all.")
    }
  }

  func execute() async throws {
    try await ledger.recordAndShow("Repaid") { snapshot in
      let loan = try Lookup.account(account, in: snapshot)
      return [
        .repayLoan(
          LoanRepayment(
            of: loan.id, from: try Lookup.account(from, in: snapshot).id,
            on: on?.day(today: today.day) ?? today.day,
            amount: try amount.map { try Amounts.payment($0, of: loan, snapshot) },
            lowersPayments: lowerPayments, description: description))
      ]
    }
  }
}

extension Amounts {
  /// Parses the positive amount of a loan's payment.
  fileprivate static func payment(
    _ text: String, of loan: Account, _ snapshot: borrowing Snapshot
  ) throws -> Money {
    try size(
      text, in: loan.currency, snapshot, of: "a payment",
      ifNegative: { "Give the amount that is paid: \($0)." })
  }
}
