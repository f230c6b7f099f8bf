import ArgumentParser
import Daybook
import DaybookInterchange
import DaybookTerminal

/// `daybook mappings`: lists and manages the import mappings saved in the ledger.
struct MappingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mappings", abstract: "Manage mappings of bank files' columns.",
    discussion: """
      A mapping is kept with the layout of its files: the column names and the delimiter. `daybook \
      import` finds it by that layout, so next month all you need is `daybook import *.csv`.
      """,
    subcommands: [
      MappingsListCommand.self, MappingsShowCommand.self, MappingsSaveCommand.self,
      MappingsRenameCommand.self, MappingsDeleteCommand.self,
    ], defaultSubcommand: MappingsListCommand.self)
}

/// `daybook mappings list`: lists saved mappings.
struct MappingsListCommand: ReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the ledger's mappings.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var output: ReportOptions

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let mappings = try snapshot.mappings()
    let names = try Names(snapshot)
    var report = Report(
      [
        .text("name", "Name", wraps: true, yielding: .never), .data("id"),
        .text("account", "Account", yielding: .below(3)),
        .text("delimiter", "Delimiter", yielding: .below(1)),
        .text("columns", "Columns", wraps: true, yielding: .below(2)),
      ], ifEmpty: "No mappings. Add one with `daybook import FILE … --keep-mapping NAME`.",
      json: JSONAnswer(["mappings": mappings], names))
    for mapping in mappings {
      report.add([
        .init(mapping.name), .init("\(mapping.id)"),
        .init(mapping.account.map { names.name(of: $0) } ?? ""), .init(mapping.look.delimiter),
        .init(mapping.look.text),
      ])
    }
    return report
  }
}

/// `daybook mappings show`: prints a saved mapping as a mapping file.
struct MappingsShowCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print a mapping as a mapping file.",
    discussion: "  daybook mappings show Bank > bank.json")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The mapping's name or id.")
  var name: String

  func execute() async throws {
    let (mapping, names) = try await ledger.read { snapshot in
      (try Lookup.mapping(name, in: snapshot), try Names(snapshot))
    }
    try ledger.json
      ? Output.json(JSONAnswer(["mapping": mapping], names))
      : Output.write(mapping.contents.hasSuffix("\n") ? mapping.contents : mapping.contents + "\n")
  }
}

/// `daybook mappings save`: saves a mapping file in the ledger.
struct MappingsSaveCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save a mapping file in the ledger.",
    discussion: """
        daybook mappings save Bank bank.json --for statement.csv

      The layout of the mapping's files is taken from the statement.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The mapping's name.")
  var name: String

  @Argument(help: "The mapping file.", completion: .file(extensions: ["json"]))
  var file: String

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("A bank file with the mapping's layout.", valueName: "statement"),
    completion: .file(extensions: ["csv", "tsv", "txt"]))
  var statement: String

  @Flag(help: "Replace an existing mapping of this name.")
  var force = false

  func execute() async throws {
    let mapping = try ImportMapping(path: file)
    let statement = try RawFile(path: statement)
    // Try the mapping on the file, so that a mismatch is reported now and not at the next import.
    _ = try MappedFile(statement.text(mapping.encoding), mapping: mapping)
    let recorded = try await ledger.record { snapshot in
      [
        .putMapping(
          try SavedMapping(
            mapping, called: name, for: statement, replacing: force, in: snapshot))
      ]
    }
    try ledger.answer(recorded, "Saved mapping “\(name)” in the ledger.")
  }
}

/// `daybook mappings rename`: renames a saved mapping.
struct MappingsRenameCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename a mapping.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The mapping's name or id.")
  var name: String

  @Argument(help: "The new name.")
  var newName: String

  func execute() async throws {
    let recorded = try await ledger.record { snapshot in
      var mapping = try Lookup.mapping(name, in: snapshot)
      mapping.name = newName
      return [.putMapping(mapping)]
    }
    try ledger.answer(recorded, "Renamed mapping “\(name)” to “\(newName)”.")
  }
}

/// `daybook mappings delete`: deletes a saved mapping, but not the imported transactions.
struct MappingsDeleteCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a mapping. Imported transactions aren't affected.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The mapping's name or id.")
  var name: String

  func execute() async throws {
    let recorded = try await ledger.record { [.removeMapping(try Lookup.mapping(name, in: $0).id)] }
    try ledger.answer(recorded, "Deleted mapping “\(name)”.")
  }
}

extension Lookup {
  /// Finds a saved mapping by its id or its name, ignoring case.
  ///
  /// - Throws: `CommandFailure` if no mapping or several mappings match.
  static func mapping(_ text: String, in snapshot: borrowing Snapshot) throws -> SavedMapping {
    let all = try snapshot.mappings()
    let key = Folding.key(text)
    if let found = all.first(where: { Folding.key($0.name) == key }) { return found }
    if let found = all.first(where: { "\($0.id)" == text }) { return found }
    throw CommandFailure.notFound(
      "Couldn't find the mapping “\(text)”.",
      remedy: Suggestion.sentence(
        for: text, among: all.map(\.name), list: "daybook mappings list",
        create: "daybook mappings save"))
  }
}

extension ImportLook {
  /// The columns in words.
  fileprivate var text: String {
    header.isEmpty ? "\(columnCount) without names" : header.joined(separator: " | ")
  }
}
