import DaybookInterchange
import DaybookRandom

/// Generates journals from a seed, in the syntax of a program, with balance assertions that hold.
struct JournalMaker {
  enum Syntax: String { case hledger, ledger, beancount }

  let syntax: Syntax
  var text = ""
  /// The contents of `part.journal`, which the text includes.
  private(set) var part = ""
  var random: SeededGenerator
  /// Balances in hundredths by "account commodity".
  var held: [String: Int] = [:]
  /// The same without virtual postings, which ledger's assertions ignore.
  private var real: [String: Int] = [:]
  var day = (month: 1, day: 1)

  static let assets = [
    "Assets:Bank:Giro", "Assets:Bank:Savings", "Assets:Cash", "Liabilities:Card", "Equity:Own",
  ]
  static let places = [
    "Expenses:Food", "Expenses:Food:Bread", "Expenses:Rent", "Income:Salary", "Income:Gifts",
  ]

  init(_ syntax: Syntax, seed: UInt64, count: Int = 60) {
    self.syntax = syntax
    random = SeededGenerator(seed: seed)
    head()
    for index in 0..<count {
      if syntax == .beancount { beancount() } else { journal(index) }
    }
  }

  mutating func pick(_ list: [String]) -> String { list[random.below(list.count)] }

  private var isBean: Bool { syntax == .beancount }

  /// The next date, which is never before the previous one.
  mutating func date() -> String {
    day.day += random.below(9)
    if day.day > 28 { day = (min(day.month + 1, 12), day.month < 12 ? 1 : 28) }
    let (month, number) = (Self.two(day.month), Self.two(day.day))
    if isBean { return "2024-\(month)-\(number)" }
    switch random.below(4) {
    case 0: return "2024/\(day.month)/\(day.day)"
    case 1: return "\(month)-\(number)"
    default: return "2024-\(month)-\(number)"
    }
  }

  static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// An amount in hundredths, in one of the commodity's notations.
  mutating func amount(_ units: Int, _ code: String) -> String {
    let sign = units < 0 ? "-" : ""
    let whole = units.magnitude / 100
    let cents = Self.two(Int(units.magnitude % 100))
    if isBean {
      let grouped = whole >= 1_000 && random.below(2) == 0 ? Self.grouped(whole, ",") : "\(whole)"
      return "\(sign)\(grouped).\(cents) \(code)"
    }
    switch (code, random.below(3)) {
    case ("USD", 0): return "\(sign)$\(Self.grouped(whole, ",")).\(cents)"
    case ("USD", 1): return "$\(sign)\(whole).\(cents)"
    case ("USD", _): return "\(sign)\(whole).\(cents) $"
    case ("EUR", 0): return "\(sign)\(Self.grouped(whole, ".")),\(cents) EUR"
    case ("EUR", _): return "\(sign)\(whole),\(cents) EUR"
    default: return "\(sign)\(whole).\(cents) \(code)"
    }
  }

