import ArgumentParser
import Daybook
import DaybookSampleData

/// `daybook sample`: writes sample files of a household, for trying out Daybook.
struct SampleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample", abstract: "Write sample files of a household, to experiment with.",
    discussion: """
      Creates a folder with household.csv (a bank export of several accounts in four currencies), \
      mapping.json (the mapping of its columns), rates.csv (exchange rates in the European Central \
      Bank's format) and accounts.csv (the accounts and their opening balances). The same seed \
      produces the same files.
      """)

  @Argument(
    help: ArgumentHelp(
      "The folder to create.", valueName: "folder"), completion: .directory)
  var folder: String

  @Option(help: "The number of transactions.")
  var count = 20_000

  @Option(help: "The number of years.")
  var years = 6

  @Option(help: "The seed of the random numbers.")
  var seed: UInt64 = 2026

  @Option(help: ArgumentHelp("The newest day (default: today).", valueName: "yyyy-mm-dd"))
  var through: DayArgument?

  @Flag(help: "Print JSON, for scripts.")
  var json = false

  func validate() throws {
    guard (1...10_000_000).contains(count) else {
      throw ValidationError("--count must be from 1 to 10000000.")
    }
    guard (1...100).contains(years) else {
      throw ValidationError("--years must be from 1 to 100.")
    }
  }

  func run() async throws {
    try await Self.telling(json: json) { try write() }
  }

  private struct Content: Encodable, Sendable {
    var folder: String
    var rowCount: Int
    var days: DaySpan
    var seed: String
    var files: [String]
  }

  private func write() throws {
    let today = TodayOptions.clock
    let last = through?.day(today: today) ?? today
    guard last.adding(months: -12 * years) >= Day.min else {
      throw CommandFailure.usage(
        "Couldn't create the sample: \(years) years before \(last) is before the year 1.",
        remedy: "Use fewer --years.")
    }
    let household = SampleHousehold(
      seed: seed, transactionCount: count, years: years, through: last)
    try FileSystem.makeFolder(folder)
    let files = [
      ("household.csv", household.csv), ("mapping.json", SampleHousehold.mapping),
      ("rates.csv", household.rates.csv), ("accounts.csv", household.accountsCSV),
    ]
    for (name, text) in files { try FileSystem.create("\(folder)/\(name)", text) }
    if json {
      let content = Content(
        folder: folder, rowCount: household.rows.count,
        days: DaySpan(household.firstDay..<last.adding(days: 1)), seed: "\(seed)",
        files: files.map { $0.0 })
      return try Output.json(JSONAnswer(content))
    }
    try Output.line(
      "Wrote \(Figures.counted(household.rows.count, "transaction")) from \(household.firstDay) to "
        + "\(last) in \(household.accounts.count) accounts to \(folder)/household.csv, along with "
        + "mapping.json, rates.csv and accounts.csv.")
  }
}
