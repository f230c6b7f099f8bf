public import DaybookBookkeeping

/// A mapping guessed from the beginning of a file, with questions for the user.
public struct MappingGuess: Sendable {
  /// The guessed mapping.
  public var mapping: ImportMapping
  /// The names in the header; `nil` without a header.
  public var header: [String]?
  /// The questions that the file doesn't answer.
  ///
  /// If there are any, an import that can't ask the user should fail.
  public var questions: [MappingQuestion]
  /// Sentences about assumptions that the file doesn't confirm.
  public var doubts: [String]
  /// Whether the currency is the default, because the file doesn't specify it and the account is
  /// new or unknown.
  public var isCurrencyAssumed = false
}

extension ImportMapping {
  /// Guesses the meaning of the columns of a file.
  ///
  /// The first 200 records determine the start of the table and the columns of the date, amounts,
  /// balance, currency, payee and description. Titles are recognised in the languages of European
  /// and American banks. Without titles, only the values are used. Up to 20,000 further records of
  /// the sample are searched for rows that aren't booked or that state balances.
  ///
  /// - Parameters:
  ///   - sample: The file as UTF-8, or its beginning, as returned by `CSVFile.sample`.
  ///   - facts: The known facts, which the guess uses and doesn't ask about.
  ///   - base: The currency to assume if the file doesn't specify one and the account is new; `nil`
  ///     to ask instead.
  ///   - accountCurrencies: The currencies of existing accounts, by the keys of their names
  ///     (`Folding.key`). A file that doesn't specify a currency is in its account's currency.
  /// - Throws: `InterchangeError` with code `mapping` if no column contains dates or amounts, or if
  ///   a column in the facts doesn't exist.
  public static func guess(
    sample: [UInt8], facts: MappingFacts = MappingFacts(), base: String? = nil,
    accountCurrencies: [String: Currency] = [:]
  ) throws(InterchangeError) -> MappingGuess {
    var table = try GuessTable(sample: sample, facts: facts)
    guard let date = try table.dateColumn() else {
      throw InterchangeError(
        .mapping, "No column of the file has dates in a known format.",
        remedy: "Set the column with the day, and its date format, such as dd.MM.yyyy.")
    }
    table.takeRows(date: date)
    table.further = table.further(of: sample, date: date)
    guard let money = try table.moneyColumns(except: date.column) else {
      throw InterchangeError(
        .mapping, "No column of the file has amounts.",
        remedy: "Set the column with the amount, and the decimal mark.")
    }
    return try table.guess(
      date, money, AccountCurrency(of: facts.account, among: accountCurrencies, base: base))
  }
}

extension GuessTable {
  /// Restricts the rows to the records that have a date in the date column.
  mutating func takeRows(date: DateGuess) {
    guard let pattern = DatePattern(date.format) else { return }
    rows = records.map(\.cells).filter { cells in
      date.column < cells.count && Self.day(cells[date.column], pattern) != nil
    }
  }

  fileprivate func guess(
    _ date: DateGuess, _ money: MoneyGuess, _ account: AccountCurrency
  ) throws(InterchangeError) -> MappingGuess {
    let currency = try self.currency(of: money, except: date.column, account)
    var mapping = ImportMapping(
      date: .init(column: reference(date.column), format: date.format), amount: .init(),
      currency: currency.template, account: facts.account ?? ColumnTemplate(literal: "Imported"))
    mapping.delimiter = delimiter == 0x09 ? "tab" : String(Unicode.Scalar(delimiter))
    mapping.skipLines = skipLines
    mapping.hasHeader = header != nil
    mapping.ragged = isRagged ? .allow : .refuse
    mapping.numbers.decimal = money.decimal
    mapping.skipRows = facts.skipRows
    var guess = MappingGuess(mapping: mapping, header: header, questions: [], doubts: [])
    if let other = date.other { guess.questions.append(Self.dateQuestion(date, other)) }
    if money.rivals.count > 1 {
      guess.questions.append(
        MappingQuestion(
          .amount, "\(Self.list(money.rivals.map { called($0) })) could each be the amount.",
          money.rivals.map { (.amountColumn(reference($0)), "") }))
    }
    if let question = currency.question { guess.questions.append(question) }
    if let doubt = currency.doubt { guess.doubts.append(doubt) }
    takeDecimal(money, account, into: &guess)
    takeFees(money, into: &guess)
    guess.isCurrencyAssumed = currency.isAssumed
    try take(money, date, into: &guess)
    takeTexts(money, date, into: &guess)
    var whole = self
    whole.rows += further
    guess.questions += whole.rowQuestions(date: date.column, money: money)
    return guess
  }

