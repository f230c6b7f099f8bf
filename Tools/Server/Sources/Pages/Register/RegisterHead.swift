import Daybook

/// The header of the register.
///
/// Only the date sorts, because the ledger keeps no other order; the other columns lead to their
/// filters.
enum RegisterHead {
  static func html(
    _ query: TransactionQuery, _ context: PageContext, hasBalances: Bool
  ) -> HTML {
    let turned = context.address.setting("after", nil).setting("at", nil)
      .setting("order", query.isOldestFirst ? nil : "oldest")
    let hint = context[query.isOldestFirst ? .sortNewest : .sortOldest]
    let columns: [(String, Word, String)] =
      [("what", .payee, "payee"), ("where", .category, "category"), ("more", .description, "text")]
      + (query.filter.account == nil ? [("from", .account, "account")] : [])
      + [("amount", .amount, "least")]
    let links = columns.map { style, word, field -> HTML in
      let address = context.address.setting("filter", field)
      return """
        <a class="\(style)" data-filter="\(field)" href="\(context.link(address))#f-\(field)" title="\(context[.filter])">\(context[word])</a>
        """
    }
    let balance: HTML? =
      hasBalances ? "<span class=\"balance\">\(context[.balance])</span>" : nil
    return """
      <div class="head cells"><a class="on" href="\(context.link(turned))" title="\(hint)">\(context[.day]) \
      <span aria-hidden="true">\(query.isOldestFirst ? "↑" : "↓")</span></a>\(links)\(balance)</div>
      """
  }

  /// Returns the form for going to a date.
  static func jump(_ context: PageContext) -> HTML {
    let kept = context.address.query.filter {
      !["after", "at", "filter"].contains($0.name)
    }.map { field -> HTML in
      "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">"
    }
    return """
      <form class="jump" action="/transactions">\(kept)<label for="at">\(context[.goToDate])</label>
      <input id="at" type="date" name="at" value="\(context.query("at") ?? "")"><button>\(context[.apply])</button></form>
      """
  }
}
