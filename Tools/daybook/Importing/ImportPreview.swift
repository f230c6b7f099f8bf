import Daybook
import DaybookInterchange
import DaybookTerminal

/// A preview of an import, shown before anything is recorded.
///
/// It shows the rows, the mapping, open questions, and the command to run next.
struct ImportPreview {
  let path: String
  let mapping: ImportMapping
  let doubts: [String]
  let file: MappedFile
  /// The questions that the guess left open.
  var questions: [MappingQuestion] = []
  var oddRows: [OddRows] = []
  /// Whether a flag or a mapping names the account.
  var isAccountKnown = true
  /// Whether the mapping was given rather than guessed.
  var isMappingKnown = false
  /// Whether to show the next command.
  var showsNext = true
  /// The flags for this preview, as typed.
  var flags: [String] = []

  private static let rowCount = 5
  private static let lineCountMax = 8

  func show() throws {
    let days = file.rows.map(\.day)
    let span = days.min().map { " from \($0) to \(days.max() ?? $0)" } ?? ""
    let skipped = file.skippedCount > 0 ? ", skipped \(Figures.count(file.skippedCount))" : ""
    let bad = file.badLineCount > 0 ? "; \(Figures.count(file.badLineCount)) unreadable" : ""
    try Output.line(
      "\(path): \(Figures.counted(file.rows.count, "transaction"))\(span)\(skipped)\(bad)."
        .printable)
    try Output.line("")
    try Output.table(rows, ifEmpty: "No transactions.")
    try Output.line("")
    try Output.lines(meaning.lines(for: .output))
    try showOpen()
    guard showsNext else { return }
    try Output.line("")
    try Output.line("Next: \(next)".printable)
  }

  private var rows: TextTable {
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
        .init(row.amount.currency.code), .init("\(row.category)"),
        .init(words.joined(separator: "; ")),
      ])
    }
    return table
  }

  private var meaning: TextTable {
    var table = TextTable([.init(""), .init("")], showsTitles: false)
    func add(_ name: String, _ value: String?) {
      if let value { table.add([.init(name, .dim), .init(value)]) }
    }
    add("Day", "\(mapping.date.column), as \(mapping.date.format)")
    let amount = mapping.amount
    let mark = "decimal mark \(mapping.numbers.decimal)"
    if let sum = amount.sum {
      let type = amount.type.map { ", direction from \($0)" } ?? ""
      add(
        "Amount",
        "\(sum.text)\(type)\(amount.isInverted ? ", positive is outgoing" : ""), \(mark)")
    } else if let column = amount.column {
      let type = amount.type.map { ", direction from \($0)" } ?? ""
      let turned = amount.isInverted ? ", positive is outgoing" : ""
      add("Amount", "\(column)\(type)\(turned), \(mark)")
    } else if let debit = amount.debit, let credit = amount.credit {
      add("Amount", "out: \(debit), in: \(credit), \(mark)")
    }
    add("Currency", mapping.currency.literal == "" ? "the account's" : mapping.currency.text)
    if mapping.blankCurrency != .refuse { add("If blank", mapping.blankCurrency.text) }
    if let fee = mapping.fee {
      add(
        "Fee",
        "\(fee.amount.text), to \(fee.category.map(\.text).joined(separator: " : "))"
          + (fee.isIncluded ? ", included in the amount" : ", in addition to the amount"))
    }
    if let original = mapping.original {
      add("Original amount", "\(original.column) in \(original.currency.text)")
    }
    add("Account", mapping.account.text)
    if !mapping.category.isEmpty {
      add("Category", mapping.category.map(\.text).joined(separator: " : "))
    }
    add("Payee", mapping.payee?.text)
    add("Description", mapping.description?.text)
    add("Note", mapping.note?.text)
    add("Transfer to", mapping.transfer?.account.text)
    add(
      "Balance",
      mapping.balance.map {
        "\($0.column)\(file.mismatches.isEmpty ? ", matches the amounts" : "")"
      })
    if let header = file.header { add("Unused", unused(header)) }
    return table
  }

  /// The columns that the mapping doesn't use, or `nil` if it uses all of them.
  private func unused(_ header: [String]) -> String? {
    var used = [mapping.date.column]
    used += [
      mapping.amount.column, mapping.amount.type, mapping.amount.debit, mapping.amount.credit,
      mapping.balance?.column, mapping.transfer?.amount, mapping.original?.column,
    ].compactMap { $0 }
    used += mapping.skipRows.compactMap(\.column)
    let names = Set(used.map { "\($0)".lowercased() })
    let templates =
      [mapping.amount.sum?.text, mapping.fee?.amount.text].compactMap { $0 }
      + ([mapping.currency, mapping.account] + mapping.category + mapping.tags).map(\.text)
      + [
        mapping.description, mapping.payee, mapping.note, mapping.transfer?.account,
        mapping.original?.currency,
      ].compactMap {
        $0?.text
      }
    let left = header.enumerated().filter { place, name in
      !name.isEmpty && !names.contains(name.lowercased()) && !names.contains("\(place + 1)")
        && !templates.contains { text in
          text.lowercased().contains("{\(name.lowercased())") || text.contains("{\(place + 1)}")
            || text.lowercased().contains("|\(name.lowercased())")
        }
    }.map(\.element)
    return left.isEmpty ? nil : left.joined(separator: ", ")
  }

  /// Shows the open questions, then the assumptions.
  private func showOpen() throws {
    let decisions = questions.map(GuessWords.line) + oddRows.map(Self.line)
    if !decisions.isEmpty {
      try Output.line("")
      try Output.line("To decide:")
      try Output.lines(decisions.prefix(Self.lineCountMax).map { "  \($0)".printable })
      if decisions.count > Self.lineCountMax {
        try Output.line("  … and \(decisions.count - Self.lineCountMax) more (--json shows all)")
      }
    }
    var notes = doubts + file.notices.map(\.description)
    notes += file.mismatches.prefix(3).map { "The bank's balance doesn't match: \($0)" }
    if file.mismatches.count > 3 {
      notes.append(
        "… and \(Figures.count(file.mismatches.count - 3)) more balances that don't match")
    }
    if !isAccountKnown { notes.append("The account is missing. Add --account NAME.") }
    guard !notes.isEmpty else { return }
    try Output.line("")
    try Output.line("Please check:")
    try Output.lines(notes.map { "  \($0)".printable })
  }

  private static func line(_ odd: OddRows) -> String {
    let flags = odd.rules.map(GuessWords.skip).joined(separator: " ")
    if odd.hasMoney { return "\(odd.message). Correct the rows or the mapping." }
    return flags.isEmpty
      ? "\(odd.message). To skip them, add --skip-bad."
      : "\(odd.message). To skip \(odd.lines.count == 1 ? "it" : "them"), add \(flags)."
  }

  /// The command to run next.
  ///
  /// With open questions, it is another preview with the likeliest answers; otherwise it is the
  /// import.
  var next: String {
    var words = ["daybook", "import", GuessWords.quoted(path)]
    let answers =
      questions.compactMap { $0.answers.first.map { GuessWords.flag($0.fact) } }
      + oddRows.filter { !$0.hasMoney }.flatMap {
        $0.rules.isEmpty ? ["--skip-bad"] : $0.rules.map(GuessWords.skip)
      }
    if !isMappingKnown || !questions.isEmpty {
      words.append(questions.isEmpty ? "--guess" : "--preview")
    }
    if !isAccountKnown { words.append("--account NAME") }
    words += flags
    for answer in answers where !words.contains(answer) { words.append(answer) }
    return words.joined(separator: " ")
  }
}
