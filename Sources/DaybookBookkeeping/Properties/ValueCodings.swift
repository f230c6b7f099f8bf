package import DaybookEntities

/// The coding of a text, absent if empty.
package struct TextCoding: DefaultedCoding {
  @inline(__always) package static var standard: String { "" }
  @inline(__always) package static func isAbsent(_ value: String) -> Bool { value.isEmpty }
  @inline(__always)
  package static func write(_ value: String, to writer: inout ByteWriter) { writer.raw(value.utf8) }
  @inline(__always)
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> String {
    try walk.value.text(walk.value.span.byteCount)
  }
  @inline(__always)
  package static func isBeyond(_ byteCountMax: Int, _ value: String) -> Bool {
    value.utf8.count > byteCountMax
  }
  package static func shown(_ value: String, _ bytes: RawSpan) -> PropertyValue { .text(value) }
}

/// The coding of a text, absent if it is a comma.
package struct TextUnlessCommaCoding: DefaultedCoding {
  @inline(__always) package static var standard: String { "," }
  @inline(__always)
  package static func write(_ value: String, to writer: inout ByteWriter) { writer.raw(value.utf8) }
  @inline(__always)
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> String {
    try walk.value.text(walk.value.span.byteCount)
  }
  package static func shown(_ value: String, _ bytes: RawSpan) -> PropertyValue { .text(value) }
}

/// The coding of a day: four bytes, biased and big-endian.
package struct DayCoding: RequiredCoding {
  @inline(__always) package static var blank: Day { Day(rawValue: 0) }
  @inline(__always)
  package static func write(_ value: Day, to writer: inout ByteWriter) {
    writer.u32be(value.biased)
  }
  @inline(__always)
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> Day {
    try walk.value.day()
  }
  @inline(__always)
  package static func isBeyond(_ byteCountMax: Int, _ value: Day) -> Bool { !value.isInRange }
  package static func shown(_ value: Day, _ bytes: RawSpan) -> PropertyValue { .day(value) }
}

/// The coding of a month: its raw value as a signed number.
package struct MonthCoding: RequiredCoding {
  @inline(__always) package static var blank: Month { Month(rawValue: 0) }
  @inline(__always)
  package static func write(_ value: Month, to writer: inout ByteWriter) {
    writer.zigzag(Int64(value.rawValue))
  }
  @inline(__always)
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> Month {
    guard let raw = Int32(exactly: try walk.value.zigzag()) else { throw .invalidValue("month") }
    return Month(rawValue: raw)
  }
  @inline(__always)
  package static func isBeyond(_ byteCountMax: Int, _ value: Month) -> Bool { !value.isInRange }
  package static func shown(_ value: Month, _ bytes: RawSpan) -> PropertyValue { .month(value) }
}

/// The coding of an id: sixteen bytes.
package struct IDCoding<Owner>: RequiredCoding {
  @inline(__always) init() {}
  @inline(__always)
  package static var blank: Identifier<Owner> { Identifier(EntityID(high: 0, low: 0)) }
  @inline(__always)
  package static func write(_ value: Identifier<Owner>, to writer: inout ByteWriter) {
    writer.id(value.rawValue)
  }
  @inline(__always)
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> Identifier<Owner> {
    Identifier(try walk.value.id())
  }
  package static func shown(_ value: Identifier<Owner>, _ bytes: RawSpan) -> PropertyValue {
    .entity(value.rawValue)
  }
}

/// The coding of a named choice: one byte, absent for the first choice (0).
package struct ChoiceCoding<Choice: NamedChoice>: PropertyCoding {
  @inline(__always) init() {}
  @inline(__always) package static var absent: Choice? { Choice(rawValue: 0) }
  @inline(__always) package static var blank: Choice { Choice.first }
  @inline(__always)
  package static func isAbsent(_ value: Choice) -> Bool { value.rawValue == 0 }
  /// Always `false`, so that readers of the JSON don't need to know which choice is the default.
  package static func isLeftOutOfJSON(_ value: Choice) -> Bool { false }
  @inline(__always)
  package static func write(_ value: Choice, to writer: inout ByteWriter) {
    writer.u8(value.rawValue)
  }
  @inline(__always)
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> Choice {
    try walk.value.code()
  }
  package static func shown(_ value: Choice, _ bytes: RawSpan) -> PropertyValue {
    .choice("\(value)")
  }
}

/// The coding of a flag: one byte 1, absent for `false`.
package struct FlagCoding: DefaultedCoding {
  @inline(__always) package static var standard: Bool { false }
  @inline(__always)
  package static func write(_ value: Bool, to writer: inout ByteWriter) { writer.u8(1) }
  @inline(__always)
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> Bool {
    try walk.value.flag()
  }
  package static func shown(_ value: Bool, _ bytes: RawSpan) -> PropertyValue { .flag(value) }
}

/// The coding of a flag that is set by default: one byte 1 for `false`, absent for `true`.
package struct FlagUnlessCoding: DefaultedCoding {
  @inline(__always) package static var standard: Bool { true }
  @inline(__always)
  package static func write(_ value: Bool, to writer: inout ByteWriter) { writer.u8(1) }
  @inline(__always)
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> Bool {
    !(try walk.value.flag())
  }
  package static func shown(_ value: Bool, _ bytes: RawSpan) -> PropertyValue { .flag(value) }
}

