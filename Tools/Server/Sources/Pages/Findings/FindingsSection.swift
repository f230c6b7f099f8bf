import Daybook
import DaybookFindings

/// The findings of a shared ledger, with the kept and lost values, and the devices that set them.
enum FindingsSection {
  /// The maximum number of findings shown at once.
  static let countMax = 50

  /// Returns the section, or `nil` if the ledger is not shared.
  static func html(
    _ findings: [SyncFinding]?, _ context: PageContext, _ names: NameBook,
    _ snapshot: borrowing Snapshot
  ) throws -> HTML? {
    guard let findings else { return nil }
    let language = try language(context, names, snapshot)
    var items = HTML()
    for finding in findings.prefix(countMax) {
      items += try item(finding, language, context, names, snapshot)
    }
    let rest = findings.count - countMax
    let more: HTML? = rest > 0 ? "<p class=\"aside\">+ \(context.number(rest))</p>" : nil
    let contents: HTML =
      findings.isEmpty ? "<p class=\"empty\">\(context[.noFindings])</p>" : "\(items)\(more)"
    return """
      <section class="card" id="findings" aria-labelledby="findings-title"><h2 id="findings-title">\(context[.findings])</h2>
      <p class="aside">\(context[.findingsHint])</p>\(contents)</section>
      """
  }

  /// Returns a link to the open findings, with their number, or `nil` if there are none.
  static func notice(_ findings: [SyncFinding]?, _ context: PageContext) -> HTML? {
    guard let findings, !findings.isEmpty else { return nil }
    return """
      <p class="banner"><a href="/health#findings">\(context[.findings]): \(context.number(findings.count))</a></p>
      """
  }

  /// Returns the page's language for findings, with its formats for days and amounts.
  private static func language(
    _ context: PageContext, _ names: NameBook, _ snapshot: borrowing Snapshot
  ) throws -> any FindingLanguage {
    if context.words.code == Words.german.code {
      return GermanFindings(context: context, names: names)
    }
    return EnglishFindings(
      FindingFormat(
        names: try FindingFormat.names(in: snapshot), day: { context.day($0) },
        money: { context.amount($0) }))
  }

  private static func item(
    _ finding: SyncFinding, _ language: any FindingLanguage, _ context: PageContext,
    _ names: NameBook, _ snapshot: borrowing Snapshot
  ) throws -> HTML {
    let figures: HTML? =
      switch finding.rule {
      case .closedAccount: balance(finding, context)
      case .valueLost, .clash, .locked, .tooLate: differences(finding.values, context, names)
      // The finding's text already contains all values.
      case .deletionStands, .held, .cycle, .balanced, .notLinked, .closedUnseen, .sameName: nil
      }
    let about = try finding.subject(in: snapshot)
    let text = language.text(try finding.statement(in: snapshot), about)
    var unseen = HTML()
    for one in finding.unseen.prefix(countMax) {
      let title = language.title(try one.subject(in: snapshot))
      unseen += "<li>\(try subject(one.kind, one.entity, title, context, names, snapshot))</li>"
    }
    let more = finding.unseen.count - countMax
    if more > 0 { unseen += "<li>+ \(context.number(more))</li>" }
    let list: HTML? = finding.unseen.isEmpty ? nil : "<ul>\(unseen)</ul>"
    let choose: HTML? =
      finding.asks ? "<strong class=\"status\">\(context[.pleaseChoose])</strong>" : nil
    return """
      <article class="finding"><h3>\(try subject(finding.kind, finding.entity, language.title(about), context, names, snapshot)) \(choose)</h3>
      <p>\(text)</p>\(figures)\(list)\(try actions(finding, context, snapshot))</article>
      """
  }

  /// Returns an account's balance with a link to its transactions.
  private static func balance(_ finding: SyncFinding, _ context: PageContext) -> HTML? {
    guard case .money(let money) = finding.values.first?.holds else { return nil }
    let link = context.link("/transactions", [("account", "\(finding.entity)")])
    return "<p>\(context[.balance]): \(context.figure(money, to: link))</p>"
  }

