package import Entities

/// A text, absent where empty.
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
  package static func shown(_ value: String, _ bytes: RawSpan) -> PropertyValue { .text(value) }
}

/// A text, absent where it is a comma.
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

/// A day: four bytes, biased and big-endian.
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
  package static func shown(_ value: Day, _ bytes: RawSpan) -> PropertyValue { .day(value) }
}

/// An id: sixteen bytes.
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

/// One of named choices: one byte, absent where it is the first (0).
package struct ChoiceCoding<Choice: NamedChoice>: PropertyCoding {
  @inline(__always) init() {}
  @inline(__always) package static var absent: Choice? { Choice(rawValue: 0) }
  @inline(__always) package static var blank: Choice { Choice.first }
  @inline(__always)
  package static func isAbsent(_ value: Choice) -> Bool { value.rawValue == 0 }
  /// Never: a reader of JSON should not have to know which choice is the first.
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

/// A flag: one byte 1, absent where `false`.
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

/// A flag that is set by default: one byte 1 says that it is not.
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

/// A signed number, absent where 0.
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

/// A signed number, absent where 1.
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

/// A currency: one byte of length and decimals, then the code.
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

/// An amount: minor units as a number, then the currency.
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

/// An amount in a currency that another property says: its minor units alone, absent where 0.
///
/// What is read from a record has no currency; JSON has it, and must agree with the other property.
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

/// An amount in the currency of an account that another property names: its minor units, then the currency.
///
/// Ledgers from before the first release have the minor units alone, or nothing where they are 0: what is
/// read from them has no currency.
package struct AccountMoneyCoding: PropertyCoding {
  @inline(__always) package static var absent: Money? { MoneyCoding.blank }
  @inline(__always) package static var blank: Money { MoneyCoding.blank }
  @inline(__always)
  package static func isAbsent(_ value: Money) -> Bool { value == MoneyCoding.blank }
  @inline(__always)
  package static func write(_ value: Money, to writer: inout ByteWriter) {
    writer.zigzag(value.minorUnits)
    if value.currency != CurrencyCoding.blank { writer.currency(value.currency) }
  }
  @inline(__always)
  @_lifetime(walk: copy walk)
  package static func read(_ walk: inout RecordWalk) throws(DecodingFault) -> Money {
    let units = try walk.value.zigzag()
    return Money(units, walk.value.isAtEnd ? CurrencyCoding.blank : try walk.value.currency())
  }
  package static func shown(_ value: Money, _ bytes: RawSpan) -> PropertyValue {
    value.currency == CurrencyCoding.blank ? .number(value.minorUnits) : .money(value)
  }
}

extension PropertyCoding where Self == TextCoding {
  /// A text, absent where empty.
  @inline(__always) package static var text: Self { Self() }
}
extension PropertyCoding where Self == TextUnlessCommaCoding {
  /// A text, absent where it is a comma.
  @inline(__always) static var textUnlessComma: Self { Self() }
}
extension PropertyCoding where Self == DayCoding {
  /// A day.
  @inline(__always) package static var day: Self { Self() }
}
extension PropertyCoding where Self == FlagCoding {
  /// A flag, absent where `false`.
  @inline(__always) package static var flag: Self { Self() }
}
extension PropertyCoding where Self == FlagUnlessCoding {
  /// A flag, absent where `true`.
  @inline(__always) package static var flagUnless: Self { Self() }
}
extension PropertyCoding where Self == NumberCoding {
  /// A signed number, absent where 0.
  @inline(__always) package static var number: Self { Self() }
}
extension PropertyCoding where Self == NumberUnlessOneCoding {
  /// A signed number, absent where 1.
  @inline(__always) package static var numberUnlessOne: Self { Self() }
}
extension PropertyCoding where Self == CurrencyCoding {
  /// A currency.
  @inline(__always) package static var currency: Self { Self() }
}
extension PropertyCoding where Self == MoneyCoding {
  /// An amount with its currency.
  @inline(__always) package static var money: Self { Self() }
}
extension PropertyCoding where Self == MinorUnitsCoding {
  /// An amount whose currency another property says.
  @inline(__always) package static var minorUnits: Self { Self() }
}
extension PropertyCoding where Self == AccountMoneyCoding {
  /// An amount in the currency of an account that another property names.
  @inline(__always) static var accountMoney: Self { Self() }
}
extension PropertyCoding {
  /// One of named choices, absent where it is the first.
  @inline(__always) package static func choice<Choice>() -> Self
  where Self == ChoiceCoding<Choice> { Self() }
  /// An id.
  @inline(__always) package static func id<Owner>() -> Self where Self == IDCoding<Owner> { Self() }
}
