import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook envelopes`: shows envelopes, and assigns and moves money.
struct EnvelopesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "envelopes", abstract: "Assign money to categories before you spend it.",
    discussion: """
      Every expense category has an envelope. Assign it money each month; what isn't spent is \
      carried over to the next month. The money on your accounts that no envelope has is ready to \
      assign. All amounts are in the ledger's base currency.
      """,
    subcommands: [
      EnvelopesListCommand.self, EnvelopesAssignCommand.self, EnvelopesMoveCommand.self,
      EnvelopesCoverCommand.self, EnvelopesFillCommand.self, EnvelopesMovesCommand.self,
      EnvelopesRemoveCommand.self,
      EnvelopesGoalsCommand.self, EnvelopesGoalCommand.self, EnvelopesOverspendingCommand.self,
      EnvelopesExcludeCommand.self, EnvelopesIncludeCommand.self,
    ], defaultSubcommand: EnvelopesListCommand.self)
}

/// `daybook envelopes list`: shows the envelopes of one or more months.
struct EnvelopesListCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show what each envelope has, and what is ready to assign.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions

  @Option(help: ArgumentHelp("The month (default: the current month).", valueName: "yyyy-mm"))
  var month: MonthArgument?

  @Option(help: "The number of months, of which the given month is the last.")
  var count = 1

  func validate() throws {
    guard (1...1200).contains(count) else {
      throw ValidationError("--count must be from 1 to 1200.")
    }
  }

  private struct Content: Encodable, Sendable {
    var today: Day
    var months: [EnvelopeMonth]
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let last = month?.month ?? today.day.monthOf
    let months = try snapshot.envelopes(
      over: last.adding(1 - count)..<last.adding(1), today: today.day)
    let names = try Names(snapshot)
    let order = names.tree.ordered(kind: .expense).enumerated()
    let places = Dictionary(
      order.map { ($1.category.id, $0) }, uniquingKeysWith: { first, _ in first })
    let hasGoals = months.contains { $0.envelopes.contains { $0.needed != nil } }
    var report = Report(
      columns(hasGoals: hasGoals),
      ifEmpty: "No expense categories. Create one with `daybook categories create`.",
      json: JSONAnswer(Content(today: today.day, months: months), names))
    for month in months {
      let envelopes = month.envelopes.sorted {
        (places[$0.category.id] ?? .max) < (places[$1.category.id] ?? .max)
      }
      for envelope in envelopes { report.add(cells(envelope, in: month.month, names)) }
      for payment in month.payments { report.add(cells(payment, in: month.month)) }
    }
    for month in months.suffix(1) { report.remarks = remarks(on: month) }
    report.remarksStandApart = true
    return report
  }

  private func columns(hasGoals: Bool) -> [Report.Column] {
    [
      count > 1 ? .fixed("month", "Month") : .data("month"),
      .text("envelope", "Envelope", wraps: true, yielding: .never),
      .figure("carriedOver", "Carried over", yielding: .goes(2)),
      .figure("assigned", "Assigned"), .figure("moved", "Moved", yielding: .goes(3)),
      .figure("spent", "Spent", yielding: .goes(1)), .figure("available", "Available"),
      .fixed("currency"),
      hasGoals ? .figure("needed", "Needed", yielding: .goes(4)) : .data("needed"),
    ]
  }

  private func cells(_ envelope: Envelope, in month: Month, _ names: Names) -> [Report.Cell] {
    let path = names.path(of: envelope.category.id)
    let name = path + (envelope.category.isDeleted ? " (deleted)" : "")
    let isOverspent = envelope.available.units < 0
    return [
      .init("\(month)"), .init(data: path, .init(name)), .total(envelope.carriedOver),
      .total(envelope.assigned), .total(envelope.moved), .total(envelope.spent),
      .total(envelope.available, isOverspent ? .red : .bold),
      .currency(envelope.available.currency, .dim),
      envelope.needed.map { .total($0) } ?? .init(""),
    ]
  }

  private func cells(_ payment: CardPayment, in month: Month) -> [Report.Cell] {
    let spent = Total(units: -payment.setAside.units, currency: payment.setAside.currency)
    let isOverpaid = payment.available.units < 0
    return [
      .init("\(month)"), .init("Payment of \(payment.account.name)"),
      .total(payment.carriedOver), .total(payment.assigned), .init(""), .total(spent),
      .total(payment.available, isOverpaid ? .red : .bold),
      .currency(payment.available.currency, .dim), .init(""),
    ]
  }

  private func remarks(on month: EnvelopeMonth) -> [String] {
    let later = month.assignedLater
    var remarks = [
      "Ready to assign in \(month.month): \(Figures.withCode(month.readyToAssign))"
        + (later.units == 0 ? "." : ", after \(Figures.withCode(later)) assigned in later months.")
    ]
    if month.needed.units != 0 {
      remarks.append("Needed for goals: \(Figures.withCode(month.needed)).")
    }
    for payment in month.payments where payment.uncovered.units > 0 {
      remarks.append(
        "\(payment.account.name) owes \(Figures.withCode(payment.uncovered)) for which nothing is "
          + "set aside.")
    }
    remarks += Conversion.remarks(on: month.money, what: "account")
    if !month.unconverted.isEmpty {
      let spent = Converted(total: month.readyToAssign, unconverted: month.unconverted)
      remarks += Conversion.remarks(on: spent, what: "transaction")
    }
    return remarks
  }
}

/// `daybook envelopes moves`: lists the moves between envelopes.
struct EnvelopesMovesCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "moves", abstract: "List the moves of money between envelopes.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var output: ReportOptions

  @Option(help: ArgumentHelp("Only this month.", valueName: "yyyy-mm"))
  var month: MonthArgument?

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let moves = try snapshot.allocations()
      .filter { !$0.isAssignment && (month == nil || $0.month == month?.month) }
      .sorted { ($0.month, $0.number) < ($1.month, $1.number) }
    let names = try Names(snapshot)
    var report = Report(
      [
        .fixed("month", "Month"), .text("from", "From", yielding: .below(2)),
        .text("to", "To", yielding: .below(2)), .figure("amount", "Amount"), .fixed("currency"),
        .text("note", "Note", yielding: .below(1)), .data("id"),
      ], ifEmpty: "No moves. Move money with `daybook envelopes move`.",
      json: JSONAnswer(["moves": moves], names))
    for move in moves {
      report.add([
        .init("\(move.month)"), .init(move.source.map { names.path(of: $0) } ?? readyToAssign),
        .init(move.category.map { names.path(of: $0) } ?? readyToAssign),
        .total(Total(move.amount)), .currency(move.amount.currency, .dim), .init(move.note),
        .init("\(move.id)"),
      ])
    }
    return report
  }

  private var readyToAssign: String { "ready to assign" }
}
