import Daybook
import Moments

// Two moments side by side, and what moved between them.
extension LedgerSite {
  func compare(_ context: PageContext) async throws -> Page {
    func token(_ name: String) throws -> Token? {
      try context.query(name).flatMap { Moment($0) }?.token(in: ledger)
    }
    let newest = try ledger.token
    let to = try token("to") ?? newest
    let from = try token("from") ?? ledger.token(at: max(1, to.sequence) - 1)
    let today = context.today
    let before = try await value(asOf: from == newest ? nil : from) { snapshot in
      try Standing(snapshot, on: today)
    }
    let after = try await value(asOf: to == newest ? nil : to) { snapshot in
      try Standing(snapshot, on: today)
    }
    // Each leads to what taking it back would change.
    let commits = try commits(context, before: to.sequence + 1, limit: ComparePage.commitCount)
      .filter { $0.sequence > from.sequence }
    let names = try ledger.read { try NameBook($0) }
    return ComparePage.page(before, after, commits, names, context)
  }
}

/// How the accounts stand at a moment.
struct Standing: Sendable {
  let token: Token
  let balances: [AccountBalance]
  let worth: Total?

  init(_ snapshot: borrowing Snapshot, on day: Day) throws {
    token = snapshot.token
    balances = try snapshot.balances(on: day, includingClosed: true, includingDeleted: true)
    let base = try snapshot.settings().baseCurrency
    worth = try base.map { try snapshot.baseNetWorth(on: day, base: $0).total }
  }

  func balance(of id: AccountID) -> Total? { balances.first { $0.account.id == id }?.balance }
}

/// The page of two moments.
enum ComparePage {
  /// So many of the commits between are listed, the newest.
  static let commitCount = 50

  static func page(
    _ before: Standing, _ after: Standing, _ commits: [HistoryEntry], _ names: NameBook,
    _ context: PageContext
  ) -> Page {
    var accounts = after.balances.map(\.account)
    accounts += before.balances.map(\.account).filter { account in
      !accounts.contains { $0.id == account.id }
    }
    let moved = accounts.filter { before.balance(of: $0.id) != after.balance(of: $0.id) }
    var rows: [HTML] = []
    if before.worth != nil || after.worth != nil {
      rows.append(
        row(context[.netWorth], before.worth, after.worth, (before, after), context) { sequence in
          Address("/accounts", [("asOf", "\(sequence)")]).text
        })
    }
    rows += moved.map { account in
      row(
        account.name, before.balance(of: account.id), after.balance(of: account.id),
        (before, after), context
      ) { sequence in
        Address("/transactions", [("account", "\(account.id)"), ("asOf", "\(sequence)")]).text
      }
    }
    let none: HTML? = moved.isEmpty ? "<p class=\"empty\">\(context[.noFigures])</p>" : nil
    let older = context.link("/history", [("before", "\(after.token.sequence + 1)")])
    let list = commits.map { CommitText.row($0, context, names) }
    return Page(
      context[.compare], .history,
      body: """
        <section class="card"><div class="scroll"><table class="figures"><thead><tr><td></td>\
        <th scope="col" class="num">\(heading(before, context))</th><th scope="col" class="num">\(heading(after, context))</th>\
        <th scope="col" class="num">\(context[.difference])</th></tr></thead><tbody>\(rows)</tbody></table></div>\(none)</section>
        <section class="card"><h2>\(context[.latestChanges])</h2><ul class="plain commits">\(list)</ul>\
        <p><a class="button" href="\(older)">\(context[.history])</a></p></section>
        """)
  }

  private static func heading(_ standing: Standing, _ context: PageContext) -> HTML {
    let sequence = standing.token.sequence
    return "<a href=\"/history/\(sequence)\">\(context[.commit]) \(sequence)</a>"
  }

  private static func row(
    _ name: String, _ before: Total?, _ after: Total?, _ at: (Standing, Standing),
    _ context: PageContext, link: (UInt64) -> String
  ) -> HTML {
    func cell(_ total: Total?, _ standing: Standing) -> HTML {
      guard let total else { return "<td class=\"num\">–</td>" }
      return
        "<td class=\"num\">\(context.figure(total, to: link(standing.token.sequence)))</td>"
    }
    var difference: HTML = "–"
    if let after, let moved = try? after - (before ?? .zero(after.currency)) {
      difference = context.figure(moved, to: link(at.1.token.sequence), isSigned: true)
    }
    return """
      <tr><th scope="row">\(name)</th>\(cell(before, at.0))\(cell(after, at.1))<td class="num">\(difference)</td></tr>
      """
  }
}
