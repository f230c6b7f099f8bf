import Daybook

/// The balance of an account above its register.
struct AccountSummary {
  /// The balance at the end of today.
  var balance: Total
  /// The sum of the pending transactions up to today; `nil` if there are none, or too many to read.
  var pending: Total?
  /// The balance in the base currency; `nil` if it is the account's currency or there is no rate.
  var converted: Money?

  /// The maximum number of pending transactions that are read.
  private static let readCountMax = 500

  init(_ account: Account, _ context: PageContext, _ snapshot: borrowing Snapshot) throws {
    let currency = account.currency
    balance = try snapshot.balance(of: account.id, on: context.today)
    let filter = TransactionFilter(
      account: account.id, days: Day.min..<context.today.adding(days: 1), status: .pending)
    let rows = try snapshot.transactions(filter, limit: Self.readCountMax + 1)
    if !rows.isEmpty, rows.count <= Self.readCountMax {
      let amounts = rows.compactMap { $0.amount(on: account.id) }
      pending = Total(
        units: amounts.reduce(Int128(0)) { $0 + Int128($1.minorUnits) }, currency: currency)
    }
    if let base = try snapshot.settings().baseCurrency, base != currency,
      let units = Int64(exactly: balance.units)
    {
      converted = try snapshot.convert(Money(units, currency), to: base, on: context.today)
    }
  }

  /// The balance without the pending transactions.
  var cleared: Total? {
    pending.map { Total(units: balance.units - $0.units, currency: balance.currency) }
  }

  func html(_ account: AccountID, _ context: PageContext) -> HTML {
    func link(_ status: Status?) -> String {
      context.link(
        "/transactions",
        [
          ("account", "\(account)"), ("status", status.map { "\($0)" }),
          ("through", "\(context.today)"),
        ])
    }
    var figures: [HTML] = [
      "<span>\(context[.balance]) <strong>\(context.figure(balance, to: link(nil)))</strong></span>"
    ]
    if let converted {
      figures.append("<span>≈ \(context.figure(converted, to: context.link("/rates")))</span>")
    }
    if let cleared, let pending {
      figures.append(
        "<span>\(context[.cleared]) \(context.figure(cleared, to: link(.cleared)))</span>")
      figures.append(
        "<span>\(context[.pending]) \(context.figure(pending, to: link(.pending)))</span>")
    }
    return "<p class=\"summary\">\(figures)</p>"
  }

  /// Returns the buttons to reconcile and edit an account.
  static func actions(_ account: Account, _ context: PageContext) -> HTML {
    guard context.canWrite, !account.isDeleted else { return HTML() }
    let reconcile: HTML? =
      account.isClosed
      ? nil
      : "<a class=\"button\" href=\"/reconcile/\("\(account.id)")\">\(context[.reconcile])</a>"
    return """
      <div class="actions">\(reconcile)<a class="button" href="/accounts/\("\(account.id)")/edit">\(context[.edit])</a></div>
      """
  }
}
