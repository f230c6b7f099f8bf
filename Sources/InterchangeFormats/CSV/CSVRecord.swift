/// One record of a CSV file: where its fields are, without copying them.
///
/// A reader fills the same record again and again, so that a row costs no allocation; a field
/// becomes a `String` when `text(_:in:)` is asked for it.
public struct CSVRecord: Sendable {
  struct Field {
    var start: Int
    var end: Int
    var isQuoted: Bool
    var hasDoubledQuotes: Bool
  }

  /// The physical line on which the record begins, from 1.
  public internal(set) var line = 0
  var fields: [Field] = []
  var quote: UInt8 = 0x22

  /// A record without fields.
  public init() { fields.reserveCapacity(32) }

  /// How many fields the record has.
  public var count: Int { fields.count }

  /// Where the bytes of a field are, without its outer quotes.
  public func range(_ index: Int) -> Range<Int> { fields[index].start..<fields[index].end }

  /// Whether a field stood in quotes.
  public func isQuoted(_ index: Int) -> Bool { fields[index].isQuoted }

  /// The range of a field without blanks around it; a field with doubled quotes is not shortened.
  public func trimmedRange(_ index: Int, in bytes: borrowing Span<UInt8>) -> Range<Int> {
    var start = fields[index].start
    var end = fields[index].end
    while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
    while start < end, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
    return start..<end
  }

  /// Whether a field is empty or blank.
  public func isBlank(_ index: Int, in bytes: borrowing Span<UInt8>) -> Bool {
    trimmedRange(index, in: bytes).isEmpty
  }

  /// A field's text with doubled quotes made single, and blanks around it kept.
  /// - Complexity: O(length); allocates where the text is longer than 15 bytes.
  public func text(_ index: Int, in bytes: borrowing Span<UInt8>) -> String {
    text(range(index), escaped: fields[index].hasDoubledQuotes, in: bytes)
  }

  /// A field's text without the blanks around it.
  public func trimmedText(_ index: Int, in bytes: borrowing Span<UInt8>) -> String {
    text(trimmedRange(index, in: bytes), escaped: fields[index].hasDoubledQuotes, in: bytes)
  }

  private func text(
    _ range: Range<Int>, escaped: Bool, in bytes: borrowing Span<UInt8>
  ) -> String {
    guard escaped else {
      return unsafe bytes.extracting(range).withUnsafeBufferPointer {
        unsafe String(decoding: $0, as: UTF8.self)
      }
    }
    var plain: [UInt8] = []
    plain.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      plain.append(bytes[index])
      index += bytes[index] == quote ? 2 : 1
    }
    return String(decoding: plain, as: UTF8.self)
  }
}
