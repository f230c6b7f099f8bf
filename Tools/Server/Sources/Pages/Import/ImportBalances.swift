import Daybook
import DaybookInterchange

/// The balances of accounts after an import, next to the balances stated in the file.
enum ImportBalances {
  static func html(
    _ plan: ImportPlan, _ stated: [(account: String, closing: StatedBalance)],
    _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> HTML {
    let new = plan.items.filter { $0.state == .new }.map(\.row)
    let names = Set(plan.items.map(\.row.account)).union(stated.map(\.account)).sorted()
    var rows: [HTML] = []
    for name in names.prefix(20) {
      guard let account = try snapshot.account(named: name) else { continue }
      let own = new.filter { $0.account == name && $0.amount.currency == account.currency }
      let said = stated.last { $0.account == name }?.closing
      let lastDay = plan.items.map(\.row).filter { $0.account == name }.map(\.day).max()
      guard let day = said?.day ?? lastDay else { continue }
      let before = try snapshot.balance(of: account.id, on: day)
      let moved = own.filter { $0.day <= day }.reduce(Int128(0)) { sum, row in
        sum + Int128(row.amount.minorUnits)
      }
      let after = Total(units: before.units + moved, currency: before.currency)
      let link = context.link(
        "/transactions", [("account", "\(account.id)"), ("through", "\(day)")])
      var agreement: HTML = "–"
      if let said {
        let isSame = Total(said.amount) == after
        let mark: HTML = isSame ? "✓" : "<span class=\"status\">\(context[.holdsNot])</span>"
        agreement = "\(context.figure(said.amount, to: "#rows-of-file")) \(mark)"
      }
      rows.append(
        """
        <tr><th scope="row">\(name), \(context.day(day))</th><td class="num">\(context.figure(before, to: link))</td>\
        <td class="num"><a class="figure" href="#rows-of-file">\(context.amount(after))</a></td><td class="num">\(agreement)</td></tr>
        """)
    }
    guard !rows.isEmpty else { return HTML() }
    return """
      <section class="card"><h2>\(context[.afterImport])</h2><div class="scroll"><table class="figures"><thead><tr><th scope="col">\(context[.account])</th>\
      <th scope="col" class="num">\(context[.before])</th><th scope="col" class="num">\(context[.after])</th>\
      <th scope="col" class="num">\(context[.stated])</th></tr></thead><tbody>\(rows)</tbody></table></div></section>
      """
  }
}
