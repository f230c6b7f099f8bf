import Entities

extension RecordWriter {
  /// A flag: one byte 1, absent where `false`.
  mutating func put(_ tag: UInt8, flag: Bool) {
    if flag { put(tag) { $0.u8(1) } }
  }

  /// A code of one byte, absent where 0.
  mutating func put(_ tag: UInt8, code: UInt8) {
    if code != 0 { put(tag) { $0.u8(code) } }
  }

  /// A signed number, absent where 0.
  mutating func put(_ tag: UInt8, signed value: Int64) {
    if value != 0 { put(tag) { $0.zigzag(value) } }
  }

  /// An id, absent where `nil`.
  mutating func put(_ tag: UInt8, id: EntityID?) {
    if let id { put(tag) { $0.id(id) } }
  }

  /// A day, biased and big-endian, absent where `nil`.
  mutating func put(_ tag: UInt8, day: Day?) {
    if let day { put(tag) { $0.u32be(day.biased) } }
  }

  /// A currency, absent where `nil`.
  mutating func put(_ tag: UInt8, currency: Currency?) {
    if let currency { put(tag) { $0.currency(currency) } }
  }

  /// An amount (zigzag units, then its currency), absent where `nil`.
  mutating func put(_ tag: UInt8, money: Money?) {
    if let money { put(tag) { $0.money(money) } }
  }

  /// Something counted, absent where there is none.
  mutating func put<Element>(
    _ tag: UInt8, list: [Element], _ body: (inout ByteWriter, Element) -> Void
  ) {
    if list.isEmpty { return }
    put(tag) { writer in
      writer.varint(UInt64(list.count))
      for element in list { body(&writer, element) }
    }
  }
}

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

extension Property {
  /// The whole value as a text.
  func text() throws(DecodingFault) -> String {
    var reader = ByteReader(value)
    return try reader.text(value.byteCount)
  }

  /// The whole value as a flag.
  func flag() throws(DecodingFault) -> Bool {
    var reader = ByteReader(value)
    let flag = try reader.flag()
    try reader.end(tag)
    return flag
  }

  /// The whole value as a code.
  func code<Case: RawRepresentable<UInt8>>() throws(DecodingFault) -> Case {
    var reader = ByteReader(value)
    let code: Case = try reader.code()
    try reader.end(tag)
    return code
  }

  /// The whole value as an id.
  func id() throws(DecodingFault) -> EntityID {
    var reader = ByteReader(value)
    let id = try reader.id()
    try reader.end(tag)
    return id
  }

  /// The whole value as a day.
  func day() throws(DecodingFault) -> Day {
    var reader = ByteReader(value)
    let day = try reader.day()
    try reader.end(tag)
    return day
  }

  /// The whole value as a signed number.
  func signed() throws(DecodingFault) -> Int64 {
    var reader = ByteReader(value)
    let number = try reader.zigzag()
    try reader.end(tag)
    return number
  }

  /// The whole value as a currency.
  func currency() throws(DecodingFault) -> Currency {
    var reader = ByteReader(value)
    let currency = try reader.currency()
    try reader.end(tag)
    return currency
  }

  /// The whole value as an amount.
  func money() throws(DecodingFault) -> Money {
    var reader = ByteReader(value)
    let money = try reader.money()
    try reader.end(tag)
    return money
  }

  /// What is thrown for a tag that this version does not know.
  var unknown: DecodingFault { .invalidValue("property \(tag) is not known to this version") }
}

extension ByteReader {
  /// Checks that a property's value has been read to its end.
  func end(_ tag: UInt8) throws(DecodingFault) {
    guard isAtEnd else { throw .invalidValue("property \(tag) is longer than its value") }
  }
}
