/// The date order and decimal mark of a whole file.
struct QIFSurvey {
  /// The first date that is valid only with the day first, and the first date that is valid only
  /// with the month first.
  private var dayFirst: QIFLine?
  private var monthFirst: QIFLine?
  /// The first date that is valid in both orders, with different results.
  private var unclear: QIFLine?
  private var hasPoints = false
  /// The marks of all amounts.
  private(set) var marks = AmountMarks()
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var lines = QIFLines(bytes)
    var header: QIFHeader?
    var isInParts = false
    while let line = lines.next() {
      switch line.code {
      case UInt8(ascii: "!"):
        if let next = QIFHeader(line, in: bytes), next != .option { header = next }
        isInParts = false
      case UInt8(ascii: "^"): isInParts = false
      case UInt8(ascii: "S"): isInParts = true
      case UInt8(ascii: "D"):
        if header?.mayHaveRows == true, !isInParts { take(date: line) }
      case UInt8(ascii: "/"):
        if header == .account { take(date: line) }
      case UInt8(ascii: "T"), UInt8(ascii: "U"):
        if header?.mayHaveRows == true { marks.add(line.text, in: bytes) }
      case UInt8(ascii: "$"):
        if header != .option { marks.add(line.text, in: bytes) }
      default: break
      }
    }
  }

  private mutating func take(date line: QIFLine) {
    guard let date = QIFDate(line.text, in: bytes), !date.isSettled else { return }
    hasPoints = hasPoints || date.hasPoints
    if date.first > 12, date.second <= 12 {
      if dayFirst == nil { dayFirst = line }
    } else if date.second > 12, date.first <= 12 {
      if monthFirst == nil { monthFirst = line }
    } else if date.first != date.second, unclear == nil {
      unclear = line
    }
  }

  /// Returns whether the day comes before the month.
  /// - Throws: `InterchangeError` if the file contains both orders, or if its dates are ambiguous.
  func isDayFirst() throws(InterchangeError) -> Bool {
    if let dayFirst, let monthFirst {
      throw failure(
        "The dates use two orders: “\(text(dayFirst))” on line \(dayFirst.number) has the day "
          + "first, but “\(text(monthFirst))” on line \(monthFirst.number) the month.",
        max(dayFirst.number, monthFirst.number))
    }
    if dayFirst != nil { return true }
    if monthFirst != nil || unclear == nil { return false }
    if hasPoints { return true }
    throw failure(
      "The dates are ambiguous: “\(unclear.map(text) ?? "")” could have the day or the month "
        + "first.",
      unclear?.number ?? 1)
  }

  private func text(_ line: QIFLine) -> String {
    String(decoding: bytes[line.text].prefix(30), as: UTF8.self)
  }

  private func failure(_ message: String, _ line: Int) -> InterchangeError {
    InterchangeError(
      .format, message, remedy: "Set the order with --date-order.", line: line)
  }
}