  /// Asks for the decimal mark if marks before three final digits could be group separators.
  private func takeDecimal(
    _ money: MoneyGuess, _ account: AccountCurrency, into guess: inout MappingGuess
  ) {
    guard facts.decimal == nil, !money.isDecimalProven else { return }
    let digits = digits(of: guess.mapping.currency, account)
    let beside = (0..<width).filter { isOpenFee($0) } + [money.balance?.column].compactMap(\.self)
    var marks = AmountMarks()
    var unclear: (text: String, mark: UInt8)?
    for column in money.columns + beside {
      for text in values(column) where Self.isAmount(text) {
        let bytes = Array(text.utf8)
        marks.add(0..<bytes.count, in: bytes)
        guard case .unclear(let mark) = AmountMarks.meaning(of: 0..<bytes.count, in: bytes) else {
          continue
        }
        unclear = unclear ?? (text, mark)
      }
    }
    guard let unclear else { return }
    let (own, other) = (String(UnicodeScalar(unclear.mark)), unclear.mark == 0x2E ? "," : ".")
    if let isDecimal = marks.isDecimal(unclear.mark, digits: digits, allowsGroups: true) {
      guess.mapping.numbers.decimal = isDecimal ? own : other
      return
    }
    let answers: [(MappingQuestion.Fact, String)] = [
      (.decimal(other), "it is \(unclear.text.replacing(own, with: ""))"),
      (.decimal(own), "it is \(unclear.text.replacing(own, with: "."))"),
    ]
    guess.mapping.numbers.decimal = other
    guess.questions.append(
      MappingQuestion(
        .decimal, "The mark in \(unclear.text) could separate decimals or thousands.", answers))
  }

  /// Returns the number of decimals of the amounts' currency, or 2 if it is unknown.
  private func digits(of currency: ColumnTemplate, _ account: AccountCurrency) -> Int {
    var code = currency.literal
    if code == "" { code = account.code }
    if case .columns(let columns)? = currency.parts.first, let column = columns.first,
      let place = try? place(of: column)
    {
      code = values(place).first
    }
    return code.flatMap { Currency.iso($0)?.digits } ?? 2
  }

  private static func dateQuestion(
    _ date: DateGuess, _ other: (format: String, example: String)
  ) -> MappingQuestion {
    func meaning(_ format: String) -> String {
      DatePattern(format).flatMap { day(other.example, $0) }.map { "\($0.day)" } ?? ""
    }
    return MappingQuestion(
      .dateFormat, "The dates could be day/month or month/day, as in \(other.example).",
      [date.format, other.format].map { (.dateFormat($0), meaning($0)) })
  }

  private func take(
    _ money: MoneyGuess, _ date: DateGuess, into guess: inout MappingGuess
  ) throws(InterchangeError) {
    switch money.shape {
    case .signed(let column):
      guess.mapping.amount.column = reference(column)
      if let type = try typeColumn(for: column, except: date.column) {
        guess.mapping.amount.type = reference(type.column)
        guess.mapping.amount.directions = type.directions
      } else {
        guess.mapping.amount.isInverted = facts.isInverted ?? money.isInverted
        if facts.isInverted == nil, facts.amountSum == nil, money.balance == nil,
          let question = directionQuestion(column)
        {
          guess.questions.append(question)
        }
      }
    case .pair(let debit, let credit):
      let (out, into) = (reference(debit), reference(credit))
      guess.mapping.amount.debit = out
      guess.mapping.amount.credit = into
      if money.isPairUnsure {
        guess.questions.append(
          MappingQuestion(
            .direction,
            "It is unclear which of \(called(debit)) and \(called(credit)) is outgoing.",
            [
              (.columns(debit: out, credit: into), "\(called(debit)) is outgoing"),
              (.columns(debit: into, credit: out), "\(called(credit)) is outgoing"),
            ]))
      }
    }
    if let balance = money.balance {
      guess.mapping.balance = .init(
        column: reference(balance.column), isNewestFirst: balance.isNewestFirst)
    }
  }

