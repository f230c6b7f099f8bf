import Daybook
import DaybookFindings

// Showing, settling and dismissing the findings of a shared ledger.
extension LedgerSite {
  /// Returns the open findings; `nil` on pages of the past, or if the ledger is not shared.
  func findings(_ context: PageContext) async throws -> [SyncFinding]? {
    guard context.past == nil else { return nil }
    return try await ledger.findings()
  }

  /// Dismisses a finding.
  ///
  /// On request, it first restores the deleted entity or records the deferred change.
  func settle(_ context: PageContext, _ id: String) async throws -> PageAnswer {
    guard
      let finding = try await ledger.findings(includingDismissed: true)?.first(where: {
        $0.id == id
      })
    else { throw PageError.notFound }
    let back = Address("/health", [("done", "saved")])
    if context.field("do") == "take" {
      let day = context.field("day").flatMap { Day($0) }
      if let receipt = try await ledger.take(finding: id, on: day) {
        context.own.record(receipt.token.sequence)
      }
      return redirect(back)
    }
    if context.field("do") == "restore" {
      let receipt = try await ledger.restore(entity: finding.entity)
      context.own.record(receipt.token.sequence)
    }
    let newest = try ledger.token.sequence
    if let receipt = try await ledger.dismiss(finding: id), receipt.token.sequence > newest {
      context.own.record(receipt.token.sequence)
    }
    return redirect(back)
  }
}
