public import DaybookEntities

/// A currency: a code and the number of decimals of its amounts.
///
/// A currency is stored as a single number, which makes it fast to compare and hash. Use
/// `Currency.iso(_:)` for the currencies of ISO 4217. A ledger can define others.
public struct Currency: Hashable, Sendable, Comparable {
  /// The code and the decimals in one number, ordered by code.
  ///
  /// The code has up to seven characters, from the most significant byte down, followed by zeros.
  /// The lowest byte is the number of decimals.
  public let packed: UInt64

  /// Creates a currency from its packed number, which is not checked.
  @inlinable
  public init(packed: UInt64) { self.packed = packed }

  /// Creates a currency from a code (1 to 7 characters A–Z and 0–9) and a number of decimals (0 to
  /// 18), or returns `nil` if either is invalid.
  public init?(code: some StringProtocol, digits: Int) {
    guard (0...18).contains(digits) else { return nil }
    var packed: UInt64 = 0
    var count: UInt64 = 0
    for byte in code.utf8 {
      guard count < 7, sixBits(byte) != 0 else { return nil }
      packed |= UInt64(byte) << (56 - 8 * count)
      count += 1
    }
    guard count > 0 else { return nil }
    self.packed = packed | UInt64(digits)
  }

  /// The number of decimals: 2 for USD, 0 for JPY.
  @inlinable
  public var digits: Int { Int(packed & 0xff) }

  /// The packed code without the decimals; currencies with the same code have the same number.
  @inlinable
  public var packedCode: UInt64 { packed & ~0xff }

  /// The code, such as "USD".
  public var code: String {
    var text = ""
    var rest = packed
    while rest >> 56 != 0, text.utf8.count < 7 {
      text.unicodeScalars.append(Unicode.Scalar(UInt8(rest >> 56)))
      rest <<= 8
    }
    return text
  }

  /// Orders currencies by code.
  @inlinable
  public static func < (left: Currency, right: Currency) -> Bool { left.packed < right.packed }

  /// The code in 42 bits, six per character, for ids derived from currencies.
  var compactCode: UInt64 {
    var compact: UInt64 = 0
    for position in 0..<7 {
      let byte = UInt8(truncatingIfNeeded: packed >> UInt64(56 - 8 * position))
      compact = compact << 6 | UInt64(sixBits(byte))
    }
    return compact
  }
}

extension Currency: CustomStringConvertible {
  /// The code.
  public var description: String { code }
}

extension Currency {
  /// Whether `init(code:digits:)` could have created the packed number.
  @inlinable
  package var isWellFormed: Bool {
    var rest = packed & ~0xff
    guard rest >> 56 != 0, digits <= 18 else { return false }
    // Fast path: nearly all codes have three letters.
    if rest << 24 == 0, isLetter(rest >> 56), isLetter(rest >> 48 & 0xff),
      isLetter(rest >> 40 & 0xff)
    {
      return true
    }
    while rest != 0 {
      let byte = UInt8(truncatingIfNeeded: rest >> 56)
      guard byte >= 0x30, byte <= 0x39 || (byte >= 0x41 && byte <= 0x5a) else { return false }
      rest <<= 8
    }
    return true
  }

  @inlinable
  @inline(__always)
  func isLetter(_ byte: UInt64) -> Bool { byte &- 0x41 < 26 }

  /// The number of characters of the code.
  @inlinable
  package var length: Int { 7 - (packedCode >> 8).trailingZeroBitCount / 8 }
}

extension ByteWriter {
  /// Writes a currency: one byte of length (3 bits) and decimals (5 bits), then the code.
  @inlinable
  package mutating func currency(_ currency: Currency) {
    let length = currency.length
    u8(UInt8(truncatingIfNeeded: length << 5 | currency.digits))
    var rest = currency.packed
    for _ in 0..<length {
      u8(UInt8(truncatingIfNeeded: rest >> 56))
      rest <<= 8
    }
  }
}

extension ByteReader {
  /// Reads a currency: one byte of length (3 bits) and decimals (5 bits), then the code.
  @inlinable
  @_lifetime(self: copy self)
  package mutating func currency() throws(DecodingFault) -> Currency {
    let head = try u8()
    var packed: UInt64 = 0
    var shift: UInt64 = 56
    for _ in 0..<head >> 5 {
      packed |= UInt64(try u8()) << shift
      shift -= 8
    }
    let currency = Currency(packed: packed | UInt64(head & 0x1f))
    guard currency.isWellFormed else { throw .invalidValue("currency") }
    return currency
  }
}

/// Returns 1 to 36 for 0–9 and A–Z, otherwise 0.
private func sixBits(_ byte: UInt8) -> UInt8 {
  switch byte {
  case 0x30...0x39: byte - 0x2f
  case 0x41...0x5a: byte - 0x36
  default: 0
  }
}
