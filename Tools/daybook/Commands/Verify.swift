import ArgumentParser
import Daybook
import Synchronization
import Terminal

/// `daybook verify`: proves that every figure follows from history.
struct VerifyCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Prove that every figure follows from history.",
    discussion: """
      Reads the whole journal, recomputes its chain, replays it and compares every row of every \
      view. Exits with 2 where anything differs, and says what. Works in a process of its own, which \
      damaged files may end, and looks at every page before it relies on it.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Option(
    help: ArgumentHelp(
      "Compare with the anchor kept in this file, then keep the newest commit there.",
      discussion:
        "Keep it elsewhere than the ledger: then it shows if history is cut off or replaced.",
      valueName: "file"),
    completion: .file())
  var anchor: String?

  @Option(help: .hidden)
  var checkFor: Int32?

  func execute() async throws {
    if let checkFor { return try await check(telling: checkFor) }
    let ending = try CheckProcess.run { descriptor in
      var arguments = ["verify", "--ledger", ledger.path, "--check-for", "\(descriptor)"]
      if ledger.json { arguments.append("--json") }
      if let anchor { arguments += ["--anchor", anchor] }
      return arguments
    }
    switch ending {
    case .exited(0): return
    case .exited(let code): throw ExitCode(code)
    case .killed(let signal, let phase):
      let during = "the check was ended by signal \(signal) while \(phase.words)"
      guard CheckProcess.isFault(signal) else {
        throw CommandFailure(
          .tryAgain, code: "interrupted", "Nothing is known of the files: \(during).",
          remedy: "Run it again.")
      }
      throw CommandFailure(
        .damaged, code: "damaged", "The files of \(ledger.path) are damaged: \(during).",
        remedy: "Remove the views' folder and verify again; if it still ends so, restore a backup.")
    }
  }

  /// The check itself, in a process of its own.
  private func check(telling descriptor: Int32) async throws {
    CheckProcess.say(.examining, to: descriptor)
    let faults = try await Ledger.examine(at: ledger.path)
    guard faults.isEmpty else {
      return try tell(VerifyReport(commitCount: 0, rowCount: 0, findings: faults))
    }
    CheckProcess.say(.opening, to: descriptor)
    let bar = SharedProgress("Verifying")
    let report = try await ledger.withLedger { opened in
      CheckProcess.say(.comparing, to: descriptor)
      var report = try await opened.verify { bar.update($0) }
      if let anchor { report.findings += try compare(opened, with: anchor) }
      if let anchor, report.isSound { try FileSystem.replace(anchor, opened.anchor().text) }
      return report
    }
    bar.finish()
    try tell(report)
  }

  /// What is wrong by the anchor in a file; a file that is not there yet says nothing.
  private func compare(_ opened: Ledger, with place: String) throws -> [String] {
    guard let text = try FileSystem.text(of: place) else { return [] }
    guard let anchor = LedgerAnchor(text) else {
      throw CommandFailure(
        .badData, code: "anchor", "“\(place)” is no anchor of a ledger.",
        remedy: "Name another file, or one that is not there yet.")
    }
    return try opened.fault(against: anchor).map { [$0] } ?? []
  }

  private func tell(_ report: VerifyReport) throws {
    if ledger.json {
      try Output.json(
        .object([
          ("sound", .bool(report.isSound)), ("commits", .count(report.commitCount)),
          ("rows", .count(report.rowCount)),
          ("findings", .array(report.findings.map { .string($0) })),
        ]))
    } else {
      if report.commitCount > 0 || report.isSound {
        try Output.line(
          "Read \(Figures.count(report.commitCount)) commits, compared "
            + "\(Figures.count(report.rowCount)) rows of views.")
      }
      if report.isSound { try Output.line("All agree: every figure follows from history.") }
      for finding in report.findings { try Output.line("DIFFERS: \(finding.printable)") }
    }
    guard report.isSound else {
      if !ledger.json {
        try Output.remark(
          "The ledger at \(ledger.path) is damaged. `daybook rebuild` makes views anew; where the "
            + "journal itself differs, restore a backup.")
      }
      throw ExitStatus.damaged.exitCode
    }
  }
}

/// A progress bar that any thread may move.
final class SharedProgress: Sendable {
  private let bar: Mutex<ProgressBar>

  init(_ title: String) {
    bar = Mutex(ProgressBar(title))
  }

  /// Draws the part that is done, from 0 to 1.
  func update(_ part: Double) {
    bar.withLock { $0.update(part) }
  }

  /// Draws the part of a rebuild or compaction that is done, and how fast it goes.
  func update(_ progress: RebuildProgress) {
    let unit: String? =
      switch progress.phase {
      case .state, .chain, .catchUp: "commits"
      case .projections: "entities"
      case .comparison, .copy, .flush: nil
      }
    var rate = ""
    if let unit, progress.unitsPerSecond >= 1, progress.unitsPerSecond < 1e12 {
      rate = "\(Figures.count(Int(progress.unitsPerSecond))) \(unit)/s  "
    }
    bar.withLock { $0.update(progress.overall, note: rate) }
  }

  /// Draws how many of how many are done.
  func update(_ done: Int, of total: Int) {
    bar.withLock { $0.update(done, of: total) }
  }

  /// Removes the bar.
  func finish() {
    bar.withLock { $0.finish() }
  }
}
