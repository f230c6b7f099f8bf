import DaybookBookkeeping

/// A mapping that is bound to the columns of one file.
struct RowMapper {
  /// A column of the file, with replacements for its values.
  struct Column {
    var index: Int
    var header: String?
    var values: [String: String]?
  }

  enum Part {
    case literal(String)
    case columns([Column])
  }

  struct Rule {
    var column: Column?
    var rule: ImportMapping.RowRule
  }

  var columnCount: Int?
  var ragged: ImportMapping.RaggedRows
  var rules: [Rule]
  var date: Column
  var datePattern: DatePattern
  var numbers: NumberStyle
  var amounts: ImportMapping.AmountColumns
  var amount: Column?
  var amountSum: BoundSum?
  var debit: Column?
  var credit: Column?
  var type: Column?
  var currencies: [String: Currency]
  var currency: [Part]
  var constantCurrency: Currency?
  var constantCode: [UInt8]?
  var account: [Part]
  var category: [[Part]]
  var description: [Part]
  var payee: [Part]
  var note: [Part]
  var tags: [[Part]]
  var transferAccount: [Part]?
  var transferAmount: Column?
  var transferCurrency: [Part]
  var balance: Column?
  var fee: BoundFee?
  var original: (column: Column, currency: [Part])?
  var blankCurrency: ImportMapping.BlankCurrency
  /// The currencies of accounts, by the keys of their names.
  var accountCurrencies: [String: Currency]
  /// The reason why the balance of the last row can't be read.
  var badBalance: BadLine?

  /// Binds a mapping to a header.
  /// - Throws: `InterchangeError` with code `mapping` if a column is missing or the mapping is
  ///   inconsistent.
  init(
    _ mapping: ImportMapping, header: [String]?, currencies: [String: Currency] = [:],
    accountCurrencies: [String: Currency] = [:]
  ) throws(InterchangeError) {
    self.currencies = currencies
    self.accountCurrencies = accountCurrencies
    blankCurrency = mapping.blankCurrency
    let binder = Binder(mapping: mapping, header: header)
    columnCount = header?.count
    ragged = mapping.ragged
    rules = []
    for rule in mapping.skipRows {
      rules.append(Rule(column: try binder.column(rule.column), rule: rule))
    }
    date = try binder.column(mapping.date.column)
    guard let pattern = DatePattern(mapping.date.format, pivot: mapping.date.pivot) else {
      throw Binder.fault(
        "“\(mapping.date.format)” isn't a date format.",
        "Write it with yyyy or yy, MM, M or MMM, and dd or d, such as dd.MM.yyyy.")
    }
    datePattern = pattern
    let style = mapping.numbers
    guard
      let numbers = NumberStyle(
        decimal: style.decimal, grouping: style.grouping, symbols: style.symbols)
    else {
      throw Binder.fault(
        "The decimal mark must be . or , and differ from the grouping mark.",
        "Correct numbers.decimal.")
    }
    self.numbers = numbers
    amounts = mapping.amount
    amount = try binder.column(mapping.amount.column)
    debit = try binder.column(mapping.amount.debit)
    credit = try binder.column(mapping.amount.credit)
    type = try binder.column(mapping.amount.type)
    amountSum = try binder.sum(mapping.amount.sum)
    let isOne = (amount == nil) != (amountSum == nil) && debit == nil && credit == nil
    let hasOther = amount != nil || amountSum != nil || type != nil
    guard isOne || debit != nil && credit != nil && !hasOther else {
      throw Binder.fault(
        "The amount needs one column, a sum of columns, or a debit and a credit column.",
        "Set amount.column or amount.sum, optionally with amount.type, or both amount.debit and "
          + "amount.credit.")
    }
    currency = try binder.parts(mapping.currency)
    constantCurrency = nil
    account = try binder.parts(mapping.account)
    category = []
    for level in mapping.category { category.append(try binder.parts(level)) }
    description = try binder.parts(mapping.description)
    payee = try binder.parts(mapping.payee)
    note = try binder.parts(mapping.note)
    tags = []
    for tag in mapping.tags { tags.append(try binder.parts(tag)) }
    transferAccount = nil
    if let transfer = mapping.transfer { transferAccount = try binder.parts(transfer.account) }
    transferAmount = try binder.column(mapping.transfer?.amount)
    transferCurrency = try binder.parts(mapping.transfer?.currency)
    balance = try binder.column(mapping.balance?.column)
    if let given = mapping.fee, let amount = try binder.sum(given.amount) {
      var category: [[Part]] = []
      for level in given.category { category.append(try binder.parts(level)) }
      fee = BoundFee(
        amount: amount, category: category, isInverted: given.isInverted,
        isIncluded: given.isIncluded)
    }
    if let given = mapping.original {
      original = (try binder.column(given.column), try binder.parts(given.currency))
    }
    if case .code(let code) = blankCurrency, (currencies[code] ?? Currency.iso(code)) == nil {
      throw Binder.fault(
        "The currency \(code), for rows without one, is unknown.",
        "Set blankCurrency to an ISO 4217 code, account or refuse.")
    }
    if mapping.currency.parts.count <= 1, case .literal(let code)? = mapping.currency.parts.first {
      guard let known = currencies[code] ?? Currency.iso(code) else {
        throw Binder.fault(
          "The currency \(code) is unknown.",
          "Use an ISO 4217 code, or define the currency first.")
      }
      constantCurrency = known
      constantCode = Array(code.utf8)
    }
  }
}

