import Daybook
import DaybookInterchange
import DaybookPlatform
import DaybookTerminal

/// Questions to the user on a terminal about the meaning of a file's columns, if no mapping is
/// given.
struct MappingQuestions {
  /// The user's decisions.
  struct Answer {
    var mapping: ImportMapping
    /// Whether to review the rows one by one.
    var rowByRow: Bool
    /// The name under which the mapping is saved in the ledger; `nil` if it isn't saved.
    var keepsAs: String?
  }

  private let accounts: [String]
  private let accountCurrencies: [String: Currency]
  private let mappings: [String]

  /// Prepares questions about a file, or returns `nil` if input and output aren't a terminal.
  init?(_ snapshot: borrowing Snapshot, json: Bool) throws {
    guard !json, isatty(STDIN_FILENO) == 1, Terminal.output.isTerminal else { return nil }
    accounts = try snapshot.accounts().filter { !$0.isClosed }.map(\.name)
    accountCurrencies = try snapshot.accountCurrencies()
    mappings = try snapshot.mappings().map(\.name)
  }

  /// Shows a guess and asks for the account, the currency and a confirmation.
  func ask(_ file: RawFile, _ guess: ChosenMapping, _ columns: MappingOptions) throws -> Answer {
    var mapping = guess.mapping
    try Output.line(
      "There is no mapping for \(file.name). This is how Daybook would read it:".printable)
    try Output.line("")
    try preview(file, mapping, guess.doubts).show()
    try Output.line("")
    if columns.account == nil, mapping.account.literal != nil {
      let name = try accountName()
      mapping.account = ColumnTemplate(literal: name)
    }
    if columns.currency == nil, let code = mapping.currency.literal, !code.isEmpty {
      let account = mapping.account.literal.flatMap { accountCurrencies[Folding.key($0)] }
      if account == nil {
        mapping.currency = ColumnTemplate(literal: try currencyOfNewAccount(code))
      } else if guess.isCurrencyAssumed {
        mapping.currency = ColumnTemplate(literal: "")
      }
    }
    var rowByRow = false
    while true {
      let word = try answer(to: "Import it like this: yes, no, or row by row (y/n/r)", or: "y")
        .lowercased()
      if ["n", "no"].contains(word) {
        throw CommandFailure(
          .refused, code: "declined", "Nothing was recorded.",
          remedy:
            "Set columns with the flags in `daybook import --help`; --preview shows the result.")
      }
      rowByRow = ["r", "row", "rows", "row by row"].contains(word)
      if rowByRow || ["y", "yes"].contains(word) { break }
    }
    return Answer(mapping: mapping, rowByRow: rowByRow, keepsAs: try name(for: mapping))
  }

  /// Asks the open questions of a guess one by one, guessing again after each answer.
  func settle(
    _ file: RawFile, _ guess: ChosenMapping, _ columns: MappingOptions, base: String?
  ) throws -> (guess: ChosenMapping, columns: MappingOptions) {
    var (guess, columns) = (guess, columns)
    // If the file doesn't specify a currency, `ask` asks for it together with the account.
    while let question = guess.questions.first(where: { $0.answers.first?.fact != .anyCurrency }) {
      columns = columns.adding(try choose(question))
      guess = try columns.mapping(
        of: file, saved: SavedMappings(), mayGuess: true, base: base,
        accountCurrencies: accountCurrencies)
    }
    return (guess, columns)
  }

  /// Asks a question until one of its answers is chosen.
  func choose(_ question: MappingQuestion) throws -> MappingQuestion.Fact {
    while true {
      try Output.line(question.message.printable)
      for (place, answer) in question.answers.enumerated() {
        let meaning = answer.meaning.isEmpty ? "" : " (\(answer.meaning))"
        try Output.line("  \(place + 1)  \(GuessWords.flag(answer.fact))\(meaning)".printable)
      }
      if let place = Int(try answer(to: "Choose a number", or: nil)),
        question.answers.indices.contains(place - 1)
      {
        return question.answers[place - 1].fact
      }
    }
  }

