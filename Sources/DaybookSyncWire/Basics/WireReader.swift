import DaybookEntities

/// Reads values from an array, and throws the protocol's errors instead of reading past its end.
struct WireReader {
  let bytes: [UInt8]
  private(set) var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var rest: Int { bytes.count - offset }

  private mutating func read<Value>(
    _ body: (inout ByteReader) throws(DecodingFault) -> Value
  ) throws(WireError) -> Value {
    var reader = ByteReader(bytes)
    reader.offset = offset
    do throws(DecodingFault) {
      let value = try body(&reader)
      offset = reader.offset
      return value
    } catch {
      throw WireError(error)
    }
  }

  mutating func u8() throws(WireError) -> UInt8 {
    try read { (reader) throws(DecodingFault) in try reader.u8() }
  }

  mutating func u32() throws(WireError) -> UInt32 {
    try read { (reader) throws(DecodingFault) in try reader.u32be() }
  }

  mutating func u64() throws(WireError) -> UInt64 {
    try read { (reader) throws(DecodingFault) in try reader.u64be() }
  }

  mutating func i64() throws(WireError) -> Int64 { Int64(bitPattern: try u64()) }

  /// Reads a number, which must have its shortest encoding.
  mutating func varint() throws(WireError) -> UInt64 {
    let start = offset
    let value = try read { (reader) throws(DecodingFault) in try reader.varint() }
    guard offset - start == 1 || bytes[offset - 1] != 0 else {
      throw WireError(.invalid, at: start, "a number is not in its shortest form")
    }
    return value
  }

  mutating func u32varint(_ what: String) throws(WireError) -> UInt32 {
    let start = offset
    guard let value = UInt32(exactly: try varint()) else {
      throw WireError(.invalid, at: start, "\(what) has more than 32 bits")
    }
    return value
  }

  /// Reads the element count of a list: at most `most` elements, of at least `least` bytes each.
  mutating func count(
    _ what: String, most: Int, eachAtLeast least: Int
  ) throws(WireError) -> Int {
    let start = offset
    let value = try varint()
    guard value <= UInt64(most) else {
      throw WireError(.tooLarge, at: start, "\(value) \(what) exceed the limit of \(most)")
    }
    guard Int(value) <= rest / max(least, 1) else {
      throw WireError(.truncated, at: start, "\(value) \(what) do not fit in \(rest) bytes")
    }
    return Int(value)
  }

  mutating func raw(_ count: Int) throws(WireError) -> [UInt8] {
    try read { (reader) throws(DecodingFault) in try reader.bytes(count) }
  }

  /// Reads a byte count and that many bytes.
  mutating func counted(_ what: String, most: Int) throws(WireError) -> [UInt8] {
    try raw(try count("bytes of \(what)", most: most, eachAtLeast: 1))
  }

  mutating func text(_ what: String, most: Int) throws(WireError) -> String {
    let start = offset
    let utf8 = try counted(what, most: most)
    guard let text = String(validating: utf8, as: UTF8.self) else {
      throw WireError(.invalid, at: start, "\(what) is not UTF-8")
    }
    return text
  }

  mutating func hash() throws(WireError) -> Hash256 {
    try read { (reader) throws(DecodingFault) in try reader.hash() }
  }

  mutating func id() throws(WireError) -> EntityID {
    try read { (reader) throws(DecodingFault) in try reader.id() }
  }

  /// Reads a byte that must be the supported protocol version.
  mutating func version() throws(WireError) {
    let start = offset
    let found = try u8()
    guard found == WireLimits.version else {
      throw WireError(
        .unknownVersion, at: start,
        "wire version \(found), but this program supports only \(WireLimits.version)")
    }
  }
}

extension ByteWriter {
  mutating func i64be(_ value: Int64) { u64be(UInt64(bitPattern: value)) }

  mutating func counted(_ value: [UInt8]) {
    varint(UInt64(value.count))
    raw(value)
  }
}
