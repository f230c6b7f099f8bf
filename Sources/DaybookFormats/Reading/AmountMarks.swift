import DaybookBookkeeping

/// How the amounts of a file use the point and the comma.
///
/// A mark before exactly three final digits separates either decimals or groups of digits. The
/// other amounts of the file show which.
struct AmountMarks: Sendable {
  /// The meaning of the marks in one amount.
  enum Meaning: Equatable {
    /// The amount has no marks.
    case none
    /// This mark separates the decimals, or would if there were any.
    case decimal(UInt8)
    /// This mark could separate decimals or groups of digits.
    case unclear(UInt8)
  }

  static let point = UInt8(ascii: ".")
  static let comma = UInt8(ascii: ",")

  /// The numbers of amounts in which each mark separates the decimals.
  private(set) var pointCount = 0
  private(set) var commaCount = 0
  /// The marks before three final digits of which the last isn't a zero.
  ///
  /// In a currency with fewer decimals, such a mark separates groups of digits.
  private var fine: Set<UInt8> = []

  /// Returns the meaning of the marks in an amount.
  static func meaning(of range: Range<Int>, in bytes: [UInt8]) -> Meaning {
    var counts = (point: 0, comma: 0)
    var last = -1
    var leading: UInt8 = 0
    var digitCount = 0
    var isGrouped = false
    for index in range {
      let byte = bytes[index]
      if byte == point || byte == comma {
        if byte == point { counts.point += 1 } else { counts.comma += 1 }
        last = index
      } else if byte &- 0x30 <= 9, last < 0 {
        if digitCount == 0 { leading = byte }
        digitCount += 1
      } else if byte == UInt8(ascii: "'") || byte == 0x20, digitCount > 0, last < 0 {
        isGrouped = true
      }
    }
    guard last >= 0 else { return .none }
    let mark = bytes[last]
    let (own, other) = mark == point ? counts : (counts.comma, counts.point)
    // A repeated mark separates groups.
    if own > 1 { return other == 0 ? .decimal(Self.other(than: mark)) : .none }
    let decimals = bytes[(last + 1)..<range.upperBound].prefix { $0 &- 0x30 <= 9 }.count
    let isUnclear =
      other == 0 && !isGrouped && decimals == 3 && (1...3).contains(digitCount)
      && leading != UInt8(ascii: "0")
    return isUnclear ? .unclear(mark) : .decimal(mark)
  }

  static func other(than mark: UInt8) -> UInt8 { mark == point ? comma : point }

  /// Counts the marks of an amount.
  mutating func add(_ range: Range<Int>, in bytes: [UInt8]) {
    switch Self.meaning(of: range, in: bytes) {
    case .decimal(let mark): add(decimal: mark)
    case .unclear(let mark):
      if bytes[range].last(where: { $0 &- 0x30 <= 9 }) != UInt8(ascii: "0") { fine.insert(mark) }
    case .none: break
    }
  }

  /// Counts an amount with this decimal mark.
  mutating func add(decimal mark: UInt8) {
    if mark == Self.point { pointCount += 1 } else { commaCount += 1 }
  }

  /// Returns whether a mark before three final digits separates decimals, or `nil` if neither the
  /// other amounts nor the decimals of the currency show that.
  ///
  /// - Parameter allowsGroups: Whether three digits after the mark are a group if the currency has
  ///   fewer decimals and the last digit isn't a zero.
  func isDecimal(_ mark: UInt8, digits: Int, allowsGroups: Bool) -> Bool? {
    let (own, other) = mark == Self.point ? (pointCount, commaCount) : (commaCount, pointCount)
    switch (own > 0, other > 0) {
    case (true, false): return true
    case (false, true): return false
    case (true, true): return nil
    case (false, false):
      if digits == 0 || allowsGroups && digits < 3 && fine.contains(mark) { return false }
      return digits >= 3 ? true : nil
    }
  }
}

/// An amount whose mark could separate decimals or groups of digits.
struct UnclearAmount: Sendable {
  var line: Int
  var text: String

  /// Reads a file in which amounts are unclear once with each mark, and returns the contents that
  /// agree with the stated balances.
  /// - Throws: A question if both or neither agree.
  static func settle(
    _ options: ReadingOptions,
    _ read: (ReadingOptions) throws(InterchangeError) -> FileContents
  ) throws(InterchangeError) -> FileContents {
    let contents = try read(options)
    guard let unclear = contents.unclearAmount else { return contents }
    var agreeing: [FileContents] = []
    for mark in [".", ","] as [Character] {
      var chosen = options
      chosen.decimalMark = mark
      let contents = try read(chosen)
      if contents.agreesWithBalances { agreeing.append(contents) }
    }
    if agreeing.count == 1 { return agreeing[0] }
    throw unclear.question
  }

  private var question: InterchangeError {
    let digits = text.filter { $0 != "." && $0 != "," }
    let mark: Character = text.contains(",") ? "," : "."
    let meanings =
      "\(digits) (--decimal \(mark == "," ? "." : ",")) or "
      + "\(text.replacing(",", with: ".")) (--decimal \(mark))"
    return InterchangeError(
      .format, "The amount “\(text)” could be \(meanings), and the file doesn't show which.",
      remedy: "Set the decimal mark.", line: line)
  }
}

extension FileContents {
  /// Whether the rows of each statement lead to its closing balance, from zero if there is no
  /// opening balance.
  fileprivate var agreesWithBalances: Bool {
    guard badLineCount == 0, statements.contains(where: { $0.closing != nil }) else { return false }
    return statements.allSatisfy { statement in
      guard let closing = statement.closing else { return true }
      var statement = statement
      statement.opening =
        statement.opening
        ?? StatedBalance(line: 1, day: closing.day, amount: .zero(closing.amount.currency))
      return statement.difference?.units == 0
    }
  }
}
