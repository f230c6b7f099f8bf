// Goal: what is appended to a key can be read back, ends where it is said to, and sorts as it should.
// Method: currencies, numbers and periods at the edges of their short and long forms, each followed by a byte.

import DaybookBookkeeping
import DaybookEngine
import DaybookEntities
import DaybookProjections
import Testing

@Suite struct KeyTests {
  @Test(arguments: [
    ("EUR", 2, 2), ("AAA", 2, 2), ("ZZZ", 2, 2), ("JPY", 0, 4), ("KWD", 3, 4), ("ABC", 13, 4),
    ("ABC", 14, 5), ("ABC", 18, 5), ("A", 2, 2), ("AB", 2, 3), ("A1C", 2, 4), ("EURO", 2, 5),
    ("ABCDEF9", 18, 9),
  ]) func currencies(code: String, digits: Int, byteCount: Int) throws {
    let currency = try #require(Currency(code: code, digits: digits))
    var key = TableKey()
    key.append(u8: 7)
    key.append(currency: currency)
    #expect(key.count == 1 + byteCount)
    key.append(u8: 0xff)
    try key.withBytes { (bytes) throws in
      var reader = ByteReader(bytes)
      _ = try reader.u8()
      let read = try reader.keyCurrency()
      #expect(read == currency)
      #expect(reader.offset == 1 + byteCount)
    }
  }

  /// None begins another, so that what follows one is never taken for a part of it.
  @Test func noCurrencyBeginsAnother() throws {
    var keys: [TableKey] = []
    for code in ["A", "AB", "ABC", "ABCD", "EUR", "EURO", "USD", "ABCDEFG"] {
      for digits in [0, 2, 13, 14, 18] {
        var key = TableKey()
        key.append(currency: try #require(Currency(code: code, digits: digits)))
        keys.append(key)
      }
    }
    for key in keys {
      let after = try #require(key.afterPrefix)
      #expect(keys.count { $0 >= key && $0 < after } == 1)
    }
  }

  /// What was not written by us is refused, so that going on from a key never leads back to it: all that a
  /// damaged byte or two can make of a key.
  @Test func whatIsReadIsWhatWouldBeWritten() throws {
    var mistaken: [[UInt8]] = []
    func check(_ bytes: [UInt8]) throws {
      do {
        var reader = ByteReader(bytes.span.bytes)
        let currency = try reader.keyCurrency()
        var key = TableKey()
        key.append(currency: currency)
        let end = reader.offset
        let again = key.withBytes { $0.copied() }
        if again != Array(bytes[..<end]) || currency.digits > 18 { mistaken.append(bytes) }
      } catch {}
      do {
        var reader = ByteReader(bytes.span.bytes)
        var key = TableKey()
        key.append(number: try reader.keyNumber())
        let end = reader.offset
        if key.withBytes({ $0.copied() }) != Array(bytes[..<end]) { mistaken.append(bytes) }
      } catch {}
    }
    let tails: [[UInt8]] = [
      [], [0x45], [0x45, 0x55, 0x52], [0x12, 0x45, 0x54, 0x48], [0, 0, 0, 5],
      [0x45, 0, 0x52, 0x41],
      [0x45, 0x55, 0x52, 0x4f, 0x31, 0x41, 0x41, 0x41],
    ]
    for head in UInt8.min ... .max {
      for second in UInt8.min ... .max {
        for tail in tails { try check([head, second] + tail) }
      }
    }
    var key = TableKey()
    key.append(currency: try #require(Currency(code: "ETH", digits: 18)))
    let whole = key.withBytes { $0.copied() }
    for place in whole.indices {
      for byte in UInt8.min ... .max {
        var damaged = whole
        damaged[place] = byte
        try check(damaged)
      }
    }
    #expect(mistaken.prefix(10) == [])
  }

  @Test func numbersSortAndAreReadBack() throws {
    let numbers: [UInt32] = [
      0, 1, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0x3fff_ffff, 0x4000_0000, 0x8000_0000, .max,
    ]
    var keys: [TableKey] = []
    for number in numbers {
      var key = TableKey()
      key.append(number: number)
      keys.append(key)
      let end = key.count
      key.append(u8: 0xff)
      try key.withBytes { (bytes) throws in
        var reader = ByteReader(bytes)
        let read = try reader.keyNumber()
        #expect(read == number)
        #expect(reader.offset == end)
      }
    }
    #expect(keys.map(\.count) == [2, 2, 2, 2, 4, 4, 4, 5, 5, 5])
    #expect(keys == keys.sorted())
  }

  @Test func periodsSortAndAreReadBack() throws {
    let indexes: [Int32] = [-1 << 29, Day.min.rawValue, -1, 0, 1, Day.max.rawValue, 1 << 29 - 1]
    var keys: [TableKey] = []
    for level in Period.Level.allCases {
      for index in indexes {
        var key = TableKey()
        key.append(Period(level: level, index: index))
        keys.append(key)
        #expect(key.periodLevel(at: 0) == level)
        try key.withBytes { (bytes) throws in
          var reader = ByteReader(bytes)
          let read = try reader.keyPeriod()
          #expect(read.level == level.rawValue && read.index == index)
        }
      }
    }
    #expect(keys == keys.sorted() && keys.allSatisfy { $0.count == 4 })
    // Bounds beyond all days are the least and the greatest.
    var bounds = (TableKey(), TableKey())
    bounds.0.append(.day, .min)
    bounds.1.append(.day, .max)
    #expect(keys[21] == bounds.0 && keys[27] == bounds.1)
  }
}
