public import DaybookBookkeeping

/// A file format that Daybook reads.
///
/// A format only parses bytes, and has no access to a ledger. The caller matches accounts, records
/// the rows and reports the result.
public protocol FileFormat: Sendable {
  /// The identifier used in `--format` and in references, such as `ofx`.
  static var name: String { get }
  /// The display name, such as `OFX, QFX`.
  static var title: String { get }
  /// The file extensions of this format, lowercase and with the dot, such as `.ofx`.
  static var endings: [String] { get }

  /// Returns how likely it is that a file has this format, judging by its content.
  ///
  /// The file's extension is used only to choose between formats that are equally likely.
  static func recognise(_ head: FileHead) -> Recognition

  /// Reads a whole file.
  ///
  /// Rows that can't be read are collected in ``FileContents/badLines``, and reading continues. An
  /// error that makes the rest of the file meaningless is thrown.
  /// - Throws: `InterchangeError` with code `format`, which contains the line and column, the
  ///   expected content and the remedy.
  /// - Complexity: O(*n*) time in the number of bytes; memory grows with the number of rows.
  static func read(
    _ file: RawFile, _ options: ReadingOptions
  ) throws(InterchangeError) -> FileContents
}

/// The likelihood that a file has a format.
public enum Recognition: Int, Comparable, Sendable {
  /// The file doesn't have this format.
  case no
  /// The file could have this format or another one.
  case possible
  /// The file has this format.
  case certain

  /// Orders by certainty.
  public static func < (left: Recognition, right: Recognition) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The beginning of a file, which formats use to recognise it.
public struct FileHead: Sendable {
  /// At most the first 64 KiB of the file, unchanged.
  public let bytes: [UInt8]
  /// The same bytes as text, decoded with a guessed encoding.
  ///
  /// The text may end in the middle of a line. It is empty if the bytes aren't text.
  public let text: String
  /// The extension of the file's name, lowercase and with the dot; empty if there is none.
  public let ending: String

  /// Creates the beginning of a file, and guesses its encoding.
  public init(_ file: RawFile) {
    bytes = Array(file.bytes.prefix(65_536))
    text =
      (try? CSVFile.sample(of: bytes, encoding: nil)).map { String(decoding: $0, as: UTF8.self) }
      ?? ""
    let name = file.name.split(separator: "/").last ?? ""
    ending = name.lastIndex(of: ".").map { name[$0...].lowercased() } ?? ""
  }
}

/// Settings for reading a file.
public struct ReadingOptions: Sendable {
  /// Currencies by code, in addition to those of ISO 4217.
  public var currencies: [String: Currency] = [:]
  /// The names of ``currencies``, by code.
  ///
  /// If a currency's code is a shortened symbol, its name contains the full symbol, by which the
  /// journal's commodity is recognised.
  public var currencyNames: [String: String] = [:]
  /// The currency of amounts in a file that doesn't specify a currency.
  public var currency: Currency?
  /// Returns the currency of a statement's account in the ledger, or `nil` if the ledger doesn't
  /// have the account.
  ///
  /// This takes precedence over ``currency``. Leave it unset if the user chose a currency.
  public var accountCurrency: (@Sendable (StatementAccount) -> Currency?)?
  /// The currency of a journal's amounts without a commodity.
  ///
  /// If `nil`, these amounts get a separate currency. If no amount in the journal has a commodity,
  /// ``currency`` applies instead.
  public var bareCurrency: Currency?
  /// The encoding, or `nil` to guess it.
  public var encoding: TextEncoding?
  /// The decimal mark, `.` or `,`, of ambiguous amounts; `nil` to detect it.
  public var decimalMark: Character?
  /// Whether the day comes before the month in ambiguous dates; `nil` to detect it.
  public var isDayFirst: Bool?
  /// The meaning of the roots of account names, by lowercase name, in addition to the common roots.
  public var roots: [String: BookRoot] = [:]
  /// Whether to skip virtual postings that don't balance instead of refusing them.
  public var skipsUnbalancedVirtual = false
  /// A closure that reads the files of an `include` directive; `nil` if includes aren't supported.
  ///
  /// Its argument is a path or a pattern such as `2026/*.journal`. A relative path has already been
  /// prefixed with the folder of the including file's `name`. The files must be returned in the
  /// order of their names. If the result is empty, or the closure throws, the directive is reported
  /// as a bad line.
  public var include: (@Sendable (String) throws(InterchangeError) -> [RawFile])?
  /// A closure called periodically with the fraction of the file that has been read, from 0 to 1.
  public var progress: (@Sendable (Double) -> Void)?

  /// Creates the default options, which detect all settings from the file.
  public init() {}

  /// Adds the currencies of a ledger, with their names.
  public mutating func add(_ definitions: [CurrencyDefinition]) {
    for definition in definitions {
      currencies[definition.currency.code] = definition.currency
      currencyNames[definition.currency.code] = definition.name
    }
  }

  /// Returns the currency of a statement's amounts if the statement doesn't specify it: the
  /// account's currency or, for a new account, the default currency.
  public func currency(of account: StatementAccount) -> Currency? {
    account.currency ?? accountCurrency?(account) ?? currency
  }
}

/// The meaning of a root account in another program's books.
public enum BookRoot: String, Sendable, CaseIterable {
  /// Assets.
  case asset
  /// Liabilities.
  case liability
  /// Equity, the source of opening balances.
  case equity
  /// Categories of income.
  case income
  /// Categories of expense.
  case expense
}

/// The contents of a file.
public struct FileContents: Sendable {
  /// The bank statements, one per account.
  public var statements: [Statement] = []
  /// Another program's books, if the file contains books.
  public var books: Books?
  /// The rows that can't be read, in file order.
  ///
  /// Only the first `badLineCountMax` are listed.
  public var badLines: [BadLine] = []
  /// The number of rows that can't be read.
  public var badLineCount = 0
  /// Parts of the file that Daybook doesn't import, each with its line.
  public var notices: [FileNotice] = []

  /// The first amount whose mark could be a decimal mark or a group separator.
  var unclearAmount: UnclearAmount?

  /// The maximum number of bad rows that are listed.
  ///
  /// Further rows are only counted.
  public static let badLineCountMax = 1_000

  /// Empty contents.
  public init() {}

  /// Counts a row that can't be read, and lists it unless the list is full.
  public mutating func note(_ line: BadLine) {
    badLineCount += 1
    if badLines.count < FileContents.badLineCountMax { badLines.append(line) }
  }
}

/// A part of a file that isn't imported, or is imported in an unexpected way.
public struct FileNotice: Hashable, Sendable, CustomStringConvertible {
  /// The physical line, from 1; 0 if the notice isn't about a line.
  public var line: Int
  /// The message, a full sentence.
  public var message: String

  /// A notice about a line.
  public init(line: Int, _ message: String) {
    self.line = line
    self.message = message
  }

  /// The line and the message.
  public var description: String { line > 0 ? "line \(line): \(message)" : message }
}

extension Sequence<FileNotice> {
  /// The descriptions of the notices, in order; notices with the same message are combined.
  public var gathered: [String] {
    counted(by: \.message).map { first, count in
      count == 1
        ? "\(first)" : "line \(first.line) and \(count - 1) more: \(first.message)"
    }
  }
}