  /// Asks for the columns that couldn't be guessed.
  func askColumns(
    _ file: RawFile, _ error: InterchangeError, _ columns: MappingOptions, base: String?
  ) throws -> MappingOptions {
    var columns = columns
    try Output.line("\(error.message) \(error.remedy)".printable)
    let lines = String(decoding: try file.sample(columns.encoding?.encoding), as: UTF8.self)
      .split(whereSeparator: \.isNewline)
    try Output.line("The beginning of the file:")
    try Output.lines(
      lines.prefix(5).map { "  \($0)".printable.truncated(to: Terminal.output.columns ?? 80) })
    if columns.delimiter == nil, let header = lines.first {
      columns.delimiter = Self.delimiter(of: header)
    }
    columns.dateColumn = try answer(to: "Column with the day, by name or number", or: nil)
    columns.dateFormat = try answer(to: "Date format", or: "yyyy-MM-dd")
    columns.amountColumn = try answer(to: "Column with the amount", or: nil)
    columns.decimal = try answer(to: "Decimal mark", or: columns.decimal ?? ".")
    // Set placeholders, which `ask` replaces with the user's answers.
    columns.account = columns.account ?? "Imported"
    columns.currency = columns.currency ?? base ?? "EUR"
    return columns
  }

  /// The most likely column delimiter of a line.
  private static func delimiter(of line: Substring) -> String {
    let counts = [",", ";", "\t", "|"].map { mark in
      (mark, line.count { String($0) == mark })
    }
    let most = counts.max { $0.1 < $1.1 }
    return most.map { $0.0 == "\t" ? "tab" : $0.0 } ?? ","
  }

  private func preview(
    _ file: RawFile, _ mapping: ImportMapping, _ doubts: [String]
  ) throws -> ImportPreview {
    let text = try file.text(mapping.encoding)
    var preview = ImportPreview(
      path: file.name, mapping: mapping, doubts: doubts,
      file: try MappedFile(text, mapping: mapping, accountCurrencies: accountCurrencies))
    preview.oddRows = preview.file.oddRows(of: text, mapping: mapping)
    preview.showsNext = false
    return preview
  }

  /// Asks for the name of an existing or new account.
  func accountName() throws -> String {
    let names = accounts
    if names.count > 1 {
      let shown = names.prefix(12).joined(separator: ", ")
      try Output.line("Accounts: \(shown)\(names.count > 12 ? ", …" : "").".printable)
    }
    while true {
      let name = try answer(to: "Account", or: names.count == 1 ? names[0] : nil)
      let isKnown = names.contains { Folding.key($0) == Folding.key(name) }
      guard !isKnown, let near = Suggestion.nearest(to: name, among: names) else { return name }
      let word = try answer(
        to: "There is no account “\(name)”. Did you mean “\(near)” (y/n)", or: "y")
      if ["y", "yes"].contains(word.lowercased()) { return near }
      if ["n", "no"].contains(word.lowercased()) { return name }
    }
  }

  private func currencyOfNewAccount(_ guessed: String) throws -> String {
    while true {
      let code = try answer(to: "Currency of the new account", or: guessed).uppercased()
      if Currency.iso(code) != nil { return code }
      try Output.line(
        "“\(code)” isn't a currency. Use a three-letter code, such as EUR.".printable)
    }
  }

  private func name(for mapping: ImportMapping) throws -> String? {
    let taken = Set(mappings.map(Folding.key))
    let standard = mapping.account.literal.flatMap { taken.contains(Folding.key($0)) ? nil : $0 }
    while true {
      let name = try answer(
        to: "Name under which to keep this mapping in the ledger (- to skip)", or: standard ?? "-")
      if name == "-" { return nil }
      if !taken.contains(Folding.key(name)) { return name }
      try Output.line("There already is a mapping “\(name)”.".printable)
    }
  }

  /// Asks until there is an answer.
  ///
  /// Enter alone accepts the default in brackets.
  private func answer(to question: String, or standard: String?) throws -> String {
    while true {
      try Output.write("\(question)\(standard.map { " [\($0)]" } ?? ""): ".printable)
      guard let line = readLine() else {
        throw CommandFailure(.interrupted, code: "interrupted", "Nothing was recorded.", remedy: "")
      }
      let words = line.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
      if !words.isEmpty { return String(words) }
      if let standard { return standard }
    }
  }
}
