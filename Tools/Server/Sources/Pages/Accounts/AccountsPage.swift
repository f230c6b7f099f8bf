import Daybook

/// The page with the balances of all accounts on a day.
enum AccountsPage {
  static func page(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> Page {
    let day = context.query("on").flatMap { Day($0) } ?? context.today
    // List all accounts that the totals include, such as deleted accounts with a balance.
    let balances = try snapshot.balances(on: day, includingClosed: true, includingDeleted: true)
      .filter { !$0.account.isDeleted || $0.balance.units != 0 }
    let base = try snapshot.settings().baseCurrency
    let groups = AccountKind.allCases.map { kind -> HTML in
      let rows = balances.filter { $0.account.kind == kind }.map { row($0, day, context) }
      guard !rows.isEmpty else { return HTML() }
      return """
        <section class="card"><h2>\(context[kind.word])</h2>\
        <table class="figures"><tbody>\(rows)</tbody></table></section>
        """
    }
    let totals: HTML
    if let base {
      let worth = try snapshot.baseNetWorth(on: day, base: base)
      totals =
        "<p class=\"large\">\(context.figure(worth.total, to: "#accounts"))</p>\(OverviewPage.unconverted(worth, context))"
    } else {
      let lines = try snapshot.netWorth(on: day).map { total -> HTML in
        "<p class=\"large\">\(context.figure(total, to: "#accounts"))</p>"
      }
      totals = "\(lines)"
    }
    return Page(
      context[.accounts], .accounts,
      body: """
        <p class="aside">\(context[.netWorth]), \(context.fullDay(day))</p>\(totals)
        <div class="cards" id="accounts">\(groups)</div>
        <p class="below-cards"><a class="button" href="\(context.link("/statements"))">\(context[.statements])</a></p>
        \(try AccountForm.new(try NameBook(snapshot), context, snapshot))
        """)
  }

  private static func row(_ one: AccountBalance, _ day: Day, _ context: PageContext) -> HTML {
    let account = one.account
    let link = context.link("/transactions", [("account", "\(account.id)")])
    let then = context.link(
      "/transactions", [("account", "\(account.id)"), ("through", "\(day)")])
    let closed: HTML? =
      account.isClosed ? " <span class=\"status\">\(context[.closed])</span>" : nil
    let excluded: HTML? =
      account.isExcludedFromTotals
      ? " <span class=\"status\">\(context[.excluded])</span>" : nil
    let reconcile: HTML? =
      context.canWrite && !account.isClosed
      ? " <a class=\"aside\" href=\"/reconcile/\("\(account.id)")\">\(context[.reconcile])</a>"
      : nil
    let edit = account.isDeleted ? nil : AccountForm.link(account.entityID, account.name, context)
    return """
      <tr><th scope="row"><a href="\(link)">\(account.name)</a>\(closed)\(excluded)\(reconcile) \(edit)</th>\
      <td class="aside code">\(account.currency.code)</td><td class="num">\(context.figure(one.balance, to: then))</td></tr>
      """
  }
}

extension AccountKind {
  var word: Word {
    switch self {
    case .asset: .asset
    case .liability: .liability
    case .equity: .equity
    }
  }
}
