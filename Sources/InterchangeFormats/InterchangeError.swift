public import Bookkeeping

/// Why an import or an export was refused, where, and what to do about it.
public struct InterchangeError: Error, Sendable {
  /// What went wrong, to switch on.
  public enum Code: String, Sendable, Hashable {
    /// The file could not be opened or read.
    case file
    /// The file to be written could not be made; nothing is there.
    case notMade
    /// The file could not be written to its end: the disk is full, or failed. Nothing of it is left.
    case notWritten
    /// The bytes are not text in the declared encoding.
    case encoding
    /// The mapping contradicts itself, or does not fit the file.
    case mapping
    /// Lines of the file cannot be imported; `badLines` names every one of them.
    case badLines
    /// Accounts or categories are missing and may not be created.
    case missing
    /// Which account of the ledger an account of the file is can't be told; `unknownAccounts` names them.
    case account
    /// A line of a Daybook export is not what it should be.
    case format
    /// The ledger refused what the file says; `cause` says why.
    case refused
  }

  /// What went wrong.
  public var code: Code
  /// A sentence that says what, where and why.
  public var message: String
  /// A sentence that says what to do.
  public var remedy: String
  /// The path of the file, where there is one.
  public var path: String?
  /// The physical line in the file, from 1.
  public var line: Int?
  /// The column in that line, in characters from 1, where it is known.
  public var column: Int?
  /// Every line that cannot be imported, in file order.
  public var badLines: [BadLine]
  /// The rates that lines need and that are not there, each pair of currencies once.
  public var missingRates: [MissingRates] = []
  /// The accounts of the file that are none of the ledger's as far as is known.
  public var unknownAccounts: [StatementAccount] = []
  /// The error below, where there is one.
  public var cause: (any Error)?

  /// An error.
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
  /// Place, message and remedy in one line, then a line for each bad line.
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
    for bad in badLines where bad.code != .rate { text += "\n  \(bad)" }
    for missing in missingRates { text += "\n  \(missing)" }
    return text
  }
}

/// A line of a file that cannot be imported.
public struct BadLine: Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with it, to switch on.
  public enum Code: String, Sendable, Hashable {
    /// A quote inside of an unquoted field, or text after a closing quote.
    case strayQuote
    /// A quoted field that never ends.
    case unterminatedQuote
    /// More or fewer columns than the header or the first row has.
    case ragged
    /// Bytes that are not text in the declared encoding.
    case encoding
    /// A field or a record beyond the limits.
    case tooLong
    /// Not a date in the mapped format, or a day that does not exist.
    case date
    /// Not an amount, or one that the currency cannot hold.
    case amount
    /// No or an unknown currency.
    case currency
    /// A value of the type column that the mapping does not name.
    case direction
    /// A name of an account or a category that is empty or too long.
    case name
    /// A rate that the row needs is not there; `missingRates` tells which.
    case rate
    /// The ledger refused the row.
    case refused
  }

  /// The physical line where the row begins, from 1.
  public var line: Int
  /// The column, from 1, where one is to blame.
  public var column: Int?
  /// The name of that column in the header.
  public var header: String?
  /// What is wrong, to switch on.
  public var code: Code
  /// What is wrong, in a sentence.
  public var reason: String
  /// What to do about it, in a sentence.
  public var remedy: String

  /// A bad line.
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

  /// Place, reason and remedy in one line.
  public var description: String {
    var text = "line \(line)"
    if let column { text += ", column \(column)" }
    if let header { text += " (\(header))" }
    return text + ": \(reason) \(remedy)"
  }
}
