import Daybook
import DaybookInterchange
import DaybookTerminal

extension ImportCommand {
  /// Shows the contents of a file in a known format without recording anything.
  func showPreview(_ file: RawFile, as format: any FileFormat.Type) async throws {
    let contents: FileContents
    var effects: ImportEffects?
    let rules = (columns.skipRows + columns.takeRows).map(\.rule)
    if FileSystem.exists(ledger.path) {
      let run = rehearsal
      let choice = formats.choice(columns)
      (contents, effects) = try await ledger.withLedger {
        let contents = try run.read(file, as: format, accounts: choice, in: $0) { _ in }
        let isOpen = !contents.balanceQuestions(settledBy: rules).isEmpty
        return (contents, try await run.effects(of: contents, file.name, isOpen: isOpen, in: $0))
      }
    } else {
      contents = try format.read(
        file, try formats.reading(file, columns, ReadingOptions()))
    }
    var preview = FormatPreview(
      name: file.name, title: format.title, contents: contents,
      questions: contents.balanceQuestions(settledBy: rules))
    preview.effects = effects
    preview.flags = formats.typed + columns.typed
    if !FileSystem.exists(ledger.path), !contents.statements.isEmpty, columns.account == nil,
      formats.accountFor.isEmpty
    {
      preview.flags.append("--account NAME")
    }
    try ledger.json ? Output.json(JSONAnswer(preview)) : preview.show()
  }
}

/// The contents of a file in a known format: its accounts and first transactions, or the size of
/// its books.
struct FormatPreview {
  let name: String
  let title: String
  let contents: FileContents
  /// The questions that the file doesn't answer.
  let questions: [MappingQuestion]
  /// What an import would change; `nil` if there is no ledger.
  var effects: ImportEffects?
  /// The flags for this preview, as typed.
  var flags: [String] = []

  private static let rowCount = 5
  private static let noticeCount = 8

  func show() throws {
    try Output.line("\(name) is \(title).".printable)
    for statement in contents.statements { try show(statement) }
    if let books = contents.books { try show(books) }
    try showOpen()
    if !questions.isEmpty {
      try Output.line("")
      try Output.line("To decide:")
      try Output.lines(questions.map { "  \(GuessWords.line($0))".printable })
    }
    try effects?.show()
    guard contents.badLineCount == 0 else { return }
    try Output.line("")
    try Output.line("Next: \(next)".printable)
  }

  /// The command to run next.
  var next: String {
    let answers = questions.compactMap { $0.answers.first.map { GuessWords.flag($0.fact) } }
    let words = ["daybook import \(GuessWords.quoted(name))"] + flags + (effects?.flags ?? [])
    return (words + answers).joined(separator: " ")
  }

  private func show(_ statement: Statement) throws {
    let days = statement.rows.map(\.day)
    let span = days.min().map { " from \($0) to \(days.max() ?? $0)" } ?? ""
    try Output.line("")
    try Output.line(
      "\(statement.account.words): \(Figures.counted(statement.rows.count, "transaction"))\(span)."
        .printable)
    if !statement.rows.isEmpty {
      var table = TextTable([
        .init("Line", .right), .init("Day", isFlexible: false), .init("Amount", .right),
        .init("", isFlexible: false), .init("Payee"), .init("Text"),
      ])
      for row in statement.rows.prefix(Self.rowCount) {
        table.add([
          .init("\(row.line)", .dim), .init("\(row.day)\(row.isPending ? " pending" : "")"),
          Figures.cell(Total(row.amount), row.amount.minorUnits > 0 ? .green : .plain),
          .init(row.amount.currency.code), .init(row.payee), .init(row.description),
        ])
      }
      try Output.table(table, ifEmpty: "No transactions.")
    }
    for (word, balance) in [("Opening", statement.opening), ("Closing", statement.closing)] {
      guard let balance else { continue }
      try Output.line(
        "\(word) balance \(balance.day): \(Figures.withCode(Total(balance.amount)))".printable)
    }
    if let difference = statement.difference, difference.units != 0 {
      try Output.line(
        "The opening and closing balances don't match the transactions: they differ by "
          + "\(Figures.withCode(difference))."
          .printable)
    }
  }

  private func show(_ books: Books) throws {
    let days = books.transactions.map(\.day)
    let span = days.min().map { " from \($0) to \(days.max() ?? $0)" } ?? ""
    let parts = [
      (books.transactions.count, "transaction"), (books.accounts.count, "account"),
      (books.assertions.count, "stated balance"), (books.rates.count, "rate"),
      (books.budgets.count, "budget"), (books.schedules.count, "recurring transaction"),
    ].filter { $0.0 > 0 }.map { Figures.counted($0.0, $0.1) }
    try Output.line("")
    try Output.line("\(parts.joined(separator: ", "))\(span).".printable)
    guard !books.accounts.isEmpty else { return }
    var table = TextTable([.init("Account"), .init("Kind"), .init("", isFlexible: false)])
    for account in books.accounts.prefix(20) {
      table.add([
        .init(account.name), .init("\(account.kind)", .dim), .init(account.currency.code),
      ])
    }
    try Output.table(table, ifEmpty: "No accounts.")
    if books.accounts.count > 20 {
      try Output.line("… and \(Figures.count(books.accounts.count - 20)) more accounts".printable)
    }
  }

  private func showOpen() throws {
    let bad = contents.badLines.gathered
    let notices = contents.notices.gathered
    for (title, lines, count) in [
      ("Unreadable lines:", bad, bad.count + contents.badLineCount - contents.badLines.count),
      ("Notes:", notices, notices.count),
    ] where !lines.isEmpty {
      try Output.line("")
      try Output.line(title)
      try Output.lines(lines.prefix(Self.noticeCount).map { "  \($0)".printable })
      if count > Self.noticeCount {
        try Output.line(
          "  … and \(Figures.count(count - Self.noticeCount)) more (--json shows all)")
      }
    }
  }
}
