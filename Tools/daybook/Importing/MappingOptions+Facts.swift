import ArgumentParser
import DaybookInterchange

extension MappingOptions {
  /// The facts that the flags state about the file, as input for a guess.
  var facts: MappingFacts {
    get throws {
      var facts = MappingFacts()
      facts.delimiter = delimiter
      facts.skipLines = skipLines
      facts.hasHeader = noHeader ? false : nil
      facts.dateColumn = dateColumn.map(column)
      facts.dateFormat = dateFormat
      facts.amountColumn = amountColumn.map(column)
      facts.amountSum = amountSum.flatMap { ColumnSum($0) }
      facts.otherColumns = ([feeColumn, originalColumn].compactMap(\.self) + ignoreColumn)
        .map(column)
      facts.fee = feeColumn.map {
        .init(
          ColumnSum(column: column($0)), isInverted: feeInverted, isIncluded: feeIncluded)
      }
      facts.isInverted = inverted
      facts.debitColumn = debitColumn.map(column)
      facts.creditColumn = creditColumn.map(column)
      facts.typeColumn = typeColumn.map(column)
      facts.directions = directions
      facts.decimal = decimal
      facts.currency = try currency.map { try template($0, "--currency") }
      facts.account = try account.map { try template($0, "--account") }
      facts.description = try description.map { try template($0, "--description") }
      facts.payee = try payee.map { try template($0, "--payee") }
      facts.balanceColumn = balanceColumn.map(column)
      facts.skipRows = skipRows.map(\.rule)
      facts.takeRows = takeRows.map(\.rule)
      return facts
    }
  }

  var directions: [String: ImportMapping.Direction] {
    var directions: [String: ImportMapping.Direction] = [:]
    for text in direction {
      let mark = text.lastIndex(of: "=") ?? text.endIndex
      directions[String(text[..<mark])] = ImportMapping.Direction(
        rawValue: String(text[mark...].dropFirst()))
    }
    return directions
  }

  /// The options with the flag that states a fact.
  func adding(_ fact: MappingQuestion.Fact) -> MappingOptions {
    var flags = self
    switch fact {
    case .amountColumn(let column): flags.amountColumn = "\(column)"
    case .columns(let debit, let credit):
      flags.debitColumn = "\(debit)"
      flags.creditColumn = "\(credit)"
    case .currency(let template): flags.currency = template.text
    case .anyCurrency: break
    case .dateFormat(let format): flags.dateFormat = format
    case .isInverted(let isInverted): flags.inverted = isInverted
    case .fee(let fee):
      flags.feeColumn = fee.amount.column.map { "\($0)" }
      flags.feeIncluded = fee.isIncluded
      flags.feeInverted = fee.isInverted
    case .ignoredColumn(let column): flags.ignoreColumn.append("\(column)")
    case .decimal(let mark): flags.decimal = mark
    case .skipRows(let rule): flags.skipRows.append(RowChoice(rule: rule))
    case .takeRows(let rule): flags.takeRows.append(RowChoice(rule: rule))
    }
    return flags
  }

  /// The flags as they were typed, for the next command.
  var typed: [String] {
    var words: [String] = []
    func add(_ flag: String, _ value: String?) {
      if let value { words.append("\(flag) \(GuessWords.quoted(value))") }
    }
    add("--mapping", mapping)
    add("--delimiter", delimiter)
    add("--encoding", encoding?.encoding.rawValue)
    add("--skip-lines", skipLines.map(String.init))
    if noHeader { words.append("--no-header") }
    if ragged { words.append("--ragged") }
    add("--date-column", dateColumn)
    add("--date-format", dateFormat)
    add("--amount-column", amountColumn)
    add("--amount-sum", amountSum)
    if let inverted { words.append(inverted ? "--inverted" : "--no-inverted") }
    add("--debit-column", debitColumn)
    add("--credit-column", creditColumn)
    add("--type-column", typeColumn)
    for text in direction { add("--direction", text) }
    add("--decimal", decimal)
    add("--currency", currency)
    add("--blank-currency", blankCurrency)
    for text in ignoreColumn { add("--ignore-column", text) }
    add("--fee-column", feeColumn)
    for text in feeCategory { add("--fee-category", text) }
    if feeIncluded { words.append("--fee-included") }
    if feeInverted { words.append("--fee-inverted") }
    add("--original-column", originalColumn)
    add("--original-currency", originalCurrency)
    add("--account", account)
    for text in category { add("--category", text) }
    add("--description", description)
    add("--payee", payee)
    add("--note", note)
    add("--balance-column", balanceColumn)
    if newestFirst { words.append("--newest-first") }
    words += skipRows.map { GuessWords.flag(.skipRows($0.rule)) }
    words += takeRows.map { GuessWords.flag(.takeRows($0.rule)) }
    return words
  }

  func applyFee(to found: inout ImportMapping) throws {
    if let feeColumn {
      let sum = ColumnSum(column: column(feeColumn))
      if found.fee == nil { found.fee = .init(sum) } else { found.fee?.amount = sum }
    }
    if !feeCategory.isEmpty {
      found.fee?.category = try feeCategory.map { try template($0, "--fee-category") }
    }
    if feeIncluded { found.fee?.isIncluded = true }
    if feeInverted { found.fee?.isInverted = true }
    if let originalColumn {
      let currency = try originalCurrency.map { try template($0, "--original-currency") }
      guard let currency = currency ?? found.original?.currency else {
        throw CommandFailure.usage(
          "--original-column requires a currency.", remedy: "Add --original-currency.")
      }
      found.original = .init(column: column(originalColumn), currency: currency)
    }
  }
}

/// Selects rows by the value of a column: `State=PENDING`, `Date=Total*`, or `Date=` for blank.
struct RowChoice: ExpressibleByArgument {
  let rule: ImportMapping.RowRule

  init(rule: ImportMapping.RowRule) { self.rule = rule }

  init?(argument: String) {
    guard let mark = argument.firstIndex(of: "="), mark > argument.startIndex else { return nil }
    let name = argument[..<mark]
    let column = Int(name).map(ColumnReference.number) ?? .name(String(name))
    let value = argument[argument.index(after: mark)...]
    if value.count > 1, value.last == "*" {
      rule = .init(column: column, beginsWith: String(value.dropLast()))
    } else {
      rule = .init(column: column, equals: [String(value)])
    }
  }
}

/// The mapping with which a file is read.
struct ChosenMapping {
  var mapping: ImportMapping
  /// Uncertain parts of a guessed mapping.
  var doubts: [String]
  /// The questions that the guess left open.
  var questions: [MappingQuestion] = []
  /// The name of the saved mapping, if it was found by the file's layout.
  var name: String?
  /// Whether the mapping is a guess.
  var isGuess = false
  /// Whether a guess uses the default currency, because the file doesn't specify a currency.
  var isCurrencyAssumed = false
}

/// A text encoding, given by name.
struct TextEncodingArgument: ExpressibleByArgument {
  let encoding: TextEncoding

  init?(argument: String) {
    guard
      let encoding = TextEncoding(
        rawValue: argument.lowercased() == "latin1" ? "iso-8859-1" : argument.lowercased())
    else { return nil }
    self.encoding = encoding
  }

  static var allValueStrings: [String] { TextEncoding.allCases.map(\.rawValue) }
}
