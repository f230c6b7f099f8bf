import Daybook
import Moments

// The comparison of two moments, with the commits between them.
extension LedgerSite {
  func compare(_ context: PageContext) async throws -> Page {
    func moment(_ name: String) throws -> Moment? {
      try context.query(name).flatMap { try Moment.asked($0) }
    }
    let newest = try ledger.token
    var (first, last) = (
      try moment("from").map { ($0, try $0.token(in: ledger)) },
      try moment("to").map { ($0, try $0.token(in: ledger)) }
    )
    // Accept the moments in either order.
    if let one = first, one.1.sequence > (last?.1 ?? newest).sequence {
      (first, last) = (last, one)
    }
    let to = last?.1 ?? newest
    let from = try first?.1 ?? ledger.token(at: max(1, to.sequence) - 1)
    // A past moment determines the day, so that its page never changes.
    let today = try day(of: last?.0, context)
    let read: @Sendable (borrowing Snapshot) throws -> FigureSet = { snapshot in
      try FigureSet(snapshot, months: ComparePage.months(today), today: today)
    }
    let before = try await value(asOf: from == newest ? nil : from, read)
    let after = try await value(asOf: to == newest ? nil : to, read)
    // The page links each commit to its undo preview.
    let commits = try commits(context, before: to.sequence + 1, limit: ComparePage.commitCount)
      .filter { $0.sequence > from.sequence }
    let names = try names(of: commits)
    return ComparePage.page(before.changes(to: after), (from, to), today, commits, names, context)
  }
}

/// The page that compares two moments.
enum ComparePage {
  /// The maximum number of commits listed; the newest commits are shown.
  static let commitCount = 50
  /// The maximum number of figures per kind; the newest months are shown.
  static let figureCount = 24

  /// Returns the months that are compared: the last two years, newest first.
  static func months(_ today: Day) -> [Month] { (0..<24).map { today.monthOf.adding(-$0) } }

  private static let groups: [(Word, Set<FigureChange.Figure>)] = [
    (.accounts, [.worth, .netWorth, .balance]), (.month, [.income, .expense, .transfers]),
    (.categories, [.category]), (.budgets, [.budgetSpent, .budgetRemaining]),
    (.envelopes, [.readyToAssign, .envelope, .needed, .payment]),
  ]

  static func page(
    _ figures: [FigureChange], _ moments: (Token, Token), _ today: Day, _ commits: [HistoryEntry],
    _ names: NameBook, _ context: PageContext
  ) -> Page {
    var bodies = HTML()
    // With a base currency, show only the net worth in that currency.
    let hasWorth = figures.contains { $0.figure == .worth }
    for (word, kinds) in groups {
      let found = figures.filter {
        kinds.contains($0.figure) && !(hasWorth && $0.figure == .netWorth)
      }
      guard !found.isEmpty else { continue }
      let rows = found.prefix(figureCount).map { row($0, moments, today, names, context) }
      let rest = found.count - figureCount
      let more: HTML? =
        rest > 0 ? "<tr><td colspan=\"4\" class=\"aside\">+ \(context.number(rest))</td></tr>" : nil
      bodies += """
        <tbody><tr><th scope="rowgroup" colspan="4"><strong>\(context[word])</strong></th></tr>\(Array(rows))\(more)</tbody>
        """
    }
    let none: HTML? = bodies.isEmpty ? "<p class=\"empty\">\(context[.nothingMoved])</p>" : nil
    let older = context.link("/history", [("before", "\(moments.1.sequence + 1)")])
    let list = commits.map { CommitText.row($0, context, names) }
    return Page(
      context[.compare], .history,
      body: """
        \(chosen(context))<section class="card"><div class="scroll"><table class="figures"><thead><tr><td></td>\
        <th scope="col" class="num">\(heading(moments.0, context))</th><th scope="col" class="num">\(heading(moments.1, context))</th>\
        <th scope="col" class="num">\(context[.difference])</th></tr></thead>\(bodies)</table></div>\(none)\
        <p class="aside">\(context[.last24Compared])</p></section>
        <section class="card"><h2>\(context[.latestChanges])</h2><ul class="plain commits">\(list)</ul>\
        <p><a class="button" href="\(older)">\(context[.history])</a></p></section>
        """)
  }

  /// Returns the form for choosing the two moments.
  private static func chosen(_ context: PageContext) -> HTML {
    let fields = [("from", Word.fromMoment), ("to", .toMoment)].map { name, word -> HTML in
      """
      <p><label for="f-\(name)">\(context[word])</label><input id="f-\(name)" name="\(name)" value="\(context.query(name) ?? "")" aria-describedby="moment-hint"></p>
      """
    }
    return """
      <form class="card grid" action="/compare" aria-label="\(context[.moments])">\(fields)\
      <p class="actions"><button>\(context[.apply])</button> <span class="aside" id="moment-hint">\(context[.momentHint])</span></p></form>
      """
  }

  private static func heading(_ moment: Token, _ context: PageContext) -> HTML {
    let name: HTML = "\(context[.commit]) \(moment.sequence)"
    // There is no commit 0 to link to.
    return moment.sequence == 0 ? name : "<a href=\"/history/\(moment.sequence)\">\(name)</a>"
  }

  private static func row(
    _ figure: FigureChange, _ moments: (Token, Token), _ today: Day, _ names: NameBook,
    _ context: PageContext
  ) -> HTML {
    // Both figures are computed as of the same day, which their links must contain.
    func link(_ moment: Token) -> String {
      figure.address.setting("asOf", "\(moment.sequence)").setting("today", "\(today)").text
    }
    func cell(_ total: Total?, _ moment: Token) -> HTML {
      guard let total else { return "<td class=\"num\">–</td>" }
      return "<td class=\"num\">\(context.figure(total, to: link(moment)))</td>"
    }
    var difference: HTML = "–"
    if let after = figure.after,
      let moved = try? after - (figure.before ?? .zero(after.currency))
    {
      difference = context.figure(moved, to: link(moments.1), isSigned: true)
    }
    let subject = figure.subject.map { names.name($0, context) } ?? ""
    let month = figure.month.map { context.month($0) } ?? ""
    let kind =
      figure.figure == .balance || figure.figure == .category ? "" : context[figure.figure.word]
    let name = [kind, subject, month].filter { !$0.isEmpty }.joined(separator: " ")
    return """
      <tr><th scope="row">\(name)</th>\(cell(figure.before, moments.0))\(cell(figure.after, moments.1))<td class="num">\(difference)</td></tr>
      """
  }
}
