import Daybook
import DaybookInterchange
import DaybookTerminal

/// The result of importing a file.
enum Landed {
  /// The imported rows, the name of the saved mapping that was used, and the name under which the
  /// mapping was saved.
  case rows(ImportSummary, mapping: String?, keptAs: String? = nil)
  /// The user reviewed the file and recorded nothing.
  case nothing
  /// A restored ledger, with the number of entities of each type.
  case restored([String: Int])
}

/// A file and its result.
struct FileOutcome {
  var name: String
  var result: Result<Landed, any Error>
}

/// Imports files one by one, each completely or not at all.
struct ImportRun {
  let columns: MappingOptions
  let formats: FormatOptions
  let settings: ImportSettings
  let interruption: Interruption
  /// The name under which the mapping is saved in the ledger; `nil` if it isn't saved.
  var keepsAs: String?
  /// Whether to replace a saved mapping with the same name.
  var replaces = false
  /// Whether the user reviews the rows.
  var isInteractive = false
  /// Whether the user can be asked for the meanings of columns.
  var mayAsk = false

  /// Imports a file.
  func land(_ file: Handover<RawFile>, in ledger: Ledger) async throws -> Landed {
    let bar = SharedProgress(settings.isDryRun ? "Reading" : "Importing")
    defer { bar.finish() }
    let interruption = self.interruption
    let records = !settings.isDryRun
    let progress: @Sendable (ImportProgress) -> Void = {
      switch $0 {
      case .reading(let part): bar.update(part / 2)
      case .recording:
        // The file's contents were freed when they were converted to drafts.
        FreedMemory.giveBack()
        bar.update(0.5)
        if records { interruption.willRecord() }
      }
    }
    do {
      return try await land(file, in: ledger, progress)
    } catch let error as DaybookError where error.code == .cancelled {
      throw interruption.failure()
    } catch let error as InterchangeError {
      throw Self.inFlags(error)
    }
  }

  /// Returns the error with a remedy that names the flags of this command.
  private static func inFlags(_ error: InterchangeError) -> InterchangeError {
    var error = error
    switch error.code {
    case .badLines where error.remedy.contains("without them"):
      error.remedy = "Correct the lines or the mapping, or skip them with --skip-bad."
    case .missing:
      error.remedy = "Create them, correct the mapping, or leave out --no-create."
    default: break
    }
    return error
  }

  /// The way in which a file is read.
  private enum Way {
    case lines
    case postings
    case format(any FileFormat.Type)
    case table
  }

  private func way(of file: RawFile) throws -> Way {
    // Compressed files can't be read as text.
    if let sample = try? file.sample(columns.encoding?.encoding) {
      if LedgerRestorer.canRead(sample) { return .lines }
      if try PostingsImporter.canRead(CSVFile(bytes: sample)) { return .postings }
    }
    return try formats.format(of: file, columns).map(Way.format) ?? .table
  }

  private func land(
    _ file: Handover<RawFile>, in ledger: Ledger,
    _ progress: @escaping @Sendable (ImportProgress) -> Void
  ) async throws -> Landed {
    switch try way(of: file.value) {
    case .lines: return try await landLines(file.take(), in: ledger, progress)
    case .postings: return try await landPostings(file.take(), in: ledger, progress)
    case .format(let format): return try await land(file, as: format, in: ledger, progress)
    case .table: return try await landStatement(file.take(), in: ledger, progress)
    }
  }

  private func refuseInteractive(_ file: RawFile) throws {
    guard isInteractive else { return }
    throw CommandFailure.usage(
      "Couldn't review \(file.name): Daybook exports are imported completely.",
      remedy: "Leave out --interactive.")
  }

  private func landLines(
    _ file: RawFile, in ledger: Ledger, _ progress: @escaping @Sendable (ImportProgress) -> Void
  ) async throws -> Landed {
    try refuseInteractive(file)
    guard !settings.isDryRun, !settings.skipsBadRows else {
      throw CommandFailure.usage(
        "--dry-run and --skip-bad can't be used with a JSON Lines export, which is restored "
          + "completely or not at all.",
        remedy: "Leave out --dry-run and --skip-bad.")
    }
    let summary = try await interruption.cancelling {
      try await LedgerRestorer.run(file.bytes, path: file.name, into: ledger, progress: progress)
    }
    return .restored(summary.counts)
  }

  private func landPostings(
    _ file: RawFile, in ledger: Ledger, _ progress: @escaping @Sendable (ImportProgress) -> Void
  ) async throws -> Landed {
    try refuseInteractive(file)
    let text = try file.text()
    let settings = self.settings
    return .rows(
      try await interruption.cancelling {
        try await PostingsImporter(settings: settings).run(text, into: ledger, progress: progress)
      }, mapping: nil)
  }

