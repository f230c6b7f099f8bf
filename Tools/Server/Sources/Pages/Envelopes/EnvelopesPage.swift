import Daybook

/// The table of envelopes: what each category is assigned, has spent and has left, month by month.
enum EnvelopesPage {
  /// The maximum number of lines on a page.
  private static let rowCount = 50
  /// The maximum size of a table with several months.
  private static let byteCountMax = 51_000

  static func page(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> Page {
    guard try snapshot.settings().baseCurrency != nil else {
      return Page(
        context[.envelopes], .envelopes,
        body: """
          <p class="aside"><a href="\(context.link("/settings"))">\(context[.noBase])</a></p>
          """)
    }
    let names = try NameBook(snapshot)
    var count = EnvelopeRange.count(context)
    var range = EnvelopeRange(context, count: count)
    // The month before the first one is read too, for its assigned amounts.
    let start = range.months.lowerBound.adding(-1)
    let read = try snapshot.envelopes(over: start..<range.months.upperBound, today: context.today)
    let number = min(max(0, context.query("page").flatMap { Int($0) } ?? 0), 1_000)
    var table = EnvelopeTable(read, range, names, context)
    let isUsed = try table.isUsed || !snapshot.allocations().isEmpty
    var isLast = table.keep(from: number * rowCount, rowCount)
    var html = table.html
    // Many categories leave room for fewer months.
    while html.text.utf8.count > byteCountMax, count > 1 {
      count = max(1, min(count - 1, count * byteCountMax / html.text.utf8.count))
      range = EnvelopeRange(context, count: count)
      table = EnvelopeTable(read, range, names, context)
      isLast = table.keep(from: number * rowCount, rowCount)
      html = table.html
    }
    guard !table.isEmpty || number > 0 else {
      return Page(
        context[.envelopes], .envelopes,
        body: """
          <section class="card"><p class="empty">\(context[.noEnvelopes])</p>\
          <p class="actions"><a class="button main" href="\(context.link("/categories"))">\(context[.categories])</a></p></section>
          """)
    }
    let next: HTML? =
      isLast
      ? nil
      : """
      <nav class="pager" aria-label="\(context[.categories])"><a class="button" rel="next" href="\(context.link(context.address.setting("page", "\(number + 1)")))">\(context[.next])</a></nav>
      """
    return Page(
      context[.envelopes], .envelopes, actions: actions(range, context),
      body: """
        \(isUsed ? nil : beginning(table, context))\(fault(context))\(steps(range, context))
        \(html)\(next)<p class="aside">\(context[.carriedOverHint])</p>
        """)
  }

  private static func fault(_ context: PageContext) -> HTML? {
    context.sent?.faults[""].map { "<p class=\"problem\" role=\"alert\">\($0)</p>" }
  }

  private static func actions(_ range: EnvelopeRange, _ context: PageContext) -> HTML {
    guard context.canWrite else { return HTML() }
    return """
      <div class="actions"><a class="button" data-key="m" href="/envelopes/move?month=\("\(range.focus)")">\(context[.moveMoney])</a></div>
      """
  }

  /// Returns links to earlier and later months.
  private static func steps(_ range: EnvelopeRange, _ context: PageContext) -> HTML {
    func link(_ step: Int) -> String {
      let first = range.months.lowerBound.adding(step)
      return context.link(context.address.setting("from", "\(first)").setting("page", nil))
    }
    let (before, after) = (range.focus.adding(-1), range.focus.adding(1))
    return """
      <nav class="steps" aria-label="\(context[.monthRange])"><a class="button" href="\(link(-1))">‹ \(context.month(before))</a>\
      <strong>\(context.month(range.focus))</strong><a class="button" href="\(link(1))">\(context.month(after)) ›</a></nav>
      """
  }

  /// Returns what envelopes are and how to begin, for a ledger in which nothing was ever assigned.
  private static func beginning(_ table: EnvelopeTable, _ context: PageContext) -> HTML {
    let first = table.firstEnvelope.flatMap { place -> HTML? in
      guard context.canWrite else { return nil }
      return """
        <a class="button main" href="\(place.link)#assign">\(context[.assignTo]) \(place.name)</a>
        """
    }
    return """
      <section class="card"><p>\(context[.envelopesIntro])</p>
      <p class="actions">\(first) <a href="\(context.link("/budgets"))">\(context[.envelopesCaps])</a></p></section>
      """
  }
}
