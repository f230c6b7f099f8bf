import Daybook
import Interchange
import Terminal

/// What a mapping makes of a file, shown before anything is recorded.
struct ImportPreview {
  let path: String
  let mapping: ImportMapping
  let doubts: [String]
  let file: MappedFile
  private static let rowCount = 10

  /// What the mapping means, the first rows as they would be read, and what is wrong.
  func show() throws {
    try Output.lines(meaning.lines(for: .output))
    try Output.line("")
    var table = TextTable([
      .init("Line", .right), .init("Day", isFlexible: false), .init("Account"),
      .init("Amount", .right), .init("", isFlexible: false), .init("Category"), .init("Text"),
    ])
    for row in file.rows.prefix(Self.rowCount) {
      let words = [row.payee, row.description, row.note].filter { !$0.isEmpty }
      let account = row.target.map { "\(row.account) → \($0)" } ?? row.account
      table.add([
        .init("\(row.line)", .dim), .init("\(row.day)"), .init(account),
        Figures.cell(Total(row.amount), row.amount.minorUnits > 0 ? .green : .plain),
        .init(row.amount.currency.code), .init(row.category.joined(separator: ":")),
        .init(words.joined(separator: "; ")),
      ])
    }
    try Output.table(table, ifEmpty: "No rows.")
    try Output.line("")
    let days = file.rows.map(\.day)
    let span = days.min().map { " from \($0) to \(days.max() ?? $0)" } ?? ""
    let skipped = file.skippedCount > 0 ? ", \(Figures.count(file.skippedCount)) left out" : ""
    try Output.line(
      "\(Figures.count(file.rows.count)) rows\(span)\(skipped); "
        + "\(Figures.count(file.badLineCount)) bad lines.")
    try Output.lines(file.badLines.prefix(20).map { "  \($0)".printable })
    if file.badLineCount > 20 {
      try Output.line("  … and \(Figures.count(file.badLineCount - 20)) more")
    }
    try Output.lines(file.mismatches.prefix(20).map { "  balance: \($0)".printable })
    try Output.lines(doubts.map { "Please check: \($0)".printable })
  }

  private var meaning: TextTable {
    var table = TextTable([.init(""), .init("")], showsTitles: false)
    func add(_ name: String, _ value: String?) {
      if let value { table.add([.init(name, .dim), .init(value)]) }
    }
    add("File", path)
    if let header = file.header { add("Columns", header.joined(separator: " | ")) }
    add("Delimiter", mapping.delimiter)
    add("Day", "column \(mapping.date.column), \(mapping.date.format)")
    let amount = mapping.amount
    if let sum = amount.sum {
      let type = amount.type.map { ", its direction from column \($0)" } ?? ""
      add("Amount", "\(sum.text)\(type)\(amount.isInverted ? ", inverted" : "")")
    } else if let column = amount.column {
      let type = amount.type.map { ", its direction from column \($0)" } ?? ""
      add("Amount", "column \(column)\(type)\(amount.isInverted ? ", inverted" : "")")
    } else if let debit = amount.debit, let credit = amount.credit {
      add("Amount", "out in column \(debit), in in column \(credit)")
    }
    add("Decimal mark", mapping.numbers.decimal)
    add("Currency", mapping.currency.text)
    if mapping.blankCurrency != .refuse { add("Where blank", mapping.blankCurrency.text) }
    if let fee = mapping.fee {
      add(
        "Fee",
        "\(fee.amount.text), to \(fee.category.map(\.text).joined(separator: " : "))"
          + (fee.isIncluded ? ", in the amount" : ", beside the amount"))
    }
    if let original = mapping.original {
      add("Paid", "column \(original.column) in \(original.currency.text)")
    }
    add("Account", mapping.account.text)
    if !mapping.category.isEmpty {
      add("Category", mapping.category.map(\.text).joined(separator: " : "))
    }
    add("Description", mapping.description?.text)
    add("Payee", mapping.payee?.text)
    add("Note", mapping.note?.text)
    add("Transfer to", mapping.transfer?.account.text)
    add("Bank's balance", mapping.balance.map { "column \($0.column)" })
    return table
  }

  /// The same for scripts.
  func json() throws -> JSON {
    let rows: [JSON] = file.rows.prefix(Self.rowCount).map { row in
      .object([
        ("line", .count(row.line)), ("day", .day(row.day)), ("account", .string(row.account)),
        ("amount", .string(row.amount.text)), ("currency", .string(row.amount.currency.code)),
        ("fee", .optional(row.fee?.text)), ("original", .optional(row.original?.text)),
        ("originalCurrency", .optional(row.original?.currency.code)),
        ("category", .array(row.category.map { .string($0) })), ("target", .optional(row.target)),
        ("payee", .string(row.payee)), ("description", .string(row.description)),
        ("note", .string(row.note)),
      ])
    }
    let text = String(decoding: try mapping.json(), as: UTF8.self)
    return .object([
      ("mapping", .raw(text)), ("rowCount", .count(file.rows.count)),
      ("leftOut", .count(file.skippedCount)), ("rows", .array(rows)),
      ("badLineCount", .count(file.badLineCount)),
      ("badLines", .array(file.badLines.map { .string("\($0)") })),
      ("balances", .array(file.mismatches.map { .string("\($0)") })),
      ("doubts", .array(doubts.map { .string($0) })),
    ])
  }
}
