import DaybookBookkeeping

/// Parsing of dates, numbers, commodities and tags.
extension BeancountReader {
  /// Parses a date with `-` or `/` between year, month and day.
  ///
  /// Returns `nil` if there is no date at this position.
  func day(_ at: inout Int) throws(JournalFault) -> Day? {
    let start = at
    var parts: [Int] = []
    var next = at
    while parts.count < 3 {
      var value = 0
      let first = next
      while next < end, text[next] &- 0x30 <= 9, next - first < 5 {
        value = value * 10 + Int(text[next] - 0x30)
        next += 1
      }
      guard next > first else { return nil }
      if parts.isEmpty, next - first != 4 { return nil }
      parts.append(value)
      guard parts.count < 3 else { break }
      guard next < end, text[next] == 0x2D || text[next] == 0x2F else { return nil }
      next += 1
    }
    guard let day = Day(year: parts[0], month: parts[1], day: parts[2]) else {
      throw fault(
        start, .date, "“\(string(start, next))” isn't a date.", "Write it as 2026-01-31.")
    }
    at = next
    return day
  }

  /// Parses the name of a commodity.
  ///
  /// Returns `nil` if there is no name at this position.
  mutating func commodity(_ at: inout Int) -> Int? {
    var stop = at
    while stop < end, Self.isCommodity(text[stop]) { stop += 1 }
    guard stop > at, stop - at <= 200, text[at] &- 0x41 < 26 || text[at] == 0x2F else { return nil }
    let range = at..<stop
    at = stop
    return matter.commodities.number(range, in: text, line: line)
  }

