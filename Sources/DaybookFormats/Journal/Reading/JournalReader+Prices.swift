import DaybookBookkeeping

extension JournalReader {
  /// Parses the annotations after an amount: the cost, day and note of a lot, and a price, in any
  /// order.
  mutating func takePrice(
    _ at: inout Int, _ posting: inout JournalPosting, _ amount: JournalAmount, _ start: Int
  ) throws(JournalFault) {
    var cost: JournalAmount?
    var price: JournalAmount?
    while true {
      skipBlanks(&at)
      guard at < end else { break }
      let byte = text[at]
      if byte == UInt8(ascii: "{") {
        cost = try self.cost(&at, amount)
      } else if byte == UInt8(ascii: "[") {
        try pass(UInt8(ascii: "]"), &at)
      } else if byte == UInt8(ascii: "@") {
        price = try self.price(&at, amount, isInParentheses: false)
      } else if byte == UInt8(ascii: "("), at + 1 < end {
        if text[at + 1] == UInt8(ascii: "@") {
          at += 1
          price = try self.price(&at, amount, isInParentheses: true)
        } else if text[at + 1] == UInt8(ascii: "(") {
          throw fault(
            at, .amount, "Amount expressions aren't supported.",
            "Write the lot's value as a number, or leave it out.")
        } else {
          try pass(UInt8(ascii: ")"), &at)
        }
      } else {
        break
      }
    }
    // In both programs, a cost without a price only labels the lot. With a price, ledger uses the
    // cost to balance the transaction.
    if dialect == .ledger, let cost, let known = price, cost.commodity == known.commodity {
      price = cost
    }
    posting.weight = price
    posting.lotCost = price == nil ? cost : nil
  }

  /// Parses `C 1 BTC = 1000 mBTC`, which defines a unit in ledger.
  ///
  /// hledger ignores it. If the ratio is a power of ten, amounts are converted to the larger unit.
  /// Otherwise, they are converted to the smaller one, because that is always exact.
  mutating func takeConversion(_ start: Int) throws(JournalFault) {
    guard dialect == .ledger else {
      matter.notice(line, "Skipped unit conversions (C), as hledger does.", file: file)
      return
    }
    var at = start
    let larger = try amount(&at, isUse: false)
    skipBlanks(&at)
    guard at < end, text[at] == UInt8(ascii: "=") else {
      throw fault(at, "A conversion needs “=”.", "Write C 1 BTC = 1000 mBTC.")
    }
    at += 1
    skipBlanks(&at)
    let unitStart = at
    let smaller = try amount(&at, isUse: false)
    guard smaller.commodity >= 0, larger.commodity >= 0, smaller.commodity != larger.commodity,
      !smaller.number.isZero, !larger.number.isZero
    else {
      throw fault(
        unitStart, .amount, "A conversion needs two amounts in different commodities.",
        "Write C 1 BTC = 1000 mBTC.")
    }
    let down = larger.number.divided(by: smaller.number)?.shortest
    let up = smaller.number.divided(by: larger.number)?.shortest
    if let down, down.units == 1 {
      matter.commodities.update(smaller.commodity) { $0.unit = (larger.commodity, down) }
    } else if let up, up.multiplied(by: larger.number)?.equals(smaller.number) == true {
      matter.commodities.update(larger.commodity) { $0.unit = (smaller.commodity, up) }
    } else {
      matter.notice(line, "Skipped the conversion “\(rest(start))”.", file: file)
    }
  }

  private mutating func pass(_ closing: UInt8, _ at: inout Int) throws(JournalFault) {
    guard let close = firstIndex(closing, at) else {
      throw fault(
        at, .amount, "A bracket isn't closed.",
        "Close it with “\(String(Unicode.Scalar(closing)))”.")
    }
    at = close + 1
  }

  /// Parses a lot's cost and returns the cost of the whole amount.
  ///
  /// `{10 EUR}` and `{=10 EUR}` are per unit, `{{100 EUR}}` is the total.
  private mutating func cost(
    _ at: inout Int, _ amount: JournalAmount
  ) throws(JournalFault) -> JournalAmount? {
    let start = at
    at += 1
    var isTotal = false
    if at < end, text[at] == UInt8(ascii: "{") {
      isTotal = true
      at += 1
    }
    skipBlanks(&at)
    if at < end, text[at] == UInt8(ascii: "=") { at += 1 }
    skipBlanks(&at)
    var cost: JournalAmount?
    if at < end, text[at] != UInt8(ascii: "}") { cost = try self.amount(&at, isUse: false) }
    skipBlanks(&at)
    for _ in 0..<(isTotal ? 2 : 1) {
      guard at < end, text[at] == UInt8(ascii: "}") else {
        throw fault(
          start, .amount, "The cost of a lot isn't closed.", "Close it with “}” or “}}”.")
      }
      at += 1
    }
    return try cost.map { price throws(JournalFault) in
      try worth(amount, price, isTotal: isTotal, start)
    }
  }

  /// Parses a price and returns the price of the whole amount.
  ///
  /// `@ 10 EUR` is per unit, `@@ 100 EUR` is the total.
  private mutating func price(
    _ at: inout Int, _ amount: JournalAmount, isInParentheses: Bool
  ) throws(JournalFault) -> JournalAmount {
    let start = at
    at += 1
    var isTotal = false
    if at < end, text[at] == UInt8(ascii: "@") {
      isTotal = true
      at += 1
    }
    if isInParentheses {
      guard at < end, text[at] == UInt8(ascii: ")") else {
        throw fault(start, .amount, "A bracket isn't closed.", "Write (@) or (@@).")
      }
      at += 1
    }
    skipBlanks(&at)
    if at < end, text[at] == UInt8(ascii: "=") { at += 1 }
    skipBlanks(&at)
    return try worth(amount, try self.amount(&at, isUse: false), isTotal: isTotal, start)
  }

  private func worth(
    _ amount: JournalAmount, _ price: JournalAmount, isTotal: Bool, _ start: Int
  ) throws(JournalFault) -> JournalAmount {
    if isTotal {
      let number = amount.number.isNegative ? price.number.negated : price.number
      return JournalAmount(number: number, commodity: price.commodity)
    }
    // If the product has too many digits, the price's last decimals don't matter.
    var factor = price.number
    var product = amount.number.multiplied(by: factor)
    while product == nil, factor.scale > 12 {
      factor = factor.rounded(to: factor.scale - 1)
      product = amount.number.multiplied(by: factor)
    }
    guard let product else {
      throw fault(
        start, .amount, "The product of amount and price is too large, or has too many decimals.",
        "Write the total price with @@.")
    }
    return JournalAmount(number: product, commodity: price.commodity)
  }
}
