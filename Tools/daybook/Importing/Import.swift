import ArgumentParser
import Daybook
import Interchange
import Terminal

/// `daybook import`: imports transactions from the files of banks and other programs.
struct ImportCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import banks' files, other programs' books, or what export has written.",
    discussion: """
      A file lands whole or not at all, and what is there already is not recorded again. What a file
      is, is found out by its content:

        daybook import statement.ofx --account Checking
        daybook import camt.xml other.sta journal.ledger

      Files of banks (OFX, QFX, QIF, CAMT, MT940) name their account by a number: say once which of
      yours it is, the ledger remembers it. Books (hledger, ledger, beancount, GnuCash, Actual) come
      with their accounts and categories.

      Of a table (CSV) you say what its columns mean, in a mapping file, in flags, or in both, the
      flags on top:

        daybook import statement.csv --preview --account Checking --save-mapping bank.json
        daybook import statement.csv --mapping bank.json --dry-run
        daybook import statement.csv --mapping bank.json --keep-mapping Bank

      A mapping that the ledger keeps is found again by what a file looks like, so that next month
      is:

        daybook import *.csv

      Of several files each lands by itself: one that is refused leaves the others in. A folder
      stands for the files in it that end as such files do, and - for standard input.

      What `daybook export` writes as csv or jsonl is recognised and needs no mapping; jsonl goes
      into an empty ledger and makes it equal to the one it came from.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(
    help: "The files, a folder of them, or - for standard input.",
    completion: .file(extensions: ImportFiles.endings.map { String($0.dropFirst()) } + ["jsonl"]))
  var files: [String]

  @OptionGroup(title: "What the file is of") var formats: FormatOptions

  @OptionGroup(title: "What the columns of a table mean") var columns: MappingOptions

  @Flag(help: "Show what would be read, and the guess where no mapping is given. Records nothing.")
  var preview = false

  @Option(help: "With --preview: keep the mapping in this file.", completion: .file())
  var saveMapping: String?

  @Option(
    help: ArgumentHelp(
      "Keep the mapping in the ledger, for files that look like this one.", valueName: "name"))
  var keepMapping: String?

  @Flag(help: "With --save-mapping or --keep-mapping: replace what has that name.")
  var force = false

  @Flag(
    name: [.long, .short],
    help: "Go through the rows one by one, on a terminal: take, skip, give a category or payee.")
  var interactive = false

  @Flag(help: "Do everything but record.")
  var dryRun = false

  @Flag(help: "Refuse the file where an account or category is missing, instead of creating it.")
  var noCreate = false

  @Flag(help: "Leave out bad lines and list them, instead of refusing the file.")
  var skipBad = false

  @Flag(help: "Bring back rows that were imported before and deleted since.")
  var restoreDeleted = false

  @Flag(help: "Record rows even where they are there already.")
  var keepDuplicates = false

  @Flag(name: .long, help: "Name everything that was created, left out or does not follow.")
  var verbose = false

  func validate() throws {
    if saveMapping != nil, !preview {
      throw ValidationError(
        "--save-mapping belongs to --preview. To keep the mapping of what you import, in the "
          + "ledger, use --keep-mapping.")
    }
    if keepMapping != nil, preview || dryRun {
      throw ValidationError(
        "--keep-mapping records, and \(preview ? "--preview" : "--dry-run") does not.")
    }
    if interactive, preview || dryRun || ledger.json {
      throw ValidationError(
        "--interactive records what you choose, so it does not go with --preview, --dry-run or --json."
      )
    }
    if force, saveMapping == nil, keepMapping == nil {
      throw ValidationError("--force belongs to --save-mapping or --keep-mapping.")
    }
  }

  func execute() async throws {
    let files = try ImportFiles(files)
    if preview || keepMapping != nil, files.places.count > 1 {
      throw CommandFailure.usage(
        "\(preview ? "--preview shows" : "--keep-mapping is for") one file, not "
          + "\(files.places.count).", remedy: "Give one of them.")
    }
    let interruption = Interruption(json: ledger.json)
    // Reads a single file first, so that an unreadable file is reported even without a ledger.
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
    // An import of several files asks no questions, so every file must be identifiable beforehand.
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
          interruption.hasRecorded(dryRun ? nil : "\(Self.names(done)) recorded before.")
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
        .interrupted, code: "interrupted", "Interrupted when this was recorded already.",
        remedy: rest > 0 ? "\(rest) more files were not read." : "")
    }
  }

  /// The names of the imported files, as the beginning of a sentence.
  private static func names(_ done: [FileOutcome]) -> String {
    let names = done.filter { if case .success = $0.result { true } else { false } }.map(\.name)
    return names.joined(separator: ", ") + (names.count == 1 ? " was" : " were")
  }

  private var settings: ImportSettings {
    ImportSettings(
      skipsBadRows: skipBad, createsMissing: !noCreate, restoresDeleted: restoreDeleted,
      keepsDuplicates: keepDuplicates, isDryRun: dryRun)
  }

  /// Shows how the rows of a file would be read.
  ///
  /// A preview works without a ledger. If there is one, its base currency is the default currency.
  private func showPreview(_ file: RawFile) async throws {
    var (base, saved, accounts) = (String?.none, SavedMappings(), [String: Currency]())
    if FileSystem.exists(ledger.path) {
      (base, saved, accounts) = try await ledger.read { snapshot in
        (
          try snapshot.settings().baseCurrency?.code, try SavedMappings(snapshot),
          try snapshot.accountCurrencies()
        )
      }
    }
    let found = try columns.mapping(
      of: file, saved: saved, mayGuess: true, base: base)
    let text = try file.text(found.mapping.encoding)
    let mapped = try MappedFile(text, mapping: found.mapping, accountCurrencies: accounts)
    var preview = ImportPreview(
      path: file.name, mapping: found.mapping, doubts: found.doubts, file: mapped)
    preview.questions = found.questions
    preview.oddRows = mapped.oddRows(of: text, mapping: found.mapping)
    preview.isAccountKnown = columns.account != nil || columns.mapping != nil || found.name != nil
    preview.flags = columns.typed
    preview.isMappingKnown = columns.mapping != nil || found.name != nil || columns.isComplete
    if let saveMapping {
      let text = String(decoding: try found.mapping.json(), as: UTF8.self) + "\n"
      if !force, FileSystem.exists(saveMapping) {
        throw CommandFailure(
          .cannotCreate, code: "cannotCreate", "There is a file \(saveMapping) already.",
          remedy: "Choose another name, or replace it with --force.")
      }
      try force ? FileSystem.replace(saveMapping, text) : FileSystem.create(saveMapping, text)
    }
    try ledger.json ? Output.json(JSONAnswer(preview)) : preview.show()
    guard !ledger.json else { return }
    if let name = found.name { try Output.line("By the mapping “\(name)”.".printable) }
    if let saveMapping { try Output.line("The mapping is in \(saveMapping).") }
  }
}
