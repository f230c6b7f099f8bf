import DaybookBookkeeping

extension JournalReader {
  /// Parses an amount, which is a number with an optional commodity on either side.
  ///
  /// - Parameter isUse: Whether the amount determines the decimals of its commodity. Prices don't.
  mutating func amount(
    _ at: inout Int, isUse: Bool = true
  ) throws(JournalFault) -> JournalAmount {
    let start = at
    var isNegative = sign(&at)
    skipBlanks(&at)
    if at < end, text[at] == UInt8(ascii: "(") {
      throw fault(
        at, .amount, "Amount expressions aren't supported.",
        "Write the result in place of the expression.")
    }
    var commodity = try commodity(&at)
    if commodity != nil {
      skipBlanks(&at)
      if sign(&at) { isNegative.toggle() }
      skipBlanks(&at)
    }
    let numberStart = at
    guard var number = try number(&at, commodity ?? commodityBehind(at) ?? defaultCommodity) else {
      throw fault(
        start, .amount, "“\(rest(start))” isn't an amount.",
        "Write a number and its commodity, such as 12.50 EUR.")
    }
    if commodity == nil {
      var next = at
      skipBlanks(&next)
      if let found = try self.commodity(&next) {
        commodity = found
        at = next
      }
    }
    if isNegative { number = number.negated }
    guard number.scale <= JournalNumber.scaleMax || !isUse else {
      throw fault(
        numberStart, .amount, "An amount has more than 18 decimals.", "Round it to at most 18.")
    }
    if commodity == nil, defaultCommodity == nil, number.isZero {
      return JournalAmount(number: .zero, commodity: JournalAmount.anyCommodity)
    }
    let place = commodity ?? defaultCommodity ?? matter.commodities.number("", line: line)
    let result = try converted(JournalAmount(number: number, commodity: place), start)
    if isUse { matter.commodities.use(result.commodity, digits: result.number.scale) }
    return result
  }

  /// Converts an amount to the unit that a `C` directive sets.
  private func converted(
    _ amount: JournalAmount, _ start: Int
  ) throws(JournalFault) -> JournalAmount {
    var result = amount
    // Units may be chained, but must not form a cycle.
    for _ in 0..<16 {
      guard result.commodity >= 0, let unit = matter.commodities.all[result.commodity].unit else {
        return result
      }
      guard let number = result.number.multiplied(by: unit.factor) else {
        throw fault(
          start, .amount, "This amount is too large to be converted by “C”.", "Check the amount.")
      }
      result = JournalAmount(number: number.shortest, commodity: unit.commodity)
    }
    throw fault(
      start, .amount, "The conversions (C) of this amount are circular.",
      "Remove one of the “C” lines.")
  }

  private func sign(_ at: inout Int) -> Bool {
    guard at < end, text[at] == 0x2D || text[at] == 0x2B else { return false }
    at += 1
    return text[at - 1] == 0x2D
  }

  /// Returns whether a byte can be part of an unquoted commodity.
  static func isSymbol(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x30...0x39: false
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: ","),
      UInt8(ascii: ";"), UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "}"),
      UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "*"), UInt8(ascii: "("),
      UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "/"),
      UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "!"), UInt8(ascii: "^"),
      UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "?"), UInt8(ascii: ":"):
      false
    default: true
    }
  }

  /// Parses a commodity.
  ///
  /// Returns `nil` if there is no commodity at this position.
  mutating func commodity(_ at: inout Int) throws(JournalFault) -> Int? {
    guard at < end else { return nil }
    let range: Range<Int>
    if text[at] == UInt8(ascii: "\"") {
      var stop = at + 1
      while stop < end, text[stop] != UInt8(ascii: "\"") { stop += 1 }
      guard stop < end, stop > at + 1 else {
        throw fault(
          at, .currency, "The name of this commodity is empty, or its quotes aren't closed.",
          "Write it in quotes: \"name\".")
      }
      range = at + 1..<stop
      at = stop + 1
    } else {
      var stop = at
      while stop < end, Self.isSymbol(text[stop]) { stop += 1 }
      guard stop > at else { return nil }
      // A no-break space separates groups of digits and isn't part of a name.
      range = at..<stop
      at = stop
    }
    guard range.count <= 200 else {
      throw fault(
        range.lowerBound, .currency, "The name of a commodity is too long.", "Shorten it.")
    }
    return matter.commodities.number(range, in: text, line: line)
  }

  /// Returns the commodity after the number at this position, because its directive may define the
  /// decimal mark.
  private mutating func commodityBehind(_ at: Int) -> Int? {
    guard decimalMark == nil else { return nil }
    var next = at
    while next < end, text[next] &- 0x30 <= 9 || text[next] == 0x2E || text[next] == 0x2C {
      next += 1
    }
    skipBlanks(&next)
    guard next < end, Self.isSymbol(text[next]) || text[next] == UInt8(ascii: "\"") else {
      return nil
    }
    return try? commodity(&next)
  }
}
