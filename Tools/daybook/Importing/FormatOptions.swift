import ArgumentParser
import Daybook
import DaybookInterchange
import DaybookPackedFormats

/// Options for files in a known format: the account, and other facts that the file doesn't state.
struct FormatOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file's format, if it can't be detected: csv, \(Self.names).", valueName: "format")
  )
  var format: String?

  @Option(
    help: ArgumentHelp(
      "The ledger's account for an account number in the file; repeatable. The ledger remembers "
        + "it. If the number has statements in several currencies, write NUMBER:CURRENCY=ACCOUNT.",
      valueName: "number=account"))
  var accountFor: [String] = []

  @Flag(help: "Import transactions that the bank hasn't booked yet, as pending.")
  var pending = false

  @Flag(
    help: ArgumentHelp(
      "If a statement isn't in its account's currency, convert each amount at the rate of its day.")
  )
  var convert = false

  @Flag(help: "Add the file's balances as stated balances, which `daybook assertions` checks.")
  var assertBalances = false

  @Option(help: "day-first or month-first, if dates are ambiguous.")
  var dateOrder: DateOrderArgument?

  @Option(
    help: ArgumentHelp(
      "The kind of a journal's accounts below a root: asset, liability, equity, income or expense; "
        + "repeatable.", valueName: "root=kind"))
  var root: [String] = []

  @Flag(help: "Leave out a journal's unbalanced virtual postings.")
  var skipUnbalancedVirtual = false

  private static var names: String {
    PackedFormats.all.map { $0.name }.joined(separator: ", ")
  }

  func validate() throws {
    if let format, format != "csv", FileFormats.named(format, among: PackedFormats.all) == nil {
      throw ValidationError("Unknown format “\(format)”. Use csv, \(Self.names).")
    }
    for text in accountFor where Self.parts(text) == nil {
      throw ValidationError("“\(text)” doesn't name an account. Write it as NUMBER=ACCOUNT.")
    }
    for text in root {
      guard let parts = Self.parts(text), BookRoot(rawValue: parts.1.lowercased()) != nil else {
        let kinds = BookRoot.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError(
          "“\(text)” has no kind. Write it as ROOT=KIND, where KIND is one of \(kinds).")
      }
    }
  }

  /// The two sides of the last `=`, or `nil` if either is empty.
  private static func parts(_ text: String) -> (String, String)? {
    guard let place = text.lastIndex(of: "="), place > text.startIndex else { return nil }
    let value = text[text.index(after: place)...]
    return value.isEmpty ? nil : (String(text[..<place]), String(value))
  }

  /// The format of a file, or `nil` if the file is read with a column mapping.
  ///
  /// - Throws: `CommandFailure` if several formats fit.
  func format(
    of file: RawFile, _ columns: MappingOptions
  ) throws -> (any FileFormat.Type)? {
    if let format { return FileFormats.named(format, among: PackedFormats.all) }
    if columns.mapping != nil || columns.guess { return nil }
    let found = FileFormats.candidates(file, among: PackedFormats.all)
    guard found.count > 1 else { return found.first }
    let titles = found.map { "\($0.title) (--format \($0.name))" }.joined(separator: " or ")
    throw CommandFailure.usage(
      "Couldn't detect the format of \(file.name): it could be \(titles).",
      remedy: "Choose one with --format.")
  }

  /// The accounts that the user chose for the file.
  func choice(_ columns: MappingOptions) -> AccountChoice {
    var choice = AccountChoice(all: columns.account)
    for (number, account) in accountFor.compactMap(Self.parts) {
      choice.choose(account, for: number)
    }
    return choice
  }

  /// The flags as they were typed, for the next command.
  var typed: [String] {
    var words = format.map { ["--format \($0)"] } ?? []
    words += accountFor.map { "--account-for \(GuessWords.quoted($0))" }
    if pending { words.append("--pending") }
    if convert { words.append("--convert") }
    if assertBalances { words.append("--assert-balances") }
    if let dateOrder { words.append("--date-order \(dateOrder.rawValue)") }
    words += root.map { "--root \(GuessWords.quoted($0))" }
    if skipUnbalancedVirtual { words.append("--skip-unbalanced-virtual") }
    return words
  }

  /// The options for the format's reader.
  ///
  /// - Parameter options: The options that follow from the ledger.
  /// - Throws: `CommandFailure` if `--currency` isn't a known currency.
  func reading(
    _ file: RawFile, _ columns: MappingOptions, _ options: ReadingOptions
  ) throws -> ReadingOptions {
    var options = options
    if let code = columns.currency {
      guard let currency = options.currencies[code] ?? Currency.iso(code.uppercased()) else {
        throw CommandFailure.usage(
          "“\(code)” isn't a currency.", remedy: "Use a three-letter code, such as EUR.")
      }
      options.currency = currency
      options.accountCurrency = nil
      options.bareCurrency = currency
    }
    options.encoding = columns.encoding?.encoding
    if let decimal = columns.decimal {
      guard decimal == "." || decimal == "," else {
        throw CommandFailure.usage(
          "“\(decimal)” isn't a decimal mark.", remedy: "Use --decimal . or --decimal ,")
      }
      options.decimalMark = decimal.first
    }
    options.isDayFirst = dateOrder.map { $0 == .dayFirst }
    options.skipsUnbalancedVirtual = skipUnbalancedVirtual
    for (name, kind) in root.compactMap(Self.parts) {
      options.roots[name.lowercased()] = BookRoot(rawValue: kind.lowercased())
    }
    options.include = IncludedFiles.reader(beside: file.name)
    return options
  }
}

/// The order of day and month in a numeric date.
enum DateOrderArgument: String, ExpressibleByArgument, CaseIterable {
  case dayFirst = "day-first"
  case monthFirst = "month-first"
}
