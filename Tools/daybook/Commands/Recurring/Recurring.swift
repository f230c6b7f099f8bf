import ArgumentParser
import Daybook

/// `daybook recurring`: what comes again.
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
  /// The series of a name (whatever its case) or an id.
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

extension Schedule {
  /// How people say it: `every 2 weeks`.
  var text: String { count == 1 ? "every \(unit)" : "every \(count) \(unit)s" }
}

extension Series {
  /// The first due day after a day for which nothing stands in the way.
  func next(after day: Day) -> Day? {
    for due in scheduledDays where due > day {
      if let pausedFrom, due >= pausedFrom { return nil }
      if !isSkipped(due) { return due }
    }
    return nil
  }

  /// What it is doing on a day.
  func state(on day: Day) -> String {
    if let end, end <= day { return "stopped" }
    if let pausedFrom, pausedFrom <= day.adding(days: 1) { return "paused" }
    return next(after: day) == nil ? "finished" : "active"
  }
}
