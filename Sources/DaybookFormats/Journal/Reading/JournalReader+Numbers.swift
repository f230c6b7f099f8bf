extension JournalReader {
  /// Parses a number with any marks between its digits.
  ///
  /// Returns `nil` if there is no number at this position.
  ///
  /// - Parameter commodity: The commodity, whose directive may define the decimal mark.
  mutating func number(_ at: inout Int, _ commodity: Int?) throws(JournalFault) -> JournalNumber? {
    let start = at
    var units: Int128 = 0
    var digitCount = 0
    /// The marks, with the number of digits before each of them.
    var marks: [(byte: UInt8, digits: Int)] = []
    while at < end {
      let byte = text[at]
      if byte &- 0x30 <= 9 {
        digitCount += 1
        guard digitCount <= 37 else {
          throw fault(start, .amount, "This number has more than 37 digits.", "Round it.")
        }
        units = units * 10 + Int128(byte - 0x30)
        at += 1
      } else if byte == 0x2E || byte == 0x2C {
        marks.append((byte, digitCount))
        at += 1
      } else if let length = groupMark(at), digitCount > 0 {
        marks.append((0x20, digitCount))
        at += length
      } else {
        break
      }
    }
    guard digitCount > 0 else {
      at = start
      return nil
    }
    guard let scale = scale(marks, digitCount, commodity, start) else {
      throw fault(
        start, .amount, "The decimal mark of “\(string(start, at))” is ambiguous.",
        "Use one mark for decimals, and another one between groups of digits.")
    }
    var number = JournalNumber(units: units, scale: scale)
    try exponent(&at, &number)
    return number
  }

  /// Returns the length of a group separator other than a point or a comma, or `nil` if no digit
  /// follows it.
  private func groupMark(_ at: Int) -> Int? {
    let length: Int
    if text[at] == 0x20 || text[at] == 0x27 {
      length = 1
    } else if text[at] == 0xC2, at + 1 < end, text[at + 1] == 0xA0 {
      length = 2
    } else if text[at] == 0xE2, at + 2 < end, text[at + 1] == 0x80,
      (0x80...0x8A).contains(text[at + 2]) || text[at + 2] == 0xAF
    {
      length = 3
    } else {
      return nil
    }
    let next = at + length
    return next < end && text[next] &- 0x30 <= 9 ? length : nil
  }

  /// Returns the number of digits after the decimal mark, or `nil` if the marks are inconsistent.
  private mutating func scale(
    _ marks: [(byte: UInt8, digits: Int)], _ digitCount: Int, _ commodity: Int?, _ start: Int
  ) -> Int? {
    guard let last = marks.last else { return 0 }
    let known = decimalMark ?? commodity.flatMap { matter.commodities.all[$0].decimalMark }
    let isAlone = marks.count == 1
    let behind = digitCount - last.digits
    let isDecimal: Bool
    if last.byte == 0x20 {
      isDecimal = false
    } else if let known {
      isDecimal = last.byte == known
    } else if !isAlone {
      // Repeated marks separate groups. If the last mark is different, it is the decimal mark.
      isDecimal = marks.dropLast().allSatisfy { $0.byte != last.byte }
    } else if dialect == .ledger {
      isDecimal = last.byte == 0x2E || behind != 3
    } else {
      isDecimal = true
      if behind == 3, last.digits > 0 {
        let example = string(start, min(start + digitCount + 1, end))
        noticeOnce(
          "mark",
          "Numbers such as “\(example)” were read with three decimals, as hledger does. To change "
            + "that, add a line “decimal-mark .” or “decimal-mark ,” above."
        )
      }
    }
    let groups = isDecimal ? marks.dropLast() : marks[...]
    if let first = groups.first {
      guard groups.allSatisfy({ $0.byte == first.byte }), first.digits > 0,
        !isDecimal || first.byte != last.byte
      else { return nil }
      if let known, first.byte == known { return nil }
    }
    return isDecimal ? behind : 0
  }

  /// Parses an exponent such as `E3`, which hledger supports.
  private func exponent(_ at: inout Int, _ number: inout JournalNumber) throws(JournalFault) {
    guard dialect == .hledger, at + 1 < end, text[at] | 0x20 == UInt8(ascii: "e") else { return }
    var next = at + 1
    let isNegative = text[next] == 0x2D
    if isNegative || text[next] == 0x2B { next += 1 }
    var value = 0
    let first = next
    while next < end, text[next] &- 0x30 <= 9, next - first < 4 {
      value = value * 10 + Int(text[next] - 0x30)
      next += 1
    }
    guard next > first else { return }
    if isNegative {
      number.scale += value
    } else if value <= number.scale {
      number.scale -= value
    } else if let scaled = number.scaled(to: value) {
      number = JournalNumber(units: scaled.units, scale: 0)
    } else {
      throw fault(at, .amount, "This number is too large.", "Check its exponent.")
    }
    guard number.scale <= JournalNumber.scaleMax else {
      throw fault(at, .amount, "This number has too many decimals.", "Round it to at most 18.")
    }
    at = next
  }
}
