import Daybook

// Whether everything is sound, and the proof.
extension LedgerSite {
  func health(_ context: PageContext, report: VerifyReport?) async throws -> Page {
    let info = try await ledger.info()
    let anchor = try ledger.anchor()
    var result = HTML()
    if let report {
      let findings = report.findings.prefix(50).map { finding -> HTML in "<li>\(finding)</li>" }
      let style = report.isSound ? "notice" : "problem"
      let word: Word = report.isSound ? .verifiedAll : .verifiedNot
      result = """
        <p class="\(style)" role="status">\(context[word]) \(report.commitCount) \(context[.commits]), \(report.rowCount) \(context[.rows]).</p><ul>\(Array(findings))</ul>
        """
    }
    let counts = info.entityCounts.map { ($0.key.name, $0.value) }.sorted { $0.0 < $1.0 }
    let rows = counts.map { name, count -> HTML in
      "<tr><th scope=\"row\">\(name)</th><td class=\"num\">\(count)</td></tr>"
    }
    let button: HTML? =
      context.request.asOf != nil || ledger.readOnlyReason != nil
      ? nil
      : "<form method=\"post\" action=\"/health\"><button class=\"main\">\(context[.verify])</button></form>"
    return Page(
      context[.health], .health,
      body: """
        \(result)
        <section class="card"><p>\(context[.verifyHint])</p>\(button)</section>
        <section class="card"><dl class="facts"><dt>\(context[.commits])</dt><dd><a href="\(context.link("/history"))">\(info.sequence)</a></dd>\
        <dt>\(context[.format])</dt><dd>\(info.formatVersion)</dd>\
        <dt>\(context[.chainHead])</dt><dd><code>\(anchor.text)</code></dd></dl>
        <table class="figures"><tbody>\(rows)</tbody></table></section>
        """)
  }
}
