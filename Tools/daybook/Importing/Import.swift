import ArgumentParser
import Daybook
import DaybookInterchange
import DaybookTerminal

/// `daybook import`: imports transactions from the files of banks and other programs.
struct ImportCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import bank statements, other programs' ledgers, or Daybook exports.",
    discussion: """
      A file is imported completely or not at all, and duplicates are skipped. The file's format \
      is detected from its content:

        daybook import statement.ofx --account Checking
        daybook import camt.xml other.sta journal.ledger

      Bank files (OFX, QFX, QIF, CAMT, MT940) identify their account by a number. Name the \
      ledger's account for it once; the ledger remembers it. Other programs' files (hledger, \
      ledger, Beancount, GnuCash, Actual) bring their accounts and categories with them.

      For a table (CSV), describe its columns in a mapping file, with flags, or both; flags \
      take precedence:

        daybook import statement.csv --preview --account Checking --save-mapping bank.json
        daybook import statement.csv --mapping bank.json --dry-run
        daybook import statement.csv --mapping bank.json --keep-mapping Bank

      A mapping kept in the ledger is found again by the file's layout, so next month all you need \
      is:

        daybook import *.csv

      Each of several files is imported separately: if one is refused, the others are still \
      imported. A folder stands for the importable files in it, and - for standard input.

      Files that `daybook export` writes as csv or jsonl are recognised and need no mapping. A \
      jsonl export is restored into an empty ledger and makes it equal to the original.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(
    help: "Files, folders, or - for standard input.",
    completion: .file(extensions: ImportFiles.endings.map { String($0.dropFirst()) } + ["jsonl"]))
  var files: [String]

  @OptionGroup(title: "File format") var formats: FormatOptions

  @OptionGroup(title: "Table columns") var columns: MappingOptions

  @Flag(help: "Show the file's contents as they would be read, without recording anything.")
  var preview = false

  @Option(help: "With --preview: save the mapping to this file.", completion: .file())
  var saveMapping: String?

  @Option(
    help: ArgumentHelp(
      "Keep the mapping in the ledger, for files with this layout.", valueName: "name"))
  var keepMapping: String?

  @Flag(help: "With --save-mapping or --keep-mapping: replace an existing mapping.")
  var force = false

  @Flag(
    name: [.long, .short],
    help: "Review transactions one by one on a terminal, and set categories and payees.")
  var interactive = false

  @Flag(help: "Show what would be imported, without recording it.")
  var dryRun = false

  @Flag(help: "Refuse the file if an account or category is missing, instead of creating it.")
  var noCreate = false

  @Flag(help: "Skip bad lines and list them, instead of refusing the file.")
  var skipBad = false

  @Flag(help: "Import transactions again that were imported before and then deleted.")
  var restoreDeleted = false

  @Flag(
    help: ArgumentHelp(
      "Delete transactions that an earlier import of the same books recorded and that are no longer "
        + "in them, unless they were changed in the ledger."))
  var followDeletions = false

  @Flag(help: "Import duplicates too.")
  var keepDuplicates = false

  @Flag(
    help: ArgumentHelp(
      "Import every transaction as a new one, even if it is a pending transaction or a due date of "
        + "the ledger."))
  var noMatch = false

  @Flag(name: .long, help: "List everything that was created, skipped or doesn't match.")
  var verbose = false

  func validate() throws {
    if saveMapping != nil, !preview {
      throw ValidationError(
        "--save-mapping requires --preview. To keep the mapping in the ledger when importing, use "
          + "--keep-mapping.")
    }
    if keepMapping != nil, preview || dryRun {
      throw ValidationError(
        "--keep-mapping can't be used with \(preview ? "--preview" : "--dry-run"), which records "
          + "nothing.")
    }
    if interactive, preview || dryRun || ledger.json {
      throw ValidationError(
        "--interactive can't be used with --preview, --dry-run or --json."
      )
    }
    if followDeletions, keepDuplicates {
      throw ValidationError("--follow-deletions can't be used with --keep-duplicates.")
    }
    if force, saveMapping == nil, keepMapping == nil {
      throw ValidationError("--force requires --save-mapping or --keep-mapping.")
    }
  }

  func execute() async throws {
    let files = try ImportFiles(files)
    if preview || keepMapping != nil, files.places.count > 1 {
      throw CommandFailure.usage(
        "\(preview ? "--preview" : "--keep-mapping") takes one file, not "
          + "\(files.places.count).", remedy: "Name one of them.")
    }
    let interruption = Interruption(json: ledger.json)
    // Read a single file first, so that an unreadable file is reported even without a ledger.
    let only = files.places.count == 1 ? try files.places[0].given() : nil
    if preview, let only = only?.take() {
      if let format = try formats.format(of: only, columns) {
        return try await showPreview(only, as: format)
      }
      return try await showPreview(only)
    }
    var run = ImportRun(
      columns: columns, formats: formats, settings: settings, interruption: interruption)
    run.keepsAs = keepMapping
    run.replaces = force
    run.isInteractive = interactive
    // An import of several files asks no questions, so it must recognise every file.
    run.mayAsk =
      !ledger.json && !dryRun && files.places.count == 1 && files.places[0] != .standardInput
    var outcomes = ImportOutcomes()
    outcomes.leftOut = files.leftOut
    outcomes.isVerbose = verbose
    outcomes.isSeveral = files.places.count > 1
    let importing = run
    let done = try await ledger.withLedger { opened in
      var done: [FileOutcome] = []
      for place in files.places where !interruption.isAsked {
        do {
          let file = try only ?? place.given()
          let landed = try await importing.land(file, in: opened)
          done.append(FileOutcome(name: place.name, result: .success(landed)))
          interruption.hasRecorded(dryRun ? nil : "\(Self.names(done)) imported before that.")
        } catch {
          interruption.hasRecorded(nil)
          if interruption.isAsked { throw error }
          done.append(FileOutcome(name: place.name, result: .failure(error)))
        }
      }
      return done
    }
    outcomes.files = done
    try outcomes.tell(json: ledger.json)
    if interruption.isAsked {
      let rest = files.places.count - done.count
      throw CommandFailure(
        .interrupted, code: "interrupted", "Interrupted after the last file was imported.",
        remedy: rest > 0 ? "\(rest) more \(rest == 1 ? "file was" : "files were") not read." : "")
    }
  }

  /// Returns the names of the imported files, as the beginning of a sentence.
  private static func names(_ done: [FileOutcome]) -> String {
    let names = done.filter { if case .success = $0.result { true } else { false } }.map(\.name)
    return names.joined(separator: ", ") + (names.count == 1 ? " was" : " were")
  }

  private var settings: ImportSettings {
    var settings = ImportSettings(
      skipsBadRows: skipBad, createsMissing: !noCreate, restoresDeleted: restoreDeleted,
      keepsDuplicates: keepDuplicates, isDryRun: dryRun)
    settings.findsMatches = !noMatch
    settings.followsDeletions = followDeletions
    return settings
  }

  /// An import that records nothing, for a preview.
  var rehearsal: ImportRun {
    var settings = settings
    settings.isDryRun = true
    return ImportRun(
      columns: columns, formats: formats, settings: settings,
      interruption: Interruption(json: ledger.json))
  }

  /// Shows how the rows of a file would be read.
  ///
  /// A preview works without a ledger. If there is one, its base currency is the default currency.
  private func showPreview(_ file: RawFile) async throws {
    var (base, saved, accounts) = (String?.none, SavedMappings(), [String: Currency]())
    let hasLedger = FileSystem.exists(ledger.path)
    if hasLedger {
      (base, saved, accounts) = try await ledger.read { snapshot in
        (
          try snapshot.settings().baseCurrency?.code, try SavedMappings(snapshot),
          try snapshot.accountCurrencies()
        )
      }
    }
    let found = try columns.mapping(
      of: file, saved: saved, mayGuess: true, base: base, accountCurrencies: accounts)
    let text = try file.text(found.mapping.encoding)
    let mapped = try MappedFile(text, mapping: found.mapping, accountCurrencies: accounts)
    var preview = ImportPreview(
      path: file.name, mapping: found.mapping, doubts: found.doubts, file: mapped)
    preview.questions = found.questions
    preview.oddRows = mapped.oddRows(of: text, mapping: found.mapping)
    preview.isAccountKnown = columns.account != nil || columns.mapping != nil || found.name != nil
    preview.flags = columns.typed
    if hasLedger, preview.isAccountKnown, preview.questions.isEmpty,
      mapped.badLineCount == 0
    {
      let (run, mapping) = (rehearsal, found.mapping)
      preview.effects = try await ledger.withLedger {
        try await run.effects(of: text, mapping, in: $0)
      }
    }
    preview.isMappingKnown = columns.mapping != nil || found.name != nil || columns.isComplete
    if let saveMapping {
      let text = String(decoding: try found.mapping.json(), as: UTF8.self) + "\n"
      if !force, FileSystem.exists(saveMapping) {
        throw CommandFailure(
          .cannotCreate, code: "cannotCreate",
          "Couldn't save the mapping: the file \(saveMapping) already exists.",
          remedy: "Choose another name, or replace it with --force.")
      }
      try force ? FileSystem.replace(saveMapping, text) : FileSystem.create(saveMapping, text)
    }
    try ledger.json ? Output.json(JSONAnswer(preview)) : preview.show()
    guard !ledger.json else { return }
    if let name = found.name { try Output.line("Used the mapping “\(name)”.".printable) }
    if let saveMapping { try Output.line("Saved the mapping to \(saveMapping).") }
  }
}
