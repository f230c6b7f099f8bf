import ArgumentParser
import Daybook
import Interchange
import Terminal

/// `daybook import`: a bank's file becomes rows.
struct ImportCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import a bank's CSV file, or what export has written.",
    discussion: """
      A file lands whole or not at all, and what is there already is not recorded again. What its
      columns mean stands in a mapping file, in flags, or in both, the flags on top:

        daybook import statement.csv --preview --account Checking --save-mapping bank.json
        daybook import statement.csv --mapping bank.json --dry-run
        daybook import statement.csv --mapping bank.json

      What `daybook export` writes as csv or jsonl is recognised and needs no mapping; jsonl goes
      into an empty ledger and makes it equal to the one it came from.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The file.", completion: .file(extensions: ["csv"]))
  var file: String

  @OptionGroup(title: "What the columns mean") var columns: MappingOptions

  @Flag(help: "Show what would be read, and the guess where no mapping is given. Records nothing.")
  var preview = false

  @Option(help: "With --preview: keep the mapping in this new file.", completion: .file())
  var saveMapping: String?

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

  func validate() throws {
    if saveMapping != nil, !preview {
      throw ValidationError("--save-mapping belongs to --preview.")
    }
  }

  func execute() async throws {
    guard FileSystem.exists(file) else {
      throw CommandFailure(
        .noInput, code: "file", "There is no file \(file).", remedy: "Check the path.")
    }
    if preview { return try await showPreview() }
    let sample = try CSVFile.sample(path: file, encoding: columns.encoding?.encoding)
    let bar = SharedProgress(dryRun ? "Reading" : "Importing")
    defer { bar.finish() }
    let progress: @Sendable (ImportProgress) -> Void = {
      switch $0 {
      case .reading(let part): bar.update(part / 2)
      case .recording: bar.update(0.5)
      }
    }
    if LedgerRestorer.canRead(sample) { return try await restore(bar, progress) }
    let summary = try await ledger.withLedger { opened in
      if try PostingsImporter.canRead(CSVFile(bytes: sample)) {
        return try await PostingsImporter(settings: settings)
          .run(CSVFile(path: file), into: opened, progress: progress)
      }
      let base = try opened.read { snapshot in try snapshot.settings().baseCurrency?.code }
      let (mapping, _) = try columns.mapping(of: file, mayGuess: false, base: base)
      let text = try CSVFile(path: file, encoding: mapping.encoding)
      return try await CSVImporter(settings: settings)
        .run(text, mapping: mapping, into: opened, progress: progress)
    }
    bar.finish()
    try ledger.json ? Output.json(summary.json) : summary.show()
  }

  private var settings: ImportSettings {
    ImportSettings(
      skipsBadRows: skipBad, createsMissing: !noCreate, restoresDeleted: restoreDeleted,
      keepsDuplicates: keepDuplicates, isDryRun: dryRun)
  }

  /// Makes an empty ledger equal to the one whose JSON lines these are.
  private func restore(
    _ bar: SharedProgress, _ progress: @escaping @Sendable (ImportProgress) -> Void
  ) async throws {
    guard !dryRun, !skipBad else {
      throw CommandFailure.usage(
        "A ledger's JSON lines are taken whole, or not at all.",
        remedy: "Leave out --dry-run and --skip-bad.")
    }
    let summary = try await ledger.withLedger { opened in
      try await LedgerRestorer.run(path: file, into: opened, progress: progress)
    }
    bar.finish()
    let counts = summary.counts.sorted { $0.key < $1.key }
    try ledger.answer(
      [("restored", .object(counts.map { ($0.key, .count($0.value)) }))],
      "Restored "
        + counts.map { "\(Figures.count($0.value)) × \($0.key)" }.joined(separator: ", ") + ".")
  }

  /// A preview needs no ledger; where there is one, its base currency is the likely one.
  private func showPreview() async throws {
    var base: String?
    if FileSystem.exists(ledger.path) {
      base = try await ledger.read { snapshot in try snapshot.settings().baseCurrency?.code }
    }
    let (mapping, doubts) = try columns.mapping(of: file, mayGuess: true, base: base)
    let text = try CSVFile(path: file, encoding: mapping.encoding)
    let preview = ImportPreview(
      path: file, mapping: mapping, doubts: doubts,
      file: try MappedFile(text, mapping: mapping))
    if let saveMapping {
      let text = String(decoding: try mapping.json(), as: UTF8.self) + "\n"
      try FileSystem.create(saveMapping, text)
    }
    try ledger.json ? Output.json(preview.json()) : preview.show()
    if let saveMapping, !ledger.json { try Output.line("The mapping is in \(saveMapping).") }
  }
}
