import Daybook

/// The page with the balances of all accounts on a day.
enum AccountsPage {
  static func page(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> Page {
    let day = context.today
    // List all accounts that the totals include, such as deleted accounts with a balance.
    let balances = try snapshot.balances(on: day, includingClosed: true, includingDeleted: true)
      .filter { !$0.account.isDeleted || $0.balance.units != 0 }
    let base = try snapshot.settings().baseCurrency
    let groups = try AccountKind.allCases.map { kind -> HTML in
      let own = balances.filter { $0.account.kind == kind }
      guard !own.isEmpty else { return HTML() }
      let values = try own.map { try value($0, base, day, snapshot) }
      let rows = zip(own, values).map { row($0, $1, base, context) }
      return """
        <section class="card"><h2>\(context[kind.plural])</h2><div class="scroll">\
        <table class="figures accounts"><tbody>\(rows)</tbody>\(sum(own, values, base, context))</table></div></section>
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

  /// Returns what a balance is in the base currency; `nil` if there is no rate.
  static func value(
    _ one: AccountBalance, _ base: Currency?, _ day: Day, _ snapshot: borrowing Snapshot
  ) throws -> Total? {
    if one.balance.currency == base { return one.balance }
    guard let base, let units = Int64(exactly: one.balance.units) else { return nil }
    return try snapshot.convert(Money(units, one.balance.currency), to: base, on: day)
      .map { Total($0) }
  }

  /// Returns the sum of a kind's accounts that count, in the base currency.
  private static func sum(
    _ balances: [AccountBalance], _ values: [Total?], _ base: Currency?, _ context: PageContext
  ) -> HTML? {
    let counted = zip(balances, values).filter { !$0.0.account.isExcludedFromTotals }
    guard let base, balances.count > 1, balances[0].account.kind != .equity else { return nil }
    let total = Total(units: counted.reduce(0) { $0 + ($1.1?.units ?? 0) }, currency: base)
    let link = context.link("/reports", [("by", "account")])
    return """
      <tfoot><tr class="sum"><th scope="row">\(context[.total])</th><td class="code"></td>\
      <td class="num">\(context.figure(total, to: link))</td></tr></tfoot>
      """
  }

  private static func row(
    _ one: AccountBalance, _ value: Total?, _ base: Currency?, _ context: PageContext
  ) -> HTML {
    let account = one.account
    let link = context.link("/transactions", [("account", "\(account.id)")])
    let then = context.link(
      "/transactions", [("account", "\(account.id)"), ("through", "\(context.today)")])
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
    let own = context.figure(one.balance, to: then)
    // The first figure is what counts, in the base currency, so that the column can be added up.
    let isCounted = !account.isExcludedFromTotals
    let figures: HTML
    if let base, account.currency != base || !isCounted {
      let counted = isCounted ? value.map { context.figure($0, to: then) } ?? "–" : HTML()
      figures = "\(counted)<span class=\"own\">\(own)</span>"
    } else {
      figures = own
    }
    return """
      <tr><th scope="row"><a href="\(link)">\(account.name)</a>\(closed)\(excluded)\(reconcile) \(edit)</th>\
      <td class="aside code">\(account.currency.code)</td><td class="num">\(figures)</td></tr>
      """
  }
}

extension AccountKind {
  /// The word for all accounts of the kind.
  var plural: Word {
    switch self {
    case .asset: .assets
    case .liability: .liabilities
    case .equity: .equity
    }
  }

  var word: Word {
    switch self {
    case .asset: .asset
    case .liability: .liability
    case .equity: .equity
    }
  }
}
