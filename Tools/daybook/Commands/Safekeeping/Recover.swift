import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook recover`: shows the acknowledged commits that are missing from the journal, and accepts
/// their loss.
struct RecoverCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Show commits that the journal lacks, and accept their loss.",
    discussion: """
      The journal lacks commits if an older copy of it was put back, or if its newest commits were \
      damaged. The views show this, and nothing can be recorded until you put the newer journal \
      back or accept the loss. --from-views lists what the missing commits changed. --accept-loss \
      accepts the loss and records that in history; together with --from-views, it also records \
      those changes again. Exits with 2 while commits are missing.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Flag(
    help: "List the changes of the missing commits, or record them again with --accept-loss.")
  var fromViews = false

  @Flag(help: "Accept the loss, so that the ledger can be changed again.")
  var acceptLoss = false

  private struct Answer: Encodable, Sendable {
    var missingCommits: MissingCommits?
    var isAccepted: Bool
    var changes: [RecordedChange]?
  }

  func execute() async throws {
    let (answer, names) = try await ledger.withLedger { opened in
      var missing = opened.missingCommits
      let changes = fromViews && missing != nil ? try await opened.missingChanges() : nil
      let names = try opened.read { try Names($0) }
      // If another process accepts the loss first, no commit is missing anymore.
      if acceptLoss {
        missing = try await opened.acceptMissingCommits(recordingChanges: fromViews)
      }
      return (
        Answer(
          missingCommits: missing, isAccepted: acceptLoss && missing != nil,
          changes: missing == nil ? nil : changes),
        names
      )
    }
    if ledger.json {
      try Output.json(JSONAnswer(answer, names))
    } else {
      try Output.lines(lines(answer, names))
    }
    if answer.missingCommits != nil, !answer.isAccepted { throw ExitStatus.damaged.exitCode }
  }

  private func lines(_ answer: Answer, _ names: Names) -> [String] {
    guard let missing = answer.missingCommits else { return ["No commits are missing."] }
    let changes = (answer.changes ?? []).filter { $0.kind != .fingerprint }
    var lines = changes.map { ChangeText.text(of: $0, names).printable }
    if fromViews, changes.isEmpty { lines.append("The missing commits changed nothing.") }
    if answer.isAccepted {
      lines.append("Accepted the loss of \(missing).")
      if fromViews {
        lines.append("Recorded \(Figures.counted(changes.count, "change")) again.")
      }
      return lines
    }
    lines += [
      "The journal lacks \(missing), which \(missing.sequences.count == 1 ? "was" : "were") "
        + "acknowledged.",
      "Put the newer journal back, or run `daybook recover --from-views --accept-loss` to record "
        + "the changes again, or `daybook recover --accept-loss` to continue without them.",
    ]
    return lines
  }
}
