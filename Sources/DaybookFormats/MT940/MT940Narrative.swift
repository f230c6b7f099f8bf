import DaybookBookkeeping
import DaybookEntities

/// The parsed text of a row's `:86:` field, in any of its national forms.
///
/// A reader reuses one value, so that its buffers keep their capacity.
struct MT940Narrative: Sendable {
  /// The length of a full line.
  ///
  /// Longer texts are wrapped there, even within words.
  static let lineWidth = 65
  /// The length of a full subfield in the German form.
  static let subfieldWidth = 27

  /// The joined lines.
  var text: [UInt8] = []
  /// The parts that form the purpose.
  var purposes: [Range<Int>] = []
  /// The joined purpose before it is split at keywords, and the offsets of its parts.
  var purpose: [UInt8] = []
  var purposeStarts: [Int] = []

  /// The bank's name for the type of booking.
  var bookingText = ""
  var description = ""
  var payee = ""
  var account = ""
  var bank = ""
  var endToEnd = ""
  var customerReference = ""
  var mandate = ""
  var creditor = ""
  /// Other texts, each with a label.
  var rest: [(label: StaticString, text: String)] = []

  init() {}

  /// Parses the texts of a row.
  mutating func read(_ row: MT940Row, _ bytes: [UInt8]) {
    clear()
    if !row.narrative.isEmpty { readNarrative(row.narrative, bytes) }
    if !row.nonSwift.isEmpty { readNonSwift(row.nonSwift, bytes) }
  }

  private mutating func clear() {
    text.removeAll(keepingCapacity: true)
    purposes.removeAll(keepingCapacity: true)
    purpose.removeAll(keepingCapacity: true)
    purposeStarts.removeAll(keepingCapacity: true)
    rest.removeAll(keepingCapacity: true)
    bookingText = ""
    description = ""
    payee = ""
    account = ""
    bank = ""
    endToEnd = ""
    customerReference = ""
    mandate = ""
    creditor = ""
  }

  private mutating func readNarrative(_ lines: [Range<Int>], _ bytes: [UInt8]) {
    joinLines(lines, bytes)
    if let separator = separator() {
      readSubfields(separator)
    } else if let first = firstWord() {
      readWords(from: first)
    } else {
      purpose = text
      readKeywords()
    }
  }

  /// Joins the lines.
  ///
  /// A full line continues in the next line without a space. After a shorter line, a space is
  /// inserted. The German form doesn't wrap at spaces, so a space is inserted only if the line is
  /// exactly one character short.
  private mutating func joinLines(_ lines: [Range<Int>], _ bytes: [UInt8]) {
    guard lines.count > 1 else {
      if let line = lines.first { text += bytes[line] }
      return
    }
    let hasSubfields = Self.hasSubfields(lines[0], bytes)
    let longest = lines.lazy.map { Self.count($0, bytes) }.max() ?? 0
    let isNarrow = longest == 35 || longest == Self.subfieldWidth
    let width = isNarrow && !hasSubfields ? longest : Self.lineWidth
    for (index, line) in lines.enumerated() {
      text += bytes[line]
      guard index + 1 < lines.count else { continue }
      // Some banks count the tag as part of the first line.
      let count = Self.count(line, bytes)
      let isFull = count >= width || index == 0 && count + 4 == width
      let lacksBlank = hasSubfields ? count == width - 1 || count == 0 : !isFull
      if lacksBlank, !Self.beginsSubfield(lines[index + 1], bytes) { text.append(0x20) }
    }
  }

  /// Returns whether a line begins as in the German form, with an optional three-digit code and a
  /// separator.
  private static func hasSubfields(_ line: Range<Int>, _ bytes: [UInt8]) -> Bool {
    var rest = line.drop { bytes[$0] <= 0x20 }
    let digits = rest.prefix { bytes[$0] &- 0x30 <= 9 }.count
    if digits == 3 { rest = rest.dropFirst(3) }
    return (digits == 0 || digits == 3) && beginsSubfield(rest, bytes)
  }

  /// Returns whether a line begins with a separator and two digits.
  private static func beginsSubfield(_ line: Range<Int>, _ bytes: [UInt8]) -> Bool {
    line.count > 2 && separators.contains(bytes[line.lowerBound])
      && bytes[line.lowerBound + 1] &- 0x30 <= 9 && bytes[line.lowerBound + 2] &- 0x30 <= 9
  }

  /// Removes spaces from a text if it is an account number.
  static func accountNumber(_ text: String) -> String {
    guard text.utf8.contains(0x20) else { return text }
    let bare = text.filter { $0 != " " }
    return bare.allSatisfy(\.isNumber) || MT940Reader.isIBAN(bare) ? bare : text
  }

  /// Returns the number of characters in a range.
  static func count(_ range: Range<Int>, _ bytes: [UInt8]) -> Int {
    var count = 0
    for index in range where bytes[index] & 0xC0 != 0x80 { count += 1 }
    return count
  }

  /// Returns part of a text, without surrounding blanks.
  func string(_ range: Range<Int>, of bytes: [UInt8]) -> String {
    CollapsedText.string(range, of: bytes.span)
  }

  /// Adds a text for which a row has no property.
  mutating func add(_ label: StaticString, _ text: String) {
    if !text.isEmpty { rest.append((label, text)) }
  }
}

// The bank-specific `:NS:` field, whose lines begin with two digits.
extension MT940Narrative {
  private mutating func readNonSwift(_ lines: [Range<Int>], _ bytes: [UInt8]) {
    var purposes: [String] = []
    var names: [String] = []
    for line in lines where line.count > 2 {
      let code = String(decoding: bytes[line.prefix(2)], as: UTF8.self)
      let value = string(line.dropFirst(2), of: bytes)
      switch code {
      case "01"..."14": purposes.append(value)
      case "15", "16": names.append(value)
      case "17": bookingText = value
      case "18", "19", "20": continue
      default: add("", string(line, of: bytes))
      }
    }
    let joined = purposes.joined(separator: " ")
    if description.isEmpty { description = joined } else { add("", joined) }
    if payee.isEmpty { payee = names.joined(separator: " ") }
  }
}
