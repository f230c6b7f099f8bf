/// Appends values to a buffer of bytes in Daybook's encoding (`Docs/Format.md`, "Values").
public struct ByteWriter: Sendable {
  /// What has been written.
  public var bytes: [UInt8]

  /// A writer with room for `byteCount` bytes.
  @inlinable
  public init(reserving byteCount: Int = 64) {
    bytes = []
    bytes.reserveCapacity(byteCount)
  }

  /// One byte.
  @inlinable
  public mutating func u8(_ value: UInt8) { bytes.append(value) }

  /// Two bytes, most significant first.
  @inlinable
  public mutating func u16be(_ value: UInt16) { bigEndian(value) }

  /// Four bytes, most significant first.
  @inlinable
  public mutating func u32be(_ value: UInt32) { bigEndian(value) }

  /// Eight bytes, most significant first.
  @inlinable
  public mutating func u64be(_ value: UInt64) { bigEndian(value) }

  @inlinable
  mutating func bigEndian(_ value: some FixedWidthInteger) {
    var swapped = value.bigEndian
    unsafe withUnsafeBytes(of: &swapped) { unsafe bytes.append(contentsOf: $0) }
  }

  /// An unsigned LEB128 number: seven bits a byte, least significant first.
  @inlinable
  public mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// A signed number, zigzag folded, then LEB128.
  @inlinable
  public mutating func zigzag(_ value: Int64) {
    varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// A byte count as varint, then UTF-8.
  @inlinable
  public mutating func string(_ value: String) {
    var text = value
    text.withUTF8 { utf8 in
      varint(UInt64(utf8.count))
      unsafe bytes.append(contentsOf: utf8)
    }
  }

  /// Bytes as they are, without a count.
  @inlinable
  public mutating func raw(_ value: some Sequence<UInt8>) { bytes.append(contentsOf: value) }

  /// Sixteen bytes.
  @inlinable
  public mutating func id(_ value: EntityID) {
    u64be(value.high)
    u64be(value.low)
  }
}