  /// Imports a bank's table of rows.
  private func landStatement(
    _ file: RawFile, in ledger: Ledger, _ progress: @escaping @Sendable (ImportProgress) -> Void
  ) async throws -> Landed {
    let (base, saved, currencies, questions) = try ledger.read { snapshot in
      (
        try snapshot.settings().baseCurrency?.code, try SavedMappings(snapshot),
        try snapshot.accountCurrencies(),
        mayAsk ? try MappingQuestions(snapshot, json: false) : nil
      )
    }
    var (keepsAs, isInteractive) = (keepsAs, isInteractive)
    var found = try choose(file, saved, questions, base, currencies)
    if found.isGuess, !columns.guess, let questions {
      let settled = try questions.settle(file, found, columns, base: base)
      found = settled.guess
      let answer = try questions.ask(file, found, settled.columns)
      found.mapping = answer.mapping
      isInteractive = isInteractive || answer.rowByRow
      keepsAs = keepsAs ?? answer.keepsAs
    }
    if let keepsAs { try check(keepsAs, saved) }
    let (text, mapping, settings) = (try file.text(found.mapping.encoding), found.mapping, settings)
    let summary: ImportSummary
    if isInteractive {
      let plan = try await ImportPlan(text, mapping: mapping, settings: settings, for: ledger)
      guard plan.items.contains(where: { $0.isNew }) else {
        return .rows(
          try await plan.record(in: ledger, progress: progress), mapping: found.name)
      }
      let categories = try ledger.read { try CategoryTree($0).paths }
      let chosen = try InteractiveImport.review(
        plan, title: file.name, categories: categories, interruption)
      guard let chosen else { return .nothing }
      summary = try await interruption.cancelling {
        try await chosen.record(in: ledger, progress: progress)
      }
    } else {
      do {
        summary = try await interruption.cancelling {
          try await CSVImporter(settings: settings)
            .run(text, mapping: mapping, into: ledger, progress: progress)
        }
      } catch let error as InterchangeError where error.code == .badLines {
        throw GuessWords.naming(Self.inFlags(error), text, mapping, currencies)
      }
    }
    if let keepsAs, !settings.isDryRun {
      let saved = try ledger.read {
        try SavedMapping(mapping, called: keepsAs, for: file, replacing: replaces, in: $0)
      }
      try await ledger.append(.putMapping(saved))
    }
    return .rows(summary, mapping: found.name, keptAs: keepsAs)
  }

  /// The mapping of a file, or a guess if none is given and the user can be asked.
  private func choose(
    _ file: RawFile, _ saved: SavedMappings, _ questions: MappingQuestions?, _ base: String?,
    _ accountCurrencies: [String: Currency]
  ) throws -> ChosenMapping {
    var columns = columns
    var hasAsked = false
    while true {
      do {
        var found = try columns.mapping(
          of: file, saved: saved, mayGuess: questions != nil && !columns.guess, base: base,
          accountCurrencies: accountCurrencies)
        if hasAsked {
          found.isGuess = true
          found.isCurrencyAssumed = self.columns.currency == nil
        }
        return found
      } catch let error as InterchangeError where error.code == .mapping {
        guard let questions, columns.mapping == nil, !columns.guess else { throw error }
        columns = try questions.askColumns(file, error, columns, base: base)
        hasAsked = true
      }
    }
  }

  /// Throws if the name is taken and must not be replaced.
  ///
  /// This is called before anything is recorded.
  private func check(_ name: String, _ saved: SavedMappings) throws {
    guard !replaces, try saved.mapping(named: name) != nil else { return }
    throw CommandFailure.mappingExists(name)
  }
}

extension SavedMapping {
  /// Creates a mapping to be saved in the ledger.
  ///
  /// It applies to files with the same layout as `file`, and includes the account that `mapping`
  /// specifies.
  ///
  /// - Throws: `CommandFailure` if a mapping with this name exists and `replacing` is `false`.
  init(
    _ mapping: ImportMapping, called name: String, for file: RawFile, replacing: Bool,
    in snapshot: borrowing Snapshot
  ) throws {
    let key = Folding.key(name)
    let old = try snapshot.mappings().first { Folding.key($0.name) == key }
    if old != nil, !replacing { throw CommandFailure.mappingExists(name) }
    var account: AccountID?
    if let name = mapping.account.literal { account = try snapshot.account(named: name)?.id }
    self.init(
      id: old?.id ?? .unassigned, name: name,
      contents: String(decoding: try mapping.json(), as: UTF8.self),
      look: try ImportLook(of: file, mapping), account: account)
  }
}

extension CommandFailure {
  static func mappingExists(_ name: String) -> CommandFailure {
    CommandFailure(
      .refused, code: "exists",
      "Couldn't keep the mapping: the ledger already has a mapping “\(name)”.",
      remedy: "Choose another name, or replace it with --force.")
  }
}
