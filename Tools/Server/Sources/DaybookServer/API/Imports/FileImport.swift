import Daybook
import DaybookInterchange
import DaybookPackedFormats

/// Imports a file into the ledger, or previews the import.
struct FileImport: Sendable {
  let file: RawFile
  let choices: ImportChoices
  let ledger: Ledger

  /// How a file is read.
  private enum Way {
    case lines
    case postings
    case format(any FileFormat.Type)
    case table(ImportMapping, MappingGuess?)
  }

  private func way(_ file: RawFile) throws -> Way {
    // `sample` throws for binary formats, such as an SQLite file.
    if choices.format == nil, let sample = try? file.sample() {
      if LedgerRestorer.canRead(sample) { return .lines }
      if try PostingsImporter.canRead(CSVFile(bytes: sample)) { return .postings }
    }
    if let format = try choices.format(of: file) { return .format(format) }
    return try mapping(of: file)
  }

  /// Returns the client's mapping, a saved mapping that fits the file, or a guessed mapping.
  private func mapping(of file: RawFile) throws -> Way {
    if let mapping = choices.mapping { return .table(mapping, nil) }
    let (saved, base, currencies) = try ledger.read { snapshot in
      (
        try SavedMappings(snapshot), try snapshot.settings().baseCurrency?.code,
        try snapshot.accountCurrencies()
      )
    }
    if let name = choices.savedMapping {
      guard let mapping = try saved.mapping(named: name) else {
        throw Problem.body(
          "The ledger has no saved mapping “\(name.excerpt)”.", path: "savedMapping",
          remedy: "Use one of: \(saved.names.joined(separator: ", ")).")
      }
      return .table(mapping, nil)
    }
    let fits = saved.fitting(file)
    if fits.count == 1 { return .table(fits[0].mapping, nil) }
    var facts = MappingFacts()
    facts.account = choices.account.map { ColumnTemplate(literal: $0) }
    facts.currency = choices.currency.map { ColumnTemplate(literal: $0) }
    facts.decimal = choices.decimal?.rawValue
    facts.skipRows = choices.skipRows ?? []
    facts.takeRows = choices.takeRows ?? []
    let guess = try ImportMapping.guess(
      sample: try file.sample(), facts: facts, base: base, accountCurrencies: currencies)
    return .table(guess.mapping, guess)
  }

  private func contents(
    _ file: RawFile, _ format: any FileFormat.Type
  ) throws -> FileContents {
    var options = try ledger.read { try ReadingOptions($0, accounts: choices.choice) }
    if let code = choices.currency {
      options.currency = try ledger.read { try $0.known(code, "currency") }
      options.accountCurrency = nil
      options.bareCurrency = options.currency
    }
    options.isDayFirst = choices.dayFirst
    options.decimalMark = choices.decimal?.rawValue.first
    // `include` is left unset, so an uploaded file can't make the server read other files.
    return try format.read(file, options)
  }

  /// Records the file.
  ///
  /// - Parameter key: If set, a second request with the same key records nothing.
  func record(key: RequestKey?) async throws -> JSONValue {
    var settings = choices.settings(isDryRun: false)
    settings.key = key
    return try await run(settings)
  }

  /// Returns the result of a dry run, with the figures before and after as of a day.
  func rehearse(today: Day) async throws -> JSONValue {
    var settings = choices.settings(isDryRun: true)
    settings.figuresOn = today
    return try await run(settings)
  }

  private func run(_ settings: ImportSettings) async throws -> JSONValue {
    let isDryRun = settings.isDryRun
    let file = try PackedFile.unpacked(file)
    switch try way(file) {
    case .lines:
      guard isDryRun else {
        let summary = try await LedgerRestorer.run(
          file.bytes, path: file.name, into: ledger, key: settings.key)
        return .object([.init("restored", Self.counts(summary))])
      }
      var told: [JSONValue.Member] = [
        .init("format", .string("jsonl")), .init("wholeLedger", .bool(true)),
      ]
      if let today = settings.figuresOn {
        let (summary, rehearsal) = try await LedgerRestorer.rehearse(
          file.bytes, path: file.name, into: ledger, today: today)
        told += [.init("dryRun", .bool(true)), .init("restored", Self.counts(summary))]
        told += try Self.members(rehearsal)
      }
      return .object(told)
    case .postings:
      let summary = try await PostingsImporter(settings: settings).run(
        try file.text(), into: ledger)
      return try told(summary, "postings")
    case .format(let format):
      let contents = try contents(file, format)
      if contents.books != nil {
        let importer = BooksImporter(
          settings: settings, assertsBalances: choices.assertsBalances ?? false)
        return try told(
          try await importer.run(contents, path: file.name, into: ledger), format.name)
      }
      if !isDryRun, let question = questions(contents).first {
        throw Problem.body(
          question.message, path: "skipRows",
          remedy: "Name the row in “skipRows” or “takeRows”.")
      }
      let importer = statements(settings)
      return try told(
        try await importer.run(contents, path: file.name, into: ledger), format.name)
    case .table(let mapping, let guess):
      if !isDryRun, let guess, let question = guess.questions.first {
        throw Problem.body(
          question.message, path: "mapping",
          remedy: "Correct the mapping from the preview, and send it as “mapping”.")
      }
      let summary = try await CSVImporter(settings: settings).run(
        try file.text(mapping.encoding), mapping: mapping, into: ledger)
      return try told(summary, "csv")
    }
  }

