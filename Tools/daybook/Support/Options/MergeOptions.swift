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
    _ pair: (borrowing Snapshot) throws -> (
      commands: [Command], from: String, into: String, plans: [String]
    )
  ) async throws {
    try await withLedger { ledger in
      let (commands, from, into, plans) = try ledger.read { snapshot in try pair(snapshot) }
      guard options.dryRun else {
        let recorded = Recorded(
          receipt: try await ledger.append(commands), names: try names(in: ledger))
        let count = Figures.counted(recorded.receipt.outcomes.changedRowCount, "transaction")
        return try answer(
          recorded, "Merged \(from) into \(into) and moved \(count).\(using(into, plans))")
      }
      let rows = try await ledger.rehearse(commands).changedRowCount
      try answer(
        JSONAnswer(SortedMembers(["rows": rows]), try names(in: ledger)),
        "Would merge \(from) into \(into) and move \(Figures.counted(rows, "transaction"))."
          + using(into, plans, "Would then use"))
    }
  }

  /// Returns a sentence about the budgets, rules and recurring transactions that now use another
  /// entity.
  private func using(_ name: String, _ plans: [String], _ verb: String = "Now using") -> String {
    plans.isEmpty ? "" : " \(verb) \(name): \(plans.joined(separator: ", "))."
  }
}
