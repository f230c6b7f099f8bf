import Daybook

// The health of the ledger: verification, findings and counts.
extension LedgerSite {
  /// Starts a verification and redirects to the page that shows its progress.
  func verify(_ context: PageContext) -> PageAnswer {
    proof.begin(ledger)
    return redirect(Address("/health"))
  }

  func health(_ context: PageContext) async throws -> Page {
    let info = try await ledger.info()
    let anchor = try ledger.anchor()
    let open = try await findings(context)
    let section = try ledger.read { try FindingsSection.html(open, context, NameBook($0), $0) }
    let counts = HealthPage.counted.compactMap { kind, word, path -> HTML? in
      guard let count = info.entityCounts[kind], count > 0 else { return nil }
      return """
        <tr><th scope="row"><a href="\(context.link(path))">\(context[word])</a></th><td class="num">\(context.number(Int(clamping: count)))</td></tr>
        """
    }
    return Page(
      context[.health], .health,
      body: """
        \(HealthPage.result(proof.now, context))
        <section class="card"><p>\(context[.verifyHint])</p>\(HealthPage.button(proof.now, context))</section>
        \(section)<section class="card"><dl class="facts"><dt>\(context[.history])</dt><dd><a href="\(context.link("/history"))">\(context.commits(Int(clamping: info.sequence)))</a></dd>\
        <dt>\(context[.format])</dt><dd>\(info.formatVersion)</dd>\
        <dt>\(context[.chainHead])</dt><dd><code>\(anchor.text)</code></dd></dl>
        <table class="figures"><tbody>\(counts)</tbody></table></section>
        """)
  }
}

/// The parts of the health page.
enum HealthPage {
  /// The kinds of entities that are counted, with the paths of their pages.
  static let counted: [(EntityKind, Word, String)] = [
    (.transaction, .transactions, "/transactions"), (.account, .accounts, "/accounts"),
    (.category, .categories, "/categories"), (.budget, .budgets, "/budgets"),
    (.series, .recurring, "/recurring"), (.rule, .rules, "/rules"), (.rate, .rates, "/rates"),
    (.assertion, .statements, "/statements"), (.mapping, .keptMappings, "/import"),
  ]

  /// Returns the progress of a running verification, or the result of the last verification.
  static func result(_ state: Proof.State, _ context: PageContext) -> HTML {
    if let progress = state.progress {
      return """
        <div class="notice verifying" role="status"><label>\(context[.verifying]) <progress max="1" value="\("\(progress)")"></progress></label>\
        <a class="button" href="/health">\(context[.apply])</a></div>
        """
    }
    if let fault = state.fault {
      return "<p class=\"problem\" role=\"alert\">\(context.text(fault))</p>"
    }
    guard let last = state.last else { return HTML() }
    let report = last.report
    let findings = report.findings.prefix(50).map { finding -> HTML in
      "<li>\(context.library("\(finding)"))</li>"
    }
    let style = report.isSound ? "notice" : "problem"
    let word: Word = report.isSound ? .verifiedAll : .verifiedNot
    return """
      <p class="\(style)" role="status">\(context[word]) \(context.commits(Int(clamping: report.commitCount))), \
      \(context[.comparedRows]): \(context.number(Int(clamping: report.rowCount))).</p>
      <p class="aside">\(context[.verifiedUpTo]): <code>\(last.head)</code></p><ul>\(Array(findings))</ul>
      """
  }

  static func button(_ state: Proof.State, _ context: PageContext) -> HTML? {
    guard context.past == nil, state.progress == nil else { return nil }
    return """
      <form method="post" action="/health"><button class="main">\(context[.verify])</button></form>
      """
  }
}