  private func statements(_ settings: ImportSettings) -> StatementImporter {
    var importer = StatementImporter(
      settings: settings, accounts: choices.choice, takesPending: choices.takesPending ?? false,
      assertsBalances: choices.assertsBalances ?? false, converts: choices.converts ?? false)
    importer.skipRows = choices.skipRows ?? []
    return importer
  }

  private func questions(_ contents: FileContents) -> [MappingQuestion] {
    contents.balanceQuestions(settledBy: (choices.skipRows ?? []) + (choices.takeRows ?? []))
  }

  private func told(_ summary: ImportSummary, _ format: String) throws -> JSONValue {
    let value = try JSONValue(summary)
    guard case .object(let members) = value else { return value }
    var more: [JSONValue.Member] = [.init("format", .string(format))]
    if let rehearsal = summary.rehearsal { more += try Self.members(rehearsal) }
    if !summary.isDryRun {
      more.append(
        .init("transactions", .array(summary.transactions.map { .string("\($0)") })))
    }
    return .object(more + members)
  }

  private static func counts(_ summary: LedgerRestorer.Summary) -> JSONValue {
    .object(
      summary.counts.sorted { $0.key < $1.key }.map { .init($0.key, .int(Int64($0.value))) })
  }

  /// Returns the members of a dry run, except `outcomes`, since an import has its summary instead.
  private static func members(_ rehearsal: Rehearsal) throws -> [JSONValue.Member] {
    guard case .object(let members) = try JSONValue(rehearsal) else { return [] }
    return members.filter { $0.name != "outcomes" }
  }

  /// Returns the rows as they would be recorded, each with its state, and any open questions.
  ///
  /// - Parameter limit: The maximum number of rows to return. The counts include all rows.
  func preview(limit: Int) async throws -> JSONValue {
    let file = try PackedFile.unpacked(file)
    let settings = choices.settings(isDryRun: true)
    switch try way(file) {
    case .lines, .postings: return try await run(settings)
    case .format(let format):
      let contents = try contents(file, format)
      if contents.books != nil { return try await run(settings) }
      let plan = try await ImportPlan(
        contents, path: file.name, by: statements(settings), for: ledger)
      return try told(plan, format.name, limit, mapping: nil, questions(contents), [])
    case .table(let mapping, let guess):
      let plan = try await ImportPlan(
        try file.text(mapping.encoding), mapping: mapping, settings: settings, for: ledger)
      return try told(
        plan, "csv", limit, mapping: mapping, guess?.questions, guess?.doubts ?? [])
    }
  }

  private func told(
    _ plan: ImportPlan, _ format: String, _ limit: Int, mapping: ImportMapping?,
    _ questions: [MappingQuestion]?, _ doubts: [String]
  ) throws -> JSONValue {
    var counts: [String: Int64] = [:]
    var rows: [JSONValue] = []
    for item in plan.items {
      let (name, detail): (String, JSONValue.Member?) =
        switch item.state {
        case .new: ("new", nil)
        case .known: ("known", nil)
        case .likely(let other): ("likely", .init("like", .string("\(other.id)")))
        case .bad(let reason): ("bad", .init("reason", .string(reason)))
        }
      counts[name, default: 0] += 1
      guard rows.count < limit else { continue }
      let state: [JSONValue.Member] = [.init("state", .string(name))] + (detail.map { [$0] } ?? [])
      let match: [JSONValue.Member] =
        try item.match.map { [.init("match", try JSONValue($0))] } ?? []
      rows.append(.object(state + match + [.init("row", try JSONValue(item.row))]))
    }
    var members: [JSONValue.Member] = [
      .init("format", .string(format)),
      .init(
        "counts", .object(counts.sorted { $0.key < $1.key }.map { .init($0.key, .int($0.value)) })),
      .init("rows", .array(rows)),
    ]
    if let mapping { members.append(.init("mapping", try JSONValue(mapping))) }
    if let questions {
      let questions = questions.map { question in
        JSONValue.object([
          .init("about", .string(question.subject.rawValue)),
          .init("message", .string(question.message)),
          .init("answers", .array(question.answers.map { .string($0.meaning) })),
        ])
      }
      members.append(.init("questions", .array(questions)))
      members.append(.init("doubts", .array(doubts.map { .string($0) })))
    }
    return .object(members)
  }
}
