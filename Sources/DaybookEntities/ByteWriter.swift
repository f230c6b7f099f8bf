/// A buffer that encodes values in Daybook's encoding (`Docs/Format.md`, "Values").
public struct ByteWriter: Sendable {
  /// The bytes written so far.
  public var bytes: [UInt8]

  /// Creates a writer and reserves capacity for `byteCount` bytes.
  @inlinable
  public init(reserving byteCount: Int = 64) {
    bytes = []
    bytes.reserveCapacity(byteCount)
  }

  /// Appends one byte.
  @inlinable
  public mutating func u8(_ value: UInt8) { bytes.append(value) }

  /// Appends two bytes, most significant first.
  @inlinable
  public mutating func u16be(_ value: UInt16) { bigEndian(value) }

  /// Appends four bytes, most significant first.
  @inlinable
  public mutating func u32be(_ value: UInt32) { bigEndian(value) }

  /// Appends eight bytes, most significant first.
  @inlinable
  public mutating func u64be(_ value: UInt64) { bigEndian(value) }

  @inlinable
  mutating func bigEndian(_ value: some FixedWidthInteger) {
    var swapped = value.bigEndian
    unsafe withUnsafeBytes(of: &swapped) { unsafe bytes.append(contentsOf: $0) }
  }

  /// Appends an unsigned LEB128 number, which has seven bits per byte, least significant first.
  @inlinable
  public mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a signed number in zigzag encoding, as LEB128.
  @inlinable
  public mutating func zigzag(_ value: Int64) {
    varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// Appends a text: its byte count as a varint, followed by its UTF-8 bytes.
  @inlinable
  public mutating func string(_ value: String) {
    var text = value
    text.withUTF8 { utf8 in
      varint(UInt64(utf8.count))
      unsafe bytes.append(contentsOf: utf8)
    }
  }

  /// Appends bytes without a count.
  @inlinable
  public mutating func raw(_ value: some Sequence<UInt8>) { bytes.append(contentsOf: value) }

  /// Appends the sixteen bytes of an id.
  @inlinable
  public mutating func id(_ value: EntityID) {
    u64be(value.high)
    u64be(value.low)
  }
}
