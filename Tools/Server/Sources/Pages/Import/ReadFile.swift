import Daybook
import DaybookInterchange
import DaybookPackedFormats

/// The contents of a file: bank transactions, or the books of another program.
struct ReadFile: Sendable {
  enum Kind: Sendable {
    case rows(ImportPlan)
    /// Books, and the summary of a dry run.
    case books(FileContents, ImportSummary)
    /// Postings in the ledger's export format.
    case postings(ImportSummary)
    /// An exported ledger: the number of entities by type, and the figures that a restore would
    /// change.
    case ledger([String: Int], Rehearsal)
  }

  let kind: Kind
  /// The mapping of the columns, if the file is a table.
  var mapping: ImportMapping?
  /// Questions about a table that must be answered before recording.
  var questions: [MappingQuestion] = []
  /// Whether the user must choose the account of a table.
  var asksForAccount = false
  /// The saved mappings that match the file.
  var fits: [SavedMappings.Fit] = []
  /// The balances stated in the file, with the names of the ledger's accounts.
  var stated: [(account: String, closing: StatedBalance)] = []

  /// Reads a file in any supported format; nothing is recorded.
  ///
  /// - Parameter today: The day of the figures that books would change.
  init(_ file: RawFile, _ columns: ImportColumns, in ledger: Ledger, today: Day) async throws {
    let file = try PackedFile.unpacked(file)
    if let exported = try await Self.exported(file, ledger, today) {
      kind = exported
      return
    }
    let facts = columns.facts()
    if let format = FileFormats.candidates(file, among: PackedFormats.all).first {
      let choice = AccountChoice(all: facts.account?.literal)
      let options = try ledger.read { try ReadingOptions($0, accounts: choice) }
      let contents = try format.read(file, options)
      if contents.books != nil {
        var settings = ImportSettings()
        settings.isDryRun = true
        settings.figuresOn = today
        let summary = try await BooksImporter(settings: settings).run(
          contents, path: file.name, into: ledger)
        kind = .books(contents, summary)
        return
      }
      let importer = StatementImporter(accounts: choice)
      let plan = try await ImportPlan(contents, path: file.name, by: importer, for: ledger)
      // All rows of a statement belong to the same account.
      var first = 0
      for statement in contents.statements {
        let name = first < plan.items.count ? plan.items[first].row.account : nil
        first += statement.rows.count
        if let name, !statement.rows.isEmpty, let closing = statement.closing {
          stated.append((name, closing))
        }
      }
      kind = .rows(plan)
      return
    }
    let (saved, base, currencies) = try ledger.read { snapshot in
      (
        try SavedMappings(snapshot), try snapshot.settings().baseCurrency?.code,
        try snapshot.accountCurrencies()
      )
    }
    fits = saved.fitting(file)
    let mapping: ImportMapping
    if fits.count == 1, columns.kept.isEmpty {
      mapping = fits[0].mapping
    } else {
      let guess = try ImportMapping.guess(
        sample: try file.sample(), facts: facts, base: base, accountCurrencies: currencies)
      (mapping, questions) = (guess.mapping, guess.questions)
      // If the ledger has no accounts, the import creates one.
      let hasAccounts = try ledger.read { try !$0.accounts(includingClosed: false).isEmpty }
      asksForAccount = facts.account == nil && hasAccounts
    }
    let plan = try await ImportPlan(
      try file.text(mapping.encoding), mapping: mapping, for: ledger)
    kind = .rows(plan)
    if let balance = mapping.balance {
      let rows = plan.items.map(\.row).filter { $0.statedBalance != nil }
      if let row = balance.isNewestFirst ? rows.first : rows.last, let units = row.statedBalance {
        stated = [
          (
            row.account,
            StatedBalance(line: row.line, day: row.day, amount: Money(units, row.amount.currency))
          )
        ]
      }
    }
    self.mapping = mapping
  }
  /// Returns an exported ledger or exported postings; `nil` if the file is neither.
  private static func exported(
    _ file: RawFile, _ ledger: Ledger, _ today: Day
  ) async throws -> Kind? {
    guard let sample = try? file.sample() else { return nil }
    if LedgerRestorer.canRead(sample) {
      let (summary, rehearsal) = try await LedgerRestorer.rehearse(
        file.bytes, path: file.name, into: ledger, today: today)
      return .ledger(summary.counts, rehearsal)
    }
    guard (try? CSVFile(bytes: sample)).map({ PostingsImporter.canRead($0) }) == true else {
      return nil
    }
    var settings = ImportSettings()
    settings.isDryRun = true
    settings.figuresOn = today
    let summary = try await PostingsImporter(settings: settings).run(try file.text(), into: ledger)
    return .postings(summary)
  }
}
