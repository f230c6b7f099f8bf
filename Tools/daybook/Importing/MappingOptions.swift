import ArgumentParser
import Interchange

/// The meaning of a file's columns: a mapping file, flags, or both.
///
/// Flags override the mapping file.
struct MappingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A mapping of the ledger, or a file that says what the columns mean; see Docs/Import.md.",
      valueName: "name-or-file"),
    completion: .file(extensions: ["json"]))
  var mapping: String?

  @Flag(help: "Import with the mapping that --preview shows.")
  var guess = false

  @Option(help: "What parts columns: one character, or tab.")
  var delimiter: String?

  @Option(help: "utf-8, utf-16, iso-8859-1, windows-1252 or windows-1250; found out if not given.")
  var encoding: TextEncodingArgument?

  @Option(help: ArgumentHelp("Lines before the header or the first row.", valueName: "count"))
  var skipLines: Int?

  @Flag(help: "The first row is data; columns are named by number, from 1.")
  var noHeader = false

  @Flag(help: "Take rows with too few or too many columns.")
  var ragged = false

  @Option(
    help: ArgumentHelp(
      "Leave out rows with this value; VALUE* is any that begins so; may be repeated.",
      valueName: "column=value"))
  var skipRows: [RowChoice] = []

  @Option(
    help: ArgumentHelp(
      "Take rows with this value, though they are pending or look like a balance; may be repeated.",
      valueName: "column=value"))
  var takeRows: [RowChoice] = []

  @Option(help: ArgumentHelp("The column of the day.", valueName: "column"))
  var dateColumn: String?

  @Option(help: "How days are written, such as dd.MM.yyyy.")
  var dateFormat: String?

  @Option(help: ArgumentHelp("The column of the signed amount.", valueName: "column"))
  var amountColumn: String?

  @Option(
    help: ArgumentHelp(
      "The amount, computed from columns: \"{Net} - {Fee}\".", valueName: "columns"))
  var amountSum: String?

  @Flag(
    inversion: .prefixedNo,
    help: "A positive amount leaves the account, as on a card's bill; or it comes in.")
  var inverted: Bool?

  @Option(help: ArgumentHelp("The column of what goes out.", valueName: "column"))
  var debitColumn: String?

  @Option(help: ArgumentHelp("The column of what comes in.", valueName: "column"))
  var creditColumn: String?

  @Option(
    help: ArgumentHelp("The column that says which way the amount goes.", valueName: "column"))
  var typeColumn: String?

  @Option(
    help: ArgumentHelp(
      "What a value of that column means: in, out or skip; may be repeated.",
      valueName: "value=in|out|skip"))
  var direction: [String] = []

  @Option(help: "The decimal mark: . or ,")
  var decimal: String?

  @Option(help: "The currency: a code, or a column as {name}.")
  var currency: String?

  @Option(
    help: ArgumentHelp(
      "What rows are in whose currency is blank: a code, account (that of the account) or refuse.",
      valueName: "code|account|refuse"))
  var blankCurrency: String?

  @Option(
    help: ArgumentHelp("The column of a fee, charged beside the amount.", valueName: "column"))
  var feeColumn: String?

  @Option(help: "The category of fees; repeat it for subcategories. Fees, if not given.")
  var feeCategory: [String] = []

  @Flag(help: "The amount has the fee in it already.")
  var feeIncluded = false

  @Flag(help: "A negative fee is charged; a positive one is given back.")
  var feeInverted = false

  @Option(
    help: ArgumentHelp(
      "The column of what was paid in another currency, beside the account's amount.",
      valueName: "column"))
  var originalColumn: String?

  @Option(help: "The currency of that: a code, or a column as {name}.")
  var originalCurrency: String?

  @Option(help: "The account: a name, or columns as \"Bank {name}\".")
  var account: String?

  @Option(help: "The category: a name or a column as {name}; repeat it for subcategories.")
  var category: [String] = []

  @Option(help: "The description, such as {name}.")
  var description: String?

  @Option(help: "The payee, such as {name}.")
  var payee: String?

  @Option(help: "The note, such as {name}.")
  var note: String?

  @Option(help: ArgumentHelp("The column of the bank's balance.", valueName: "column"))
  var balanceColumn: String?

  @Flag(help: "The file begins with the newest row (for --balance-column).")
  var newestFirst = false

  func validate() throws {
    if !feeCategory.isEmpty || feeIncluded || feeInverted, feeColumn == nil, mapping == nil {
      throw ValidationError("A fee has a column: give --fee-column too.")
    }
    if originalCurrency != nil, originalColumn == nil, mapping == nil {
      throw ValidationError("--original-currency belongs to --original-column.")
    }
    if originalColumn != nil, originalCurrency == nil, mapping == nil {
      throw ValidationError("--original-column needs --original-currency, such as {Currency}.")
    }
    if amountSum != nil, amountColumn != nil {
      throw ValidationError("--amount-column and --amount-sum are two ways to say the amount.")
    }
    if let skipLines, skipLines < 0 { throw ValidationError("--skip-lines can't be below 0.") }
    for text in direction {
      let value = text.lastIndex(of: "=").map { String(text[$0...].dropFirst()) } ?? ""
      guard ImportMapping.Direction(rawValue: value) != nil else {
        throw ValidationError("“\(text)” says no direction: write it as value=in, =out or =skip.")
      }
    }
  }

  /// Whether the flags alone define a mapping.
  var isComplete: Bool {
    dateColumn != nil && account != nil && currency != nil
      && (amountColumn != nil || amountSum != nil || (debitColumn != nil && creditColumn != nil))
  }

  /// The mapping for a file.
  ///
  /// - Parameters:
  ///   - saved: The mappings saved in the ledger. One is used if `--mapping` names it or the file's
  ///     layout matches.
  ///   - mayGuess: Whether to guess if nothing else defines a mapping.
  ///   - base: The default currency.
  /// - Throws: `CommandFailure` if the mapping is missing, undefined or ambiguous.
  func mapping(
    of file: RawFile, saved: SavedMappings, mayGuess: Bool, base: String?
  ) throws -> ChosenMapping {
    var found: ImportMapping
    var guessed: MappingGuess?
    var name: String?
    if let mapping {
      found = try named(mapping, saved, for: file)
    } else if isComplete {
      found = ImportMapping(
        date: .init(column: column(dateColumn ?? "")), amount: .init(),
        currency: try template(currency ?? "", "--currency"),
        account: try template(account ?? "", "--account"))
    } else if let fit = try fitting(file, saved) {
      found = fit.mapping
      name = fit.name
    } else if guess || mayGuess {
      let sample = try file.text(encoding?.encoding).bytes
      let open = try ImportMapping.guess(sample: sample, facts: try facts, base: base)
      if !mayGuess, !open.questions.isEmpty {
        throw GuessWords.refusal(open.questions, of: file.name)
      }
      guessed = open
      found = open.mapping
    } else {
      throw CommandFailure.usage(
        "It is not said what the columns of \(file.name) mean"
          + (saved.names.isEmpty ? "." : ", and no mapping of the ledger fits them."),
        remedy: "Look with --preview what Daybook makes of it, then import with --guess; or give "
          + "--mapping; or --date-column, --amount-column, --currency and --account.")
    }
    try apply(to: &found)
    return ChosenMapping(
      mapping: found, doubts: guessed?.doubts ?? [], questions: guessed?.questions ?? [],
      name: name, isGuess: guessed != nil)
  }

  /// The saved mapping with a name, or else the mapping in a file.
  private func named(
    _ text: String, _ saved: SavedMappings, for file: RawFile
  ) throws -> ImportMapping {
    if let found = try saved.mapping(named: text, for: file) { return found }
    guard !FileSystem.exists(text) else { return try ImportMapping(path: text) }
    let near = Suggestion.nearest(to: text, among: saved.names).map { "Did you mean “\($0)”?" }
    throw CommandFailure(
      .noInput, code: "file", "There is no mapping “\(text)”: no file, and none in the ledger.",
      remedy: near ?? "`daybook mappings list` shows those that the ledger keeps.")
  }

  /// The saved mapping that matches the file's layout, or `nil` with `--guess`.
  ///
  /// - Throws: `CommandFailure` if several match.
  private func fitting(_ file: RawFile, _ saved: SavedMappings) throws -> SavedMappings.Fit? {
    if guess { return nil }
    let found = saved.fitting(file)
    guard found.count > 1 else { return found.first }
    throw CommandFailure.usage(
      "\(found.count) mappings fit \(file.name): \(found.map(\.name).joined(separator: ", ")).",
      remedy: "Say which with --mapping NAME.")
  }

  private func apply(to found: inout ImportMapping) throws {
    if let delimiter { found.delimiter = delimiter }
    if let encoding { found.encoding = encoding.encoding }
    if let skipLines { found.skipLines = skipLines }
    if noHeader { found.hasHeader = false }
    if ragged { found.ragged = .allow }
    for choice in skipRows where !found.skipRows.contains(choice.rule) {
      found.skipRows.append(choice.rule)
    }
    if let dateColumn { found.date.column = column(dateColumn) }
    if let dateFormat { found.date.format = dateFormat }
    if let amountColumn {
      found.amount.column = column(amountColumn)
      found.amount.debit = nil
      found.amount.credit = nil
      found.amount.sum = nil
    }
    if let amountSum {
      guard let sum = ColumnSum(amountSum) else {
        throw CommandFailure.usage(
          "--amount-sum \(amountSum) is not a sum of columns.",
          remedy: "Write columns in braces with + or - between them: \"{Net} - {Fee}\".")
      }
      found.amount = .init(type: found.amount.type)
      found.amount.sum = sum
    }
    if let debitColumn { found.amount.debit = column(debitColumn) }
    if let creditColumn { found.amount.credit = column(creditColumn) }
    if debitColumn != nil || creditColumn != nil {
      found.amount.column = nil
      found.amount.sum = nil
    }
    if let inverted { found.amount.isInverted = inverted }
    if let typeColumn { found.amount.type = column(typeColumn) }
    found.amount.directions.merge(directions) { $1 }
    if let decimal { found.numbers.decimal = decimal }
    if let currency { found.currency = try template(currency, "--currency") }
    if let blankCurrency { found.blankCurrency = .init(blankCurrency) }
    try applyFee(to: &found)
    if let account { found.account = try template(account, "--account") }
    if !category.isEmpty { found.category = try category.map { try template($0, "--category") } }
    if let description { found.description = try template(description, "--description") }
    if let payee { found.payee = try template(payee, "--payee") }
    if let note { found.note = try template(note, "--note") }
    if let balanceColumn {
      found.balance = .init(column: column(balanceColumn), isNewestFirst: newestFirst)
    }
  }

  func column(_ text: String) -> ColumnReference {
    Int(text).map { .number($0) } ?? .name(text)
  }

  func template(_ text: String, _ flag: String) throws -> ColumnTemplate {
    guard let template = ColumnTemplate(text) else {
      throw CommandFailure.usage(
        "\(flag) \(text) has a brace that is not closed, or an empty one.",
        remedy: "A column is written {name}; a brace itself is written twice.")
    }
    return template
  }
}
