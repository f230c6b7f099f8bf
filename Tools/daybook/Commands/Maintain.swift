import ArgumentParser
import Daybook

/// `daybook maintain`: does what is due, and exits.
struct MaintainCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "maintain",
    abstract: "Do what is due: purge by the policy, give free room back when it pays, check.",
    discussion: """
      For a timer: see Docs/Operations.md. Purges where a policy is set; compacts the journal when more \
      than a quarter of it, and at least --compact-above megabytes, is free; then recomputes the chain \
      and compares every view. Exits with 2 where the check finds something.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Option(help: "Compact only when at least so many megabytes are free.")
  var compactAbove = 16

  @Flag(help: "Leave the check out.")
  var skipVerify = false

  private struct Done {
    var purged: UInt64?
    var compacted: CompactionReport?
    var verified: VerifyReport?
  }

  func validate() throws {
    guard compactAbove >= 0 else { throw ValidationError("--compact-above can't be below 0.") }
  }

  func execute() async throws {
    let done = try await ledger.withLedger { opened in
      var done = Done()
      if try opened.retention() != .keepEverything {
        done.purged = try await opened.purge().commitCount
      }
      let free = try await opened.info().journal.freeByteCount
      let used = try await opened.info().journal.byteCount
      if free >= UInt64(compactAbove) << 20, free > 0, free * 4 >= used {
        done.compacted = try await opened.compact()
      }
      if !skipVerify { done.verified = try await opened.verify() }
      return done
    }
    try tell(done)
    if let found = done.verified?.findings, !found.isEmpty { throw ExitStatus.damaged.exitCode }
  }

  private func tell(_ done: Done) throws {
    if ledger.json {
      return try Output.json(
        .object([
          ("purged", done.purged.map { .count($0) } ?? .null),
          (
            "compacted",
            done.compacted.map {
              .object([
                ("bytesBefore", .count($0.byteCountBefore)),
                ("bytesAfter", .count($0.byteCountAfter)),
              ])
            } ?? .null
          ),
          (
            "findings", done.verified.map { .array($0.findings.map { .string($0) }) } ?? .null
          ),
        ]))
    }
    if let purged = done.purged {
      try Output.line("Purged \(Figures.count(purged)) \(purged == 1 ? "commit" : "commits").")
    } else {
      try Output.line("Nothing is purged: this ledger keeps everything.")
    }
    if let compacted = done.compacted {
      try Output.line(
        "Compacted: \(Figures.bytes(compacted.byteCountBefore)) before, "
          + "\(Figures.bytes(compacted.byteCountAfter)) now.")
    }
    guard let verified = done.verified else { return }
    for finding in verified.findings { try Output.line(finding) }
    if verified.findings.isEmpty {
      try Output.line("All agree: every figure follows from history.")
    }
  }
}
