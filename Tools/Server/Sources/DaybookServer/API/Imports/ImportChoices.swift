import Daybook
import DaybookInterchange
import DaybookPackedFormats

/// A client's choices for an import, all of them optional.
struct ImportChoices: Decodable, Sendable {
  /// `csv`, or the name of a format; detected if it is missing.
  var format: String?
  /// The name of the account for all rows.
  var account: String?
  /// Account names by the account numbers in the file.
  var accounts: [String: String]?
  /// The currency of a file that names none.
  var currency: String?
  /// The meaning of a table's columns, in the form that Docs/Import.md describes.
  var mapping: ImportMapping?
  /// The name of a mapping that is saved in the ledger.
  var savedMapping: String?
  /// Whether the day comes before the month in ambiguous dates.
  var dayFirst: Bool?
  /// The decimal mark of amounts that could be read in two ways.
  var decimal: DecimalMark?
  /// Rules for rows of a statement to skip, and for rows to import although they look like balances.
  var skipRows: [ImportMapping.RowRule]?
  var takeRows: [ImportMapping.RowRule]?
  var skipsBadRows: Bool?
  var createsMissing: Bool?
  var restoresDeleted: Bool?
  var followsDeletions: Bool?
  var keepsDuplicates: Bool?
  /// Whether rows can be pending transactions and due dates of the ledger; the default is true.
  var findsMatches: Bool?
  var takesPending: Bool?
  var assertsBalances: Bool?
  /// Whether a statement may go into an account in another currency, which converts its amounts.
  var converts: Bool?

  /// A decimal mark.
  enum DecimalMark: String, Decodable, Sendable {
    case point = "."
    case comma = ","
  }

  /// Returns the settings for recording the rows.
  func settings(isDryRun: Bool) -> ImportSettings {
    var settings = ImportSettings()
    settings.skipsBadRows = skipsBadRows ?? settings.skipsBadRows
    settings.createsMissing = createsMissing ?? settings.createsMissing
    settings.restoresDeleted = restoresDeleted ?? settings.restoresDeleted
    settings.followsDeletions = followsDeletions ?? settings.followsDeletions
    settings.keepsDuplicates = keepsDuplicates ?? settings.keepsDuplicates
    settings.findsMatches = findsMatches ?? settings.findsMatches
    settings.isDryRun = isDryRun
    return settings
  }

  /// The mapping from the file's accounts to the ledger's.
  var choice: AccountChoice {
    var choice = AccountChoice(all: account)
    for (number, name) in accounts ?? [:] { choice.choose(name, for: number) }
    return choice
  }

  /// Returns the format of a file, or `nil` if it is read as a table of columns.
  ///
  /// - Throws: ``Problem`` if the named format doesn't exist, or if several formats fit the file.
  func format(of file: RawFile) throws -> (any FileFormat.Type)? {
    if let format {
      if format == "csv" { return nil }
      guard let found = FileFormats.named(format, among: PackedFormats.all) else {
        let names = PackedFormats.all.map { $0.name }.joined(separator: ", ")
        throw Problem.body(
          "Unknown format “\(format.excerpt)”.", path: "format", remedy: "Use csv, \(names).")
      }
      return found
    }
    if mapping != nil || savedMapping != nil { return nil }
    let found = FileFormats.candidates(file, among: PackedFormats.all)
    guard found.count > 1 else { return found.first }
    throw Problem.body(
      "\(file.name) could be \(found.map { $0.title }.joined(separator: " or ")).", path: "format",
      remedy: "Choose one with “format”: \(found.map { $0.name }.joined(separator: ", ")).")
  }
}
