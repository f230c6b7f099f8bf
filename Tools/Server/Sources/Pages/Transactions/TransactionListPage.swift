import Daybook

/// The register: the list of transactions, filtered by the address and divided into pages.
enum TransactionListPage {
  static let rowCount = 48
  /// The maximum number of rows that are read for counting.
  ///
  /// If there are more, the page shows this.
  static let countMax = 900

  static func page(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> Page {
    let query = try TransactionQuery(context, snapshot)
    let names = try NameBook(snapshot)
    let rows = try self.rows(query, snapshot)
    let (count, hasMore) = try snapshot.count(query.filter, upTo: countMax)
    // If the list is filtered by categories, show the parts of splits in these categories.
    let parts =
      query.filter.accounts.isEmpty ? try snapshot.categoryMembers(of: query.filter) : []
    let balances =
      query.filter.accounts.isEmpty || rows.isEmpty
      ? nil : try snapshot.balances(of: query.filter.accounts, after: rows.map(\.key))
    var previous: Day?
    let list = rows.indices.map { index -> HTML in
      let day = query.filter.day(of: rows[index])
      defer { previous = day }
      return RegisterRow.html(
        rows[index], on: day, balances?[index], query.filter.account, context, names, parts: parts,
        isFirst: day != previous)
    }
    let isWhole = !context.address.query.contains { TransactionQuery.names.contains($0.name) }
    let empty: HTML? =
      rows.isEmpty
      ? "<p class=\"empty\">\(context[isWhole ? .nothingYet : .nothingFound])</p>" : nil
    let counted: HTML? =
      rows.isEmpty
      ? nil
      : "<p class=\"aside\">\(context.rows(count, isMore: hasMore))</p>"
    let sums = try FilterSums.html(query.filter, context, snapshot)
    let account = query.filter.account.flatMap { id in names.accounts.first { $0.id == id } }
    var summary: HTML?
    if let account {
      summary = try AccountSummary(account, context, snapshot).html(account.id, context)
    }
    let style =
      query.filter.account != nil ? " of-account" : balances != nil ? " of-accounts" : ""
    return Page(
      account?.name ?? context[.transactions], .transactions,
      actions: account.map { AccountSummary.actions($0, context) } ?? HTML(),
      body: """
        \(summary)<div class="tools">\(TransactionFilterForm.html(context, query, names))\(RegisterHead.jump(context))\(counted)</div>
        \(sums)
        <div class="register\(style)">\(RegisterHead.html(query, context, hasBalances: balances != nil))
        \(QuickEntryForm.html(query, names, context))
        <div id="rows"><ul class="rows">\(list)</ul></div></div>
        \(empty)\(rows.isEmpty ? nil : SeveralRowsBar.html(names, context))
        \(pager(rows, query, context))
        """)
  }

  /// Returns a page's rows, in the order of the list.
  private static func rows(
    _ query: TransactionQuery, _ snapshot: borrowing Snapshot
  ) throws -> [Transaction] {
    guard query.isOldestFirst else {
      return try snapshot.transactions(query.filter, after: query.after, limit: rowCount)
    }
    let start = query.after ?? TransactionPosition(day: .min, number: 0)
    return try snapshot.transactions(query.filter, before: start, limit: rowCount).reversed()
  }

  private static func pager(
    _ rows: [Transaction], _ query: TransactionQuery, _ context: PageContext
  ) -> HTML {
    var links = HTML()
    let start = context.address.setting("after", nil).setting("at", nil)
    if query.after != nil {
      let word: Word = query.isOldestFirst ? .oldest : .newest
      links += "<a class=\"button\" href=\"\(context.link(start))\">\(context[word])</a>"
    }
    if rows.count == rowCount, let last = rows.last {
      let next = start.setting("after", TransactionQuery.text(last.key))
      let word: Word = query.isOldestFirst ? .newer : .older
      links +=
        "<a class=\"button\" rel=\"next\" href=\"\(context.link(next))\">\(context[word])</a>"
    }
    return "<nav class=\"pager\" aria-label=\"\(context[.transactions])\">\(links)</nav>"
  }
}
