import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook envelopes goal`: sets or removes the goal of an envelope.
struct EnvelopesGoalCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "goal", abstract: "Set the goal of a category's envelope.",
    discussion: """
        daybook envelopes goal Food 400 --monthly
        daybook envelopes goal Holiday 1200 --by 2026-07-15
        daybook envelopes goal Emergencies 3000 --keep
        daybook envelopes goal Food --none

      `daybook envelopes goals` shows what each goal needs this month. An amount by a day is divided \
      equally among the remaining months.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var rehearsal: EnvelopeRehearsalOptions

  @Argument(help: "The category.", completion: LedgerCompletion.categories)
  var category: String

  @Argument(help: "The amount.")
  var amount: String?

  @Option(
    help: ArgumentHelp("Have the amount at the end of this day's month.", valueName: "yyyy-mm-dd"))
  var by: DayArgument?

  @Flag(help: "Receive the amount each month.")
  var monthly = false

  @Flag(help: "Always have the amount.")
  var keep = false

  @Flag(help: "Remove the goal.")
  var none = false

  func validate() throws {
    guard [by != nil, monthly, keep, none].filter({ $0 }).count == 1 else {
      throw ValidationError("Use one of --by, --monthly, --keep and --none.")
    }
    if none, amount != nil { throw ValidationError("Leave out the amount with --none.") }
    if !none, amount == nil {
      throw ValidationError("Add the amount, such as `envelopes goal \(category) 400 --monthly`.")
    }
  }

  func execute() async throws {
    var done = ""
    let commands: (borrowing Snapshot) throws -> [Command] = { snapshot in
      let found = try Lookup.category(category, kind: .expense, in: snapshot)
      let path = try Names(snapshot).path(of: found.id)
      guard let amount else {
        done = found.goal == nil ? "\(path) has no goal." : "Removed the goal of \(path)."
        return [.removeGoal(of: found.id)]
      }
      let money = try Amounts.size(
        amount, in: snapshot.settings().baseCurrency, snapshot, of: "a goal",
        ifNegative: { "Use \($0)." })
      let kind = by.map { EnvelopeGoal.Kind.byDay($0.day(today: today.day)) }
      let goal = EnvelopeGoal(kind ?? (monthly ? .monthly : .balance), money)
      done = "The goal of \(path) is \(goal.shown)."
      return [.setGoal(goal, for: found.id)]
    }
    if rehearsal.dryRun { return try await ledger.rehearseEnvelopes(today.day, commands) }
    try ledger.answer(try await ledger.record(commands), done)
  }
}

/// `daybook envelopes goals`: lists goals and what they need.
struct EnvelopesGoalsCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "goals", abstract: "List goals, and what each needs in a month.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions

  @Option(help: ArgumentHelp("The month (default: the current month).", valueName: "yyyy-mm"))
  var month: MonthArgument?

  private struct Content: Encodable, Sendable {
    var month: Month
    var envelopes: [Envelope]
    var needed: Total
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let month = month?.month ?? today.day.monthOf
    let found = try snapshot.envelopes(over: month..<month.adding(1), today: today.day)[0]
    let names = try Names(snapshot)
    let envelopes = found.envelopes.filter { $0.category.goal != nil && !$0.category.isDeleted }
      .sorted { names.path(of: $0.category.id) < names.path(of: $1.category.id) }
    var report = Report(
      [
        .text("envelope", "Envelope", wraps: true, yielding: .never), .text("goal", "Goal"),
        .figure("available", "Available", yielding: .goes(1)), .figure("needed", "Needed"),
        .fixed("currency"), .text("state", "State", yielding: .below(1)),
      ], ifEmpty: "No goals. Set one with `daybook envelopes goal`.",
      json: JSONAnswer(
        Content(month: month, envelopes: envelopes, needed: found.needed), names))
    for envelope in envelopes {
      let isOnTrack = envelope.isOnTrack
      report.add([
        .init(names.path(of: envelope.category.id)), .init(envelope.category.goal?.shown ?? ""),
        .total(envelope.available), envelope.needed.map { .total($0, .bold) } ?? .init(""),
        .currency(envelope.available.currency, .dim),
        .init(isOnTrack.map { $0 ? "on track" : "behind" } ?? "no rate"),
      ])
    }
    if !envelopes.isEmpty {
      report.remarks = ["Needed in \(month): \(Figures.withCode(found.needed))."]
      report.remarksStandApart = true
    }
    return report
  }
}

extension EnvelopeGoal {
  /// The goal in words, such as `1,200.00 EUR by 2026-07-15`.
  var shown: String {
    let money = Figures.withCode(Total(amount))
    return switch kind {
    case .byDay(let day): "\(money) by \(day)"
    case .monthly: "\(money) each month"
    case .balance: "a balance of \(money)"
    }
  }
}
