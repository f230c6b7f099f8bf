import ArgumentParser
import Daybook
import DaybookInterchange

/// An export format, given by name.
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
    abstract: "Export the ledger as CSV, hledger journal, Beancount, JSON Lines, OFX or QIF.",
    discussion: """
      csv has one line per posting, for spreadsheets. journal is for hledger and ledger, beancount \
      for Beancount. jsonl contains everything, including settings and rates; `daybook import` \
      makes an equal ledger from it. ofx and qif are for programs that read nothing else: they \
      contain transactions and balances, and qif also categories. Without --output, the export \
      goes to standard output.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Option(help: "csv, journal, beancount, jsonl, ofx or qif.")
  var format: ExportFormatArgument

  @Option(
    name: [.short, .long], help: "The file to write; it appears once it is complete.",
    completion: .file())
  var output: String?

  @Flag(help: "Replace an existing file.")
  var force = false

  func validate() throws {
    if ledger.json, output == nil {
      throw ValidationError("--json reports on the export and requires --output.")
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
          .cannotCreate, code: "exists", "Couldn't write \(output): it already exists.",
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
