import Daybook

// The reconciliation of a statement with the account's transactions.
extension LedgerSite {
  func reconcile(_ context: PageContext, _ id: AccountID) async throws -> Page {
    try await read(context) { context, snapshot in
      try ReconcilePage.page(ReconcileSheet(id, context, snapshot), nil, context, snapshot)
    }
  }

  /// Handles the form: recomputes the difference, reconciles the ticked rows if it is zero, or
  /// records the difference and reconciles.
  func reconciled(_ context: PageContext, _ id: AccountID) async throws -> PageAnswer {
    let sheet = try ledger.read { try ReconcileSheet(id, context, $0) }
    var problem: String?
    do throws(DaybookError) {
      // The browser may have shown outdated rows, so the difference is checked again.
      if let commands = sheet.commands(context.field("do") ?? "", context) {
        try await append(commands, context)
        return redirect(Address("/transactions", [("account", "\(id)"), ("done", "saved")]))
      }
    } catch {
      problem = context.text(error)
    }
    var page = try ledger.read { try ReconcilePage.page(sheet, problem, context, $0) }
    if problem != nil { page.status = 422 }
    return try laidOut(page, context)
  }
}

/// The page for reconciling an account.
enum ReconcilePage {
  static func page(
    _ sheet: ReconcileSheet, _ problem: String?, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> Page {
    let (account, day) = (sheet.sheet.account, sheet.sheet.day)
    let names = try NameBook(snapshot)
    let rows = sheet.listed.reversed().map { row($0, sheet, context, names) }
    let link = context.link("/transactions", [("account", "\(account.id)"), ("through", "\(day)")])
    let difference = sheet.sheet.difference
    let shown: HTML =
      difference.map { context.figure($0, to: link) }
      ?? "<a class=\"figure\" href=\"\(link)\">–</a>"
    let fault: HTML? =
      sheet.isStatementWrong
      ? "<span class=\"fault\" id=\"fault-statement\">\(context[.wrongAmount])</span>" : nil
    let wrong: HTML? =
      sheet.isStatementWrong ? " aria-invalid=\"true\" aria-describedby=\"fault-statement\"" : nil
    let isEven = difference?.units == 0 && !sheet.sheet.ticked.isEmpty
    let listed = sheet.listed.first.map { row -> HTML in
      "<input type=\"hidden\" name=\"listed\" value=\"\(TransactionQuery.text(sheet.position(row)))\"><input type=\"hidden\" name=\"listedThrough\" value=\"\(day)\">"
    }
    let restCount = sheet.sheet.rows.count - sheet.listed.count
    let older: HTML? =
      restCount > 0
      ? "<p class=\"actions older\"><button name=\"rows\" value=\"\(sheet.listed.count + ReconcileSheet.rowCount)\">\(context[.showOlder])</button> <span class=\"aside\">+ \(context.number(restCount))</span></p>"
      : nil
    let told = problem.map { text -> HTML in
      "<p class=\"problem\" role=\"alert\">\(text)</p>"
    }
    return Page(
      "\(context[.reconcile]): \(account.name)", .accounts,
      body: """
        \(told)<form method="post" action="/reconcile/\("\(account.id)")" class="card reconcile">\(listed)
        <div class="grid"><p><label for="f-statement">\(context[.statement])</label><input id="f-statement" name="statement" inputmode="decimal" value="\(sheet.statement)" autofocus\(wrong)>\(fault)</p>\
        <p><label for="f-day">\(context[.day])</label><input id="f-day" type="date" name="day" value="\(day)"></p></div>
        <dl class="facts counted" data-locked="\("\(sheet.unlistedUnits)")" data-currency="\(account.currency.code)" data-digits="\(Int(account.currency.digits))" data-mark="\(context.typed("."))">\
        <dt>\(context[.balance])</dt><dd>\(context.figure(sheet.sheet.balance, to: link))</dd>\
        <dt>\(context[.difference])</dt><dd aria-live="polite">\(shown)</dd></dl>
        <p class="actions"><button name="rows" value="\(sheet.listed.count)">\(context[.countAgain])</button><button class="main" name="do" value="record"\(isEven ? "" : " hidden")>\(context[.reconcile])</button></p>
        \(through(sheet, context))<p class="aside">\(context[.tickUpToHint])</p>
        <div class="scroll"><table class="figures sheet"><tbody>\(Array(rows))</tbody></table></div>\(older)
        <details\(difference.map { $0.units == 0 } ?? true ? " hidden" : "")><summary>\(context[.difficulty])</summary><p>\(context[.adjustHint])</p>\
        <p class="actions"><button name="do" value="adjust">\(context[.adjust])</button></p></details></form>
        """)
  }

  /// Returns up to which day the account is reconciled, and the balance of the locked rows.
  private static func through(_ sheet: ReconcileSheet, _ context: PageContext) -> HTML? {
    sheet.lastDay.map { day in
      let link = context.link(
        "/transactions", [("account", "\(sheet.sheet.account.id)"), ("status", "reconciled")])
      return """
        <p class="aside">\(context[.reconciledThrough]) \(context.day(day)): \(context.figure(sheet.sheet.locked, to: link))</p>
        """
    }
  }

  private static func row(
    _ row: Reconciliation.Row, _ sheet: ReconcileSheet, _ context: PageContext, _ names: NameBook
  ) -> HTML {
    let checked: HTML = sheet.sheet.ticked.contains(row.id) ? " checked" : ""
    let title = names.title(row.transaction, context)
    let pending: HTML? =
      row.transaction.status == .pending
      ? " <span class=\"status\">\(context[.pending])</span>" : nil
    return """
      <tr><td><input type="checkbox" name="row" value="\("\(row.id)")" data-units="\("\(row.amount.units)")" aria-label="\(title)"\(checked)>\
      <button class="upto" name="upto" value="\("\(row.id)")" aria-label="\(context[.tickUpTo])"></button>\
      <td class="aside unbroken">\(context.day(sheet.position(row).day))<th scope="row">\(title)\(pending)<td class="num">\(context.figure(row.amount, to: context.link("/transactions/\(row.id)")))
      """
  }
}
