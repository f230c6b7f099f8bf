import DaybookBookkeeping

/// The currencies, shares and other commodities of a file, and their mapping to currencies.
struct GnuCashCommodities {
  /// A currency or other commodity.
  struct Commodity {
    /// The namespace, which is `CURRENCY` for money.
    var space: String
    /// The code or symbol in the namespace.
    var id: String
    var name = ""
    var line: Int
    /// The number of decimals of its amounts.
    var digits = 0
    /// The currency in the books; `nil` before ``settle(_:)``, and if it is unknown.
    var currency: Currency?
    /// Whether an account is denominated in the commodity.
    var isHeld = false

    /// The name of its currency in the books.
    ///
    /// It contains the symbol if the code doesn't, so that a later import finds the currency.
    func title(code: String) -> String {
      if name.isEmpty || name == id { return id }
      return code == id ? name : "\(name) (\(id))"
    }

    var isMoney: Bool { space == "CURRENCY" || space == "ISO4217" }
  }

  private(set) var all: [Commodity] = []
  private(set) var definitions: [CurrencyDefinition] = []
  private var numbers: [String: Int] = [:]
  private var last: (space: [UInt8], id: [UInt8], number: Int)?

  /// Returns the index of a commodity in the table.
  mutating func number(_ space: [UInt8], _ id: [UInt8], line: @autoclosure () -> Int) -> Int {
    if let last, last.id == id, last.space == space { return last.number }
    let names = (String(decoding: space, as: UTF8.self), String(decoding: id, as: UTF8.self))
    let key = names.0 + "\u{0}" + names.1
    let number = numbers[key] ?? all.count
    if number == all.count {
      numbers[key] = number
      all.append(Commodity(space: names.0, id: names.1, line: line()))
    }
    last = (space, id, number)
    return number
  }

  /// Records the name and the smallest fraction of a commodity.
  mutating func note(_ number: Int, name: String = "", fraction: Int64, isHeld: Bool = false) {
    if !name.isEmpty { all[number].name = name }
    all[number].digits = max(all[number].digits, GnuCashCommodities.digits(fraction))
    if isHeld { all[number].isHeld = true }
  }

  /// Returns the number of decimals that a fraction needs: 2 for hundredths, 3 for eighths.
  private static func digits(_ fraction: Int64) -> Int {
    guard fraction > 1 else { return 0 }
    var power: Int64 = 1
    for digits in 1...12 {
      power *= 10
      if power % fraction == 0 { return digits }
    }
    return 9
  }

  /// Maps all known commodities to currencies.
  mutating func settle(_ options: ReadingOptions, _ contents: inout FileContents) {
    var taken = Set(all.filter(\.isMoney).map(\.id))
    for number in all.indices where all[number].currency == nil {
      let commodity = all[number]
      if commodity.isMoney {
        all[number].currency = options.currencies[commodity.id] ?? Currency.iso(commodity.id)
        if all[number].currency == nil, commodity.digits > 0 || commodity.isHeld {
          all[number].currency = Currency(code: commodity.id, digits: commodity.digits)
          define(number)
        }
      } else if commodity.isHeld {
        let code = GnuCashCommodities.code(of: commodity, options, &taken)
        if let known = options.currencies[code] {
          all[number].currency = known
        } else {
          all[number].currency = Currency(code: code, digits: commodity.digits)
          define(number)
        }
        if code != commodity.id {
          contents.notices.append(
            FileNotice(
              line: commodity.line,
              "The commodity “\(commodity.id)” (\(commodity.space)) was imported as \(code)."))
        }
      }
    }
  }

  private mutating func define(_ number: Int) {
    guard let currency = all[number].currency else { return }
    definitions.append(
      CurrencyDefinition(currency: currency, name: all[number].title(code: currency.code)))
  }

  /// Returns the code of the ledger's currency for a commodity, or else a unique code, made of the
  /// letters and digits of its symbol.
  private static func code(
    of commodity: Commodity, _ options: ReadingOptions, _ taken: inout Set<String>
  ) -> String {
    var code = ""
    for scalar in commodity.id.uppercased().unicodeScalars where code.utf8.count < 7 {
      if Currency(code: String(scalar), digits: 0) != nil { code.unicodeScalars.append(scalar) }
    }
    if code.isEmpty { code = "X" }
    var candidate = code
    var copy = 2
    while taken.contains(candidate) || Currency.iso(candidate) != nil
      || options.currencies[candidate] != nil
        && options.currencyNames[candidate] != commodity.title(code: candidate)
    {
      candidate = "\(code.prefix(7 - String(copy).utf8.count))\(copy)"
      copy += 1
    }
    taken.insert(candidate)
    return candidate
  }
}
