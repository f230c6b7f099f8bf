import Bookkeeping

/// The commodities of a journal, by their names, and the currencies that they are taken as.
struct CommodityTable {
  /// What is known of a commodity.
  struct Commodity {
    var name: String
    /// What people call it, where a directive says so.
    var title: String?
    var line: Int
    /// The most decimals among amounts.
    var digits = 0
    /// The decimals of a directive.
    var directiveDigits: Int?
    /// The decimal mark of a directive.
    var decimalMark: UInt8?
    /// The commodity that it is another name of.
    var alias: Int?
    /// Whether an amount is in it, not only a price.
    var isUsed = false
  }

  private var names = NameTable()
  private(set) var all: [Commodity] = []

  /// The place of a commodity in the table.
  mutating func number(_ range: Range<Int>, in text: [UInt8], line: Int) -> Int {
    let (number, isNew) = names.number(range, in: text)
    if isNew { all.append(Commodity(name: names.names[number], line: line)) }
    return all[number].alias ?? number
  }

  mutating func number(_ name: String, line: Int) -> Int {
    let text = Array(name.utf8)
    return number(0..<text.count, in: text, line: line)
  }

  mutating func update(_ number: Int, _ body: (inout Commodity) -> Void) { body(&all[number]) }

  /// Notes that an amount is in a commodity.
  mutating func use(_ number: Int, digits: Int) {
    all[number].isUsed = true
    if digits > all[number].digits { all[number].digits = digits }
  }

  /// The decimals that sums are rounded to before they have to be zero.
  func balanceDigits(_ number: Int) -> Int { all[number].directiveDigits ?? all[number].digits }

  /// The currencies, as all of the journal makes them, and what is to be said of it.
  func currencies(_ options: ReadingOptions) -> JournalCurrencies {
    var result = JournalCurrencies()
    var taken: Set<String> = []
    // Names that are codes already keep them, whatever symbols come before.
    for commodity in all where Self.isCode(commodity.name) { taken.insert(commodity.name) }
    for commodity in all {
      guard commodity.alias == nil else {
        result.list.append(nil)
        continue
      }
      result.add(commodity, Self.code(of: commodity.name, options, &taken), options)
    }
    return result
  }

  private static func isCode(_ name: String) -> Bool { Currency(code: name, digits: 0) != nil }

  /// The code of a name; `nil` where there is no name and no currency for amounts without one.
  private static func code(
    of name: String, _ options: ReadingOptions, _ taken: inout Set<String>
  ) -> String? {
    if name.isEmpty { return options.currency?.code }
    if isCode(name) { return name }
    if let known = symbols[name] { return known }
    var code = ""
    for scalar in name.uppercased().unicodeScalars where code.utf8.count < 7 {
      if isCode(String(scalar)) { code.unicodeScalars.append(scalar) }
    }
    // Nothing left of a symbol: X for the unknown, as in ISO 4217.
    if code.isEmpty { code = "X" }
    var candidate = code
    var copy = 2
    while taken.contains(candidate) || Currency.iso(candidate) != nil {
      candidate = "\(code.prefix(7 - String(copy).utf8.count))\(copy)"
      copy += 1
    }
    taken.insert(candidate)
    return candidate
  }

  private static let symbols = [
    "$": "USD", "US$": "USD", "USD$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "JP¥": "JPY",
    "元": "CNY", "CN¥": "CNY", "₹": "INR", "₽": "RUB", "₩": "KRW", "₪": "ILS", "₫": "VND",
    "฿": "THB", "₺": "TRY", "₴": "UAH", "₸": "KZT", "₦": "NGN", "₱": "PHP", "₡": "CRC",
    "₲": "PYG", "₵": "GHS", "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "lei": "RON", "R$": "BRL",
    "C$": "CAD", "CA$": "CAD", "A$": "AUD", "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD",
    "S$": "SGD", "NT$": "TWD", "Fr.": "CHF", "Fr": "CHF", "kr": "SEK", "R": "ZAR", "Rs": "INR",
  ]
}

/// What the commodities of a journal are here.
struct JournalCurrencies {
  /// By the place of the commodity; `nil` where it has none.
  fileprivate(set) var list: [Currency?] = []
  /// What ISO 4217 does not have.
  private(set) var definitions: [CurrencyDefinition] = []
  private(set) var notices: [FileNotice] = []

  fileprivate mutating func add(
    _ commodity: CommodityTable.Commodity, _ code: String?, _ options: ReadingOptions
  ) {
    guard let code else {
      list.append(nil)
      return
    }
    if let known = options.currencies[code] ?? Currency.iso(code) ?? given(code, options) {
      list.append(known)
    } else {
      let digits = min(max(commodity.digits, commodity.directiveDigits ?? 0), 18)
      guard let currency = Currency(code: code, digits: digits) else {
        list.append(nil)
        return
      }
      list.append(currency)
      guard commodity.isUsed || commodity.directiveDigits != nil else {
        list[list.count - 1] = nil
        return
      }
      let title = commodity.title ?? (commodity.name == code ? "" : commodity.name)
      definitions.append(CurrencyDefinition(currency: currency, name: title))
    }
    if code != commodity.name, commodity.isUsed, !commodity.name.isEmpty {
      notices.append(
        FileNotice(
          line: commodity.line, "The commodity “\(commodity.name)” is taken as \(code)."))
    }
  }

  private func given(_ code: String, _ options: ReadingOptions) -> Currency? {
    options.currency.flatMap { $0.code == code ? $0 : nil }
  }
}
