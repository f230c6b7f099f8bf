import Daybook

/// The list of transactions by day, filtered by the address and divided into pages.
enum TransactionListPage {
  static let rowCount = 48
  /// The maximum number of rows that are read for counting.
  ///
  /// If there are more, the page shows this.
  static let countMax = 900

  static func page(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> Page {
    let query = try TransactionQuery(context, snapshot)
    let names = try NameBook(snapshot)
    let rows = try snapshot.transactions(query.filter, after: query.after, limit: rowCount)
    let (count, hasMore) = try snapshot.count(query.filter, upTo: countMax)
    // If the list is filtered by categories, show the parts of splits in these categories.
    let parts =
      query.filter.accounts.isEmpty ? try snapshot.categoryMembers(of: query.filter) : []
    var list = HTML()
    if let first = rows.first {
      let days = rows.map { query.filter.day(of: $0) }
      let sections = try snapshot.sections(
        query.filter, before: query.filter.day(of: first).adding(days: 1), limit: Set(days).count)
      let balances =
        query.filter.accounts.isEmpty
        ? nil : try snapshot.balances(of: query.filter.accounts, after: rows.map(\.key))
      let summaries = Dictionary(sections.map { ($0.day, $0) }, uniquingKeysWith: { $1 })
      var start = 0
      while start < rows.count {
        let day = days[start]
        var end = start
        var lines: [HTML] = []
        while end < rows.count, days[end] == day {
          lines.append(
            row(rows[end], balances?[end], query.filter.account, context, names, parts: parts))
          end += 1
        }
        list += section(day, summaries[day], lines, context, isOfParts: !parts.isEmpty)
        start = end
      }
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
    let title = query.filter.account.map { names.name($0) } ?? context[.transactions]
    return Page(
      title, .transactions,
      body: """
        \(TransactionFilterForm.html(context, query, names))
        \(counted)
        \(sums)
        \(empty)\(rows.isEmpty ? nil : SeveralRowsBar.html(names, context))<div id="rows">\(list)</div>
        \(pager(rows, query, context))
        """)
  }

  private static func section(
    _ day: Day, _ summary: DaySection?, _ rows: [HTML], _ context: PageContext, isOfParts: Bool
  ) -> HTML {
    let link = context.link(
      context.address.setting("from", "\(day)").setting("through", "\(day)").setting("after", nil))
    let sums = (summary?.sums ?? []).map { sum -> HTML in
      // The sums of categories are positive for spending, but the rows' amounts are negative.
      let total = Total(units: isOfParts ? -sum.units : sum.units, currency: sum.currency)
      return " \(context.figure(total, to: link, isSigned: true))"
    }
    return """
      <section class="day" data-day="\(day)"><header><h2><time datetime="\(day)">\(context.fullDay(day))</time></h2>\
      <p class="sums">\(sums)</p></header><ul class="rows">\(rows)</ul></section>
      """
  }

  /// Returns a row: payee and description, other side, amount, and the account's balance after it.
  static func row(
    _ transaction: Transaction, _ balance: Total?, _ account: AccountID?, _ context: PageContext,
    _ names: NameBook, parts: Set<CategoryID> = []
  ) -> HTML {
    let link = context.link("/transactions/\(transaction.id)")
    let shown = names.title(transaction, context)
    let counterpart = names.counterpart(transaction, context)
    let more = transaction.payee.isEmpty ? "" : transaction.description
    let amount = account.flatMap { transaction.amount(on: $0) } ?? transaction.amount
    let figure =
      transaction.sum(ofParts: parts).map { context.figure($0, to: link) }
      ?? amount.map { context.figure($0, to: link) }
    let after = balance.map { total -> HTML in
      "<span class=\"balance\">\(context.figure(total, to: link))</span>"
    }
    let tags = transaction.tags.map { tag -> HTML in
      "<a class=\"tag\" href=\"\(context.link("/transactions", [("tag", tag)]))\">\(tag)</a>"
    }
    let box: HTML? =
      context.canWrite
      ? "<input type=\"checkbox\" form=\"several\" name=\"row\" value=\"\("\(transaction.id)")\" aria-label=\"\(context[.selectRow]): \(shown)\">"
      : nil
    let from = transaction.account.map { names.name($0) } ?? ""
    let status: HTML? =
      transaction.status == .pending
      ? "<span class=\"status\">\(context[.pending])</span>" : nil
    let excluded: HTML? =
      transaction.isExcludedFromTotals
      ? "<span class=\"status\">\(context[.excluded])</span>" : nil
    return """
      <li class="row \("\(transaction.type)")" data-number="\(transaction.number)">\(box)<a class="what" href="\(link)">\(shown)</a>\
      <span class="more">\(more)\(status)\(excluded)\(tags)</span>\
      <span class="\(shown == counterpart ? "where" : "where via")">\(shown == counterpart ? "" : counterpart)<span class="from">\(from)</span></span>\
      <span class="amount">\(figure)</span>\(after)</li>
      """
  }

  private static func pager(
    _ rows: [Transaction], _ query: TransactionQuery, _ context: PageContext
  ) -> HTML {
    var links = HTML()
    if query.after != nil {
      links +=
        "<a class=\"button\" href=\"\(context.link(context.address.setting("after", nil)))\">\(context[.newest])</a>"
    }
    if rows.count == rowCount, let last = rows.last {
      let next = context.address.setting("after", TransactionQuery.text(last.key))
      links +=
        "<a class=\"button\" rel=\"next\" href=\"\(context.link(next))\">\(context[.older])</a>"
    }
    return "<nav class=\"pager\" aria-label=\"\(context[.transactions])\">\(links)</nav>"
  }
}

extension Transaction {
  /// Returns the sum of the parts in the given categories, which is negative for spending.
  ///
  /// Returns `nil` if there are no such parts, or if they are in several currencies.
  fileprivate func sum(ofParts categories: Set<CategoryID>) -> Total? {
    let parts = postings.filter { $0.categoryID.map(categories.contains) ?? false }
    guard let currency = parts.first?.amount.currency,
      parts.allSatisfy({ $0.amount.currency == currency })
    else { return nil }
    let units = parts.reduce(Int128(0)) { $0 - Int128($1.amount.minorUnits) }
    return Total(units: units, currency: currency)
  }
}
