import Daybook

/// The filters of the list: a chip for each active filter, and a form for further ones.
enum TransactionFilterForm {
  static func html(_ context: PageContext, _ query: TransactionQuery, _ names: NameBook) -> HTML {
    let fields = context.address.query.filter {
      TransactionQuery.names.contains($0.name) && !$0.value.isEmpty
    }
    let chips = fields.map { chip($0, context, query, names) }
    let clear: HTML? =
      fields.isEmpty
      ? nil
      : "<li><a class=\"chip\" href=\"\(context.link("/transactions"))\">\(context[.clear])</a></li>"
    let asOf = context.request.asOf.map { text -> HTML in
      "<input type=\"hidden\" name=\"asOf\" value=\"\(text)\">"
    }
    let kept = ["kind", "on"].compactMap { name in
      context.query(name).map { value -> HTML in
        "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
      }
    }
    let order: HTML? =
      query.isOldestFirst ? "<input type=\"hidden\" name=\"order\" value=\"oldest\">" : nil
    let open: HTML? = context.query("filter") == nil ? nil : " open"
    let wrong: HTML? =
      query.faults.isEmpty
      ? nil : "<p class=\"problem\" role=\"alert\">\(context[.filterWrong])</p>"
    return """
      \(wrong)<ul class="chips" aria-label="\(context[.filter])">\(chips)\(clear)</ul>
      <details class="filter"\(open)><summary>\(context[.filter])</summary>
      <form action="/transactions" class="grid">\(asOf)\(kept)\(order)
      \(text("text", .search, context))
      \(Choice.html("account", .account, accounts(names), context.query("account"), context))
      \(Choice.html("category", .category, categories(names, context), context.query("category"), context))
      \(Choice.html("type", .type, TransactionType.allCases.map { ("\($0)", context[$0.word]) }, context.query("type"), context))
      \(Choice.html("status", .status, Status.allCases.map { ("\($0)", context[$0.word]) }, context.query("status"), context))
      \(text("from", .from, context, type: "date"))
      \(text("through", .through, context, type: "date"))
      \(text("payee", .payee, context))
      \(text("tag", .tag, context))
      \(text("least", .least, context, mode: "decimal"))
      \(text("most", .most, context, mode: "decimal"))
      \(flag("uncategorized", .uncategorized, context))
      \(Choice.html("excluded", .excluded, [("true", context[.onlyExcluded]), ("false", context[.onlyCounted])], context.query("excluded"), context))
      <p class="actions"><button class="main">\(context[.apply])</button></p></form></details>
      """
  }

  static func accounts(_ names: NameBook) -> [(String, String)] {
    names.accounts.filter { !$0.isDeleted }.map { ("\($0.id)", $0.name) }
  }

  static func categories(
    _ names: NameBook, _ context: PageContext, of kind: CategoryKind? = nil
  ) -> [(String, String)] {
    names.categories.filter { !$0.isDeleted && (kind == nil || $0.kind == kind) }
      .map { ("\($0.id)", names.name($0.id, context)) }.sorted { $0.1 < $1.1 }
  }

  private static func text(
    _ name: String, _ word: Word, _ context: PageContext, type: String = "text",
    mode: String? = nil
  ) -> HTML {
    let mode = mode.map { mode -> HTML in " inputmode=\"\(mode)\"" }
    return """
      <p><label for="f-\(name)">\(context[word])</label>\
      <input id="f-\(name)" name="\(name)" type="\(type)" value="\(context.query(name) ?? "")"\(mode)></p>
      """
  }

  private static func flag(_ name: String, _ word: Word, _ context: PageContext) -> HTML {
    let checked: HTML? = context.query(name) == "true" ? " checked" : nil
    return """
      <p class="flag"><input id="f-\(name)" name="\(name)" type="checkbox" value="true"\(checked)> \
      <label for="f-\(name)">\(context[word])</label></p>
      """
  }

  private static func chip(
    _ field: Address.Field, _ context: PageContext, _ query: TransactionQuery, _ names: NameBook
  ) -> HTML {
    var address = context.address.setting("after", nil)
    address.query.removeAll { $0 == field }
    let isWrong = query.faults.contains(field.name)
    let style = isWrong ? "chip wrong" : "chip"
    return """
      <li><a class="\(style)" href="\(context.link(address))">\(said(field, context, names)) <span aria-hidden="true">×</span></a></li>
      """
  }

  private static func said(
    _ field: Address.Field, _ context: PageContext, _ names: NameBook
  ) -> String {
    let value = field.value
    switch field.name {
    case "account": return AccountID(value).map { names.name($0) } ?? value
    case "category": return CategoryID(value).map { names.name($0, context) } ?? value
    case "type": return TransactionType(name: value).map { context[$0.word] } ?? value
    case "status": return Status(name: value).map { context[$0.word] } ?? value
    case "from": return "≥ \(Day(value).map { context.day($0) } ?? value)"
    case "through": return "≤ \(Day(value).map { context.day($0) } ?? value)"
    case "least": return "≥ \(value)"
    case "most": return "≤ \(value)"
    case "tag": return "#\(value)"
    case "uncategorized": return context[.uncategorized]
    case "kind": return context[value == "income" ? .income : .expense]
    case "excluded": return context[value == "true" ? .onlyExcluded : .onlyCounted]
    default: return "“\(value)”"
    }
  }
}

/// Renders a selection list.
enum Choice {
  static func html(
    _ name: String, _ word: Word, _ choices: [(value: String, text: String)], _ chosen: String?,
    _ context: PageContext, isOptional: Bool = true, fault: HTML? = nil
  ) -> HTML {
    let none: HTML? = isOptional ? "<option value=\"\">–</option>" : nil
    let options = choices.map { value, text -> HTML in
      let selected: HTML = value == chosen ? " selected" : ""
      return "<option value=\"\(value)\"\(selected)>\(text)</option>"
    }
    let wrong: HTML? =
      fault == nil ? nil : " aria-invalid=\"true\" aria-describedby=\"fault-\(name)\""
    return """
      <p><label for="f-\(name)">\(context[word])</label>\
      <select id="f-\(name)" name="\(name)"\(wrong)>\(none)\(options)</select>\(fault)</p>
      """
  }
}
