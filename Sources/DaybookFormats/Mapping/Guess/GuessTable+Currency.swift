import DaybookBookkeeping

/// The currency of a file that doesn't specify one.
enum AccountCurrency {
  /// The currency code of an existing account; `nil` if each row names its account.
  case existing(String?)
  /// The currency to assume for a new account, if there is one.
  case new(String?)

  init(of account: ColumnTemplate?, among known: [String: Currency], base: String?) {
    if let account, account.literal == nil, !known.isEmpty {
      self = .existing(nil)
    } else if let own = account?.literal.flatMap({ known[Folding.key($0)] }) {
      self = .existing(own.code)
    } else {
      self = .new(base)
    }
  }

  var code: String? {
    switch self {
    case .existing(let code), .new(let code): code
    }
  }
}

extension GuessTable {
  struct CurrencyGuess {
    var template: ColumnTemplate
    /// Whether the currency is the default.
    var isAssumed = false
    /// A sentence about an uncertain assumption.
    var doubt: String?
    var question: MappingQuestion?
  }

  private static let symbols = [
    ("R$", "BRL"), ("US$", "USD"), ("C$", "CAD"), ("A$", "AUD"), ("NZ$", "NZD"), ("S$", "SGD"),
    ("€", "EUR"),
    ("£", "GBP"), ("zł", "PLN"), ("Kč", "CZK"), ("₩", "KRW"), ("₸", "KZT"), ("₽", "RUB"),
    ("₹", "INR"),
    ("₴", "UAH"), ("₺", "TRY"), ("₪", "ILS"), ("₫", "VND"), ("฿", "THB"),
  ]
  private static let dollars = [
    "USD", "AUD", "CAD", "NZD", "SGD", "HKD", "MXN", "TWD", "BBD", "JMD", "BZD",
  ]

  /// Returns the currency, taken from the title of the amount, from symbols next to the amounts, or
  /// from a column of codes.
  func currency(
    of money: MoneyGuess, except date: Int, _ account: AccountCurrency
  ) throws(InterchangeError) -> CurrencyGuess {
    if let given = facts.currency { return CurrencyGuess(template: given) }
    let columns = money.columns
    let titled = Set(columns.compactMap { currencyCode(inTitle: $0) })
    if let code = titled.first, titled.count == 1 { return certain(code) }
    if let found = besideAmounts(columns, own: account.code) { return found }
    let codes = (0..<width).filter { !columns.contains($0) && $0 != date && isCodes($0) }
    if let found = column(codes, for: columns) { return found }
    if let balance = money.balance, let code = currencyCode(inTitle: balance.column) {
      return certain(code)
    }
    if let code = codeBeforeTable { return certain(code) }
    if case .existing = account { return CurrencyGuess(template: ColumnTemplate(literal: "")) }
    if let base = account.code {
      return CurrencyGuess(
        template: ColumnTemplate(literal: base), isAssumed: true,
        doubt: "The file doesn't name a currency, so \(base), the ledger's base currency, is used.")
    }
    return CurrencyGuess(
      template: ColumnTemplate(literal: "EUR"), isAssumed: true,
      question: MappingQuestion(
        .currency, "The file doesn't name a currency.", [(.anyCurrency, "")]))
  }

  /// The currency in the lines before the table, such as `Währung:;CHF`, if these lines name
  /// exactly one.
  private var codeBeforeTable: String? {
    var codes = Set<String>()
    for cell in preamble.flatMap(\.cells) {
      let word = cell.split(separator: " ").last.map(String.init) ?? ""
      guard word.count == 3, word == word.uppercased(), Currency.iso(word) != nil else { continue }
      if cell == word || Self.isAmount(cell) || cell.hasSuffix("- " + word) { codes.insert(word) }
    }
    return codes.count == 1 ? codes.first : nil
  }

  private func certain(_ code: String) -> CurrencyGuess {
    CurrencyGuess(template: ColumnTemplate(literal: code))
  }

