import Daybook

// The reconciliation of a statement with the account's transactions.
extension LedgerSite {
  func reconcile(_ context: PageContext, _ id: AccountID) async throws -> Page {
    try await read(context) { context, snapshot in
      try ReconcilePage.page(id, [], context, snapshot)
    }
  }

  /// Handles the form: recomputes the difference, or reconciles the ticked rows if it is zero.
  func reconciled(_ context: PageContext, _ id: AccountID) async throws -> PageAnswer {
    let ticked = context.request.form.filter { $0.name == "row" }
      .compactMap { TransactionID($0.value) }
    if context.field("do") == "record" {
      let sheet = try ledger.read { try ReconcilePage.sheet(id, ticked, context, $0) }
      // The browser may have shown outdated rows, so check the difference again.
      if sheet.difference?.units == 0 {
        try await append([sheet.command], context)
        return redirect(
          Address("/transactions", [("account", "\(id)"), ("done", "saved")]))
      }
    }
    let page = try ledger.read { try ReconcilePage.page(id, ticked, context, $0) }
    return try laidOut(page, context)
  }
}

/// The page for reconciling an account.
enum ReconcilePage {
  /// The number of rows shown at first, oldest first, and added each time the user asks for more.
  static let rowCount = 100

  /// Returns the reconciliation with the rows that could be on the statement.
  static func sheet(
    _ id: AccountID, _ ticked: [TransactionID], _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> Reconciliation {
    guard let account = try snapshot.account(id) else { throw PageError.notFound }
    var sheet = try snapshot.reconciliation(
      of: id, through: Day(asked("day", context)) ?? context.today,
      statement: AmountText.read(asked("statement", context), account.currency, context.locale))
    sheet.tick(only: ticked)
    return sheet
  }

  private static func asked(_ name: String, _ context: PageContext) -> String {
    context.field(name) ?? context.query(name) ?? ""
  }

  static func page(
    _ id: AccountID, _ ticked: [TransactionID], _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> Page {
    let sheet = try sheet(id, ticked, context, snapshot)
    let (account, day) = (sheet.account, sheet.day)
    let names = try NameBook(snapshot)
    let lastTicked = sheet.rows.lastIndex { sheet.ticked.contains($0.id) } ?? 0
    let wanted = Int(asked("rows", context)) ?? rowCount
    let count = max(rowCount, min(wanted, sheet.rows.count), lastTicked + 1)
    let rows = sheet.rows.prefix(count).map { row -> HTML in
      let checked: HTML = sheet.ticked.contains(row.id) ? " checked" : ""
      let title = names.title(row.transaction, context)
      return """
        <tr><td><input type="checkbox" name="row" value="\("\(row.id)")" data-units="\("\(row.amount.units)")" aria-label="\(title)"\(checked)>\
        <td class="aside">\(context.day(row.transaction.day(on: sheet.account.id)))<th scope="row">\(title)<td class="num">\(context.figure(row.amount, to: context.link("/transactions/\(row.id)")))
        """
    }
    let link = context.link("/transactions", [("account", "\(id)"), ("through", "\(day)")])
    let isEven = sheet.difference?.units == 0 && !sheet.ticked.isEmpty
    let difference: HTML =
      sheet.difference.map { context.figure($0, to: link) }
      ?? "<a class=\"figure\" href=\"\(link)\">–</a>"
    let typed = asked("statement", context)
    let isWrong =
      !typed.isEmpty && AmountText.read(typed, account.currency, context.locale) == nil
    let fault: HTML? =
      isWrong
      ? "<span class=\"fault\" id=\"fault-statement\">\(context[.wrongAmount])</span>" : nil
    let wrong: HTML? =
      isWrong ? " aria-invalid=\"true\" aria-describedby=\"fault-statement\"" : nil
    let hidden: HTML? = isEven ? nil : " hidden"
    let more: HTML? =
      count < sheet.rows.count
      ? "<p class=\"actions\"><button name=\"rows\" value=\"\(count + rowCount)\">\(context[.showMore])</button> <span class=\"aside\">+ \(context.number(sheet.rows.count - count))</span></p>"
      : nil
    return Page(
      "\(context[.reconcile]): \(account.name)", .accounts,
      body: """
        <form method="post" action="/reconcile/\("\(id)")" class="card">
        <div class="grid"><p><label for="f-day">\(context[.day])</label><input id="f-day" type="date" name="day" value="\(day)"></p>
        <p><label for="f-statement">\(context[.statement])</label><input id="f-statement" name="statement" inputmode="decimal" value="\(typed)"\(wrong)>\(fault)</p></div>
        <dl class="facts counted" data-locked="\("\(sheet.locked.units)")" data-currency="\(account.currency.code)" data-digits="\(Int(account.currency.digits))" data-mark="\(context.typed("."))">\
        <dt>\(context[.balance])</dt><dd>\(context.figure(sheet.balance, to: link))</dd>\
        <dt>\(context[.difference])</dt><dd aria-live="polite">\(difference)</dd></dl>
        <p class="actions"><button name="rows" value="\(count)">\(context[.countAgain])</button><button class="main" name="do" value="record"\(hidden)>\(context[.reconcile])</button></p>
        <div class="scroll"><table class="figures"><tbody>\(rows)</tbody></table></div>\(more)</form>
        """)
  }
}
