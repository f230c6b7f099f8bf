import ArgumentParser
import Daybook
import Interchange

/// An export format by its name.
enum ExportFormatArgument: String, ExpressibleByArgument, CaseIterable {
  case csv, journal, beancount, jsonl, ofx, qif

  var format: ExportFormat {
    switch self {
    case .csv: .csv
    case .journal: .journal
    case .beancount: .beancount
    case .jsonl: .jsonLines
    case .ofx: .ofx
    case .qif: .qif
    }
  }
}

/// `daybook export`: exports the ledger to formats that other programs read.
struct ExportCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the ledger as CSV, a journal, beancount, JSON lines, OFX or QIF.",
    discussion: """
      csv has a line for each posting, for spreadsheets; journal is what hledger and ledger read, \
      beancount what beancount does; jsonl holds everything, settings and rates too, and \
      `daybook import` makes an equal ledger of it. ofx and qif are for programs that read nothing \
      better: rows and balances of accounts, and in qif their categories. Without --output it goes to \
      standard output.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Option(help: "csv, journal, beancount, jsonl, ofx or qif.")
  var format: ExportFormatArgument

  @Option(
    name: [.short, .long], help: "The file to make; it appears when it is complete.",
    completion: .file())
  var output: String?

  @Flag(help: "Replace the file where it is there already.")
  var force = false

  func validate() throws {
    if ledger.json, output == nil {
      throw ValidationError("--json says what was done: it needs --output.")
    }
  }

  func execute() async throws {
    let bar = SharedProgress("Exporting")
    defer { bar.finish() }
    try await ledger.withLedger { opened in
      guard let output else {
        return try Exporter.export(opened, as: format.format) { try Output.write($0) }
      }
      if FileSystem.exists(output), !force {
        throw CommandFailure(
          .cannotCreate, code: "exists", "There is something at \(output) already.",
          remedy: "Choose another --output, or replace it with --force.")
      }
      try await Exporter.export(opened, as: format.format, toFile: output) {
        bar.update($0, of: $1)
      }
    }
    bar.finish()
    guard let output else { return }
    try ledger.answer(
      JSONAnswer(SortedMembers(["file": output, "format": format.rawValue])), "Wrote \(output).")
  }
}
