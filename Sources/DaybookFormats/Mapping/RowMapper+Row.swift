import DaybookBookkeeping

extension RowMapper {
  /// Converts a record to a row.
  /// - Returns: `nil` if the mapping skips the row.
  /// - Throws: A `BadLine` with the line, column, reason and remedy.
  mutating func row(
    _ record: borrowing CSVRecord, in bytes: borrowing Span<UInt8>
  ) throws(BadLine) -> StatementRow? {
    badBalance = nil
    if isSkipped(record, in: bytes) { return nil }
    try checkWidth(record)
    let currency = try self.currency(currency, record, in: bytes)
    guard let moved = try moved(currency, record, in: bytes) else { return nil }
    let account = try name(account, "account", record, in: bytes)
    var row = StatementRow(
      line: record.line, day: try day(record, in: bytes),
      amount: Money(moved.units, currency), isInflow: moved.isInflow, account: account,
      category: [],
      description: text(description, record, in: bytes), payee: text(payee, record, in: bytes),
      note: text(note, record, in: bytes), tags: [])
    for level in category {
      let path = CategoryPath(leavingOutBlanksOf: text(level, record, in: bytes))
      if row.category.names.isEmpty {
        row.category = path
      } else {
        row.category.names += path.names
      }
    }
    for tag in tags {
      let name = text(tag, record, in: bytes)
      if !name.isEmpty { row.tags.append(name) }
    }
    if let transferAccount {
      let name = text(transferAccount, record, in: bytes)
      if !name.isEmpty { try target(name, &row, record, in: bytes) }
    }
    if let fee { try charge(fee, to: &row, record, in: bytes) }
    if let original {
      row.original = try self.original(
        original.column, original.currency, beside: currency, record, in: bytes)
    }
    if let balance {
      do {
        row.statedBalance = try amount(balance, currency, record, in: bytes)
      } catch {
        // The row is imported without its balance.
        badBalance = error
      }
    }
    return row
  }

  private func isSkipped(
    _ record: borrowing CSVRecord, in bytes: borrowing Span<UInt8>
  ) -> Bool {
    for bound in rules {
      let rule = bound.rule
      if let fewest = rule.fewerColumnsThan, record.count < fewest { return true }
      if let column = bound.column {
        let value = text(column, record, in: bytes, renamed: false)
        if rule.equals?.contains(value) == true { return true }
        if let start = rule.beginsWith, value.hasPrefix(start) { return true }
      } else if rule.fewerColumnsThan == nil {
        var isBlank = true
        for index in 0..<record.count where !record.isBlank(index, in: bytes) { isBlank = false }
        if isBlank { return true }
      }
    }
    return false
  }

  private mutating func checkWidth(_ record: borrowing CSVRecord) throws(BadLine) {
    guard let columnCount else {
      columnCount = record.count
      return
    }
    guard ragged == .refuse, record.count != columnCount else { return }
    throw BadLine(
      line: record.line, code: .ragged,
      reason: "The row has \(record.count) columns, not \(columnCount).",
      remedy: "Correct the row, check the delimiter, or allow ragged rows in the mapping.")
  }

  private func day(
    _ record: borrowing CSVRecord, in bytes: borrowing Span<UInt8>
  ) throws(BadLine) -> Day {
    if date.index < record.count {
      let range = record.trimmedRange(date.index, in: bytes)
      if let (year, month, day) = datePattern.parse(range, in: bytes) {
        if let day = Day(year: year, month: month, day: day) { return day }
        throw bad(
          date, record, .date, "The date \(year)-\(month)-\(day) doesn't exist.",
          "Correct the date, or the date format in the mapping.")
      }
    }
    throw bad(
      date, record, .date,
      "\"\(text(date, record, in: bytes, renamed: false))\" isn't a date in the format "
        + "\(datePattern.text).",
      "Correct the date, or the date format in the mapping.")
  }

