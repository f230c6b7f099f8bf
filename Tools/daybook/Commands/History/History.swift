import ArgumentParser
import Daybook
import DaybookSync
import DaybookTerminal

/// `daybook history`: lists commits with their time, author and changes.
struct HistoryCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show recorded changes: who changed what and when, with old and new values.",
    discussion: """
      Newest first, unless --after sets a starting commit. Undo a commit with `daybook undo`; run \
      other commands as of a past commit with --as-of.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var form: OutputOptions

  @Option(help: ArgumentHelp("Oldest first, after this commit.", valueName: "commit"))
  var after: UInt64?

  @Option(help: ArgumentHelp("Newest first, from this commit on.", valueName: "commit"))
  var before: UInt64?

  @Option(help: "Only changes by this person; repeatable.")
  var author: [String] = []

  @Option(help: "Only changes by this program or device; repeatable.")
  var source: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only this transaction, account, category or other entity.", valueName: "id|place|name"))
  var entity: String?

  @Option(help: "Only entities of this kind, such as transaction or account; repeatable.")
  var kind: [String] = []

  @Option(help: ArgumentHelp("Only from this day on (UTC).", valueName: "yyyy-mm-dd"))
  var since: DayArgument?

  @Option(help: ArgumentHelp("Only before this day (UTC).", valueName: "yyyy-mm-dd"))
  var until: DayArgument?

  @Option(help: "The number of commits to show.")
  var limit = 20

  @Option(help: "The maximum number of changes to show per commit.")
  var changes = 10

  func validate() throws {
    if after != nil, before != nil {
      throw ValidationError(
        "Use either --after or --before, not both.")
    }
    guard limit >= 0, changes >= 0 else {
      throw ValidationError("--limit and --changes must be 0 or more.")
    }
  }

  func execute() async throws {
    let (entries, names, devices) = try await ledger.withLedger { opened in
      let filter = try opened.read { try self.filter($0) }
      let history =
        if let after {
          try opened.history(after: opened.token(at: after), matching: filter)
        } else {
          try opened.history(before: before.map { try opened.token(at: $0) }, matching: filter)
        }
      var entries: [HistoryEntry] = []
      var cursor = history.cursor()
      while entries.count < limit, let entry = try cursor.next() { entries.append(entry) }
      var names = try opened.read { try Names($0) }
      let isTable = try form.format(json: ledger.json) == .table
      names.subjects = try opened.subjects(of: entries, changesMax: isTable ? changes : .max)
      return (entries, names, await opened.sync.deviceNames())
    }
    try write(report(of: entries, names, devices))
  }

  /// The report of commits.
  ///
  /// The terminal output has some lines for each commit. CSV and TSV have a row for each changed
  /// property.
  private func report(
    of entries: [HistoryEntry], _ names: Names, _ devices: [UInt64: String]
  ) -> Report {
    var report = Report(
      [
        .data("sequence"), .data("time"), .data("author"), .data("source"), .data("operation"),
        .data("kind"), .data("id"), .data("property"), .data("before"), .data("after"),
      ], ifEmpty: "", json: JSONAnswer(["commits": entries], names))
    report.showsTable = false
    if entries.isEmpty { report.above = [.text("No commits.")] }
    for entry in entries {
      report.above += Self.lines(of: entry, names, changes, devices).map { .text($0) }
      let head: [Report.Cell] = [
        .init("\(entry.sequence)"), .init(Time.text(entry.header.wallMicroseconds) + "Z"),
        .init(entry.header.author ?? ""), .init(entry.header.source),
      ]
      for change in entry.changes {
        let what: [Report.Cell] = [
          .init("\(change.operation)"), .init(change.kind.name), .init("\(change.id)"),
        ]
        if change.differences.isEmpty { report.add(head + what + ["", "", ""]) }
        for difference in change.differences(in: names.subjects[change.id]?.currency) {
          func text(_ value: PropertyValue?) -> Report.Cell {
            .init(value.map { names.text(of: $0, quoted: false) } ?? "")
          }
          report.add(
            head + what + [
              .init(difference.name), text(difference.before), text(difference.after),
            ])
        }
      }
    }
    return report
  }

  private func filter(_ snapshot: borrowing Snapshot) throws -> HistoryFilter {
    var filter = HistoryFilter()
    if !author.isEmpty { filter.authors = Set(author) }
    if !source.isEmpty { filter.sources = Set(source) }
    if !kind.isEmpty { filter.kinds = Set(try kind.map { try Lookup.kind($0) }) }
    if let entity { filter.entities = [try Lookup.entity(entity, in: snapshot)] }
    let today = TodayOptions.clock
    filter.from = since.map { Self.microseconds(of: $0.day(today: today)) }
    filter.until = until.map { Self.microseconds(of: $0.day(today: today)) }
    return filter
  }

  private static func microseconds(of day: Day) -> Int64 {
    Int64(day.rawValue) * 86_400_000_000
  }

  /// The lines of a commit for people.
  ///
  /// - Parameter devices: The names of a shared ledger's devices, by replica.
  static func lines(
    of entry: HistoryEntry, _ names: Names, _ changesMax: Int, _ devices: [UInt64: String] = [:]
  ) -> [String] {
    let inColour = Terminal.output.inColour
    let by = entry.header.author.map { "  \($0)" } ?? (entry.header.isErased ? "  (erased)" : "")
    let source = entry.header.source.isEmpty ? "" : " (\(entry.header.source))"
    let time = Time.text(entry.header.wallMicroseconds)
    let takesBack = entry.reversal.map { ", undoes \($0.sequence)" } ?? ""
    let device =
      devices.isEmpty ? "" : devices[entry.header.replica].map { " on \($0)" } ?? " merged"
    let head = "\(entry.sequence)  \(time)\(by)\(source)\(device)\(takesBack)".printable
    var lines = [Style.bold.apply(to: head, inColour: inColour)]
    if entry.header.isRenumbering {
      return lines + renumbered(entry, changesMax)
    }
    let changes = ChangeText.shownChanges(entry)
    for change in changes.prefix(changesMax) {
      if let deed = ChangeText.remark(on: change, names) {
        lines.append("  \(deed)".printable)
        continue
      }
      lines.append("  \(Self.verb(change.operation)) \(names.title(of: change))".printable)
      lines += names.differences(of: change).map { "      \($0)".printable }
    }
    if changes.count > changesMax {
      lines.append("  … and \(Figures.count(changes.count - changesMax)) more changes")
    }
    return lines
  }

  /// The lines of the entities that a sync renumbered.
  private static func renumbered(_ entry: HistoryEntry, _ changesMax: Int) -> [String] {
    var lines = entry.renumbered.prefix(changesMax).map { one in
      let day = one.day.map { "\($0)" } ?? ""
      return "  renumbered \(one.kind.name) \(day)#\(one.former) to \(day)#\(one.number)"
    }
    let more = entry.header.changeCount / 2 - lines.count
    if more > 0 { lines.append("  … and \(Figures.count(more)) more renumbered by sync") }
    return lines
  }

  private static func verb(_ operation: RecordedChange.Operation) -> String {
    switch operation {
    case .insert: "+"
    case .update: "~"
    case .delete: "-"
    }
  }
}
