import DaybookBookkeeping

/// The commodities of a journal by name, and their mapping to currencies.
struct CommodityTable {
  /// A commodity of a journal.
  struct Commodity {
    var name: String
    /// The display name set by a directive.
    var title: String?
    var line: Int
    /// The maximum number of decimals among amounts.
    var digits = 0
    /// The number of decimals set by a directive.
    var directiveDigits: Int?
    /// The decimal mark set by a directive.
    var decimalMark: UInt8?
    /// The commodity that this one is an alias of.
    var alias: Int?
    /// Whether an amount, and not only a price, uses the commodity.
    var isUsed = false
    /// The commodity that amounts are converted to, and their factor.
    var unit: (commodity: Int, factor: JournalNumber)?
  }

  private var names = NameTable()
  private(set) var all: [Commodity] = []

  /// Returns the index of a commodity in the table.
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

  /// Records that an amount uses a commodity.
  mutating func use(_ number: Int, digits: Int) {
    all[number].isUsed = true
    if digits > all[number].digits { all[number].digits = digits }
  }

  /// Returns the number of decimals to which a sum is rounded for the comparison with zero.
  func balanceDigits(_ number: Int) -> Int { all[number].directiveDigits ?? all[number].digits }

  /// Returns the currencies of all commodities, with definitions and notices.
  ///
  /// Call this after the whole journal has been read.
  func currencies(_ options: ReadingOptions) -> JournalCurrencies {
    var result = JournalCurrencies()
    var taken: Set<String> = []
    let known = KnownSymbols(options)
    // Names that are valid codes keep them, even if a symbol with the same code comes first.
    for commodity in all where Self.isCode(commodity.name) { taken.insert(commodity.name) }
    // The given currency is meant for journals that name no commodities. In others, amounts
    // without a commodity have their own, as in both programs.
    let isMixed = all.contains { !$0.name.isEmpty && $0.isUsed }
    let bare = isMixed ? options.bareCurrency : options.bareCurrency ?? options.currency
    for commodity in all {
      guard commodity.alias == nil else {
        result.list.append(nil)
        continue
      }
      let isBare = commodity.name.isEmpty
      let code =
        isBare && (bare != nil || !isMixed)
        ? bare?.code : Self.code(of: commodity.name, known, &taken)
      result.add(commodity, code, options)
    }
    return result
  }

  private static func isCode(_ name: String) -> Bool { Currency(code: name, digits: 0) != nil }

  /// Returns the code for a name.
  private static func code(
    of name: String, _ known: KnownSymbols, _ taken: inout Set<String>
  ) -> String {
    if isCode(name), !known.isOther(name, than: name) { return name }
    if let code = symbols[name] ?? known.code(of: name) { return code }
    let code = shortened(name)
    var candidate = code
    var copy = 2
    while taken.contains(candidate) || Currency.iso(candidate) != nil
      || known.isOther(candidate, than: name)
    {
      candidate = "\(code.prefix(7 - String(copy).utf8.count))\(copy)"
      copy += 1
    }
    taken.insert(candidate)
    return candidate
  }

  /// Returns the first seven letters and digits of a name.
  fileprivate static func shortened(_ name: String) -> String {
    var code = ""
    for scalar in name.uppercased().unicodeScalars where code.utf8.count < 7 {
      if isCode(String(scalar)) { code.unicodeScalars.append(scalar) }
    }
    // If no letters remain, use X, which stands for unknown currencies in ISO 4217.
    return code.isEmpty ? "X" : code
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

/// The currencies that the commodities of a journal are mapped to.
struct JournalCurrencies {
  /// The currencies by the index of the commodity; `nil` for commodities without a currency.
  fileprivate(set) var list: [Currency?] = []
  /// The definitions of currencies that ISO 4217 lacks.
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
      let name = commodity.name.isEmpty ? "No commodity" : commodity.name
      // The symbol is kept, because the shortened code may fit other symbols.
      let title =
        name == code ? commodity.title ?? "" : commodity.title.map { "\($0) (\(name))" } ?? name
      definitions.append(CurrencyDefinition(currency: currency, name: title))
    }
    if commodity.name.isEmpty, commodity.isUsed, definitions.last?.currency.code == code {
      notices.append(
        FileNotice(
          line: commodity.line,
          "Amounts without a commodity were imported in a currency of their own, \(code). If they "
            + "are in another currency, pass it with --currency."))
    }
    if code != commodity.name, commodity.isUsed, !commodity.name.isEmpty {
      notices.append(
        FileNotice(
          line: commodity.line, "The commodity “\(commodity.name)” was imported as \(code)."))
    }
  }

  private func given(_ code: String, _ options: ReadingOptions) -> Currency? {
    (options.bareCurrency ?? options.currency).flatMap { $0.code == code ? $0 : nil }
  }
}

/// The symbols of the ledger's currencies, by which a later journal finds their codes.
private struct KnownSymbols {
  private var symbols: [String: String] = [:]
  private var codes: [String: String] = [:]

  init(_ options: ReadingOptions) {
    for (code, title) in options.currencyNames.sorted(by: { $0.key < $1.key }) {
      let symbol = Self.symbol(in: title)
      symbols[code] = symbol
      if !symbol.isEmpty, codes[symbol] == nil { codes[symbol] = code }
    }
  }

  /// The symbol in a name such as `World fund (IE00B4L5Y983)`, or the whole name.
  private static func symbol(in title: String) -> String {
    guard title.hasSuffix(")"), let open = title.lastIndex(of: "(") else { return title }
    return String(title[title.index(after: open)...].dropLast())
  }

  /// Returns the code of the currency with a symbol.
  func code(of symbol: String) -> String? { codes[symbol] }

  /// Whether the ledger's currency with a code has another symbol that was shortened to it.
  func isOther(_ code: String, than name: String) -> Bool {
    guard let symbol = symbols[code] else { return false }
    if symbol.isEmpty { return name != code }
    return symbol != name && CommodityTable.shortened(symbol) == CommodityTable.shortened(name)
  }
}
