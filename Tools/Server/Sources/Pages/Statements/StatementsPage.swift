import Daybook

/// The page that compares the balances on statements with the ledger's balances.
enum StatementsPage {
  static func page(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> Page {
    let names = try NameBook(snapshot)
    let checks = try snapshot.assertionChecks().sorted { $0.assertion.day > $1.assertion.day }
    let rows = checks.map { check -> HTML in
      let stated = check.assertion
      let link = context.link(
        "/transactions", [("account", "\(stated.account)"), ("through", "\(stated.day)")])
      let title = StatementForm.name(stated, names, context)
      let mark: HTML =
        check.holds
        ? "<span class=\"aside\">✓ \(context[.holds])</span>"
        : "<span class=\"status\">\(context[.holdsNot])</span>"
      return """
        <tr><th scope="row">\(names.name(stated.account)) \(StatementForm.link(stated.entityID, title, context)) <span class="aside">\(stated.note)</span></th>\
        <td class="unbroken">\(context.day(stated.day))</td><td class="num">\(context.figure(Total(stated.balance), to: context.link("/why/\(stated.id)")))</td>\
        <td class="num">\(context.figure(check.balance, to: link))</td><td>\(mark)</td></tr>
        """
    }
    let list: HTML =
      rows.isEmpty
      ? "<p class=\"empty\">\(context[.nothingYet])</p>"
      : """
      <section class="card"><div class="scroll"><table class="figures"><thead><tr><th scope="col">\(context[.account])</th>\
      <th scope="col">\(context[.day])</th><th scope="col" class="num">\(context[.statement])</th>\
      <th scope="col" class="num">\(context[.balance])</th><td></td></tr></thead><tbody>\(rows)</tbody></table></div></section>
      """
    return Page(
      context[.statements], .accounts,
      body: "\(list)\(try StatementForm.new(names, context, snapshot))")
  }
}
