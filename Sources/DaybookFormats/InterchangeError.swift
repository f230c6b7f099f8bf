public import DaybookBookkeeping

/// An error that occurred in an import or export, with its location, cause and remedy.
public struct InterchangeError: Error, Sendable {
  /// The kind of error.
  public enum Code: String, Sendable, Hashable {
    /// The file couldn't be opened or read.
    case file
    /// The output file couldn't be created. No file was left behind.
    case notMade
    /// The output file couldn't be written completely, because the disk is full or failed. The
    /// partial file was removed.
    case notWritten
    /// The bytes aren't text in the declared encoding.
    case encoding
    /// The mapping contradicts itself or doesn't fit the file.
    case mapping
    /// Some lines of the file can't be imported; `badLines` lists all of them.
    case badLines
    /// Accounts or categories are missing, and the import may not create them.
    case missing
    /// An account of the file couldn't be matched to an account of the ledger; `unknownAccounts`
    /// lists them.
    case account
    /// The file or one of its lines doesn't follow its format.
    case format
    /// The ledger refused the data; `cause` is the reason.
    case refused
  }

  /// The kind of error.
  public var code: Code
  /// A sentence that states the problem, its location and its cause.
  public var message: String
  /// The remedy, as a sentence.
  public var remedy: String
  /// The path of the file, if there is one.
  public var path: String?
  /// The physical line in the file, from 1.
  public var line: Int?
  /// The column in that line, in characters from 1, if known.
  public var column: Int?
  /// All lines that can't be imported, in file order.
  public var badLines: [BadLine]
  /// The missing exchange rates, with one element for each pair of currencies.
  public var missingRates: [MissingRates] = []
  /// The accounts of the file that have no matching account in the ledger.
  public var unknownAccounts: [StatementAccount] = []
  /// The other accounts of the file.
  public var matchedAccounts: [StatementAccount] = []
  /// The currency of the statement, if its account in the ledger has another one.
  public var otherCurrency: Currency?
  /// The names of the ledger's accounts in that currency.
  public var fittingAccounts: [String] = []
  /// The underlying error, if there is one.
  public var cause: (any Error)?

  /// Creates an error.
  public init(
    _ code: Code, _ message: String, remedy: String, path: String? = nil, line: Int? = nil,
    badLines: [BadLine] = [], cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.path = path
    self.line = line
    self.badLines = badLines
    self.cause = cause
  }
}

extension InterchangeError: CustomStringConvertible {
  /// The location, message and remedy on one line, followed by one line for each bad line and each
  /// missing rate.
  public var description: String {
    var text = ""
    if let path { text += "\(path): " }
    if let line, let column {
      text += "line \(line), column \(column): "
    } else if let line {
      text += "line \(line): "
    }
    text += message
    if !remedy.isEmpty { text += " \(remedy)" }
    if let cause { text += " (\(cause))" }
    for bad in badLines.filter({ $0.code != .rate }).gathered { text += "\n  \(bad)" }
    for missing in missingRates { text += "\n  \(missing)" }
    return text
  }
}

/// A line of a file that can't be imported.
public struct BadLine: Hashable, Sendable, CustomStringConvertible {
  /// The kind of problem.
  public enum Code: String, Sendable, Hashable {
    /// A quote inside an unquoted field, or text after a closing quote.
    case strayQuote
    /// A quoted field that is never closed.
    case unterminatedQuote
    /// More or fewer columns than the header or the first row.
    case ragged
    /// Bytes that aren't text in the declared encoding.
    case encoding
    /// A field or record that exceeds the limits.
    case tooLong
    /// Not a date in the mapped format, or a date that doesn't exist.
    case date
    /// Not an amount, or an amount that the currency can't represent.
    case amount
    /// A missing or unknown currency.
    case currency
    /// A value in the type column that the mapping doesn't define.
    case direction
    /// An account or category name that is empty or too long.
    case name
    /// A row with an unknown account.
    case account
    /// A missing exchange rate; `missingRates` of the error lists it.
    case rate
    /// The ledger refused the row.
    case refused
  }

  /// The physical line where the row begins, from 1.
  public var line: Int
  /// The column with the problem, from 1, if it is known.
  public var column: Int?
  /// The name of the column with the problem, from the header.
  public var header: String?
  /// The kind of problem.
  public var code: Code
  /// The problem, as a sentence.
  public var reason: String
  /// The remedy, as a sentence.
  public var remedy: String
  /// Whether the line may be a transaction, so that skipping it would lose money.
  public var hasMoney = true

  /// Creates the description of a bad line.
  public init(
    line: Int, column: Int? = nil, header: String? = nil, code: Code, reason: String,
    remedy: String
  ) {
    self.line = line
    self.column = column
    self.header = header
    self.code = code
    self.reason = reason
    self.remedy = remedy
  }

  /// The location, reason and remedy on one line.
  public var description: String { description(lines: "line \(line)") }

  fileprivate func description(lines: String) -> String {
    var text = lines
    if let column { text += ", column \(column)" }
    if let header { text += " (\(header))" }
    return text + ": \(reason) \(remedy)"
  }
}

extension Sequence<BadLine> {
  /// The descriptions of the lines, in order; lines with the same problem are combined.
  public var gathered: [String] {
    counted { line in
      var problem = line
      (problem.line, problem.column) = (0, nil)
      return problem
    }.map { first, count in
      count == 1 ? "\(first)" : first.description(lines: "line \(first.line) and \(count - 1) more")
    }
  }
}

extension Sequence {
  /// The first element with each key, in order, and the number of elements with that key.
  func counted<Key: Hashable>(by key: (Element) -> Key) -> [(first: Element, count: Int)] {
    var places: [Key: Int] = [:]
    var found: [(first: Element, count: Int)] = []
    for element in self {
      let key = key(element)
      if let index = places[key] {
        found[index].count += 1
      } else {
        places[key] = found.count
        found.append((element, 1))
      }
    }
    return found
  }
}
