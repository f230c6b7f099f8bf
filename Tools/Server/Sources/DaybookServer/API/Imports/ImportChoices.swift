import Daybook
import Interchange
import PackedFormats

/// What a client says about a file: nothing it has to, everything it may.
struct ImportChoices: Decodable, Sendable {
  /// `csv`, or a format by its name; recognised where it is missing.
  var format: String?
  /// The account of all rows, by its name.
  var account: String?
  /// Accounts by the numbers that the file has for them.
  var accounts: [String: String]?
  /// The currency of a file that names none.
  var currency: String?
  /// What the columns of a table mean, as Docs/Import.md has it.
  var mapping: ImportMapping?
  /// The name of a mapping that the ledger keeps.
  var savedMapping: String?
  /// Whether days come before months where dates could be read both ways.
  var dayFirst: Bool?
  var skipsBadRows: Bool?
  var createsMissing: Bool?
  var restoresDeleted: Bool?
  var keepsDuplicates: Bool?
  var takesPending: Bool?
  var assertsBalances: Bool?

  /// How rows are recorded.
  func settings(isDryRun: Bool) -> ImportSettings {
    var settings = ImportSettings()
    settings.skipsBadRows = skipsBadRows ?? settings.skipsBadRows
    settings.createsMissing = createsMissing ?? settings.createsMissing
    settings.restoresDeleted = restoresDeleted ?? settings.restoresDeleted
    settings.keepsDuplicates = keepsDuplicates ?? settings.keepsDuplicates
    settings.isDryRun = isDryRun
    return settings
  }

  /// Which accounts the file's are.
  var choice: AccountChoice {
    var choice = AccountChoice(all: account)
    for (number, name) in accounts ?? [:] { choice.choose(name, for: number) }
    return choice
  }

  /// The format of a file; `nil` where it is read by columns.
  func format(of file: RawFile) throws -> (any FileFormat.Type)? {
    if let format {
      if format == "csv" { return nil }
      guard let found = FileFormats.named(format, among: PackedFormats.all) else {
        let names = PackedFormats.all.map { $0.name }.joined(separator: ", ")
        throw Problem.body(
          "There is no format “\(format.excerpt)”.", path: "format", remedy: "Give csv, \(names).")
      }
      return found
    }
    if mapping != nil || savedMapping != nil { return nil }
    let found = FileFormats.candidates(file, among: PackedFormats.all)
    guard found.count > 1 else { return found.first }
    throw Problem.body(
      "\(file.name) could be \(found.map { $0.title }.joined(separator: " or ")).", path: "format",
      remedy: "Say which with “format”: \(found.map { $0.name }.joined(separator: ", ")).")
  }
}
