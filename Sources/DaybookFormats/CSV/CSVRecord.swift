/// One record of a CSV file.
///
/// It stores the ranges of its fields without copying them. A reader reuses the same record, so
/// that reading a row doesn't allocate. A field is converted to a `String` when you call
/// `text(_:in:)`.
public struct CSVRecord: Sendable {
  struct Field {
    var start: Int
    var end: Int
    var isQuoted: Bool
    var hasDoubledQuotes: Bool
  }

  /// The physical line where the record begins, from 1.
  public internal(set) var line = 0
  var fields: [Field] = []
  var quote: UInt8 = 0x22

  /// Creates an empty record.
  public init() { fields.reserveCapacity(32) }

  /// The number of fields.
  public var count: Int { fields.count }

  /// The byte range of a field, without its outer quotes.
  public func range(_ index: Int) -> Range<Int> { fields[index].start..<fields[index].end }

  /// Whether a field was quoted.
  public func isQuoted(_ index: Int) -> Bool { fields[index].isQuoted }

  /// The byte range of a field, without spaces and tabs around it.
  ///
  /// Doubled quotes in the range aren't unescaped.
  public func trimmedRange(_ index: Int, in bytes: borrowing Span<UInt8>) -> Range<Int> {
    var start = fields[index].start
    var end = fields[index].end
    while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
    while start < end, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
    return start..<end
  }

  /// Whether a field is empty or consists of spaces and tabs.
  public func isBlank(_ index: Int, in bytes: borrowing Span<UInt8>) -> Bool {
    trimmedRange(index, in: bytes).isEmpty
  }

  /// The text of a field.
  ///
  /// Doubled quotes are unescaped, and surrounding blanks are kept.
  /// - Complexity: O(*n*) in the length; allocates if the text is longer than 15 bytes.
  public func text(_ index: Int, in bytes: borrowing Span<UInt8>) -> String {
    text(range(index), escaped: fields[index].hasDoubledQuotes, in: bytes)
  }

  /// The text of a field, without spaces and tabs around it.
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
