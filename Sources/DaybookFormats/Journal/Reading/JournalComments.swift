import DaybookBookkeeping
import DaybookEntities

/// Parsing of tags in comments, following the rules of hledger and ledger.
package enum JournalComments {
  /// Adds a tag unless it is already present.
  ///
  /// Returns `false` if the transaction has too many tags, or if the tag is empty or too long.
  @discardableResult
  static func add(_ label: String, to tags: inout [String]) -> Bool {
    if tags.contains(label) { return true }
    guard tags.count < Limits.tagCountMax, !label.isEmpty,
      label.utf8.count <= Limits.tagByteCountMax
    else { return false }
    tags.append(label)
    return true
  }

  /// Returns the tags of a comment, and whether the comment contains only tags.
  package static func labels(
    _ text: [UInt8], _ range: Range<Int>, _ dialect: JournalDialect
  ) -> (labels: [String], isWhole: Bool) {
    guard text[range].contains(UInt8(ascii: ":")) else { return ([], false) }
    return dialect == .hledger ? hledger(text, range) : ledger(text, range)
  }

  /// Parses hledger's tags: `name:value` anywhere in the comment, up to a comma.
  private static func hledger(
    _ text: [UInt8], _ range: Range<Int>
  ) -> (labels: [String], isWhole: Bool) {
    var labels: [String] = []
    var isWhole = true
    var wordStart = range.lowerBound
    var at = range.lowerBound
    while at < range.upperBound {
      let byte = text[at]
      if byte == UInt8(ascii: ":"), at > wordStart {
        var stop = at + 1
        while stop < range.upperBound, text[stop] != UInt8(ascii: ",") { stop += 1 }
        append(label(text, wordStart..<at, at + 1..<stop), &labels, &isWhole)
        at = stop + 1
        wordStart = at
        continue
      }
      if byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") {
        // A word without a colon is text.
        if at > wordStart || byte == UInt8(ascii: ":") { isWhole = false }
        wordStart = at + 1
      }
      at += 1
    }
    return (labels, isWhole && wordStart >= range.upperBound)
  }

  /// Parses ledger's tags: `:name:name:` anywhere in the comment, and `name: value` at its
  /// beginning.
  private static func ledger(
    _ text: [UInt8], _ range: Range<Int>
  ) -> (labels: [String], isWhole: Bool) {
    var labels: [String] = []
    var isWhole = true
    var at = range.lowerBound
    var isFirst = true
    while at < range.upperBound {
      while at < range.upperBound, text[at] <= 0x20 { at += 1 }
      let start = at
      while at < range.upperBound, text[at] > 0x20 { at += 1 }
      guard at > start else { break }
      let isMarked = text[at - 1] == UInt8(ascii: ":") && at - start > 1
      if isMarked, text[start] == UInt8(ascii: ":") {
        for name in text[start..<at].split(separator: UInt8(ascii: ":")) {
          append(String(decoding: name, as: UTF8.self), &labels, &isWhole)
        }
      } else if isMarked, isFirst, text[at - 2] != UInt8(ascii: ":") {
        append(label(text, start..<at - 1, at..<range.upperBound), &labels, &isWhole)
        return (labels, isWhole)
      } else {
        isWhole = false
      }
      isFirst = false
    }
    return (labels, isWhole && !labels.isEmpty)
  }

  private static func append(_ label: String?, _ labels: inout [String], _ isWhole: inout Bool) {
    if let label, !label.isEmpty { labels.append(label) } else { isWhole = false }
  }

  /// Returns the label for a tag, or `nil` for a tag that contains a date.
  private static func label(
    _ text: [UInt8], _ name: Range<Int>, _ value: Range<Int>
  ) -> String? {
    let name = String(decoding: text[name], as: UTF8.self)
    guard name != "date", name != "date2" else { return nil }
    let value = trimmed(String(decoding: text[value], as: UTF8.self))
    if value.isEmpty { return name }
    // Daybook exports labels that aren't valid tag names as `tag:label`.
    return name == "tag" ? decoded(value) : "\(name):\(value)"
  }

  /// Decodes percent-encoding, such as `%2C` for a comma.
  static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var at = 0
    while at < bytes.count {
      if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count,
        let high = hexValue(bytes[at + 1]), let low = hexValue(bytes[at + 2])
      {
        result.append(high << 4 | low)
        at += 3
      } else {
        result.append(bytes[at])
        at += 1
      }
    }
    return String(validating: result, as: UTF8.self) ?? text
  }

  /// Returns the text on one line, with runs of blanks collapsed.
  static func plain(_ text: [UInt8], _ range: Range<Int>) -> String {
    var isPlain = true
    var last: UInt8 = 0x20
    for byte in text[range] {
      if byte < 0x20 || byte == 0x7F || (byte == 0x20 && last == 0x20) {
        isPlain = false
        break
      }
      last = byte
    }
    if isPlain, last != 0x20 || range.isEmpty {
      return String(decoding: text[range], as: UTF8.self)
    }
    var bytes: [UInt8] = []
    for byte in text[range] {
      let byte = byte < 0x20 || byte == 0x7F ? 0x20 : byte
      if byte != 0x20 || (bytes.last ?? 0x20) != 0x20 { bytes.append(byte) }
    }
    if bytes.last == 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
