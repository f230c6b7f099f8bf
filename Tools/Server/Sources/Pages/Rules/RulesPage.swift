import Daybook

/// The page with the rules, and a preview of their effects on past transactions.
enum RulesPage {
  static func page(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> Page {
    let rules = try snapshot.rules()
    let names = try NameBook(snapshot)
    let form = try RuleForm.new(names, context, snapshot)
    guard !rules.isEmpty else {
      return Page(
        context[.rules], .rules, body: "<p class=\"empty\">\(context[.noRules])</p>\(form)")
    }
    let rows = rules.map { rule -> HTML in
      let conditions = rule.conditions.map { text($0, context, names) }
        .joined(separator: rule.matchesAny ? " | " : " & ")
      let category = rule.category.map { id -> HTML in
        "<a href=\"\(context.link("/categories/\(id)"))\">\(names.name(id, context))</a>"
      }
      let transfer = rule.transferAccount.map { id -> HTML in "↔ \(names.name(id))" }
      let off: HTML? = rule.isEnabled ? nil : " <span class=\"status\">–</span>"
      return """
        <tr><th scope="row">\(rule.name)\(off) \(RuleForm.link(rule.entityID, rule.name, context))</th><td>\(conditions)</td><td>\(category)\(transfer)</td></tr>
        """
    }
    let preview = try snapshot.rulePreview(limit: 50).map { row -> HTML in
      let new =
        row.ruled.type == .transfer
        ? names.counterpart(row.ruled, context)
        : row.ruled.category.map { names.name($0, context) } ?? ""
      return """
        <tr><td class="aside">\(context.day(row.transaction.day))</td>\
        <th scope="row"><a href="\(context.link("/transactions/\(row.transaction.id)"))">\(names.title(row.transaction, context))</a></th>\
        <td>\(names.counterpart(row.transaction, context))</td><td>\(new)</td></tr>
        """
    }
    let apply: HTML? =
      context.canWrite
      ? "<form method=\"post\" action=\"/rules/apply\"><p class=\"actions\"><button>\(context[.applyToPast])</button></p></form>"
      : nil
    let past: HTML? =
      preview.isEmpty
      ? nil
      : """
      <section class="card"><h2>\(context[.preview])</h2><div class="scroll"><table class="figures"><thead><tr><td></td><td></td><th scope="col">\(context[.before])</th>\
      <th scope="col">\(context[.after])</th></tr></thead><tbody>\(preview)</tbody></table></div>\(apply)</section>
      """
    return Page(
      context[.rules], .rules,
      body: """
        <section class="card"><div class="scroll"><table class="figures"><thead><tr><th scope="col">\(context[.name])</th>\
        <th scope="col">\(context[.condition])</th><th scope="col">\(context[.category])</th></tr></thead><tbody>\(rows)</tbody></table></div></section>
        \(form)\(past)
        """)
  }

  static func text(
    _ condition: RuleCondition, _ context: PageContext, _ names: NameBook
  ) -> String {
    switch condition {
    case .text(let field, let match, let text):
      "\(context[field.word]) \(context[match.word]) “\(text)”"
    case .account(let id): names.name(id)
    case .amount(let from, let through):
      "\(from.map { context.amount($0) } ?? "") – \(through.map { context.amount($0) } ?? "")"
    case .type(let type): context[type.word]
    }
  }
}