extension RowMapper {
  /// Returns the index of a column given by name or number.
  /// - Throws: `InterchangeError` with code `mapping`, which lists the existing names.
  static func place(
    of reference: ColumnReference, in header: [String]?
  ) throws(InterchangeError) -> Int {
    let text = "\(reference)"
    let known = header?.map { "\"\($0)\"" }.joined(separator: ", ")
    if let header {
      if let index = header.firstIndex(of: text) {
        guard header[(index + 1)...].contains(text) == false else {
          throw Binder.fault("Two columns are named \(text).", "Use the column's number, from 1.")
        }
        return index
      }
      let folded = text.lowercased()
      if let index = header.firstIndex(where: { $0.lowercased() == folded }) { return index }
    }
    guard let number = Int(text) else {
      throw Binder.fault(
        "There is no column \(text).",
        known.map { known in
          let near = Nearest.name(to: text, among: header ?? [])
          return (near.map { "Did you mean “\($0)”? " } ?? "") + "The columns are \(known)."
        }
          ?? "The file has no header, so use column numbers, from 1.")
    }
    guard number >= 1, number <= header?.count ?? CSVReader.fieldCountMax else {
      throw Binder.fault("There is no column \(number).", "Columns are numbered from 1.")
    }
    return number - 1
  }
}

/// Finds the columns of a mapping in a header.
private struct Binder {
  let mapping: ImportMapping
  let header: [String]?

  static func fault(_ message: String, _ remedy: String) -> InterchangeError {
    InterchangeError(.mapping, message, remedy: remedy)
  }

  func column(_ reference: ColumnReference?) throws(InterchangeError) -> RowMapper.Column? {
    guard let reference else { return nil }
    return try column(reference) as RowMapper.Column
  }

  func column(_ reference: ColumnReference) throws(InterchangeError) -> RowMapper.Column {
    let index = try RowMapper.place(of: reference, in: header)
    let name = header?[index]
    let values = mapping.values[name ?? ""] ?? mapping.values["\(index + 1)"]
    return .init(index: index, header: name, values: values)
  }

  func sum(_ sum: ColumnSum?) throws(InterchangeError) -> BoundSum? {
    guard let sum else { return nil }
    var bound = BoundSum(terms: [])
    for term in sum.terms {
      var columns: [RowMapper.Column] = []
      for reference in term.columns { columns.append(try column(reference)) }
      bound.terms.append(.init(isNegative: term.isNegative, columns: columns))
    }
    return bound
  }

  func parts(_ template: ColumnTemplate?) throws(InterchangeError) -> [RowMapper.Part] {
    var parts: [RowMapper.Part] = []
    for part in template?.parts ?? [] {
      switch part {
      case .literal(let text): parts.append(.literal(text))
      case .columns(let references):
        var columns: [RowMapper.Column] = []
        for reference in references { columns.append(try column(reference)) }
        parts.append(.columns(columns))
      }
    }
    return parts
  }
}
