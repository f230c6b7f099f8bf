import Daybook

/// The page that makes a rule from an uncategorised transaction, and previews its effect.
enum InboxRulePage {
  /// The number of transactions in the preview.
  private static let rowCount = 20

  static func page(
    _ id: TransactionID, _ given: SentForm, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> Page {
    guard context.canWrite, let row = try snapshot.transaction(id) else { throw PageError.notFound }
    let names = try NameBook(snapshot)
    var form = given
    if form.values["text1"] == nil {
      let text = row.payee.isEmpty ? row.description : row.payee
      let suggestion = try snapshot.suggestions(for: [id]).first?.suggestion
      form.values["name"] = [text]
      form.values["text1"] = [text]
      form.values["category"] = suggestion.map { ["\($0.category)"] }
    }
    let kind: CategoryKind = row.type == .income ? .income : .expense
    let fields: [FormField] = [
      .text("name", .name, isRequired: true), .text("text1", .contains, isRequired: true),
      .choice(
        "category", .category, TransactionFilterForm.categories(names, context, of: kind),
        isOptional: true),
    ]
    var tried = form
    tried.faults = [:]
    var effect = HTML()
    if case .putRule(let rule)? = try RuleForm.commands(&tried, nil, context, snapshot).first,
      tried.faults.isEmpty
    {
      effect = try preview(rule, names, context, snapshot)
    }
    let fault = form.faults[""].map { text -> HTML in
      "<p class=\"problem\" role=\"alert\">\(text)</p>"
    }
    return Page(
      "\(context[.makeRule]): \(names.title(row, context))", .inbox,
      body: """
        \(fault)<section class="card"><form method="post" action="/inbox/rule" class="grid"><input type="hidden" name="row" value="\("\(id)")">\
        \(fields.map { $0.html(form, context) })
        <p class="actions"><button class="main" name="do" value="save">\(context[.saveAndApply])</button> \
        <button name="do" value="preview">\(context[.preview])</button> <a class="button" href="/inbox">\(context[.cancel])</a></p></form></section>
        \(effect)
        """)
  }

  private static func preview(
    _ rule: CategoryRule, _ names: NameBook, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> HTML {
    let found = try snapshot.rulePreview([rule], limit: 1_000)
    let rows = found.prefix(rowCount).map { one -> HTML in
      """
      <tr><td class="aside">\(context.day(one.transaction.day))</td>\
      <th scope="row"><a href="\(context.link("/transactions/\(one.transaction.id)"))">\(names.title(one.transaction, context))</a></th>\
      <td>\(names.counterpart(one.transaction, context))</td><td>\(names.counterpart(one.ruled, context))</td></tr>
      """
    }
    return """
      <section class="card"><h2>\(context[.preview]): \(context.rows(found.count, isMore: found.count == 1_000))</h2>
      <div class="scroll"><table class="figures"><tbody>\(Array(rows))</tbody></table></div></section>
      """
  }
}

extension LedgerSite {
  /// Returns the form for a rule from the transaction in the address.
  func newInboxRule(_ context: PageContext) async throws -> Page {
    guard let id = context.query("row").flatMap({ TransactionID($0) }) else {
      throw PageError.notFound
    }
    return try await read(context) { try InboxRulePage.page(id, SentForm(), $0, $1) }
  }

  /// Previews the rule, or records it and applies it to past transactions in one commit.
  func putInboxRule(_ context: PageContext) async throws -> PageAnswer {
    var sent = SentForm(context)
    guard let id = TransactionID(sent.text("row")) else { throw PageError.notFound }
    var status = 200
    if sent.text("do") == "save" {
      status = 422
      let rule = try ledger.read { try RuleForm.commands(&sent, nil, context, $0) }.first
      if case .putRule(let rule)? = rule, sent.faults.isEmpty {
        do {
          try await append([.putRule(rule), .applyRules([rule.id])], context)
          return redirect(Address("/inbox", [("done", "saved")]))
        } catch {
          sent.refuse(error, ["name", "text1", "category"], context)
        }
      }
    }
    let form = sent
    var page = try ledger.read { try InboxRulePage.page(id, form, context, $0) }
    page.status = status
    return try laidOut(page, context)
  }
}