  /// Returns the currency in a title such as `Betrag (EUR)`, `Amount CZK` or `Importe €`.
  func currencyCode(inTitle column: Int) -> String? {
    guard let header, column < header.count else { return nil }
    let title = header[column]
    let isShouted = title.count > 3 && title == title.uppercased()
    let words = title.split { !$0.isLetter }
    for (place, word) in words.enumerated() where word.count == 3 && Currency.iso(word) != nil {
      let isOwn = title.contains("(\(word))") || title.contains("[\(word)]")
      if isOwn || (word == word.uppercased() && (!isShouted || place == words.count - 1)) {
        return String(word)
      }
    }
    if HeaderWords.folded(title).contains(" euro") { return "EUR" }
    for (symbol, code) in Self.symbols where title.contains(symbol) { return code }
    return nil
  }

  /// Returns the currency of the symbols and codes next to the amounts.
  private func besideAmounts(_ columns: [Int], own: String?) -> CurrencyGuess? {
    var found: [String] = []
    for text in columns.flatMap({ values($0) }) {
      let letters = text.filter { $0.isASCII && $0.isUppercase }
      var code = letters.count == 3 && Currency.iso(letters) != nil ? letters : nil
      if code == nil { code = Self.symbols.first { text.contains($0.0) }?.1 }
      if code == nil, text.contains("$") { code = "$" }
      if let code, !found.contains(code) { found.append(code) }
    }
    guard let first = found.first else { return nil }
    if found == ["$"] {
      if let own, Self.dollars.contains(own) { return certain(own) }
      var guess = certain("USD")
      guess.doubt = "“$” is read as USD."
      return guess
    }
    guard found.count > 1 else { return certain(first) }
    let codes = found.map { $0 == "$" ? "USD" : $0 }
    return CurrencyGuess(
      template: ColumnTemplate(literal: codes[0]),
      question: MappingQuestion(
        .currency, "The amounts are in \(codes.joined(separator: " and ")).",
        codes.map { (.currency(ColumnTemplate(literal: $0)), "") }))
  }

  /// Returns whether all values of a column are currency codes.
  private func isCodes(_ column: Int) -> Bool {
    let values = values(column)
    let codes = values.count {
      $0.utf8.count == 3 && $0 == $0.uppercased() && Currency.iso($0) != nil
    }
    return codes > 0 && codes == values.count
  }

  /// Returns the column with the currency code of the amount.
  ///
  /// A column for the account's own currency takes precedence, then the column closest to the
  /// amount. If several columns with different values remain, the result contains a question.
  private func column(_ codes: [Int], for columns: [Int]) -> CurrencyGuess? {
    let isForeign = columns.contains { isNamed($0, HeaderWords.foreign) }
    var left = codes.filter { isForeign || !isNamed($0, HeaderWords.foreign) }
    left = left.filter { !isNamed($0, HeaderWords.payee + HeaderWords.fee) }
    if left.contains(where: { isNamed($0, HeaderWords.ownCurrency) }) {
      left = left.filter { isNamed($0, HeaderWords.ownCurrency) || header?[$0].isEmpty == true }
    }
    let near = left.filter { !isNamed($0, HeaderWords.local) }
    if !near.isEmpty { left = near }
    left = left.filter { values($0).count * 10 >= rows.count * 5 }
    guard let first = left.first else { return nil }
    func cells(_ column: Int) -> [String] { rows.map { column < $0.count ? $0[column] : "" } }
    if left.allSatisfy({ cells($0) == cells(first) }) {
      return CurrencyGuess(template: ColumnTemplate(column: reference(first)))
    }
    let ranked = left.sorted { distance($0, columns) < distance($1, columns) }
    let answers = ranked.map {
      (MappingQuestion.Fact.currency(ColumnTemplate(column: reference($0))), "")
    }
    return CurrencyGuess(
      template: ColumnTemplate(column: reference(ranked[0])),
      question: MappingQuestion(
        .currency,
        "\(Self.list(ranked.map { called($0) })) have different currencies; one of them is that of "
          + "\(called(columns[0])).", answers))
  }

  private func distance(_ column: Int, _ columns: [Int]) -> Int {
    columns.map { $0 < column ? (column - $0) * 2 : ($0 - column) * 2 + 1 }.min() ?? 0
  }

  /// Formats a list as `a`, `a and b`, or `a, b and c`.
  static func list(_ words: [String]) -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}
