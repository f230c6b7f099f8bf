import Entities

extension ByteWriter {
  /// An amount: zigzag units, then its currency.
  mutating func money(_ money: Money) {
    zigzag(money.minorUnits)
    currency(money.currency)
  }

  /// Something that may be missing: 0, or 1 and the value.
  mutating func optional<Value>(_ value: Value?, _ body: (inout ByteWriter, Value) -> Void) {
    u8(value == nil ? 0 : 1)
    if let value { body(&self, value) }
  }
}

extension ByteReader {
  /// An amount: zigzag units, then its currency.
  @_lifetime(self: copy self)
  mutating func money() throws(DecodingFault) -> Money {
    let units = try zigzag()
    return Money(units, try currency())
  }

  /// A day, biased and big-endian.
  @_lifetime(self: copy self)
  mutating func day() throws(DecodingFault) -> Day { Day(biased: try u32be()) }

  /// Whether a value follows: a byte 0 or 1.
  @_lifetime(self: copy self)
  mutating func flag() throws(DecodingFault) -> Bool {
    switch try u8() {
    case 0: return false
    case 1: return true
    default: throw .invalidValue("flag")
    }
  }

  /// A code of one byte that stands for a case.
  @_lifetime(self: copy self)
  mutating func code<Case: RawRepresentable<UInt8>>(
    _ type: Case.Type = Case.self
  ) throws(DecodingFault) -> Case {
    guard let value = Case(rawValue: try u8()) else { throw .invalidValue("\(type)") }
    return value
  }
}
