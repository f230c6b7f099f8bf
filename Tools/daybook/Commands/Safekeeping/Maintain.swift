import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook maintain`: runs the maintenance that is due, and exits.
struct MaintainCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "maintain",
    abstract: "Run due maintenance: purge, compact and verify.",
    discussion: """
      For a timer: see Docs/Operations.md. Purges if a retention policy is set. Compacts the journal if \
      more than a quarter of it, and at least --compact-above megabytes, is free. Then checks the ledger \
      as `verify` does. Exits with 2 if the check finds a problem.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Option(help: "Compact only if at least this many megabytes are free.")
  var compactAbove = 16

  @Flag(help: "Skip the check.")
  var skipVerify = false

  private struct Done: Encodable, Sendable {
    var purged: UInt64?
    var compacted: CompactionReport?
    var verified: VerifyReport?
  }

  func validate() throws {
    guard compactAbove >= 0 else { throw ValidationError("--compact-above must be 0 or more.") }
  }

  func execute() async throws {
    var done = try await ledger.withLedger { opened in
      var done = Done()
      if try opened.retention() != .keepEverything {
        done.purged = try await opened.purge().commitCount
      }
      let free = try await opened.info().journal.freeByteCount
      let used = try await opened.info().journal.byteCount
      if free >= UInt64(compactAbove) << 20, free > 0, free * 4 >= used {
        done.compacted = try await opened.compact()
      }
      return done
    }
    if !skipVerify { done.verified = try verify() }
    try tell(done)
    if let found = done.verified?.findings, !found.isEmpty { throw ExitStatus.damaged.exitCode }
  }

  /// Verifies the ledger in a separate process.
  private func verify() throws -> VerifyReport {
    let ending = try CheckProcess.run { descriptor in
      ["verify", "--ledger", ledger.path, "--check-for", "\(descriptor)", "--tells-asker"]
        + (ledger.json ? ["--json"] : [])
    }
    switch ending {
    case .exited(let code, let line):
      // If there is no report, the process has already written the reason to standard error.
      guard code == 0, let report = VerifyReport(line: line) else { throw ExitCode(code) }
      return report
    case .killed(let signal, let phase): throw CheckProcess.failure(ledger.path, signal, phase)
    }
  }

  private func tell(_ done: Done) throws {
    if ledger.json {
      return try Output.json(JSONAnswer(done))
    }
    if let purged = done.purged {
      try Output.line("Purged \(Figures.count(purged)) \(purged == 1 ? "commit" : "commits").")
    } else {
      try Output.line("Purged nothing: this ledger keeps all history.")
    }
    if let compacted = done.compacted {
      try Output.line(
        "Compacted the journal from \(Figures.bytes(compacted.byteCountBefore)) to "
          + "\(Figures.bytes(compacted.byteCountAfter)).")
    }
    if let verified = done.verified { try Output.lines(verified.lines) }
  }
}
