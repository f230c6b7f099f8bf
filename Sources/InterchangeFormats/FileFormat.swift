public import Bookkeeping

/// A kind of file that Daybook reads.
///
/// Each has a folder of its own beside this file.
///
/// A format knows bytes, not ledgers: it says what the file says. Whoever called it finds the accounts,
/// records the rows and reports.
public protocol FileFormat: Sendable {
  /// The name for `--format` and in references: `ofx`.
  static var name: String { get }
  /// What people call it: `OFX, QFX`.
  static var title: String { get }
  /// How the names of such files end, with the dot, in lower case: `.ofx`.
  static var endings: [String] { get }

  /// How surely a file is of this format, by its content; its name only decides between two that could be.
  static func recognise(_ head: FileHead) -> Recognition

  /// Reads a whole file.
  ///
  /// Bad rows are collected in ``FileContents/badLines`` and the reading goes on; what makes the rest
  /// meaningless is thrown.
  /// - Throws: `InterchangeError` of code `format` with line and column, what was expected and what to
  ///   do.
  /// - Complexity: O(bytes) time; memory grows with the rows.
  static func read(
    _ file: RawFile, _ options: ReadingOptions
  ) throws(InterchangeError) -> FileContents
}

/// How surely a file is of a format.
public enum Recognition: Int, Comparable, Sendable {
  /// It is not.
  case no
  /// It could be, and other formats too.
  case possible
  /// It is.
  case certain

  /// Orders by certainty.
  public static func < (left: Recognition, right: Recognition) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The beginning of a file, by which formats recognise it.
public struct FileHead: Sendable {
  /// The first 64 KiB at most, as they are.
  public let bytes: [UInt8]
  /// The same as text, in a guessed encoding; the end may be cut.
  ///
  /// Empty where it is no text.
  public let text: String
  /// How the file's name ends, with the dot, in lower case; empty where it has no name.
  public let ending: String

  /// The beginning of a file.
  public init(_ file: RawFile) {
    bytes = Array(file.bytes.prefix(65_536))
    text =
      (try? CSVFile.sample(of: bytes, encoding: nil)).map { String(decoding: $0, as: UTF8.self) }
      ?? ""
    let name = file.name.split(separator: "/").last ?? ""
    ending = name.lastIndex(of: ".").map { name[$0...].lowercased() } ?? ""
  }
}

/// What a reader has to be told, and whom it tells how far it is.
public struct ReadingOptions: Sendable {
  /// Currencies by code, beside those of ISO 4217.
  public var currencies: [String: Currency] = [:]
  /// The currency of a file that names none.
  public var currency: Currency?
  /// The encoding, where it is not to be guessed.
  public var encoding: TextEncoding?
  /// Whether days come before months in dates that could be read both ways; `nil` to find out.
  public var isDayFirst: Bool?
  /// What the roots of account names mean, by their names in lower case, beside those that everybody
  /// uses.
  public var roots: [String: BookRoot] = [:]
  /// Whether virtual postings that do not balance are left out instead of refused.
  public var skipsUnbalancedVirtual = false
  /// Reads the files that a file names (`include`), by a path or a pattern such as `2026/*.journal`; `nil`
  /// where that can't be.
  ///
  /// A relative path has the folder of the file that names it before it already, by that file's `name`. No
  /// file, or an error, is a bad line. The files are to come in the order of their names.
  public var include: (@Sendable (String) throws(InterchangeError) -> [RawFile])?
  /// Called now and then with the share that has been read, from 0 to 1.
  public var progress: (@Sendable (Double) -> Void)?

  /// Options that leave everything to the file.
  public init() {}
}

/// What the accounts below a root of other books are.
public enum BookRoot: String, Sendable, CaseIterable {
  /// What one has.
  case asset
  /// What one owes.
  case liability
  /// Where opening balances come from.
  case equity
  /// Categories of income.
  case income
  /// Categories of expense.
  case expense
}

/// What a file says.
public struct FileContents: Sendable {
  /// What a bank says, account by account.
  public var statements: [Statement] = []
  /// What other books say, where it is books.
  public var books: Books?
  /// The rows that can't be read, in file order; at most `badLineCountMax` are kept.
  public var badLines: [BadLine] = []
  /// How many rows can't be read.
  public var badLineCount = 0
  /// What the file says and Daybook does not take, each with its line.
  public var notices: [FileNotice] = []

  /// The most bad rows that are described; further ones are counted.
  public static let badLineCountMax = 1_000

  /// Nothing.
  public init() {}

  /// Notes a row that can't be read.
  public mutating func note(_ line: BadLine) {
    badLineCount += 1
    if badLines.count < FileContents.badLineCountMax { badLines.append(line) }
  }
}

/// Something that a file says and that is not taken, or is taken otherwise than one might think.
public struct FileNotice: Hashable, Sendable, CustomStringConvertible {
  /// The physical line, from 1.
  public var line: Int
  /// A sentence.
  public var message: String

  /// Something that is not taken.
  public init(line: Int, _ message: String) {
    self.line = line
    self.message = message
  }

  /// Line and sentence.
  public var description: String { "line \(line): \(message)" }
}