  private static func grouped(_ whole: UInt, _ mark: String) -> String {
    let digits = Array(String(whole))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += mark }
      text.append(digit)
    }
    return text
  }

  mutating func units() -> Int {
    let units = 1 + random.below(random.below(5) == 0 ? 900_000 : 9_000)
    return random.below(3) == 0 ? -units : units
  }

  mutating func add(
    _ account: String, _ code: String, _ units: Int, isVirtual: Bool = false
  ) {
    held["\(account) \(code)", default: 0] += units
    if !isVirtual { real["\(account) \(code)", default: 0] += units }
  }

  func holding(_ account: String, _ code: String) -> Int {
    (syntax == .ledger ? real : held)["\(account) \(code)"] ?? 0
  }

  // MARK: hledger and ledger

  private mutating func head() {
    switch syntax {
    case .hledger:
      text = """
        commodity $1,000.00
        commodity 1.000,00 EUR
        commodity 1000.00 GBP
        alias bank=Assets:Bank
        include part.journal
        Y2024

        """
    case .ledger:
      text = """
        commodity $
            format $1,000.00
        commodity GBP
            format 1000.00 GBP
        alias bank=Assets:Bank
        include part.journal
        Y2024

        """
    case .beancount:
      text = """
        option "title" "Made up"
        include "part.journal"
        2020-01-01 open Assets:Shares HOOL "FIFO"
        2020-01-01 open Assets:Padded
        2020-01-01 open Income:Gains

        """
      for account in Self.assets + Self.places { text += "2020-01-01 open \(account)\n" }
    }
    let quote = isBean ? "\"" : ""
    part = """
      2023-12-31 * \(quote)Included\(quote)
        Assets:Cash  \(amount(12_345, "USD"))
        Equity:Own

      """
    add("Assets:Cash", "USD", 12_345)
    add("Equity:Own", "USD", -12_345)
  }

  private mutating func journal(_ index: Int) {
    let mark = pick(["", "* ", "! ", "* (\(index)) "])
    var title = "\(date()) \(mark)Payee \(index)"
    if random.below(4) == 0 { title += " | and more" }
    if random.below(5) == 0 { title += "  ; tag: value, other:" }
    let code = pick(["USD", "EUR", "GBP"])
    switch random.below(9) {
    case 0, 1, 2: plain(title, code)
    case 3: several(title, code)
    case 4: exchange(title)
    case 5: stated(title, code)
    case 6: shares(title)
    case 7: virtual(title, code)
    default: rules(title, code)
    }
  }

  private mutating func plain(_ title: String, _ code: String) {
    let (from, to, units) = (pick(Self.assets), pick(Self.places), units())
    let shown =
      from.hasPrefix("Assets:Bank") && random.below(2) == 0 ? "bank" + from.dropFirst(11) : from
    text += "\(title)\n    ; a comment\n    \(shown)  \(amount(units, code))\n    \(to)\n\n"
    add(from, code, units)
  }

  mutating func several(_ title: String, _ code: String) {
    text += "\(title)\n"
    var sum = 0
    for _ in 0..<2 + random.below(4) {
      let (to, units) = (pick(Self.places), units())
      text += "    \(to)  \(amount(units, code))  ; part\n"
      sum += units
    }
    let other = code == "USD" ? "EUR" : "USD"
    let units = units()
    text += "    \(pick(Self.places))  \(amount(units, other))\n"
    let from = pick(Self.assets)
    text += "    \(from)\n\n"
    add(from, code, -sum)
    add(from, other, -units)
  }

  /// Writes a transaction with two commodities, with or without a price.
  mutating func exchange(_ title: String) {
    let (from, to) = (pick(Self.assets), pick(Self.assets))
    let (euros, dollars) = (1 + random.below(5_000), 1 + random.below(5_000))
    text += "\(title)\n    \(to)  \(amount(euros, "EUR"))"
    if isBean || random.below(2) == 0 { text += " @@ \(amount(dollars, "USD"))" }
    text += "\n    \(from)  \(amount(-dollars, "USD"))\n\n"
    add(to, "EUR", euros)
    add(from, "USD", -dollars)
  }

  /// Writes a balance assertion, or a balance assignment from which an amount follows.
  private mutating func stated(_ title: String, _ code: String) {
    let account = pick(Self.assets)
    let units = units()
    let next = holding(account, code) + units
    let isAssigned = random.below(2) == 0
    text +=
      "\(title)\n    \(account)  \(isAssigned ? "" : amount(units, code)) = \(amount(next, code))\n"
    text += "    \(pick(Self.places))\n\n"
    add(account, code, units)
  }

  private mutating func shares(_ title: String) {
    let (count, price) = (1 + random.below(40), 100 + random.below(9_000))
    let lot = syntax == .ledger && random.below(2) == 0 ? " {\(amount(price, "USD"))}" : ""
    text += "\(title)\n    Assets:Shares  \(count) \"ACME 1\"\(lot) @ \(amount(price, "USD"))\n"
    text += "    Assets:Bank:Giro\n\n"
    add("Assets:Bank:Giro", "USD", -count * price)
  }

  private mutating func virtual(_ title: String, _ code: String) {
    let (units, other) = (units(), units())
    text +=
      "\(title)\n    Assets:Cash  \(amount(units, code))\n    Income:Gifts  \(amount(-units, code))\n"
    text +=
      "    [Assets:Bank:Savings]  \(amount(other, code))\n    [Equity:Own]  \(amount(-other, code))\n\n"
    add("Assets:Cash", code, units)
    add("Assets:Bank:Savings", code, other, isVirtual: true)
    add("Equity:Own", code, -other, isVirtual: true)
  }

  /// Writes directives between transactions.
  private mutating func rules(_ title: String, _ code: String) {
    text += """
      comment
      2024-01-01 not this
      end comment
      ~ monthly
          Expenses:Rent  900.00 USD
          Assets:Cash
      P 2024-01-01 EUR $1.0\(1 + random.below(8))
      apply account Assets

      """
    let units = units()
    text += "\(title)\n    Cash  \(amount(units, code))\n    Bank:Giro\n\nend apply account\n"
    add("Assets:Cash", code, units)
    add("Assets:Bank:Giro", code, -units)
  }
}
