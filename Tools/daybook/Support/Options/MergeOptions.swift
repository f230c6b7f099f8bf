import ArgumentParser
import Daybook

/// The option for previewing a merge instead of recording it.
struct MergeOptions: ParsableArguments {
  @Flag(help: "Show what would move, without recording it.")
  var dryRun = false
}

extension LedgerOptions {
  /// Merges one entity into another, or shows the changes that the merge would make.
  func merge(
    _ options: MergeOptions,
    _ pair: (borrowing Snapshot) throws -> (command: Command, from: String, into: String)
  ) async throws {
    try await withLedger { ledger in
      let (command, from, into) = try ledger.read { snapshot in try pair(snapshot) }
      guard options.dryRun else {
        let recorded = Recorded(
          receipt: try await ledger.append(command), names: try names(in: ledger))
        let count = Figures.counted(recorded.receipt.outcomes.changedRowCount, "transaction")
        return try answer(recorded, "Merged \(from) into \(into) and moved \(count).")
      }
      let rows = try await ledger.rehearse([command]).changedRowCount
      try answer(
        JSONAnswer(SortedMembers(["rows": rows]), try names(in: ledger)),
        "Would merge \(from) into \(into) and move \(Figures.counted(rows, "transaction")).")
    }
  }
}
