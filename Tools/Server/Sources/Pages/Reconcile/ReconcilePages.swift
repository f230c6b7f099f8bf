import Daybook

// A statement beside the rows that it may have, until the difference is zero.
extension LedgerSite {
  func reconcile(_ context: PageContext, _ id: AccountID) async throws -> Page {
    try await read(context) { context, snapshot in
      try ReconcilePage.page(id, [], context, snapshot)
    }
  }

  /// Ticks rows: counts again, or reconciles them where nothing is left.
  func reconciled(_ context: PageContext, _ id: AccountID) async throws -> PageAnswer {
    let ticked = context.request.form.filter { $0.name == "row" }
      .compactMap { TransactionID($0.value) }
    if context.field("do") == "record" {
      try await append([.reconcile(ticked)], context)
      return redirect(
        Address("/transactions", [("account", "\(id)"), ("done", "saved")]))
    }
    let page = try ledger.read { try ReconcilePage.page(id, ticked, context, $0) }
    return try laidOut(page, context)
  }
}

/// The page of a reconciliation.
enum ReconcilePage {
  static func page(
    _ id: AccountID, _ ticked: [TransactionID], _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> Page {
    guard let account = try snapshot.account(id) else { throw PageError.notFound }
    func asked(_ name: String) -> String { context.field(name) ?? context.query(name) ?? "" }
    let names = try NameBook(snapshot)
    let day = Day(asked("day")) ?? context.today
    let text = asked("statement")
    let statement = AmountText.read(text, account.currency, context.locale)
    let isFirst = context.request.method != "POST"
    var sheet = try snapshot.reconciliation(of: id, through: day, statement: statement)
    if !isFirst { sheet.tick(only: ticked) }
    let rows = sheet.rows.map { row -> HTML in
      let checked: HTML = sheet.ticked.contains(row.id) ? " checked" : ""
      let title = names.title(row.transaction, context)
      return """
        <tr><td><input type="checkbox" name="row" value="\("\(row.id)")" aria-label="\(title) \(context.amount(row.amount))"\(checked)></td>\
        <td class="aside">\(context.day(row.transaction.day))</td><th scope="row">\(title)</th>\
        <td class="num">\(context.figure(row.amount, to: context.link("/transactions/\(row.id)")))</td></tr>
        """
    }
    let link = context.link("/transactions", [("account", "\(id)"), ("through", "\(day)")])
    let difference = sheet.difference.map { total -> HTML in
      "<dt>\(context[.difference])</dt><dd>\(context.figure(total, to: link))</dd>"
    }
    let record: HTML? =
      sheet.difference?.units == 0 && !sheet.ticked.isEmpty
      ? "<button class=\"main\" name=\"do\" value=\"record\">\(context[.reconcile])</button>" : nil
    return Page(
      "\(context[.reconcile]): \(account.name)", .accounts,
      body: """
        <form method="post" action="/reconcile/\("\(id)")" class="card">
        <div class="grid"><p><label for="f-day">\(context[.day])</label><input id="f-day" type="date" name="day" value="\(day)"></p>
        <p><label for="f-statement">\(context[.statement])</label><input id="f-statement" name="statement" inputmode="decimal" value="\(text)"></p></div>
        <dl class="facts"><dt>\(context[.balance])</dt><dd>\(context.figure(sheet.balance, to: link))</dd>\(difference)</dl>
        <p class="actions"><button>\(context[.countAgain])</button>\(record)</p>
        <div class="scroll"><table class="figures"><tbody>\(rows)</tbody></table></div></form>
        """)
  }
}