/// The coding of a signed number, absent for 0.
package struct NumberCoding: DefaultedCoding {
  @inline(__always) package static var standard: Int64 { 0 }
  @inline(__always)
  package static func write(_ value: Int64, to writer: inout ByteWriter) { writer.zigzag(value) }
  @inline(__always)
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> Int64 {
    try walk.value.zigzag()
  }
  package static func shown(_ value: Int64, _ bytes: RawSpan) -> PropertyValue { .number(value) }
}

/// The coding of a signed number, absent for 1.
package struct NumberUnlessOneCoding: DefaultedCoding {
  @inline(__always) package static var standard: Int64 { 1 }
  @inline(__always)
  package static func write(_ value: Int64, to writer: inout ByteWriter) { writer.zigzag(value) }
  @inline(__always)
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> Int64 {
    try walk.value.zigzag()
  }
  package static func shown(_ value: Int64, _ bytes: RawSpan) -> PropertyValue { .number(value) }
}

/// The coding of a currency: one byte for the code's length and the decimals, then the code.
package struct CurrencyCoding: RequiredCoding {
  @inline(__always) package static var blank: Currency { Currency(packed: 0) }
  @inline(__always)
  package static func write(_ value: Currency, to writer: inout ByteWriter) {
    writer.currency(value)
  }
  @inline(__always)
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> Currency {
    try walk.value.currency()
  }
  package static func shown(_ value: Currency, _ bytes: RawSpan) -> PropertyValue {
    .currency(value)
  }
}

/// The coding of an amount: minor units as a number, then the currency.
package struct MoneyCoding: RequiredCoding {
  @inline(__always) package static var blank: Money { Money(0, Currency(packed: 0)) }
  @inline(__always)
  package static func write(_ value: Money, to writer: inout ByteWriter) { writer.money(value) }
  @inline(__always)
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> Money {
    try walk.value.money()
  }
  package static func shown(_ value: Money, _ bytes: RawSpan) -> PropertyValue { .money(value) }
}

/// The coding of an amount whose currency is in another property: minor units only, absent for 0.
///
/// An amount read from a record has no currency. An amount read from JSON has a currency, which
/// must match the other property.
package struct MinorUnitsCoding: PropertyCoding {
  @inline(__always) package static var absent: Money? { MoneyCoding.blank }
  @inline(__always) package static var blank: Money { MoneyCoding.blank }
  @inline(__always)
  package static func isAbsent(_ value: Money) -> Bool { value.minorUnits == 0 }
  @inline(__always)
  package static func write(_ value: Money, to writer: inout ByteWriter) {
    writer.zigzag(value.minorUnits)
  }
  @inline(__always)
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> Money {
    Money(try walk.value.zigzag(), Currency(packed: 0))
  }
  package static func shown(_ value: Money, _ bytes: RawSpan) -> PropertyValue {
    .number(value.minorUnits)
  }
  package typealias Apart = Int64
  package static func apart(_ bytes: [UInt8]) throws(DecodingFault) -> Int64 {
    try NumberCoding.apart(bytes)
  }
  package static func bytes(_ apart: Int64) -> [UInt8] { NumberCoding.bytes(apart) }
}

extension PropertyCoding where Self == TextCoding {
  /// The coding of a text, absent if empty.
  @inline(__always) package static var text: Self { Self() }
}
extension PropertyCoding where Self == TextUnlessCommaCoding {
  /// The coding of a text, absent if it is a comma.
  @inline(__always) static var textUnlessComma: Self { Self() }
}
extension PropertyCoding where Self == DayCoding {
  /// The coding of a day.
  @inline(__always) package static var day: Self { Self() }
}
extension PropertyCoding where Self == MonthCoding {
  /// The coding of a month.
  @inline(__always) package static var month: Self { Self() }
}
extension PropertyCoding where Self == FlagCoding {
  /// The coding of a flag, absent for `false`.
  @inline(__always) package static var flag: Self { Self() }
}
extension PropertyCoding where Self == FlagUnlessCoding {
  /// The coding of a flag, absent for `true`.
  @inline(__always) package static var flagUnless: Self { Self() }
}
extension PropertyCoding where Self == NumberCoding {
  /// The coding of a signed number, absent for 0.
  @inline(__always) package static var number: Self { Self() }
}
extension PropertyCoding where Self == NumberUnlessOneCoding {
  /// The coding of a signed number, absent for 1.
  @inline(__always) package static var numberUnlessOne: Self { Self() }
}
extension PropertyCoding where Self == CurrencyCoding {
  /// The coding of a currency.
  @inline(__always) package static var currency: Self { Self() }
}
extension PropertyCoding where Self == MoneyCoding {
  /// The coding of an amount with its currency.
  @inline(__always) package static var money: Self { Self() }
}
extension PropertyCoding where Self == MinorUnitsCoding {
  /// The coding of an amount whose currency is in another property.
  @inline(__always) package static var minorUnits: Self { Self() }
}
extension PropertyCoding {
  /// The coding of a named choice, absent for the first choice.
  @inline(__always) package static func choice<Choice>() -> Self
  where Self == ChoiceCoding<Choice> { Self() }
  /// The coding of an id.
  @inline(__always) package static func id<Owner>() -> Self where Self == IDCoding<Owner> { Self() }
}
