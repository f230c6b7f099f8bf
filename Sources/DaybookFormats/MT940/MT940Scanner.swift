import DaybookEntities

/// The fields of MT940 and MT942 that Daybook distinguishes.
enum MT940Tag: Hashable, Sendable {
  /// `:20:`, which begins a message.
  case reference
  /// `:25:`, the account.
  case account
  /// `:60F:` and `:60M:`, the opening balance.
  case opening
  /// `:61:`, a row.
  case row
  /// `:62F:` and `:62M:`, the closing balance.
  case closing
  /// `:64:` and `:65:`, the available balances.
  case available
  /// `:86:`, the texts of a row or of the account.
  case narrative
  /// `:NS:`, a bank-specific field.
  case nonSwift
  /// `:34F:` of MT942, which states the currency.
  case floorLimit
  /// `:13D:` of MT942, the time of the report.
  case time
  /// `:21:`, `:28C:`, `:90D:` and other fields that are ignored.
  case other
}

/// A line of a message.
struct MT940Line: Sendable {
  /// The range of the line, without its line end.
  var range: Range<Int>
  /// The physical line, from 1.
  var number: Int
}

/// Steps through the lines of messages and recognises fields by their tags.
struct MT940Scanner: Sendable {
  let bytes: [UInt8]
  private(set) var offset = 0
  private var number = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the next line.
  ///
  /// Lines end with CR, LF or CRLF.
  mutating func next() -> MT940Line? {
    guard offset < bytes.count else { return nil }
    let start = offset
    let end = MT940Scanner.endOfLine(from: start, in: bytes.span)
    offset = end + 1
    if end + 1 < bytes.count, bytes[end] == 0x0D, bytes[end + 1] == 0x0A { offset = end + 2 }
    number += 1
    return MT940Line(range: start..<end, number: number)
  }

  private static func endOfLine(from start: Int, in bytes: borrowing Span<UInt8>) -> Int {
    var index = start
    while index < bytes.count {
      let byte = unsafe bytes[unchecked: index]
      if byte == 0x0A || byte == 0x0D { break }
      index += 1
    }
    return index
  }

  /// Returns the tag of the field that begins in a line, and the offset of its value.
  ///
  /// - Parameter followsColon: Whether the previous line consists of the tag's first colon.
  func field(
    in line: MT940Line, followsColon: Bool = false
  ) -> (tag: MT940Tag, value: Int)? {
    var index = line.range.lowerBound
    let end = line.range.upperBound
    // The line may begin with control characters of the transmission protocol.
    while index < end, bytes[index] <= 0x20 { index += 1 }
    if followsColon, index < end, bytes[index] != 0x3A { index -= 1 }
    guard index + 3 < end, followsColon || bytes[index] == 0x3A else { return nil }
    let first = bytes[index + 1]
    let second = bytes[index + 2]
    var value = index + 4
    var suffix: UInt8 = 0
    if bytes[index + 3] != 0x3A {
      guard index + 4 < end, bytes[index + 4] == 0x3A else { return nil }
      suffix = bytes[index + 3]
      value = index + 5
    }
    if first == UInt8(ascii: "N"), second == UInt8(ascii: "S"), suffix == 0 {
      return (.nonSwift, value)
    }
    guard first &- 0x30 <= 9, second &- 0x30 <= 9 else { return nil }
    guard let tag = tag(first &- 0x30, second &- 0x30, suffix) else { return nil }
    return (tag, value)
  }

  private func tag(_ tens: UInt8, _ ones: UInt8, _ suffix: UInt8) -> MT940Tag? {
    let isFinal = suffix == UInt8(ascii: "F") || suffix == UInt8(ascii: "M")
    switch (tens * 10 + ones, suffix) {
    case (20, 0): return .reference
    case (25, 0), (25, UInt8(ascii: "P")): return .account
    case (60, _) where isFinal || suffix == 0: return .opening
    case (61, 0): return .row
    case (62, _) where isFinal || suffix == 0: return .closing
    case (64, 0), (65, 0): return .available
    case (86, 0): return .narrative
    case (34, UInt8(ascii: "F")): return .floorLimit
    case (13, 0), (13, UInt8(ascii: "D")): return .time
    case (21, 0), (28, 0), (28, UInt8(ascii: "C")): return .other
    case (90, UInt8(ascii: "C")), (90, UInt8(ascii: "D")): return .other
    default: return nil
    }
  }

  /// The meaning of a line that isn't the start of a field.
  enum Mark {
    /// The end of a message.
    case end
    /// A single hyphen, which is the end of a message unless more of its fields follow.
    case hyphen
    /// The beginning of a message's text; contains its offset.
    case beginning(Int)
    /// The header blocks of a message, without its text.
    case header
    /// A continuation of the previous field.
    case continuation
    /// The first colon of a tag that continues on the next line.
    case colon
    /// A blank line.
    case blank
  }

  /// Returns the meaning of a line that isn't the start of a field.
  func mark(of line: MT940Line) -> Mark {
    var range = line.range
    while !range.isEmpty, bytes[range.lowerBound] <= 0x20 { range.removeFirst() }
    while !range.isEmpty, bytes[range.upperBound - 1] <= 0x20 { range.removeLast() }
    guard let first = range.first.map({ bytes[$0] }) else { return .blank }
    if range.count == 1, first == 0x2D { return .hyphen }
    if range.count == 1, first == 0x3A { return .colon }
    let isEnd = first == 0x2D && bytes[range.lowerBound + 1] == 0x7D
    guard isEnd || first == 0x7B else { return .continuation }
    var index = range.lowerBound
    while index + 2 < range.upperBound {
      if bytes[index] == 0x7B, bytes[index + 1] == 0x34, bytes[index + 2] == 0x3A {
        return .beginning(index + 3)
      }
      index += 1
    }
    if isEnd { return .end }
    let isHeader = range.count > 2 && bytes[range.lowerBound + 2] == 0x3A
    return isHeader ? .header : .continuation
  }
}