  private func directionQuestion(_ column: Int) -> MappingQuestion? {
    let answers: [(MappingQuestion.Fact, String)] = [
      (.isInverted(false), "they are incoming"),
      (.isInverted(true), "they are outgoing, as on a card statement"),
    ]
    if !hasNegative(column), values(column).contains(where: { Self.direction(of: $0) == .in }) {
      guard values(column).contains(where: { Self.direction(of: $0) == nil }) else { return nil }
      return MappingQuestion(
        .direction,
        "Only some amounts in \(called(column)) are marked as credits, so the direction of the "
          + "others is unclear.",
        [
          (.isInverted(true), "the others are outgoing"),
          (.isInverted(false), "the others are incoming"),
        ])
    }
    if !hasNegative(column) {
      return MappingQuestion(
        .direction,
        "No amount in \(called(column)) is negative, so the direction is unclear.",
        answers)
    }
    let positive = rows.count { column < $0.count && !Self.isNegative($0[column]) }
    let payments = rows.count { row in
      column < row.count && Self.isNegative(row[column])
        && row.contains { cell in
          let words = MonthNames.folded(cell)
          return ["payment", "thank you", "autopay", "zahlung eingegangen", "merci"].contains {
            words.contains($0)
          }
        }
    }
    guard payments > 0, positive * 2 > rows.count else { return nil }
    return MappingQuestion(
      .direction,
      "Most amounts in \(called(column)) are positive and payments are negative, as on a card "
        + "statement.",
      [
        (.isInverted(true), "positive amounts are outgoing"),
        (.isInverted(false), "positive amounts are incoming"),
      ])
  }

  /// Adds the fees to the mapping, and asks about fees whose meaning the balances don't show.
  ///
  /// If a fee is ignored, the amount of its row may be wrong.
  private func takeFees(_ money: MoneyGuess, into guess: inout MappingGuess) {
    guess.mapping.fee = facts.fee
    if let fee = money.fee {
      let terms = fee.columns.map { "{\(reference($0))}" }.joined(separator: " + ")
      guess.mapping.fee = ColumnSum(terms).map { .init($0, isInverted: fee.isInverted) }
      return
    }
    let fees = (0..<width).filter { column in
      isOpenFee(column) && !money.columns.contains(column)
        && values(column).contains { Self.units($0, money.decimal) ?? 0 != 0 }
    }
    for column in fees {
      if money.balance != nil {
        guess.doubts.append(
          "\(called(column)) isn't used, because the balances follow from the amounts without it.")
        continue
      }
      let units = values(column).compactMap { Self.units($0, money.decimal) }
      var fee = ImportMapping.Fee(
        ColumnSum(column: reference(column)), isInverted: units.allSatisfy { $0 <= 0 })
      var answers: [(MappingQuestion.Fact, String)] = [
        (.fee(fee), "it is charged in addition to the amount")
      ]
      fee.isIncluded = true
      answers.append((.fee(fee), "the amount includes it"))
      answers.append((.ignoredColumn(reference(column)), "ignores it"))
      // A mapping can have only one fee.
      if guess.mapping.fee == nil {
        fee.isIncluded = false
        guess.mapping.fee = fee
      } else {
        answers = answers.suffix(1) + answers.prefix(2)
      }
      guess.questions.append(
        MappingQuestion(
          .fee,
          "\(called(column)) has fees, and no balance shows whether the amounts include them.",
          answers))
    }
  }

  private func takeTexts(_ money: MoneyGuess, _ date: DateGuess, into guess: inout MappingGuess) {
    var used = Set(money.columns + [date.column])
    if let balance = money.balance { used.insert(balance.column) }
    for template in [facts.description, facts.payee, facts.account, guess.mapping.currency] {
      for case .columns(let columns) in template?.parts ?? [] {
        for column in columns { if let place = try? place(of: column) { used.insert(place) } }
      }
    }
    if let type = guess.mapping.amount.type, let place = try? place(of: type) { used.insert(place) }
    guess.mapping.payee = facts.payee
    if facts.payee == nil, let payee = payeeColumn(except: used) {
      guess.mapping.payee = ColumnTemplate(column: reference(payee))
      used.insert(payee)
    }
    guess.mapping.description = facts.description
    if facts.description == nil, let text = textColumn(except: used) {
      guess.mapping.description = ColumnTemplate(column: reference(text))
    }
  }
}

extension ColumnTemplate {
  /// Creates a template that is a constant text.
  public init(literal: String) {
    text = literal.reduce(into: "") { $0 += $1 == "{" ? "{{" : $1 == "}" ? "}}" : String($1) }
    parts = literal.isEmpty ? [] : [.literal(literal)]
  }

  /// Creates a template that is one column.
  public init(column: ColumnReference) {
    text = "{\(column)}"
    parts = [.columns([column])]
  }
}
