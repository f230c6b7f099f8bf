import Bookkeeping
import Entities

/// What `:86:` says below a row, whichever of its national forms it has.
///
/// One is filled again and again, so that it keeps its room.
struct MT940Narrative: Sendable {
  /// How long a full line is: a longer text is wrapped there, in the middle of words.
  static let lineWidth = 65
  /// How long a full subfield of the German form is.
  static let subfieldWidth = 27

  /// The lines as one text.
  var text: [UInt8] = []
  /// The parts that are put together as the purpose.
  var purposes: [Range<Int>] = []
  /// The purpose before it is parted by keywords, and where parts of it begin.
  var purpose: [UInt8] = []
  var purposeStarts: [Int] = []

  /// What the bank calls the booking.
  var bookingText = ""
  var description = ""
  var payee = ""
  var account = ""
  var bank = ""
  var endToEnd = ""
  var customerReference = ""
  var mandate = ""
  var creditor = ""
  /// What has no place of its own, with a label.
  var rest: [(label: StaticString, text: String)] = []

  init() {}

  /// Reads what stands below a row.
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

  /// Makes one text of the lines.
  ///
  /// A full line goes on without a blank in the next one. At the end of a shorter one was a blank; in the
  /// German form, which does not wrap at words, only where the line lacks just that one.
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
      // Some banks count the tag of the first line.
      let count = Self.count(line, bytes)
      let isFull = count >= width || index == 0 && count + 4 == width
      let lacksBlank = hasSubfields ? count == width - 1 || count == 0 : !isFull
      if lacksBlank, !Self.beginsSubfield(lines[index + 1], bytes) { text.append(0x20) }
    }
  }

  /// Whether a line begins like the German form: three digits and a separator, or a separator.
  private static func hasSubfields(_ line: Range<Int>, _ bytes: [UInt8]) -> Bool {
    var rest = line.drop { bytes[$0] <= 0x20 }
    let digits = rest.prefix { bytes[$0] &- 0x30 <= 9 }.count
    if digits == 3 { rest = rest.dropFirst(3) }
    return (digits == 0 || digits == 3) && beginsSubfield(rest, bytes)
  }

  /// Whether a separator and two digits come first.
  private static func beginsSubfield(_ line: Range<Int>, _ bytes: [UInt8]) -> Bool {
    line.count > 2 && separators.contains(bytes[line.lowerBound])
      && bytes[line.lowerBound + 1] &- 0x30 <= 9 && bytes[line.lowerBound + 2] &- 0x30 <= 9
  }

  /// What a file writes as an account's number, without blanks where it is one.
  static func accountNumber(_ text: String) -> String {
    guard text.utf8.contains(0x20) else { return text }
    let bare = text.filter { $0 != " " }
    return bare.allSatisfy(\.isNumber) || MT940Reader.isIBAN(bare) ? bare : text
  }

  /// How many characters a part of a text has.
  static func count(_ range: Range<Int>, _ bytes: [UInt8]) -> Int {
    var count = 0
    for index in range where bytes[index] & 0xC0 != 0x80 { count += 1 }
    return count
  }

  /// A part of a text, without blanks around it.
  func string(_ range: Range<Int>, of bytes: [UInt8]) -> String {
    CollapsedText.string(range, of: bytes.span)
  }

  /// Adds what has no place of its own.
  mutating func add(_ label: StaticString, _ text: String) {
    if !text.isEmpty { rest.append((label, text)) }
  }
}

// The banks' own field, of lines that begin with two digits.
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
    let told = purposes.joined(separator: " ")
    if description.isEmpty { description = told } else { add("", told) }
    if payee.isEmpty { payee = names.joined(separator: " ") }
  }
}