  /// Returns a table of kept and lost values by property, or `nil` if there are none.
  private static func differences(
    _ values: [SyncFinding.Value], _ context: PageContext, _ names: NameBook
  ) -> HTML? {
    let values = values.filter { $0.lost != $0.holds }
    if values.isEmpty { return nil }
    let rows = values.map { value -> HTML in
      """
      <tr><th scope="row">\(PropertyText.name(value.property, context))</th>\
      <td>\(side(value.holds, value.heldBy, value.heldAt, value.property, context, names))</td>\
      <td>\(side(value.lost, value.lostBy, value.lostAt, value.property, context, names))</td></tr>
      """
    }
    return """
      <table class="figures differences"><thead><tr><th scope="col">\(context[.property])</th>\
      <th scope="col">\(context[.holding])</th><th scope="col">\(context[.lost])</th></tr></thead><tbody>\(rows)</tbody></table>
      """
  }

  /// Returns a value with the device that recorded it and the time.
  private static func side(
    _ value: PropertyValue?, _ device: String?, _ time: Int64?, _ property: String,
    _ context: PageContext, _ names: NameBook
  ) -> HTML {
    let who = [device, time.map { context.moment($0) }].compactMap { $0 }.joined(separator: ", ")
    let by: HTML? = who.isEmpty ? nil : "<span class=\"aside\">\(who)</span>"
    return "\(CommitText.value(value, property, context, names)) \(by)"
  }

  /// Returns a link to the page of the finding's subject or to its history.
  private static func subject(
    _ kind: EntityKind, _ id: EntityID, _ title: String, _ context: PageContext,
    _ names: NameBook, _ snapshot: borrowing Snapshot
  ) throws -> HTML {
    if kind == .transaction, let row = try snapshot.transaction(TransactionID(id)) {
      return """
        <a href="/transactions/\("\(id)")">\(names.title(row, context))</a> <span class="aside">\(context.day(row.day))</span>
        """
    }
    return "<a href=\"/why/\("\(id)")\">\(title)</a>"
  }

  private static func actions(
    _ finding: SyncFinding, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> HTML? {
    guard context.canWrite else { return nil }
    func button(_ deed: String, _ word: Word) -> HTML {
      """
      <form method="post" action="/findings/\(finding.id)"><button name="do" value="\(deed)">\(context[word])</button></form>
      """
    }
    let anew: HTML? =
      switch finding.rule {
      case .deletionStands: button("restore", .bringBack)
      case .held:
        """
        <form method="post" action="/findings/\(finding.id)"><label>\(context[.takeOn]) <input type="date" name="day"></label> \
        <button name="do" value="take">\(context[.takeHeld])</button></form>
        """
      default:
        try form(of: finding, context, snapshot).map {
          "<a class=\"button\" href=\"\($0.text)\">\(context[.decideAnew])</a>"
        }
      }
    return "<div class=\"actions\">\(anew)\(button("dismiss", .putAside))</div>"
  }

  /// Returns the address of the form for the finding's subject, filled in with the lost value.
  ///
  /// Returns `nil` if the subject has no form.
  private static func form(
    of finding: SyncFinding, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> Address? {
    let paths: [EntityKind: String] = [
      .transaction: "/transactions", .account: "/accounts", .category: "/categories",
      .budget: "/budgets", .rate: "/rates", .rule: "/rules", .series: "/recurring",
      .assertion: "/statements", .mapping: "/mappings",
    ]
    if finding.kind == .settings { return Address("/settings") }
    if finding.kind == .account,
      try snapshot.account(AccountID(finding.entity))?.isDeleted != false
    {
      return nil
    }
    guard let path = paths[finding.kind] else { return nil }
    if finding.kind == .transaction,
      try snapshot.transaction(TransactionID(finding.entity)) == nil
    {
      return nil
    }
    let wanted = finding.values.compactMap { value -> (String, String?)? in
      value.lost?.typed(context).map { (value.property, $0) }
    }
    return Address("\(path)/\(finding.entity)/edit", wanted)
  }
}

extension PropertyValue {
  /// Returns the text for a form's field, or `nil` if a text can't represent the value.
  fileprivate func typed(_ context: PageContext) -> String? {
    switch self {
    case .text(let text): text
    case .texts(let texts): texts.joined(separator: ", ")
    case .day(let day): "\(day)"
    case .choice(let name): name
    case .entity(let id): "\(id)"
    case .money(let money): AmountText.typed(money, context.locale)
    default: nil
    }
  }
}
