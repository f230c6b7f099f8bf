/// The signs of an amount, in any of the forms that banks use.
extension NumberStyle {
  /// A plus or minus sign.
  struct Sign {
    var isMinus: Bool
    var length: Int

    /// The hyphen, and the minus sign and en dash that some banks write instead.
    private static let all: [(bytes: [UInt8], isMinus: Bool)] = [
      ([0x2B], false), ([0x2D], true), ([0xE2, 0x88, 0x92], true), ([0xE2, 0x80, 0x93], true),
    ]

    init?(at index: Int, before end: Int, in bytes: borrowing Span<UInt8>) {
      for sign in Self.all
      where NumberStyle.matches(sign.bytes, at: index, before: end, in: bytes) {
        (isMinus, length) = (sign.isMinus, sign.bytes.count)
        return
      }
      return nil
    }

    init?(endingAt end: Int, after start: Int, in bytes: borrowing Span<UInt8>) {
      for sign in Self.all
      where end - sign.bytes.count >= start
        && NumberStyle.matches(sign.bytes, at: end - sign.bytes.count, before: end, in: bytes)
      {
        (isMinus, length) = (sign.isMinus, sign.bytes.count)
        return
      }
      return nil
    }
  }

  /// `CR` or `DR`, in any case and optionally with a dot.
  struct Mark {
    var isDebit: Bool
    var length: Int

    init?(at index: Int, before end: Int, in bytes: borrowing Span<UInt8>) {
      guard index + 1 < end, bytes[index + 1] | 0x20 == UInt8(ascii: "r") else { return nil }
      switch bytes[index] | 0x20 {
      case UInt8(ascii: "c"): isDebit = false
      case UInt8(ascii: "d"): isDebit = true
      default: return nil
      }
      length = index + 2 < end && bytes[index + 2] == UInt8(ascii: ".") ? 3 : 2
    }

    init?(endingAt end: Int, after start: Int, in bytes: borrowing Span<UInt8>) {
      let hasDot = end > start && bytes[end - 1] == UInt8(ascii: ".")
      let index = end - (hasDot ? 3 : 2)
      guard index > start, let mark = Mark(at: index, before: end, in: bytes) else { return nil }
      self = mark
    }
  }

  /// The signs of one amount.
  struct Signs {
    var isOpen = false
    /// Whether the number has been read.
    var isAfter = false
    private var isInParentheses = false
    private var plusCount = 0
    private var minusCount = 0
    private var afterCount = 0
    private(set) var mark: Mark?

    var isNone: Bool { plusCount + minusCount == 0 && !isOpen && mark == nil }

    mutating func take(_ sign: Sign) {
      if sign.isMinus { minusCount += 1 } else { plusCount += 1 }
      if isAfter { afterCount += 1 }
    }

    mutating func take(_ mark: Mark) throws(Fault) {
      guard self.mark == nil else { throw .notANumber }
      self.mark = mark
    }

    mutating func close() {
      isOpen = false
      isInParentheses = true
    }

    /// Returns whether the amount is negative.
    /// - Throws: `Fault.notANumber` if the signs contradict each other.
    func isNegative() throws(Fault) -> Bool {
      guard !isOpen else { throw .notANumber }
      let count = plusCount + minusCount + (isInParentheses ? 1 : 0)
      // Some banks write -- for a reversed payment.
      let isReversal = minusCount == 2 && count == 2 && afterCount == 0
      guard count <= 1 || isReversal else { throw .notANumber }
      let isNegative = isInParentheses || minusCount == 1
      guard let mark else { return isNegative }
      guard mark.isDebit ? plusCount == 0 && !isReversal : !isNegative && !isReversal else {
        throw .notANumber
      }
      return mark.isDebit
    }
  }
}
