import Daybook

// The history of commits, which can be undone after a preview.
extension LedgerSite {
  /// Returns the newest commits below a number, each with a limited number of its changes.
  ///
  /// Commits after the page's moment are left out.
  func commits(_ context: PageContext, before: UInt64? = nil, limit: Int) throws -> [HistoryEntry] {
    var start = try context.past ?? ledger.token
    if let before {
      guard before > 1 else { return [] }
      start = try ledger.token(at: min(before - 1, start.sequence))
    }
    var cursor = try ledger.history(before: start, matching: CommitText.beginnings).cursor()
    var entries: [HistoryEntry] = []
    while entries.count < limit, let entry = try cursor.next() { entries.append(entry) }
    return entries
  }

  /// Returns the names of all entities that commits changed or refer to.
  func names(of entries: [HistoryEntry]) throws -> NameBook {
    var names = try ledger.read { try NameBook($0) }
    names.subjects = try subjects(of: entries)
    return names
  }

  /// Returns the entities that the shown changes of commits refer to.
  func subjects(of entries: [HistoryEntry]) throws -> [EntityID: HistorySubject] {
    try ledger.subjects(of: entries, changesMax: CommitText.changeCountMax)
  }

  func history(_ context: PageContext) async throws -> Page {
    let limit = 50
    let entries = try commits(
      context, before: context.query("before").flatMap { UInt64($0) }, limit: limit)
    let names = try names(of: entries)
    let rows = entries.map { CommitText.row($0, context, names) }
    var pager = HTML()
    if entries.count == limit, let last = entries.last, last.sequence > 1 {
      let next = context.link("/history", [("before", "\(last.sequence)")])
      pager = "<a class=\"button\" rel=\"next\" href=\"\(next)\">\(context[.older])</a>"
    }
    let list: HTML =
      rows.isEmpty
      ? "<p class=\"empty\">\(context[.nothingYet])</p>"
      : "<ul class=\"plain commits card\">\(rows)</ul>"
    return Page(
      context[.history], .history,
      actions: "<a class=\"button\" href=\"/compare\">\(context[.moments])</a>",
      body: """
        \(recordedThen(context))\(list)
        <nav class="pager" aria-label="\(context[.history])">\(pager)</nav>
        """)
  }

  /// Returns the form for showing the ledger as it was recorded at the end of a day.
  private func recordedThen(_ context: PageContext) -> HTML {
    let day = context.request.asOf.flatMap { Day($0) }.map { "\($0)" } ?? ""
    return """
      <form class="steps begin" action="/"><label for="as-of">\(context[.recordedThen])</label>
      <input id="as-of" type="date" name="asOf" value="\(day)" required><button>\(context[.apply])</button>
      <span class="aside">\(context[.recordedThenHint])</span></form>
      """
  }

  func commit(_ context: PageContext, _ text: String) async throws -> Page {
    guard let sequence = UInt64(text), let entry = try entry(sequence) else {
      throw PageError.notFound
    }
    let names = try names(of: [entry])
    let preview: HTML
    if let other = try undoing(sequence) {
      preview = """
        <p class="aside">\(context[.undoneIn]) <a href="\(context.link("/history/\(other)"))">\(context[.commit]) \(other)</a></p>
        """
    } else {
      preview = context.canWrite ? await undoPreview(entry, context, names) : HTML()
    }
    return Page(
      "\(context[.commit]) \(sequence)", .history,
      body: """
        <p>\(CommitText.heading(entry, context))</p>
        <p class="aside"><code>\(entry.token.text)</code> <a href="\(Address("/", [("asOf", "\(sequence)")]).text)">\(context[.overviewAsOf]) \(sequence)</a> · \
        <a href="/compare?from=\(sequence - 1)&amp;to=\(sequence)">\(context[.whatMoved])</a></p>
        \(preview)
        <section aria-labelledby="changed"><h2 id="changed">\(context[.changesOf])</h2>
        <p class="aside">\(CommitText.summary(entry, context, names))</p>
        \(CommitText.changes(entry, of: entry.header.changeCount, context, names))</section>
        """)
  }

  /// The number of newest commits that are searched for the undo of an earlier commit.
  private static let searchedCommitCountMax = 1_000

  /// Returns the commit that undid a commit and hasn't itself been undone, or `nil` if it isn't
  /// among the newest commits.
  private func undoing(_ sequence: UInt64) throws -> UInt64? {
    var undone: Set<UInt64> = []
    var cursor = try ledger.history(before: ledger.token, matching: CommitText.beginnings).cursor()
    for _ in 0..<Self.searchedCommitCountMax {
      guard let entry = try cursor.next(), entry.sequence > sequence else { return nil }
      guard !undone.contains(entry.sequence), let reversal = entry.reversal else { continue }
      if reversal.sequence == sequence { return entry.sequence }
      undone.insert(reversal.sequence)
    }
    return nil
  }

  /// The maximum number of changes for which a commit's undo preview is shown automatically.
  private static let previewedChangeCountMax = 2_000

