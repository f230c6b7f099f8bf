import ArgumentParser
import Daybook
import DaybookSync
import DaybookTerminal
import Synchronization

/// `daybook verify`: checks the files, and recomputes all figures from history.
struct VerifyCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check the ledger's files and that all totals follow from history.",
    discussion: """
      Examines every page of the files, recomputes the journal's hash chain, rebuilds all views next to \
      the live ones, and compares every row. Reports each difference and exits with status 2 if there are any. \
      The copy takes about as much disk space as the views while it runs. The check runs in a separate \
      process, because damaged files can crash it.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Option(
    help: ArgumentHelp(
      "Compare with the anchor in this file, then save the newest commit there.",
      discussion:
        "Keep the file apart from the ledger, so that truncated or replaced history is detected.",
      valueName: "file"),
    completion: .file())
  var anchor: String?

  @Option(help: .hidden)
  var checkFor: Int32?

  @Flag(help: .hidden)
  var tellsAsker = false

  func execute() async throws {
    if let checkFor { return try await check(telling: checkFor) }
    let ending = try CheckProcess.run { descriptor in
      var arguments = ["verify", "--ledger", ledger.path, "--check-for", "\(descriptor)"]
      if ledger.json { arguments.append("--json") }
      if let anchor { arguments += ["--anchor", anchor] }
      return arguments
    }
    switch ending {
    case .exited(0, _): return
    case .exited(let code, _): throw ExitCode(code)
    case .killed(let signal, let phase): throw CheckProcess.failure(ledger.path, signal, phase)
    }
  }

  /// Runs the check, in the separate process.
  private func check(telling descriptor: Int32) async throws {
    CrashReport.remove()
    CheckProcess.say(.examining, to: descriptor)
    let faults = try await Ledger.examine(at: ledger.path)
    guard faults.isEmpty else {
      return try tell(VerifyReport(commitCount: 0, rowCount: 0, findings: faults), descriptor)
    }
    CheckProcess.say(.opening, to: descriptor)
    let bar = SharedProgress("Verifying")
    let report = try await ledger.withLedger { opened in
      CheckProcess.say(.comparing, to: descriptor)
      var report = try await opened.verify { bar.update($0) }
      if let anchor { report.findings += try compare(opened, with: anchor) }
      report.findings += try await opened.sync.unsendableCommits().map(\.description)
      if let anchor, report.isSound { try FileSystem.replace(anchor, opened.anchor().text) }
      return report
    }
    bar.finish()
    try tell(report, descriptor)
  }

  /// Compares the ledger with the anchor in a file; returns no differences if the file doesn't
  /// exist yet.
  private func compare(_ opened: Ledger, with place: String) throws -> [String] {
    guard let text = try FileSystem.text(of: place) else { return [] }
    guard let anchor = LedgerAnchor(text) else {
      throw CommandFailure(
        .badData, code: "anchor", "Couldn't read “\(place)”: it isn't an anchor file.",
        remedy: "Choose another file, or one that doesn't exist yet.")
    }
    return try opened.fault(against: anchor).map { [$0] } ?? []
  }

  private func tell(_ report: VerifyReport, _ descriptor: Int32) throws {
    if tellsAsker { return try CheckProcess.tell(report.line, to: descriptor) }
    if ledger.json {
      try Output.json(JSONAnswer(report))
    } else {
      try Output.lines(report.lines)
    }
    guard report.isSound else {
      if !ledger.json {
        try Output.remark(
          "The ledger at \(ledger.path) is damaged. If only the views differ, run `daybook "
            + "rebuild`; if commits are missing, run `daybook recover`; if the journal is damaged, "
            + "restore a backup.")
      }
      throw ExitStatus.damaged.exitCode
    }
  }
}

/// A progress bar that any thread may update.
final class SharedProgress: Sendable {
  private let bar: Mutex<ProgressBar>

  init(_ title: String) {
    bar = Mutex(ProgressBar(title))
  }

  /// Draws the completed part, from 0 to 1.
  func update(_ part: Double) {
    bar.withLock { $0.update(part) }
  }

  /// Draws the completed part of a rebuild or compaction, and its speed.
  func update(_ progress: RebuildProgress) {
    let unit: String? =
      switch progress.phase {
      case .state, .catchUp: "commits"
      case .projections: "entities"
      case .comparison, .copy, .proof, .flush: nil
      }
    var rate = ""
    if let unit, progress.unitsPerSecond >= 1, progress.unitsPerSecond < 1e12 {
      rate = "\(Figures.count(Int(progress.unitsPerSecond))) \(unit)/s  "
    }
    bar.withLock { $0.update(progress.overall, note: rate) }
  }

  /// Draws the number of completed items.
  func update(_ done: Int, of total: Int) {
    bar.withLock { $0.update(done, of: total) }
  }

  /// Removes the bar.
  func finish() {
    bar.withLock { $0.finish() }
  }
}