  private func currency(
    _ parts: [Part], _ record: borrowing CSVRecord, in bytes: borrowing Span<UInt8>
  ) throws(BadLine) -> Currency {
    if let constantCurrency { return constantCurrency }
    let code = text(parts, record, in: bytes)
    if code.isEmpty, let currency = try blankCurrency(parts, record, in: bytes) { return currency }
    return try known(code, parts, record)
  }

  func known(
    _ code: String, _ parts: [Part], _ record: borrowing CSVRecord
  ) throws(BadLine) -> Currency {
    if let currency = currencies[code] ?? Currency.iso(code) { return currency }
    throw bad(
      firstColumn(parts), record, .currency,
      code.isEmpty ? "The row has no currency." : "The currency \(code) is unknown.",
      code.isEmpty
        ? "Use an ISO 4217 code, or set the currency of such rows with blankCurrency."
        : "Use an ISO 4217 code, or map this value to one under `values` in the mapping.")
  }

  private func target(
    _ name: String, _ row: inout StatementRow, _ record: borrowing CSVRecord,
    in bytes: borrowing Span<UInt8>
  ) throws(BadLine) {
    row.target = name
    guard let transferAmount else { return }
    var other = row.amount.currency
    let code = text(transferCurrency, record, in: bytes)
    if !code.isEmpty { other = try known(code, transferCurrency, record) }
    guard let units = try amount(transferAmount, other, record, in: bytes) else { return }
    guard units != .min else { throw overflow(transferAmount, other, record, in: bytes) }
    row.targetAmount = Money(abs(units), other)
  }
}

// MARK: - Texts

extension RowMapper {
  private func name(
    _ parts: [Part], _ what: String, _ record: borrowing CSVRecord,
    in bytes: borrowing Span<UInt8>
  ) throws(BadLine) -> String {
    let name = text(parts, record, in: bytes)
    guard name.isEmpty else { return name }
    throw bad(
      firstColumn(parts), record, .name, "The row has no \(what).",
      "Correct the row, or set the \(what) to a constant name in the mapping.")
  }

  func firstColumn(_ parts: [Part]) -> Column? {
    for case .columns(let columns) in parts { return columns.first }
    return nil
  }

  /// Returns the text of a template; empty if it contains columns and all of them are blank.
  func text(
    _ parts: [Part], _ record: borrowing CSVRecord, in bytes: borrowing Span<UInt8>
  ) -> String {
    if parts.count == 1, case .columns(let columns) = parts[0] {
      return firstText(columns, record, in: bytes)
    }
    var result = ""
    var hasColumns = false
    var hasValue = false
    for part in parts {
      switch part {
      case .literal(let literal): result += literal
      case .columns(let columns):
        let value = firstText(columns, record, in: bytes)
        hasColumns = true
        if !value.isEmpty { hasValue = true }
        result += value
      }
    }
    return hasColumns && !hasValue ? "" : trimmed(result)
  }

  private func trimmed(_ text: String) -> String {
    guard text.first == " " || text.last == " " else { return text }
    let start = text.drop { $0 == " " }
    let count = start.reversed().prefix { $0 == " " }.count
    return String(start.dropLast(count))
  }

  private func firstText(
    _ columns: [Column], _ record: borrowing CSVRecord, in bytes: borrowing Span<UInt8>
  ) -> String {
    for column in columns {
      let value = text(column, record, in: bytes, renamed: true)
      if !value.isEmpty { return value }
    }
    return ""
  }

  func text(
    _ column: Column, _ record: borrowing CSVRecord, in bytes: borrowing Span<UInt8>,
    renamed: Bool
  ) -> String {
    guard column.index < record.count else { return "" }
    let value = record.trimmedText(column.index, in: bytes)
    guard renamed, let values = column.values else { return value }
    return values[value] ?? value
  }

  func bad(
    _ column: Column?, _ record: borrowing CSVRecord, _ code: BadLine.Code, _ reason: String,
    _ remedy: String
  ) -> BadLine {
    BadLine(
      line: record.line, column: column.map { $0.index + 1 }, header: column?.header, code: code,
      reason: reason, remedy: remedy)
  }
}
