import Daybook
import Interchange
import PackedFormats

/// A file as it was read: rows of a bank with what the ledger knows of each, or the books of another program.
struct ReadFile: Sendable {
  enum Kind: Sendable {
    case rows(ImportPlan)
    /// Books, and what recording them would do.
    case books(FileContents, ImportSummary)
    /// Postings as the ledger exports them.
    case postings(ImportSummary)
    /// A whole ledger as it is exported: how many entities of each type, and the figures that they would change.
    case ledger([String: Int], Rehearsal)
  }

  let kind: Kind
  /// What the columns were taken for, where it is a table.
  var mapping: ImportMapping?
  /// What a table leaves open: nothing is recorded before somebody has said.
  var questions: [MappingQuestion] = []
  /// Whether the account of a table is one that somebody has yet to choose.
  var asksForAccount = false
  /// The kept mappings that are for such files.
  var fits: [SavedMappings.Fit] = []
  /// The balances that the file states, by the names of the ledger's accounts.
  var stated: [(account: String, closing: StatedBalance)] = []

  /// Reads a file in whatever form it is; nothing is recorded.
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
      var options = ReadingOptions()
      let (known, base) = try ledger.read { snapshot in
        (try snapshot.currencyDefinitions().map(\.currency), try snapshot.settings().baseCurrency)
      }
      options.currencies = Dictionary(known.map { ($0.code, $0) }, uniquingKeysWith: { $1 })
      options.currency = base
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
      let importer = StatementImporter(
        accounts: AccountChoice(all: facts.account?.literal))
      let plan = try await ImportPlan(contents, path: file.name, by: importer, for: ledger)
      // One account to a statement: that of its rows.
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
    let (saved, base) = try ledger.read { snapshot in
      (try SavedMappings(snapshot), try snapshot.settings().baseCurrency?.code)
    }
    fits = saved.fitting(file)
    let mapping: ImportMapping
    if fits.count == 1, columns.kept.isEmpty {
      mapping = fits[0].mapping
    } else {
      let own = try ledger.read { snapshot in
        try facts.account?.literal.flatMap { try snapshot.account(named: $0)?.currency.code }
      }
      let guess = try ImportMapping.guess(
        sample: try file.sample(), facts: facts, base: own ?? base)
      (mapping, questions) = (guess.mapping, guess.questions)
      // Where there is none yet, one is made for the file.
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
  /// What the ledger itself exports: all of it, or its postings; `nil` where it is something else.
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