  private static func isCommodity(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x41...0x5A, 0x30...0x39, 0x27, 0x2E, 0x5F, 0x2D, 0x2F: true
    default: false
    }
  }

  /// Parses a number or an arithmetic expression.
  ///
  /// Returns `nil` if there is no number at this position.
  func number(_ at: inout Int) throws(JournalFault) -> JournalNumber? {
    skipBlanks(&at)
    guard at < end else { return nil }
    let byte = text[at]
    guard byte &- 0x30 <= 9 || byte == 0x2D || byte == 0x2B || byte == 0x28 || byte == 0x2E else {
      return nil
    }
    return try sum(&at, depth: 0)
  }

  private func sum(_ at: inout Int, depth: Int) throws(JournalFault) -> JournalNumber {
    var value = try product(&at, depth)
    while true {
      skipBlanks(&at)
      guard at < end, text[at] == 0x2B || text[at] == 0x2D else { return value }
      let isMinus = text[at] == 0x2D
      let start = at
      at += 1
      let next = try product(&at, depth)
      value = try checked(isMinus ? value.subtracting(next) : value.adding(next), start)
    }
  }

  private func product(_ at: inout Int, _ depth: Int) throws(JournalFault) -> JournalNumber {
    var value = try factor(&at, depth)
    while true {
      skipBlanks(&at)
      guard at < end, text[at] == 0x2A || text[at] == 0x2F else { return value }
      // A slash followed by a capital letter begins the name of a commodity.
      if text[at] == 0x2F, at + 1 < end, text[at + 1] &- 0x41 < 26 { return value }
      let isDivision = text[at] == 0x2F
      let start = at
      at += 1
      let next = try factor(&at, depth)
      value = try checked(isDivision ? value.divided(by: next) : value.multiplied(by: next), start)
      guard value.scale <= 2 * JournalNumber.scaleMax else {
        throw fault(
          start, .amount, "The result has too many decimals.", "Write the rounded result.")
      }
    }
  }

  private func factor(_ at: inout Int, _ depth: Int) throws(JournalFault) -> JournalNumber {
    skipBlanks(&at)
    guard at < end, depth < 32 else { throw noNumber(at) }
    if text[at] == 0x2D || text[at] == 0x2B {
      let isMinus = text[at] == 0x2D
      at += 1
      let value = try factor(&at, depth + 1)
      return isMinus ? value.negated : value
    }
    if text[at] == 0x28 {
      at += 1
      let value = try sum(&at, depth: depth + 1)
      skipBlanks(&at)
      guard at < end, text[at] == 0x29 else { throw noNumber(at) }
      at += 1
      return value
    }
    return try literal(&at)
  }

  private func literal(_ at: inout Int) throws(JournalFault) -> JournalNumber {
    let start = at
    var units: Int128 = 0
    var digits = 0
    var scale = -1
    while at < end {
      let byte = text[at]
      if byte &- 0x30 <= 9 {
        guard digits < 37 else {
          throw fault(start, .amount, "This number has more than 37 digits.", "Round it.")
        }
        units = units * 10 + Int128(byte - 0x30)
        digits += 1
        if scale >= 0 { scale += 1 }
      } else if byte == 0x2E, scale < 0 {
        scale = 0
      } else if byte == 0x2C, scale < 0, at + 1 < end, text[at + 1] &- 0x30 <= 9 {
        // Skip a comma between groups of digits.
      } else {
        break
      }
      at += 1
    }
    guard digits > 0 else { throw noNumber(start) }
    return JournalNumber(units: units, scale: max(scale, 0))
  }

  private func checked(_ value: JournalNumber?, _ at: Int) throws(JournalFault) -> JournalNumber {
    guard let value else {
      throw fault(
        at, .amount, "This can't be computed: the result is too large, or divides by zero.",
        "Write the result.")
    }
    return value
  }

  private func noNumber(_ at: Int) -> JournalFault {
    fault(at, .amount, "“\(rest(at).prefix(40))” isn't a number.", "Write it as -1,234.50.")
  }

  /// Parses an amount that has both a number and a commodity.
  mutating func amount(_ at: inout Int, isUse: Bool) throws(JournalFault) -> JournalAmount {
    let start = at
    guard let number = try number(&at) else { throw noNumber(start) }
    skipBlanks(&at)
    guard let commodity = commodity(&at) else {
      throw fault(at, .currency, "A commodity is missing here.", "Write it after the number.")
    }
    if isUse { try use(commodity, number, start) }
    return JournalAmount(number: number, commodity: commodity)
  }

  /// Records that an amount uses a commodity, with the number of its decimals.
  mutating func use(
    _ commodity: Int, _ number: JournalNumber, _ at: Int
  ) throws(JournalFault) {
    guard number.shortest.scale <= JournalNumber.scaleMax else {
      throw fault(at, .amount, "An amount has more than 18 decimals.", "Round it to at most 18.")
    }
    matter.commodities.use(commodity, digits: min(number.scale, JournalNumber.scaleMax))
  }

  /// Parses a tag and returns it without the `#`.
  func tag(_ at: inout Int) throws(JournalFault) -> String {
    skipBlanks(&at)
    guard at + 1 < end, text[at] == UInt8(ascii: "#") else {
      throw fault(at, "A tag is missing here.", "Write it as #tag.")
    }
    at += 1
    return word(&at)
  }

  /// Parses the name of an account.
  mutating func account(_ at: inout Int) throws(JournalFault) -> Int {
    skipBlanks(&at)
    let start = at
    while at < end, text[at] > 0x20, text[at] != UInt8(ascii: ";") { at += 1 }
    let parts = text[start..<at].split(
      separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count > 1, at - start <= 1_000,
      parts.allSatisfy({ !$0.isEmpty && $0.count <= Limits.nameByteCountMax && !$0.contains(0x7F) })
    else {
      throw fault(
        start, .name, "“\(string(start, min(at, start + 60)))” isn't an account.",
        "Separate names with “:”, as in Assets:Bank:Checking.")
    }
    return matter.accounts.number(start..<at, in: text, line: line)
  }

  /// Parses `key: value`.
  ///
  /// Returns `nil` if there is no key at this position.
  mutating func metadata(_ at: inout Int) throws(JournalFault) -> (key: String, value: String)? {
    var stop = at
    guard at < end, text[at] &- 0x61 < 26 else { return nil }
    while stop < end,
      text[stop] | 0x20 &- 0x61 < 26 || text[stop] &- 0x30 <= 9 || text[stop] == 0x2D
        || text[stop] == 0x5F
    {
      stop += 1
    }
    guard stop < end, text[stop] == UInt8(ascii: ":"), stop + 1 >= end || text[stop + 1] <= 0x20
    else { return nil }
    let key = String(decoding: text[at..<stop], as: UTF8.self)
    at = stop + 1
    skipBlanks(&at)
    if at < end, text[at] == UInt8(ascii: "\"") {
      let lines = try quoted(&at).split(whereSeparator: \.isNewline)
      let plain = lines.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      return (key, plain.joined(separator: key == "note" ? "\n" : " "))
    }
    let close = firstIndex(UInt8(ascii: ";"), at) ?? end
    let value = JournalComments.plain(text, trim(at, close))
    at = close
    return (key, value)
  }
}