  /// Returns the figures that undoing a commit would change, and the button to undo it.
  private func undoPreview(
    _ entry: HistoryEntry, _ context: PageContext, _ names: NameBook
  ) async -> HTML {
    let sequence = entry.sequence
    guard
      entry.header.changeCount <= Self.previewedChangeCountMax
        || context.query("preview") == "undo"
    else {
      let link = context.link("/history/\(sequence)", [("preview", "undo")])
      return
        "<p><a class=\"button\" rel=\"nofollow\" href=\"\(link)\">\(context[.undoPreview])</a></p>"
    }
    let contents: HTML
    do {
      let rehearsal = try await ledger.figures(changedByUndoing: sequence, today: context.today)
      contents = """
        \(FigureText.table(rehearsal.figures, context, names))
        <form method="post" action="/history/\(sequence)/undo">\
        <input type="hidden" name="token" value="\(rehearsal.token.text)">\
        <button class="danger">\(context[.undo])</button></form>
        """
    } catch {
      let (message, remedy) = context.said(error)
      contents = "<p class=\"problem\">\(message)</p><p>\(remedy)</p>"
    }
    return """
      <section class="card" aria-labelledby="undo"><h2 id="undo">\(context[.undoPreview])</h2>\(contents)</section>
      """
  }

  func undo(_ context: PageContext, _ text: String) async throws -> PageAnswer {
    guard let sequence = UInt64(text) else { throw PageError.notFound }
    // Perform only the previewed undo. If the ledger has changed, show a new preview.
    let token = context.field("token").flatMap { Token($0) }
    // The compiler of Swift 6.3.1 crashes if the error is rethrown inside the catch block.
    let refusal: DaybookError?
    let reversal = try entry(sequence)?.reversal
    var did: UInt64?
    do {
      did = try await takeBack(sequence, reversal, context, expecting: token)
      refusal = nil
    } catch {
      refusal = error
    }
    if let refusal {
      guard refusal.code == .conflict else { throw refusal }
      return redirect(Address("/history/\(sequence)"))
    }
    guard let did else {
      return redirect(Address("/history", [("done", "stuck"), ("commit", "\(sequence)")]))
    }
    return redirect(Address("/history", [("done", "undone"), ("commit", "\(did)")]))
  }
}

/// Tables of changed figures, with their values before and after.
enum FigureText {
  /// Removes redundant figures.
  ///
  /// These are the net worth by currency, if the net worth in the base currency is listed, and
  /// planned balances that change by the same amount as the balances.
  private static func shown(_ figures: [FigureChange]) -> [FigureChange] {
    let hasWorth = figures.contains { $0.figure == .worth }
    let balances = figures.filter { $0.figure == .balance }
    return figures.filter { figure in
      switch figure.figure {
      case .netWorth: !hasWorth
      case .plannedBalance:
        !balances.contains {
          $0.subject == figure.subject && $0.before == figure.before && $0.after == figure.after
        }
      default: true
      }
    }
  }

  static func table(_ figures: [FigureChange], _ context: PageContext, _ names: NameBook) -> HTML {
    let figures = shown(figures)
    guard !figures.isEmpty else { return "<p>\(context[.noFigures])</p>" }
    let rows = figures.prefix(60).map { figure -> HTML in
      let subject = figure.subject.map { names.name($0, context) } ?? ""
      let month = figure.month.map { context.month($0) } ?? ""
      let before = figure.before.map { context.amount($0) } ?? "–"
      let after = figure.after.map { context.amount($0) } ?? "–"
      return """
        <tr><th scope="row">\(context[figure.figure.word]) \(subject) <span class="aside">\(month)</span></th>\
        <td class="num"><a class="figure" href="\(figure.link(context))">\(before)</a></td><td class="num"><a class="figure" href="\(figure.link(context))">\(after)</a></td></tr>
        """
    }
    let rest = figures.count - 60
    let more: HTML? = rest > 0 ? "<p class=\"aside\">+ \(context.number(rest))</p>" : nil
    return """
      <div class="scroll"><table class="figures"><thead><tr><td></td><th scope="col" class="num">\(context[.before])</th>\
      <th scope="col" class="num">\(context[.after])</th></tr></thead><tbody>\(Array(rows))</tbody></table></div>\(more)
      """
  }
}

extension FigureChange {
  /// Returns the address of the details of this figure, as of the page's moment.
  func link(_ context: PageContext) -> String { context.link(address) }

  /// The address of the details of this figure.
  var address: Address {
    var query: [(String, String?)] = []
    switch figure {
    case .balance, .plannedBalance, .payment: query.append(("account", subject.map { "\($0)" }))
    case .category, .envelope, .needed: query.append(("category", subject.map { "\($0)" }))
    case .income: query.append(("kind", "income"))
    case .expense: query.append(("kind", "expense"))
    case .transfers: query.append(("type", "transfer"))
    case .netWorth, .worth, .readyToAssign: return Address("/accounts")
    case .budgetSpent, .budgetRemaining:
      return Address(subject.map { "/budgets/\($0)" } ?? "/budgets")
    }
    if let month {
      query += [("from", "\(month.first)"), ("through", "\(month.last)")]
    }
    return Address("/transactions", query)
  }
}

extension FigureChange.Figure {
  var word: Word {
    switch self {
    case .balance: .balance
    case .plannedBalance: .planned
    case .netWorth, .worth: .netWorth
    case .income: .income
    case .expense: .expense
    case .transfers: .transfers
    case .category: .category
    case .budgetSpent: .spent
    case .budgetRemaining: .remaining
    case .envelope: .available
    case .needed: .neededForGoal
    case .payment: .setAside
    case .readyToAssign: .readyToAssign
    }
  }
}
