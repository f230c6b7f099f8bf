import ArgumentParser
import Daybook

/// `daybook recurring`: lists and manages recurring transactions.
struct RecurringCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recurring", abstract: "Manage recurring transactions, such as rent and salary.",
    discussion: """
      A recurring transaction is a rule that says what is due, how often and from which day. \
      `daybook recurring generate` records each due date exactly once, no matter how often you run \
      it.
      """,
    subcommands: [
      RecurringListCommand.self, RecurringAddCommand.self, RecurringEditCommand.self,
      RecurringUpcomingCommand.self, RecurringForecastCommand.self, RecurringGenerateCommand.self,
      RecurringPauseCommand.self,
      RecurringResumeCommand.self, RecurringStopCommand.self, RecurringSkipCommand.self,
      RecurringLinkCommand.self, RecurringUnlinkCommand.self, RecurringRemoveCommand.self,
    ], defaultSubcommand: RecurringListCommand.self)
}

extension Lookup {
  /// Finds a recurring transaction by its id or its name, ignoring case.
  ///
  /// - Throws: `CommandFailure` if no recurring transaction matches, or several do.
  static func series(_ text: String, in snapshot: borrowing Snapshot) throws -> Series {
    let all = try snapshot.series()
    let wanted = text.lowercased()
    let found = all.filter { $0.name.lowercased() == wanted || "\($0.id)" == text }
    return try only(
      of: found, called: text,
      (
        one: "recurring transaction",
        several: "recurring transactions"
      ), among: all.map(\.name),
      list: "daybook recurring list", create: "daybook recurring add")
  }
}

extension SeriesTemplate {
  /// Reads an amount in the currency of the account (for a transfer, the destination account).
  func money(_ text: String, _ snapshot: borrowing Snapshot) throws -> Money {
    let id = type == .transfer ? otherAccount : account
    let account = try id.flatMap { try snapshot.account($0) }
    return try Amounts.money(text, in: account?.currency ?? amount.currency, snapshot)
  }
}

extension Series {
  /// The due dates in words, such as `every month on the 1st, or the business day before`.
  var dates: String { schedule.text + Self.words(weekends) }

  /// What a policy adds to the words of a schedule.
  static func words(_ weekends: WeekendPolicy) -> String {
    switch weekends {
    case .keep: ""
    case .before: ", or the business day before"
    case .after: ", or the business day after"
    }
  }

  /// The first due date after a day that is neither skipped nor in a pause.
  func next(after day: Day) -> Day? {
    for due in scheduledDays(from: day.adding(days: 1)) {
      if let pausedFrom, due >= pausedFrom { return nil }
      if !isSkipped(due) { return due }
    }
    return nil
  }

  /// The state on a day: "active", "paused", "stopped" or "finished".
  func state(on day: Day) -> String {
    if let end, end <= day { return "stopped" }
    if let pausedFrom, pausedFrom <= day.adding(days: 1) { return "paused" }
    return next(after: day) == nil ? "finished" : "active"
  }
}
