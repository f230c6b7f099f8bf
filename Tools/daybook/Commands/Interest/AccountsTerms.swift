import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook accounts terms`: shows and sets the terms on which an account bears interest.
struct AccountsTermsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "terms", abstract: "Set the interest of a deposit, or the terms of a loan.",
    subcommands: [
      AccountsTermsShowCommand.self, AccountsTermsSetCommand.self, AccountsTermsRemoveCommand.self,
    ], defaultSubcommand: AccountsTermsShowCommand.self)
}

/// The day counts on the command line.
enum DayCountArgument: String, ExpressibleByArgument, CaseIterable {
  case actual365 = "actual/365"
  case actualActual = "actual/actual"
  case actual360 = "actual/360"
  case thirty360 = "30E/360"
  case periods

  init?(argument: String) {
    let found = Self.allCases.first { $0.rawValue.lowercased() == argument.lowercased() }
    guard let found else { return nil }
    self = found
  }

  init(_ dayCount: DayCount) {
    self =
      switch dayCount {
      case .actual365: .actual365
      case .actualActual: .actualActual
      case .actual360: .actual360
      case .thirty360: .thirty360
      case .periods: .periods
      }
  }

  var dayCount: DayCount {
    switch self {
    case .actual365: .actual365
    case .actualActual: .actualActual
    case .actual360: .actual360
    case .thirty360: .thirty360
    case .periods: .periods
    }
  }
}

/// A rate on the command line: `12.5`, or `12.5@2026-07-01` from a day on.
struct RateArgument: ExpressibleByArgument {
  var rate: InterestRate
  var from: Day?

  init?(argument: String) {
    let parts = argument.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    var text = parts[0]
    if text.last == "%" { text = text.dropLast() }
    guard let rate = InterestRate(text) else { return nil }
    self.rate = rate
    guard parts.count == 2 else { return }
    guard let day = Day(parts[1]) else { return nil }
    from = day
  }
}

/// `daybook accounts terms set`: sets or changes an account's terms.
struct AccountsTermsSetCommand: LedgerCommand {
  enum Interval: String, ExpressibleByArgument, CaseIterable {
    case month, quarter, year
  }
  enum RepaymentArgument: String, ExpressibleByArgument, CaseIterable {
    case annuity
    case equalPrincipal = "equal-principal"
  }

  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set or change an account's interest, or a loan's terms.",
    discussion: """
        daybook accounts terms set Savings --rate 2.5 --from 2026-01-01 --capitalise
        daybook accounts terms set Savings --rate 2.25@2026-07-01
        daybook accounts terms set Mortgage --rate 3.9 --from 2026-01-01 --payments 240

      Interest accrues each day on the balance at the end of the day before, from the day after \
      --from. It is rounded when it falls due. With --payments, the account is a loan: its payments \
      begin on --first (default: one interval after --from). On an account with terms, only the \
      given options change.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The account.", completion: LedgerCompletion.accounts)
  var account: String

  @Option(
    help: ArgumentHelp(
      "The rate in percent per year; with @yyyy-mm-dd, from that day on. Repeatable. Without a day, "
        + "it replaces all rates.", valueName: "rate"))
  var rate: [RateArgument] = []

  @Option(
    help: ArgumentHelp(
      "The day that the terms begin; the balance at its end bears interest.",
      valueName: "yyyy-mm-dd"))
  var from: DayArgument?

  @Option(
    help: ArgumentHelp(
      "actual/365 (default), actual/actual, actual/360, 30E/360, or periods, in which each period "
        + "is the same part of a year (default for loans).", valueName: "rule"))
  var dayCount: DayCountArgument?

  @Flag(inversion: .prefixedNo, help: "Posted interest bears interest.")
  var capitalise: Bool?

  @Option(help: "How often interest or payments fall due: month (default), quarter or year.")
  var every: Interval?

  @Option(help: "The day of the month on which they fall due, 1 to 31.")
  var day: Int?

  @Option(help: ArgumentHelp("The first due day.", valueName: "yyyy-mm-dd"))
  var first: DayArgument?

  @Option(
    help: "The category of interest (default: uncategorised).",
    completion: LedgerCompletion.categories)
  var category: String?

  @Option(help: "The number of a loan's payments.")
  var payments: Int?

  @Option(help: "The amount owed when a loan's terms begin (default: the account's balance).")
  var principal: String?

  @Option(help: "annuity (default), or equal-principal.")
  var repayment: RepaymentArgument?

  func execute() async throws {
    var done = ""
    let recorded = try await ledger.record { snapshot in
      let found = try Lookup.account(account, in: snapshot)
      let terms = try terms(of: found, snapshot)
      done = "\(found.name): \(terms.text)."
      return [.setTerms(terms)]
    }
    try ledger.answer(recorded, done)
  }

  private func terms(
    of account: Account, _ snapshot: borrowing Snapshot
  ) throws -> AccountTerms {
    let old = try snapshot.terms(of: account.id)
    guard let begin = from?.day(today: today.day) ?? old?.from else {
      throw CommandFailure.usage(
        "\(account.name) has no terms yet, so --from is required.",
        remedy: "Give the day that they begin, such as --from 2026-01-01.")
    }
    guard old != nil || !rate.isEmpty else {
      throw CommandFailure.usage(
        "\(account.name) has no terms yet, so --rate is required.",
        remedy: "Give the rate in percent per year, such as --rate 2.5.")
    }
    let loan = try loan(of: account, old, from: begin, snapshot)
    let every = every.map { InterestInterval.allCases[Interval.allCases.firstIndex(of: $0) ?? 0] }
    var terms = AccountTerms(
      of: account.id, rate: .zero, from: begin,
      dayCount: dayCount?.dayCount ?? old?.dayCount ?? (loan == nil ? .actual365 : .periods),
      isCapitalised: capitalise ?? old?.isCapitalised ?? false,
      interval: every ?? old?.interval ?? .month, firstDue: first?.day(today: today.day),
      dueDay: day ?? (first == nil ? old.map { Int($0.dueDay) } : nil),
      category: try category.map {
        let kind: CategoryKind = account.kind == .liability ? .expense : .income
        return try Lookup.category($0, kind: kind, in: snapshot).id
      } ?? old?.category, loan: loan)
    let keepsDays = from == nil && every == nil && day == nil && first == nil
    if let old, keepsDays { (terms.firstDue, terms.dueDay) = (old.firstDue, old.dueDay) }
    terms.loweredOn = old?.loweredOn ?? []
    terms.rates = old?.rates ?? []
    for one in rate {
      if one.from == nil { terms.rates = [] }
      let step = RateStep(from: one.from ?? begin, rate: one.rate)
      terms.rates.removeAll { $0.from == step.from }
      terms.rates.append(step)
    }
    terms.rates.sort { $0.from < $1.from }
    return terms
  }

  private func loan(
    of account: Account, _ old: AccountTerms?, from begin: Day, _ snapshot: borrowing Snapshot
  ) throws -> LoanTerms? {
    guard let count = payments.map({ Int64($0) }) ?? old?.loan?.paymentCount else {
      guard principal == nil, repayment == nil else {
        throw CommandFailure.usage(
          "--principal and --repayment require --payments.",
          remedy: "Give the number of the loan's payments.")
      }
      return nil
    }
    var owed = old?.loan?.principal
    if let principal {
      owed = try Amounts.size(
        principal, in: account.currency, snapshot, of: "a loan",
        ifNegative: { "Give what is owed as a positive amount: --principal \($0)." })
    } else if owed == nil || from != nil {
      owed = try snapshot.balance(of: account.id, on: begin).money.flatMap { try? $0.negated() }
      guard let units = owed?.minorUnits, units > 0 else {
        throw CommandFailure.usage(
          "\(account.name) owes nothing on \(begin).",
          remedy: "Give --principal, or record its opening balance first.")
      }
    }
    guard let owed else { return nil }
    let chosen: Repayment? = repayment.map { $0 == .annuity ? .annuity : .equalPrincipal }
    return LoanTerms(
      principal: owed, paymentCount: count, repayment: chosen ?? old?.loan?.repayment ?? .annuity)
  }
}

/// `daybook accounts terms show`: shows the terms of one or all accounts.
struct AccountsTermsShowCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the terms on which accounts bear interest.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions

  @Argument(help: "The account (default: all).", completion: LedgerCompletion.accounts)
  var account: String?

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let only = try account.map { try Lookup.account($0, in: snapshot).id }
    let all = try snapshot.terms().filter { only == nil || $0.account == only }
    let names = try Names(snapshot)
    var report = Report(
      [
        .text("account", "Account", yielding: .never), .figure("rate", "Rate %"),
        .text("terms", "Terms", wraps: true), .text("category", "Category", yielding: .goes(1)),
      ], ifEmpty: "No terms. Set them with `daybook accounts terms set`.",
      json: JSONAnswer(["terms": all], names))
    for terms in all {
      report.add([
        .init(try snapshot.account(terms.account)?.name ?? "\(terms.account)"),
        .init("\(terms.rate(on: today.day))"), .init(terms.text),
        .init(terms.category.map { names.path(of: $0) } ?? ""),
      ])
    }
    return report
  }
}

/// `daybook accounts terms remove`: removes an account's terms.
struct AccountsTermsRemoveCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove an account's terms; its transactions stay.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The account.", completion: LedgerCompletion.accounts)
  var account: String

  func execute() async throws {
    let (recorded, name) = try await ledger.record(on: account) { .removeTerms($0) }
    try ledger.answer(recorded, "Removed the terms of \(name).")
  }
}

extension AccountTerms {
  /// The terms in words, such as `2.5 % from 2026-01-01, actual/365, every month on day 1 from
  /// 2026-02-01, capitalised`.
  var text: String {
    var parts = rates.map { "\($0.rate) % from \($0.from)" }
    if rates.first?.from != from { parts.append("begins on \(from)") }
    parts.append(DayCountArgument(dayCount).rawValue)
    parts.append("every \(interval) on day \(dueDay) from \(firstDue)")
    if let loan {
      parts.append(
        "\(loan.paymentCount) payments of \(loan.repayment == .annuity ? "an annuity" : "equal principal")"
          + " for \(Figures.withCode(Total(loan.principal)))")
    } else {
      parts.append(isCapitalised ? "capitalised" : "simple")
    }
    return parts.joined(separator: ", ")
  }
}
