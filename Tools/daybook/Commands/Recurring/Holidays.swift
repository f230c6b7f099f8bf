import ArgumentParser
import Daybook
import DaybookTerminal
import Foundation

/// `daybook holidays`: lists and manages the days that aren't business days.
struct HolidaysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "holidays",
    abstract: "Manage the holidays on which recurring transactions move to a business day.",
    discussion: """
      Recurring transactions with --weekends before or after move away from Saturdays, Sundays and \
      these days. Transactions that were recorded already stay on their days.
      """,
    subcommands: [HolidaysListCommand.self, HolidaysAddCommand.self, HolidaysRemoveCommand.self],
    defaultSubcommand: HolidaysListCommand.self)
}

/// `daybook holidays list`: lists the holidays.
struct HolidaysListCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the holidays.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var output: ReportOptions

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let holidays = try snapshot.settings().holidays
    var report = Report(
      [.fixed("day", "Day")], ifEmpty: "No holidays.", json: JSONAnswer(["holidays": holidays]))
    for day in holidays { report.add([.day(day)]) }
    return report
  }
}

/// The days of `daybook holidays add` and `remove`.
struct HolidayOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The days.", valueName: "yyyy-mm-dd"))
  var days: [DayArgument] = []

  @Option(
    help: "A file with one day on each line, such as 2026-12-25.", completion: .file())
  var file: String?

  func validate() throws {
    if days.isEmpty, file == nil {
      throw ValidationError("Give days such as 2026-12-25, or a file with --file.")
    }
  }

  /// Returns the days given as arguments and those in the file.
  func all(today: Day) throws -> [Day] {
    var all = days.map { $0.day(today: today) }
    guard let file else { return all }
    let text: String
    do { text = try String(contentsOfFile: file, encoding: .utf8) } catch {
      throw CommandFailure(
        .noInput, code: "file", "Couldn't read \(file): it doesn't exist or isn't UTF-8 text.",
        remedy: "Check the path.")
    }
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() {
      let word = line.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
      if word.isEmpty { continue }
      guard let day = Day(word) else {
        throw CommandFailure(
          .badData, code: "day",
          "Couldn't read line \(index + 1) of \(file): “\(word)” isn't a day.",
          remedy: "Write each day as yyyy-mm-dd, such as 2026-12-25. Nothing was recorded.")
      }
      all.append(day)
    }
    return all
  }
}

/// A command that adds or removes holidays.
protocol HolidaysChangeCommand: LedgerCommand {
  /// Whether the command adds the days.
  static var adds: Bool { get }
  var today: TodayOptions { get }
  var holidays: HolidayOptions { get }
}

extension HolidaysChangeCommand {
  func execute() async throws {
    let days = Set(try holidays.all(today: today.day))
    var count = 0
    let recorded = try await ledger.record { snapshot in
      let known = try snapshot.settings().holidays
      let changed = Self.adds ? days.subtracting(known) : days.intersection(known)
      count = changed.count
      return [
        .setSettings(
          Self.adds
            ? SettingsChange(addedHolidays: days.sorted())
            : SettingsChange(removedHolidays: days.sorted()))
      ]
    }
    try ledger.answer(
      recorded, "\(Self.adds ? "Added" : "Removed") \(Figures.counted(count, "holiday")).")
  }
}

/// `daybook holidays add`: adds holidays.
struct HolidaysAddCommand: HolidaysChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add holidays.")
  static let adds = true

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var holidays: HolidayOptions
}

/// `daybook holidays remove`: removes holidays.
struct HolidaysRemoveCommand: HolidaysChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove holidays.")
  static let adds = false

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var holidays: HolidayOptions
}
