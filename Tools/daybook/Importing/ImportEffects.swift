import Daybook
import DaybookInterchange
import DaybookTerminal

/// What an import would change in the ledger, for a preview.
struct ImportEffects {
  /// The result of the dry run; `nil` if the import would be refused.
  private(set) var summary: ImportSummary?
  /// The flags that name the missing accounts.
  private(set) var flags: [String] = []
  private var lines: [String]

  private static let lineCountMax = 8

  /// - Parameter known: The notices that the preview shows anyway.
  init(_ summary: ImportSummary, besides known: [FileNotice] = []) {
    self.summary = summary
    let notices = Set(known.gathered)
    lines = summary.notices.gathered.filter { !notices.contains($0) }.map { "Note: \($0)" }
    lines += summary.changes(verbose: false) + [summary.sentence()]
  }

  init(_ error: InterchangeError, _ flags: [String] = []) {
    self.flags = flags
    let details = error.badLines.gathered + error.missingRates.map { "\($0)" }
    let message = error.message.replacing("Couldn't import", with: "Can't import")
    lines = ["\(message) \(error.remedy)"] + details.prefix(Self.lineCountMax)
  }

  func show() throws {
    try Output.line("")
    try Output.line("Effects on the ledger:")
    try Output.lines(lines.map { "  \($0)".printable })
  }
}

extension ImportRun {
  /// Returns what an import of a table would change, without recording anything.
  func effects(
    of text: CSVFile, _ mapping: ImportMapping, in ledger: Ledger
  ) async throws -> ImportEffects {
    do {
      return ImportEffects(
        try await CSVImporter(settings: settings).run(text, mapping: mapping, into: ledger))
    } catch let error as InterchangeError {
      return ImportEffects(error)
    }
  }
}
