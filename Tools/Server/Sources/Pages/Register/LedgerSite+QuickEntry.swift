import Daybook

// The row for adding a transaction: it is recorded, and the same list is shown again.
extension LedgerSite {
  func enter(_ context: PageContext) async throws -> PageAnswer {
    var entry = QuickEntry(context)
    let names = try ledger.read { try NameBook($0) }
    if ["part", "more"].contains(entry.sent.text("do")) {
      let page = try ledger.read {
        try TransactionFormPage.page(entry.whole(context, names), nil, context, $0)
      }
      return try laidOut(page, context)
    }
    var back = Self.back(context)
    if back.path != "/transactions" { back = Address("/transactions") }
    if let draft = entry.draft(context, names) {
      do {
        let receipt = try await append([.record(draft)], context, key: entry.sent.optional("key"))
        // The next transaction is often of the same day and account.
        return redirect(
          back.setting("done", "recorded").setting("commit", "\(receipt.token.sequence)")
            .setting("entryDay", "\(draft.day)")
            .setting("entryAccount", entry.sent.optional("account")))
      } catch {
        entry.refuse(error, context)
      }
    }
    var again = context.showing(back)
    again.sent = entry.sent
    var page = try ledger.read { try TransactionListPage.page(again, $0) }
    page.status = 422
    return try laidOut(page, again)
  }
}
