import Daybook
import DaybookFindings

/// The page with everything that waits for a person, in sections that are left out if empty.
enum InboxPage {
  /// The number of entries shown in each section.
  static let rowCount = 25

  static func page(
    _ findings: Int, _ imported: ImportedRows?, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> Page {
    let names = try NameBook(snapshot)
    guard !names.accounts.isEmpty else {
      return Page(context[.inbox], .inbox, body: FirstSteps.html(context))
    }
    var inbox = try snapshot.inbox(today: context.today, limit: rowCount)
    var body = HTML()
    if let imported {
      // After an import, only its rows are shown.
      let rows = try snapshot.suggestions(for: imported.ids)
      inbox.uncategorized = InboxSection(
        count: rows.count, hasMore: imported.hasMore, entries: Array(rows.prefix(rowCount)))
      body += """
        <p class="actions"><a href="\(context.link("/history/\(imported.commit)"))">\(context[.whatChanges])</a> \
        <a href="\(context.link("/inbox"))">\(context[.everything])</a></p>
        """
    }
    if let fault = context.sent?.faults[""] {
      body += "<p class=\"problem\" role=\"alert\">\(fault)</p>"
    }
    body += InboxRows.html(inbox.uncategorized, names, context)
    if imported == nil { body += try InboxSections.html(inbox, findings, names, context, snapshot) }
    let rest = imported == nil ? inbox.count + findings : inbox.uncategorized.count
    if rest == 0 {
      body += """
        <section class="card"><p class="empty">\(context[.inboxEmpty])</p>\
        <p class="actions"><a class="button main" href="\(context.link("/import"))">\(context[.importing])</a> \
        <a class="button" href="\(context.link("/transactions"))">\(context[.transactions])</a></p></section>
        """
    }
    return Page(context[.inbox], .inbox, body: body)
  }

  /// Returns the title of a section with its count.
  static func title(
    _ id: String, _ word: Word, _ count: Int, _ hasMore: Bool, _ context: PageContext
  )
    -> HTML
  {
    let more: HTML? = hasMore ? "+" : nil
    return
      "<h2 id=\"\(id)\">\(context[word]) <span class=\"aside\">\(context.number(count))\(more)</span></h2>"
  }

  /// Returns a card for the overview with the count of each section; `nil` if nothing waits.
  static func card(
    _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> HTML? {
    let inbox = try snapshot.inbox(today: context.today, limit: 0)
    let counts: [(Word, Int, Bool, String)] = [
      (.toCategorise, inbox.uncategorized.count, inbox.uncategorized.hasMore, "categorise"),
      (.dueNow, inbox.due.count, inbox.due.hasMore, "due"),
      (.pendingLong, inbox.pending.count, inbox.pending.hasMore, "pending"),
      (.maybeDuplicates, inbox.duplicates.count, inbox.duplicates.hasMore, "duplicates"),
      (.maybeTransfers, inbox.transfers.count, inbox.transfers.hasMore, "transfers"),
      (.statementsDiffer, inbox.assertions.count, inbox.assertions.hasMore, "stated"),
    ]
    let items = counts.filter { $0.1 > 0 }.map { word, count, hasMore, place -> HTML in
      let more: HTML? = hasMore ? "+" : nil
      let link = context.link("/inbox")
      return
        "<li><a href=\"\(link)#\(place)\">\(context[word]): \(context.number(count))\(more)</a></li>"
    }
    if items.isEmpty { return nil }
    return """
      <section class="card full" aria-labelledby="waiting"><h2 id="waiting"><a href="\(context.link("/inbox"))">\(context[.inbox])</a></h2>
      <ul class="lines">\(items)</ul></section>
      """
  }
}

/// The transactions that an import recorded.
struct ImportedRows: Sendable {
  var commit: UInt64
  var ids: [TransactionID]
  /// Whether the commit has more transactions.
  var hasMore: Bool

  static let countMax = 2_000
}

extension LedgerSite {
  /// Returns the inbox, or the uncategorised transactions of one import.
  func inbox(_ context: PageContext) async throws -> Page {
    let findings = try await findings(context)?.count ?? 0
    let address = Self.back(context)
    let named =
      context.query("import") ?? address.query.first { $0.name == "import" }?.value
    let imported = try named.flatMap { UInt64($0) }.flatMap { try importedRows($0) }
    return try await read(context) { try InboxPage.page(findings, imported, $0, $1) }
  }

  /// Returns the transactions that a commit recorded; `nil` if the commit doesn't exist.
  func importedRows(_ commit: UInt64) throws -> ImportedRows? {
    guard commit > 0, try commit <= ledger.token.sequence,
      let token = try? ledger.token(at: commit)
    else { return nil }
    var filter = HistoryFilter()
    filter.changeCountMax = ImportedRows.countMax
    var cursor = try ledger.history(before: token, matching: filter).cursor()
    guard let entry = try cursor.next(), entry.sequence == commit else { return nil }
    let ids = entry.changes.filter { $0.kind == .transaction }.map { TransactionID($0.id) }
    return ImportedRows(
      commit: commit, ids: ids, hasMore: entry.changes.count >= ImportedRows.countMax)
  }

  /// Returns the inbox with a problem, as the answer to a form.
  func inbox(_ problem: String, _ context: PageContext) async throws -> PageAnswer {
    var again = context
    var sent = SentForm(context)
    sent.faults[""] = problem
    again.sent = sent
    var page = try await inbox(again)
    page.status = 422
    return try laidOut(page, again)
  }
}
