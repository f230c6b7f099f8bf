import Bookkeeping

/// A mapping that was guessed from the beginning of a file, and what a person should look at.
public struct MappingGuess: Sendable {
  /// The guess.
  public var mapping: ImportMapping
  /// The names in the header, or `nil` without one.
  public var header: [String]?
  /// What is uncertain, in sentences.
  public var doubts: [String]
}

extension ImportMapping {
  /// Guesses what the columns of a file mean.
  ///
  /// It looks at the first 200 records: the delimiter that splits them most evenly, junk before the
  /// header, the column whose values are all days of one format, the columns that are all amounts,
  /// a column that follows from another as a balance does, a column of ISO codes.
  ///
  /// - Parameters:
  ///   - sample: the beginning of the file as UTF-8, as `CSVFile.sample` returns it.
  ///   - account: the account's name.
  ///   - currency: the currency where neither a column nor a symbol tells it.
  /// - Throws: `InterchangeError` of code `mapping` where no column holds days or none amounts.
  public static func guess(
    sample: [UInt8], account: String = "Imported", currency: String = "EUR"
  ) throws(InterchangeError) -> MappingGuess {
    var table = GuessTable(sample: sample)
    table.findHeader()
    guard let date = table.dateColumn() else {
      throw InterchangeError(
        .mapping, "No column of the file holds days in a known format.",
        remedy: "Write a mapping file, or name the date column and its format.")
    }
    var doubts: [String] = []
    if date.isAmbiguous {
      doubts.append("The days could be day/month or month/day; \(date.format) was taken.")
    }
    guard let money = table.moneyColumns(except: date.column) else {
      throw InterchangeError(
        .mapping, "No column of the file holds amounts.",
        remedy: "Write a mapping file, or name the amount column and the decimal mark.")
    }
    let found = table.currency(of: money.columns)
    if found == nil { doubts.append("No column names the currency; \(currency) was taken.") }
    var mapping = ImportMapping(
      date: DateColumn(column: table.reference(date.column), format: date.format),
      amount: AmountColumns(), currency: found ?? ColumnTemplate(literal: currency),
      account: ColumnTemplate(literal: account))
    mapping.delimiter = table.delimiter == 0x09 ? "tab" : String(Unicode.Scalar(table.delimiter))
    mapping.skipLines = table.skipLines
    mapping.hasHeader = table.header != nil
    mapping.ragged = table.isRagged ? .allow : .refuse
    mapping.numbers.decimal = money.decimal
    switch money.shape {
    case .signed(let column):
      mapping.amount.column = table.reference(column)
      if let type = table.typeColumn(for: column, except: date.column) {
        mapping.amount.type = table.reference(type.column)
        mapping.amount.directions = type.directions
      } else if !table.hasNegative(column) {
        doubts.append("No amount is negative: check whether a column says the direction.")
      }
    case .pair(let debit, let credit):
      mapping.amount.debit = table.reference(debit)
      mapping.amount.credit = table.reference(credit)
    }
    if let balance = money.balance {
      mapping.balance = BalanceColumn(
        column: table.reference(balance.column), isNewestFirst: balance.isNewestFirst)
    }
    let used = Set(money.columns + [date.column] + (money.balance.map { [$0.column] } ?? []))
    if let text = table.textColumn(except: used) {
      mapping.description = ColumnTemplate(column: table.reference(text))
    }
    return MappingGuess(mapping: mapping, header: table.header, doubts: doubts)
  }
}

extension ColumnTemplate {
  /// A template that is a text without columns.
  public init(literal: String) {
    text = literal.reduce(into: "") { $0 += $1 == "{" ? "{{" : $1 == "}" ? "}}" : String($1) }
    parts = literal.isEmpty ? [] : [.literal(literal)]
  }

  /// A template that is one column.
  public init(column: ColumnReference) {
    text = "{\(column)}"
    parts = [.columns([column])]
  }
}
