import DaybookBookkeeping
import DaybookEntities

/// The reason why a record can't be read.
struct QIFFault: Error {
  var line: Int
  var code: BadLine.Code
  var reason: String
  var remedy: String
}

/// The fields of a record.
private struct QIFRecord {
  var date: QIFLine?
  var amount: QIFLine?
  var isExact = false
  var payee = ""
  var memo = ""
  var code = ""
  var isReconciled = false
  var address: [String] = []
  var category = QIFCategory("")
  var parts: [QIFPartDraft] = []
}

/// The fields of a part of a split.
private struct QIFPartDraft {
  var category: QIFCategory
  var memo = ""
  var amount: QIFLine?
}

extension QIFReader {
  mutating func takeRow(_ currency: Currency, _ index: Int) {
    do {
      try addRow(currency, index)
    } catch {
      note(error)
    }
  }

  mutating func note(_ fault: QIFFault) {
    contents.note(
      BadLine(line: fault.line, code: fault.code, reason: fault.reason, remedy: fault.remedy))
  }

  private mutating func addRow(_ currency: Currency, _ index: Int) throws(QIFFault) {
    guard let first = record.first else { return }
    let draft = draft()
    let day = try day(draft.date, first.number)
    let parts = try parts(draft, currency)
    let units: Int64
    if let line = draft.amount {
      units = try amount(line, currency)
    } else {
      units = try sum(parts, first.number)
    }
    let category = draft.category
    if let target = category.target, parts.isEmpty,
      isOpening(index, target, draft.payee),
      contents.statements[index].opening == nil
    {
      contents.statements[index].opening = StatedBalance(
        line: first.number, day: day, amount: Money(units, currency))
      contents.statements[index].begins = true
      return
    }
    var row = StatementRow(
      line: first.number, day: day, amount: Money(units, currency), description: draft.memo,
      payee: draft.payee, note: draft.address.joined(separator: "\n"), tags: category.tags)
    row.code = draft.code
    row.isReconciled = draft.isReconciled
    if parts.count > 1 {
      guard try sum(parts, first.number) == units else {
        throw QIFFault(
          line: first.number, code: .amount,
          reason:
            "The parts add up to \(Money(try sum(parts, first.number), currency)), not "
            + "\(row.amount).",
          remedy: "Correct the splits or the amount.")
      }
      row.parts = parts
    } else if let part = parts.first, part.amount.minorUnits == units {
      row.category = part.category
      put(part.target, in: &row, index)
      if !part.note.isEmpty { row.note += row.note.isEmpty ? part.note : "\n\(part.note)" }
    } else if !parts.isEmpty {
      throw QIFFault(
        line: first.number, code: .amount, reason: "The only part differs from the row's amount.",
        remedy: "Correct the split or the amount.")
    } else {
      row.category = category.path
      put(category.target, in: &row, index)
    }
    for part in draft.parts {
      for tag in part.category.tags where !row.tags.contains(tag) { row.tags.append(tag) }
    }
    row.fitTexts()
    contents.statements[index].rows.append(row)
  }

  /// Makes a row a transfer, unless the target is the account itself.
  func put(_ target: String?, in row: inout StatementRow, _ index: Int) {
    if let target, target != contents.statements[index].account.name { row.target = target }
  }

  /// Returns whether a transfer is the opening balance, which is a transfer from the account to
  /// itself.
  ///
  /// If the file has no list of accounts, the opening balance also specifies the account's name.
  mutating func isOpening(_ index: Int, _ target: String, _ payee: String) -> Bool {
    let name = contents.statements[index].account.name
    if !name.isEmpty { return name == target }
    return contents.statements[index].rows.isEmpty
      && payee.lowercased() == "opening balance" && self.name(index, target)
  }

  /// Names the account if the record is its opening balance, because the account determines the
  /// record's currency.
  mutating func nameAccount(_ index: Int) {
    guard contents.statements[index].account.name.isEmpty else { return }
    let payee = record.last { $0.code == UInt8(ascii: "P") }
    let target = record.last { $0.code == UInt8(ascii: "L") }.flatMap { category($0).target }
    guard let payee, let target else { return }
    _ = isOpening(index, target, cleaner.text(payee.text, in: bytes))
  }

  // MARK: - Fields

  private mutating func draft() -> QIFRecord {
    var draft = QIFRecord()
    for line in record {
      switch line.code {
      case UInt8(ascii: "D"):
        if draft.parts.isEmpty { draft.date = line } else { untaken("the date of a part", line) }
      case UInt8(ascii: "T"):
        draft.amount = line
        draft.isExact = true
      case UInt8(ascii: "U"): if !draft.isExact { draft.amount = line }
      case UInt8(ascii: "P"): append(line, &draft.payee)
      case UInt8(ascii: "M"): append(line, &draft.memo)
      case UInt8(ascii: "N"): draft.code = cleaner.text(line.text, in: bytes)
      case UInt8(ascii: "A"):
        let text = cleaner.text(line.text, in: bytes)
        if !text.isEmpty { draft.address.append(text) }
      case UInt8(ascii: "L"): draft.category = category(line)
      case UInt8(ascii: "S"): draft.parts.append(QIFPartDraft(category: category(line)))
      case UInt8(ascii: "E"):
        if draft.parts.isEmpty {
          untaken("the memo of a part (E) before any part", line)
        } else {
          append(line, &draft.parts[draft.parts.count - 1].memo)
        }
      case UInt8(ascii: "$"):
        if draft.parts.isEmpty {
          untaken("the amount of a part ($) before any part", line)
        } else {
          draft.parts[draft.parts.count - 1].amount = line
        }
      case UInt8(ascii: "C"): draft.isReconciled = isReconciled(line)
      // Ignore a part's percentage and the mark for reimbursable expenses.
      case UInt8(ascii: "%"), UInt8(ascii: "F"): break
      default: untaken("the field \(Character(Unicode.Scalar(line.code)))", line)
      }
    }
    return draft
  }

