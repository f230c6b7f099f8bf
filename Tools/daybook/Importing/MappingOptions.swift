import ArgumentParser
import Daybook
import DaybookInterchange

/// The meaning of a file's columns: a mapping file, flags, or both.
///
/// Flags override the mapping file.
struct MappingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A mapping kept in the ledger, or a mapping file; see Docs/Import.md.",
      valueName: "name-or-file"),
    completion: .file(extensions: ["json"]))
  var mapping: String?

  @Flag(help: "Use the guessed mapping that --preview shows.")
  var guess = false

  @Option(help: "The column delimiter: one character, or tab.")
  var delimiter: String?

  @Option(help: "utf-8, utf-16, iso-8859-1, windows-1252 or windows-1250 (default: detected).")
  var encoding: TextEncodingArgument?

  @Option(
    help: ArgumentHelp(
      "The number of lines before the header or the first row.", valueName: "count"))
  var skipLines: Int?

  @Flag(help: "The file has no header; name columns by number, from 1.")
  var noHeader = false

  @Flag(help: "Accept rows with too few or too many columns.")
  var ragged = false

  @Option(
    help: ArgumentHelp(
      "Skip rows with this value, or, with VALUE*, a value beginning with it; repeatable.",
      valueName: "column=value"))
  var skipRows: [RowChoice] = []

  @Option(
    help: ArgumentHelp(
      "Import rows with this value even if they are pending or look like a balance; repeatable.",
      valueName: "column=value"))
  var takeRows: [RowChoice] = []

  @Option(help: ArgumentHelp("The column with the date.", valueName: "column"))
  var dateColumn: String?

  @Option(help: "The date format, such as dd.MM.yyyy.")
  var dateFormat: String?

  @Option(help: ArgumentHelp("The column with the signed amount.", valueName: "column"))
  var amountColumn: String?

  @Option(
    help: ArgumentHelp(
      "The amount, computed from columns: \"{Net} - {Fee}\".", valueName: "columns"))
  var amountSum: String?

  @Flag(
    inversion: .prefixedNo,
    help: "Treat positive amounts as outgoing, as on a card statement, or as incoming.")
  var inverted: Bool?

  @Option(help: ArgumentHelp("The column with outgoing amounts.", valueName: "column"))
  var debitColumn: String?

  @Option(help: ArgumentHelp("The column with incoming amounts.", valueName: "column"))
  var creditColumn: String?

  @Option(
    help: ArgumentHelp("The column with the amount's direction.", valueName: "column"))
  var typeColumn: String?

  @Option(
    help: ArgumentHelp(
      "The meaning of a value in that column: in, out or skip; repeatable.",
      valueName: "value=in|out|skip"))
  var direction: [String] = []

  @Option(help: "The decimal mark: . or ,")
  var decimal: String?

  @Option(help: "The currency: a code, or a column as {name}.")
  var currency: String?

  @Option(
    help: ArgumentHelp(
      "For rows without a currency. code: use this currency. account: use the account's. "
        + "refuse: refuse the row (default).",
      valueName: "code|account|refuse"))
  var blankCurrency: String?

  @Option(
    help: ArgumentHelp(
      "A column with numbers to ignore, such as a fee that isn't charged; repeatable.",
      valueName: "column"))
  var ignoreColumn: [String] = []

  @Option(
    help: ArgumentHelp(
      "The column with a fee charged in addition to the amount.", valueName: "column"))
  var feeColumn: String?

  @Option(help: "The category of fees; repeat it for subcategories (default: Fees).")
  var feeCategory: [String] = []

  @Flag(help: "The amount already includes the fee.")
  var feeIncluded = false

  @Flag(help: "Treat negative fees as charged, and positive ones as refunded.")
  var feeInverted = false

  @Option(
    help: ArgumentHelp(
      "The column with the original amount in another currency.",
      valueName: "column"))
  var originalColumn: String?

  @Option(help: "The original amount's currency: a code, or a column as {name}.")
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

  @Option(help: ArgumentHelp("The column with the bank's balance.", valueName: "column"))
  var balanceColumn: String?

  @Flag(help: "The file's newest row comes first (for --balance-column).")
  var newestFirst = false

  func validate() throws {
    if !feeCategory.isEmpty || feeIncluded || feeInverted, feeColumn == nil, mapping == nil {
      throw ValidationError("The fee options require --fee-column.")
    }
    if originalCurrency != nil, originalColumn == nil, mapping == nil {
      throw ValidationError("--original-currency requires --original-column.")
    }
    if originalColumn != nil, originalCurrency == nil, mapping == nil {
      throw ValidationError("--original-column requires --original-currency, such as {Currency}.")
    }
    if amountSum != nil, amountColumn != nil {
      throw ValidationError("Use either --amount-column or --amount-sum, not both.")
    }
    if let skipLines, skipLines < 0 { throw ValidationError("--skip-lines must be 0 or more.") }
    for text in direction {
      let value = text.lastIndex(of: "=").map { String(text[$0...].dropFirst()) } ?? ""
      guard ImportMapping.Direction(rawValue: value) != nil else {
        throw ValidationError(
          "“\(text)” has no direction. Write it as VALUE=in, VALUE=out or VALUE=skip.")
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
  ///   - saved: The mappings saved in the ledger. A saved mapping is used if `--mapping` names it
  ///     or the file's layout matches.
  ///   - mayGuess: Whether to guess if nothing else defines a mapping.
  ///   - base: The default currency of a new account.
  ///   - accountCurrencies: The currencies of the ledger's accounts, by the keys of their names.
  /// - Throws: `CommandFailure` if the mapping is missing, undefined or ambiguous.
  func mapping(
    of file: RawFile, saved: SavedMappings, mayGuess: Bool, base: String?,
    accountCurrencies: [String: Currency] = [:]
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
      let open = try ImportMapping.guess(
        sample: sample, facts: try facts, base: base, accountCurrencies: accountCurrencies)
      if !mayGuess, !open.questions.isEmpty {
        throw GuessWords.refusal(open.questions, of: file.name)
      }
      guessed = open
      found = open.mapping
    } else {
      throw CommandFailure.usage(
        "Couldn't import \(file.name): it has no mapping for its columns"
          + (saved.names.isEmpty ? "." : ", and no mapping in the ledger fits."),
        remedy: "Check Daybook's guess with --preview and then import with --guess, or use "
          + "--mapping, or --date-column, --amount-column, --currency and --account.")
    }
    try apply(to: &found)
    return ChosenMapping(
      mapping: found, doubts: guessed?.doubts ?? [], questions: guessed?.questions ?? [],
      name: name, isGuess: guessed != nil,
      isCurrencyAssumed: guessed?.isCurrencyAssumed ?? false)
  }

  /// The saved mapping with a name, or else the mapping in a file.
  private func named(
    _ text: String, _ saved: SavedMappings, for file: RawFile
  ) throws -> ImportMapping {
    if let found = try saved.mapping(named: text, for: file) { return found }
    guard !FileSystem.exists(text) else { return try ImportMapping(path: text) }
    let near = Suggestion.nearest(to: text, among: saved.names).map { "Did you mean “\($0)”?" }
    throw CommandFailure(
      .noInput, code: "file",
      "Couldn't find the mapping “\(text)”, either as a file or in the ledger.",
      remedy: near ?? "List the ledger's mappings with `daybook mappings list`.")
  }

  /// The saved mapping that matches the file's layout, or `nil` with `--guess`.
  ///
  /// - Throws: `CommandFailure` if several mappings match.
  private func fitting(_ file: RawFile, _ saved: SavedMappings) throws -> SavedMappings.Fit? {
    if guess { return nil }
    let found = saved.fitting(file)
    guard found.count > 1 else { return found.first }
    throw CommandFailure.usage(
      "Couldn't choose a mapping for \(file.name): \(found.count) mappings fit: "
        + "\(found.map(\.name).joined(separator: ", ")).",
      remedy: "Choose one with --mapping NAME.")
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
          "--amount-sum \(amountSum) isn't a sum of columns.",
          remedy: "Write columns in braces with + or - between them, such as \"{Net} - {Fee}\".")
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
        "\(flag) \(text) has an unclosed or empty brace.",
        remedy: "Write a column as {name}, and a literal brace twice.")
    }
    return template
  }
}
