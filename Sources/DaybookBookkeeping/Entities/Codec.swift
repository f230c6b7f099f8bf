import DaybookEntities

extension ByteWriter {
  /// Writes an amount: zigzag units, then the currency.
  mutating func money(_ money: Money) {
    zigzag(money.minorUnits)
    currency(money.currency)
  }

  /// Writes an optional value: 0, or 1 and the value.
  mutating func optional<Value>(_ value: Value?, _ body: (inout ByteWriter, Value) -> Void) {
    u8(value == nil ? 0 : 1)
    if let value { body(&self, value) }
  }
}

extension ByteReader {
  /// Reads an amount: zigzag units, then the currency.
  @_lifetime(self: copy self)
  mutating func money() throws(DecodingFault) -> Money {
    let units = try zigzag()
    return Money(units, try currency())
  }

  /// Reads a day, biased and big-endian.
  @_lifetime(self: copy self)
  mutating func day() throws(DecodingFault) -> Day { Day(biased: try u32be()) }

  /// Reads a flag: a byte 0 or 1.
  @_lifetime(self: copy self)
  mutating func flag() throws(DecodingFault) -> Bool {
    switch try u8() {
    case 0: return false
    case 1: return true
    default: throw .invalidValue("flag")
    }
  }

  /// Reads a one-byte code of a case.
  @_lifetime(self: copy self)
  mutating func code<Case: RawRepresentable<UInt8>>(
    _ type: Case.Type = Case.self
  ) throws(DecodingFault) -> Case {
    guard let value = Case(rawValue: try u8()) else { throw .invalidValue("\(type)") }
    return value
  }
}