  /// Returns whether a row is marked as reconciled (X or R).
  ///
  /// Rows with `*`, `c` or no mark are cleared.
  mutating func isReconciled(_ line: QIFLine) -> Bool {
    ["x", "r"].contains(cleaner.text(line.text, in: bytes).lowercased())
  }

  private mutating func append(_ line: QIFLine, _ text: inout String) {
    let more = cleaner.text(line.text, in: bytes)
    text = text.isEmpty ? more : more.isEmpty ? text : "\(text) \(more)"
  }

  mutating func untaken(_ what: String, _ line: QIFLine) {
    if !line.text.isEmpty { notices.add("Skipped \(what)", line.number) }
  }

  private static let categoryCountMax = 10_000

  mutating func category(_ line: QIFLine) -> QIFCategory {
    let text = cleaner.text(line.text, in: bytes)
    if let known = categories[text] { return known }
    // `--Split--` replaces the category if the row has parts.
    let category = QIFCategory(text == "--Split--" ? "" : text)
    if categories.count < Self.categoryCountMax { categories[text] = category }
    return category
  }

  // MARK: - Values

  func day(_ line: QIFLine?, _ first: Int) throws(QIFFault) -> Day {
    guard let line else {
      throw QIFFault(
        line: first, code: .date, reason: "The row has no date (D).", remedy: "Add it to the row.")
    }
    guard let day = dates.day(line.text, in: bytes) else {
      throw QIFFault(
        line: line.number, code: .date,
        reason: "“\(quoted(line))” isn't a valid date.",
        remedy: "Write it as in 2024-01-31.")
    }
    return day
  }

  func quoted(_ line: QIFLine) -> String {
    String(decoding: bytes[line.text].prefix(60), as: UTF8.self)
  }

  mutating func amount(_ line: QIFLine, _ currency: Currency) throws(QIFFault) -> Int64 {
    let reason: String
    if style(of: line.text, currency) == nil {
      if contents.unclearAmount == nil {
        contents.unclearAmount = UnclearAmount(line: line.number, text: quoted(line))
      }
      throw QIFFault(
        line: line.number, code: .amount,
        reason: "“\(quoted(line))” is ambiguous: its mark could separate decimals or thousands.",
        remedy: "Set the decimal mark.")
    }
    do {
      if let units = try amount(line.text, currency) { return units }
      reason = "The amount is blank."
    } catch {
      switch error {
      case .decimals:
        reason = "“\(quoted(line))” has more decimals than \(currency.code)."
      case .overflow: reason = "“\(quoted(line))” is too large for an amount."
      case .grouping, .notANumber: reason = "“\(quoted(line))” isn't an amount."
      }
    }
    throw QIFFault(
      line: line.number, code: .amount, reason: reason,
      remedy: "Write it with digits, a sign and one decimal mark, such as -12.50.")
  }

  mutating func amount(
    _ range: Range<Int>, _ currency: Currency
  ) throws(NumberStyle.Fault) -> Int64? {
    guard let style = style(of: range, currency) else { throw .notANumber }
    return try style.parse(
      range, in: bytes.span, digits: currency.digits, code: Array(currency.code.utf8))
  }

  private func sum(
    _ parts: [StatementRow.Part], _ line: Int
  ) throws(QIFFault) -> Int64 {
    guard !parts.isEmpty else {
      throw QIFFault(
        line: line, code: .amount, reason: "The row has no amount (T).",
        remedy: "Add it to the row.")
    }
    let units = parts.reduce(Int128(0)) { $0 + Int128($1.amount.minorUnits) }
    guard let sum = Int64(exactly: units) else {
      throw QIFFault(
        line: line, code: .amount, reason: "The sum of the parts is too large.",
        remedy: "Correct the splits.")
    }
    return sum
  }

  private mutating func parts(
    _ draft: QIFRecord, _ currency: Currency
  ) throws(QIFFault) -> [StatementRow.Part] {
    var parts: [StatementRow.Part] = []
    for part in draft.parts {
      guard let line = part.amount else {
        throw QIFFault(
          line: record.first?.number ?? 1, code: .amount, reason: "A part has no amount ($).",
          remedy: "Add it to the part.")
      }
      parts.append(
        StatementRow.Part(
          Money(try amount(line, currency), currency), category: part.category.path,
          target: part.category.target, note: part.memo))
    }
    return parts
  }
}
