import DaybookBookkeeping
import DaybookEntities

/// The contents of a `:61:` field.
struct MT940Row: Sendable {
  var line: Int
  var valueDay: Day
  var day: Day
  var mark: MT940Mark
  var amount: Money
  /// The transaction type, a letter and three characters such as `NTRF`.
  var type = ""
  var customerReference = ""
  var bankReference = ""
  /// The second line of the field.
  var supplement = ""
  /// The lines of the following `:86:` fields.
  var narrative: [Range<Int>] = []
  /// The lines of the following `:NS:` fields.
  var nonSwift: [Range<Int>] = []
}

// Rows and their texts.
extension MT940Reader {
  mutating func takeRow(_ lines: [Range<Int>], _ line: Int) {
    endRow()
    isInRow = true
    if statement == nil { current { _ in } }
    var whole = lines[0]
    var rest = lines.dropFirst()
    var cursor = MT940Cursor(bytes, whole)
    cursor.skipBlanks()
    guard let valueDay = cursor.day() else {
      return note(.date, line, cursor.index, in: whole, "The value date (yyMMdd) is missing here.")
    }
    guard let day = bookingDay(&cursor, valueDay) else {
      return note(.date, line, cursor.index, in: whole, "The booking date (MMdd) is missing here.")
    }
    cursor.skipBlanks()
    guard let mark = cursor.mark() else {
      return note(.direction, line, cursor.index, in: whole, "C, D, RC or RD is missing here.")
    }
    if (cursor.next | 0x20) &- 0x61 < 26 { cursor.index += 1 }
    cursor.skipBlanks()
    if cursor.index >= whole.upperBound, let second = rest.first {
      // Some banks insert a line break before the amount.
      whole = second
      rest = rest.dropFirst()
      cursor = MT940Cursor(bytes, whole)
    }
    guard let amount = amount(&cursor, mark, line, whole) else { return }
    var row = MT940Row(line: line, valueDay: valueDay, day: day, mark: mark, amount: amount)
    takeReferences(&row, cursor)
    row.supplement = rest.compactMap { text($0) }.joined(separator: " ")
    self.row = row
  }

  /// Parses a booking date in the form MMdd or yyMMdd.
  ///
  /// If it is missing, returns the value date.
  private func bookingDay(_ cursor: inout MT940Cursor, _ valueDay: Day) -> Day? {
    switch cursor.digitCount {
    case 0: return valueDay
    case 6: return cursor.day()
    default:
      if cursor.digitCount == 4, bytes[cursor.index..<cursor.index + 4].allSatisfy({ $0 == 0x30 }) {
        cursor.index += 4
        return valueDay
      }
      return cursor.day(near: valueDay)
    }
  }

  private mutating func amount(
    _ cursor: inout MT940Cursor, _ mark: MT940Mark, _ line: Int, _ value: Range<Int>
  ) -> Money? {
    guard let currency = options.currency(of: statement?.account ?? StatementAccount()) else {
      note(
        .currency, line, cursor.index, in: value,
        "The file doesn't have the account's currency.", "Set the account's currency.")
      return nil
    }
    let place = cursor.index
    let digits = cursor.amount()
    do {
      let units = try DecimalText.minorUnits(
        digits, of: bytes.span, digits: currency.digits, mark: AmountMarks.comma)
      return Money(mark.isCredit ? units : -units, currency)
    } catch {
      let rest = String(decoding: bytes[place..<value.upperBound].prefix(20), as: UTF8.self)
      let written = digits.isEmpty ? rest : String(decoding: bytes[digits], as: UTF8.self)
      note(.amount, line, place, in: value, error.reason(written, currency), error.remedy)
      return nil
    }
  }

  /// Parses the type, the customer's reference, and the bank's reference, which follows two
  /// slashes.
  private func takeReferences(_ row: inout MT940Row, _ cursor: MT940Cursor) {
    var start = cursor.index
    if (cursor.next | 0x20) &- 0x61 < 26, start + 4 <= cursor.end {
      row.type = String(decoding: bytes[start..<start + 4], as: UTF8.self)
      start += 4
    }
    var index = start
    while index + 1 < cursor.end, bytes[index] != 0x2F || bytes[index + 1] != 0x2F { index += 1 }
    guard index + 1 < cursor.end else {
      row.customerReference = text(start..<cursor.end) ?? ""
      return
    }
    row.customerReference = text(start..<index) ?? ""
    row.bankReference = text(index + 2..<cursor.end) ?? ""
  }

  mutating func takeNarrative(_ lines: [Range<Int>], _ line: Int) {
    if isInRow {
      row?.narrative += lines
      return
    }
    guard statement != nil else { return }
    for value in lines {
      guard let said = text(value) else { continue }
      return notice(line, "Skipped a text about the whole statement: “\(said)”.")
    }
  }

  mutating func takeNonSwift(_ lines: [Range<Int>]) {
    if isInRow {
      row?.nonSwift += lines
      return
    }
    // In a field about an account, code 23 contains the account's name.
    for line in lines where line.count > 2 && bytes[line.lowerBound] == UInt8(ascii: "2") {
      guard bytes[line.lowerBound + 1] == UInt8(ascii: "3") else { continue }
      let name = text(line.dropFirst(2)) ?? ""
      current { if $0.account.name.isEmpty { $0.account.name = name } }
    }
  }

  /// Ends the current row and adds it to the statement.
  mutating func endRow() {
    isInRow = false
    guard let done = row else { return }
    row = nil
    narrative.read(done, bytes)
    var made = StatementRow(
      line: done.line, day: done.day, amount: done.amount, isInflow: done.mark.isCredit)
    narrative.fill(&made, done, options)
    statement?.rows.append(made)
  }
}
