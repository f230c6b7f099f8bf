import ArgumentParser
import Daybook
import DaybookInterchange

/// `daybook rate import`: imports the European Central Bank's exchange rates.
struct RateImportCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import the European Central Bank's reference rates.",
    discussion: """
      Reads the unzipped eurofxref.csv and eurofxref-hist.csv from \
      https://www.ecb.europa.eu/stats/eurofxref/. On days without a rate, the latest earlier rate \
      applies.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The file.", completion: .file(extensions: ["csv"]))
  var file: String

  @Option(help: ArgumentHelp("Only rates from this day on.", valueName: "yyyy-mm-dd"))
  var since: DayArgument?

  private struct Content: Encodable, Sendable {
    var imported: Int
    var days: Int
    var absent: Int
    var span: DaySpan?
  }

  func execute() async throws {
    guard FileSystem.exists(file) else {
      throw CommandFailure(
        .noInput, code: "file", "Couldn't find the file \(file).", remedy: "Check the path.")
    }
    let day = since?.day(today: today.day)
    let bar = SharedProgress("Importing rates")
    defer { bar.finish() }
    let (summary, change) = try await ledger.withLedger { opened in
      try await ClosedChange.made(in: opened, from: day ?? .min) {
        try await RateImporter.importECB(CSVFile(path: file), into: opened, since: day) {
          bar.update($0)
        }
      }
    }
    bar.finish()
    let span = summary.span.map { " from \($0.lowerBound) to \($0.upperBound)" } ?? ""
    let content = Content(
      imported: summary.importedCount, days: summary.dayCount, absent: summary.absentCount,
      span: summary.span.map { DaySpan($0.lowerBound..<$0.upperBound.adding(days: 1)) })
    try ledger.answer(
      JSONAnswer(Joined(content, change)),
      "Imported \(Figures.counted(summary.importedCount, "rate")) of "
        + "\(Figures.counted(summary.dayCount, "day"))"
        + "\(span).")
    try change.warn(json: ledger.json)
  }
}
