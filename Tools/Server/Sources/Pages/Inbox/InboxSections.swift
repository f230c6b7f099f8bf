import Daybook

/// The sections of the inbox other than the uncategorised transactions.
enum InboxSections {
  static func html(
    _ inbox: Inbox, _ findings: Int, _ names: NameBook, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> HTML {
    var html = HTML()
    html += section("due", .dueNow, inbox.due, context) { due($0, context) }
    html += section("pending", .pendingLong, inbox.pending, context) { row in
      """
      <tr>\(cells(row, names, context))<td>\(several(row, [("status", "cleared", .cleared), ("do", "delete", .delete)], names, context))</td></tr>
      """
    }
    html += section("duplicates", .maybeDuplicates, inbox.duplicates, context) { pair in
      """
      <tr>\(cells(pair.original, names, context))<td></td></tr>
      <tr>\(cells(pair.duplicate, names, context))<td>\(several(pair.duplicate, [("do", "delete", .delete)], names, context))\
      \(pair.form("apart", .notDuplicate, names, context))</td></tr>
      """
    }
    html += section("transfers", .maybeTransfers, inbox.transfers, context) { pair in
      """
      <tr>\(cells(pair.paying, names, context))<td></td></tr>
      <tr>\(cells(pair.receiving, names, context))<td>\(pair.form("transfers", .linkThem, names, context))\(pair.form("apart", .notTransfer, names, context))</td></tr>
      """
    }
    html += section("stated", .statementsDiffer, inbox.assertions, context) { check in
      let stated = check.assertion
      let link = context.link(
        "/transactions", [("account", "\(stated.account)"), ("through", "\(stated.day)")])
      return """
        <tr><td class="aside">\(context.day(stated.day))</td>\
        <th scope="row"><a href="\(context.link("/reconcile/\(stated.account)"))">\(names.name(stated.account))</a></th>\
        <td class="num">\(context.figure(Total(stated.balance), to: context.link("/statements")))</td><td class="num">\(context.figure(check.balance, to: link))</td></tr>
        """
    }
    if findings > 0 {
      html += """
        <section class="card" aria-labelledby="found">\(InboxPage.title("found", .findings, findings, false, context))
        <p><a href="/health#findings">\(context[.findingsHint])</a></p></section>
        """
    }
    return html
  }

  private static func section<Entry>(
    _ id: String, _ word: Word, _ section: InboxSection<Entry>, _ context: PageContext,
    _ row: (Entry) -> HTML
  ) -> HTML {
    guard section.count > 0 else { return HTML() }
    let rest = section.count - section.entries.count
    let more: HTML? = rest > 0 ? "<p class=\"aside\">+ \(context.number(rest))</p>" : nil
    return """
      <section class="card" aria-labelledby="\(id)">\(InboxPage.title(id, word, section.count, section.hasMore, context))
      <div class="scroll"><table class="figures todo"><tbody>\(section.entries.map(row))</tbody></table></div>\(more)</section>
      """
  }

  /// Returns the day, the title and the amount of a transaction.
  private static func cells(
    _ row: Transaction, _ names: NameBook, _ context: PageContext
  ) -> HTML {
    let link = context.link("/transactions/\(row.id)")
    let account = row.account.map { names.name($0) } ?? ""
    return """
      <td class="aside">\(context.day(row.day))</td><th scope="row"><a href="\(link)">\(names.title(row, context))</a> \
      <span class="aside">\(account)</span></th><td class="num">\(row.amount.map { context.figure($0, to: link) })</td>
      """
  }

  /// Returns buttons that lead to the preview of a change to one transaction.
  private static func several(
    _ row: Transaction, _ deeds: [(name: String, value: String, word: Word)], _ names: NameBook,
    _ context: PageContext
  ) -> HTML? {
    guard context.canWrite else { return nil }
    let title = "\(names.title(row, context)), \(context.day(row.day))"
    let buttons = deeds.map { deed -> HTML in
      """
      <button name="\(deed.name)" value="\(deed.value)" aria-label="\(context[deed.word]): \(title)">\(context[deed.word])</button>
      """
    }
    return """
      <form class="actions" method="post" action="/transactions/several"><input type="hidden" name="row" value="\("\(row.id)")">\
      <input type="hidden" name="back" value="/inbox">\(buttons)</form>
      """
  }

  private static func due(_ payment: UpcomingPayment, _ context: PageContext) -> HTML {
    let series = payment.series
    let amount = series.template.amount
    let id = "due-\(series.id)-\(payment.due)"
    let title = "\(series.name), \(context.day(payment.day))"
    let form: HTML? =
      context.canWrite
      ? """
      <form class="actions" method="post" action="/inbox/due"><input type="hidden" name="series" value="\("\(series.id)")">\
      <input type="hidden" name="due" value="\(payment.due)"><label class="hidden" for="\(id)">\(context[.amount]): \(title)</label>\
      <input id="\(id)" name="amount" size="9" inputmode="decimal" value="\(AmountText.typed(amount, context.locale))"> \(amount.currency.code) \
      <button class="main" name="do" value="record" aria-label="\(context[.recordDue]): \(title)">\(context[.recordDue])</button>\
      <button name="do" value="skip" aria-label="\(context[.skipDay]): \(title)">\(context[.skipDay])</button></form>
      """ : nil
    let link = RecurringPage.link(to: payment, context)
    return """
      <tr><td class="aside">\(context.day(payment.day))</td><th scope="row">\(series.name)</th>\
      <td class="num">\(context.figure(amount, to: link))</td><td>\(form)</td></tr>
      """
  }
}

/// Two transactions that may belong together.
private protocol InboxPair {
  var first: Transaction { get }
  var second: Transaction { get }
}

extension DuplicatePair: InboxPair {
  fileprivate var first: Transaction { original }
  fileprivate var second: Transaction { duplicate }
}

extension TransferPair: InboxPair {
  fileprivate var first: Transaction { paying }
  fileprivate var second: Transaction { receiving }
}

extension InboxPair {
  /// Returns a button that does something with both transactions.
  fileprivate func form(
    _ deed: String, _ word: Word, _ names: NameBook, _ context: PageContext
  ) -> HTML? {
    guard context.canWrite else { return nil }
    let title = "\(names.title(second, context)), \(context.day(second.day))"
    return """
      <form class="actions" method="post" action="/inbox/\(deed)"><input type="hidden" name="first" value="\("\(first.id)")">\
      <input type="hidden" name="second" value="\("\(second.id)")">\
      <button aria-label="\(context[word]): \(title)">\(context[word])</button></form>
      """
  }
}

extension LedgerSite {
  /// Records a due payment, with another amount if one was entered, or skips it.
  func settleDue(_ context: PageContext) async throws -> PageAnswer {
    var sent = SentForm(context)
    let series: SeriesID? = sent.id("series", context)
    let due = sent.day("due", context)
    let payment = try ledger.read { snapshot in
      try snapshot.upcoming(through: context.today, today: context.today).first {
        $0.series.id == series && $0.due == due && $0.isOverdue
      }
    }
    guard let payment else { return try await inbox(context[.noLongerDue], context) }
    let command: Command
    if sent.text("do") == "skip" {
      command = .skipOccurrence(SeriesLink(payment.series.id, due: payment.due))
    } else {
      let currency = payment.series.template.amount.currency
      let amount = sent.money("amount", currency, context)
      if let fault = sent.faults["amount"] { return try await inbox(fault, context) }
      command = .record(payment.draft(amount: amount))
    }
    do {
      try await append([command], context)
    } catch {
      return try await inbox(context.text(error), context)
    }
    return redirect(
      Address("/inbox", [("done", sent.text("do") == "skip" ? "saved" : "recorded")]))
  }

  /// Makes one transfer of two transactions.
  func linkTransfer(_ context: PageContext) async throws -> PageAnswer {
    try await settlePair(context) { first, second, _ in .linkTransfer(first, second) }
  }

  /// Tells two transactions apart, so that they are no longer shown as possibly the same.
  func tellApart(_ context: PageContext) async throws -> PageAnswer {
    try await settlePair(context) { first, second, snapshot in
      guard let first = try snapshot.transaction(first),
        let second = try snapshot.transaction(second)
      else { throw PageError.notFound }
      return DuplicatePair(original: first, duplicate: second).distinction
    }
  }

  private func settlePair(
    _ context: PageContext,
    _ command: (TransactionID, TransactionID, borrowing Snapshot) throws -> Command
  ) async throws -> PageAnswer {
    var sent = SentForm(context)
    guard let first: TransactionID = sent.id("first", context),
      let second: TransactionID = sent.id("second", context)
    else { throw PageError.notFound }
    let chosen = try ledger.read { try command(first, second, $0) }
    do {
      try await append([chosen], context)
    } catch {
      return try await inbox(context.text(error), context)
    }
    return redirect(Address("/inbox", [("done", "saved")]))
  }
}
