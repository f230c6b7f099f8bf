import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook info`: shows sizes, counts and checkpoints.
struct InfoCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show the ledger's counts, sizes and checkpoints.",
    discussion: "Exits with 2 if the journal lacks acknowledged commits.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var form: OutputOptions

  func execute() async throws {
    func ask(_ opened: Ledger) async throws -> (LedgerInfo, LedgerSettings) {
      (try await opened.info(), try opened.read { snapshot in try snapshot.settings() })
    }
    let found = try await ledger.withLedger(readOnly: true) { opened in
      // Open a ledger in an older format for writing, which migrates it or reports why it can't be
      // migrated.
      opened.readOnlyReason?.code == .readOnly ? nil : try await ask(opened)
    }
    let (info, settings) =
      if let found { found } else { try await ledger.withLedger { try await ask($0) } }
    var report = Report.facts(json: JSONAnswer(Joined(info, ["settings": settings])))
    func add(_ name: String, _ title: String, _ data: String?, _ shown: String) {
      report.addFact(name, title, .init(data: data ?? "", .init(shown)))
    }
    func fault(_ name: String, _ title: String, _ text: String) {
      report.addFact(name, title, .init(data: text, .init(text, .red)))
    }
    add("ledger", "Ledger", info.path, info.path)
    add(
      "format", "Store", "\(info.formatVersion)", "\(info.store), format \(info.formatVersion)")
    let newest = info.newestCommitMicroseconds.map { ", \(Time.text($0)) UTC" } ?? ""
    add("sequence", "Commits", "\(info.sequence)", Figures.count(info.sequence) + newest)
    let base = settings.baseCurrency?.code
    add("base", "Base currency", base, base ?? "none")
    if let reason = info.readOnlyReason { fault("readOnly", "Read-only", reason) }
    if let missing = info.missingCommits {
      fault("missing", "Missing", "\(missing): run `daybook recover`")
    }
    if let closed = settings.closedThrough {
      add("closedThrough", "Closed through", "\(closed)", "\(closed)")
    }
    let titles = [
      "rates": "exchange rates", "series": "recurring transactions",
      "assertions": "stated balances",
    ]
    for (name, count) in Self.counts(info) {
      add(name, titles[name] ?? name, "\(count)", Figures.count(count))
    }
    for (name, title, figures, generation) in [
      ("journalBytes", "Journal", info.journal, info.journalGeneration),
      ("viewsBytes", "Views", info.views, info.viewsGeneration),
    ] {
      add(name, title, "\(figures.byteCount)", Self.environment(figures, generation))
    }
    for projection in info.projections {
      let state =
        "at commit \(Figures.count(projection.sequence ?? info.sequence)), "
        + "version \(projection.version), "
      if let found = projection.fault {
        fault(projection.name, projection.name, state + "QUARANTINED: \(found)")
      } else {
        add(projection.name, projection.name, "well", state + "OK")
      }
    }
    try write(report)
    if info.missingCommits != nil { throw ExitStatus.damaged.exitCode }
  }

  private static func counts(_ info: LedgerInfo) -> [(String, UInt64)] {
    info.entityCounts.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, count in
      (EntityNames.plural(of: kind), count)
    }
  }

  private static func environment(
    _ figures: LedgerInfo.EnvironmentInfo, _ generation: UInt32
  ) -> String {
    let readers = figures.readerCount == 1 ? "1 reader slot" : "\(figures.readerCount) reader slots"
    return
      "\(Figures.bytes(figures.byteCount)), \(Figures.bytes(figures.freeByteCount)) of it free, "
      + "generation \(generation), "
      + "pages of \(figures.pageByteCount) bytes, \(readers)"
  }
}
