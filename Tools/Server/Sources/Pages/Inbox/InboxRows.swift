import Daybook

/// The uncategorised transactions with a choice of category, the suggested one preselected.
enum InboxRows {
  static func html(
    _ section: InboxSection<UncategorizedTransaction>, _ names: NameBook, _ context: PageContext
  ) -> HTML {
    guard section.count > 0 else { return HTML() }
    let lists = [CategoryKind.expense, .income].map { Self.choices(of: $0, names, context) }
    let rows = section.entries.map {
      row(
        $0, lists[$0.transaction.type == .income ? 1 : 0], names, context)
    }
    let rest = section.count - rows.count
    let more: HTML? =
      rest > 0
      ? """
      <p class="aside"><a href="\(context.link("/transactions", [("uncategorized", "true")]))">+ \(context.number(rest))</a></p>
      """ : nil
    let all: HTML? =
      section.entries.contains { $0.suggestion != nil } && context.canWrite
      ? """
      <p class="actions"><button class="main" name="accept" value="all">\(context[.acceptAll])</button></p>
      """ : nil
    return """
      <section aria-labelledby="categorise">\(InboxPage.title("categorise", .toCategorise, section.count, section.hasMore, context))
      <form method="post" action="/inbox/categories"><input type="hidden" name="back" value="\(context.inboxAddress)">
      <ul class="rows inbox">\(rows)</ul>\(all)</form>\(more)</section>
      """
  }

  private static func row(
    _ open: UncategorizedTransaction, _ choices: HTML, _ names: NameBook, _ context: PageContext
  ) -> HTML {
    let row = open.transaction
    let link = context.link("/transactions/\(row.id)")
    let title = names.title(row, context)
    let total = row.amount.map { context.figure($0, to: link) }
    let account = row.account.map { names.name($0) } ?? ""
    return """
      <li class="row" data-number="\(row.number)"><a class="what" href="\(link)">\(title)</a>
      <span class="when">\(context.day(row.day)) · \(account)</span>
      \(row.isSplit ? split(link, context) : choice(open, choices, title, names, context))
      <span class="amount">\(total)</span></li>
      """
  }

  private static func split(_ link: String, _ context: PageContext) -> HTML {
    "<span class=\"choose\"><a href=\"\(link)/edit\">\(context[.split])</a></span>"
  }

  private static func choice(
    _ open: UncategorizedTransaction, _ choices: HTML, _ title: String, _ names: NameBook,
    _ context: PageContext
  ) -> HTML {
    let id = "\(open.transaction.id)"
    let given = open.suggestion
    let suggested = given.map { given -> HTML in
      """
      <optgroup label="\(context[.suggested])"><option value="\("\(given.category)")" selected>\(names.name(given.category, context))</option></optgroup>
      """
    }
    guard context.canWrite else {
      return "<span class=\"choose\">\(given.map { names.name($0.category, context) } ?? "")</span>"
    }
    let why = given.map { reason($0, open.transaction, context) } ?? ""
    return """
      <span class="choose"><label class="hidden" for="c-\(id)">\(context[.category]): \(title)</label>
      <select id="c-\(id)" name="category.\(id)"><option value="">–</option>\(suggested)\(choices)</select>
      <button name="accept" value="\(id)">\(context[.accept])</button>
      <span class="aside">\(why) <a href="/inbox/rule?row=\(id)">\(context[.makeRule])</a></span></span>
      """
  }

  /// Returns the reason for a suggestion, such as “24 of 25 at Rewe”.
  static func reason(
    _ suggestion: CategorySuggestion, _ row: Transaction, _ context: PageContext
  ) -> String {
    if suggestion.rule != nil { return context[.ruleMatches] }
    return
      "\(context.number(suggestion.count)) \(context[.outOf]) \(context.number(suggestion.total)) "
      + "\(context[.atPayee]) \(row.payee)"
  }

  /// Returns the categories of a kind as options.
  private static func choices(
    of kind: CategoryKind, _ names: NameBook, _ context: PageContext
  ) -> HTML {
    let hidden = Set(names.categories.filter(\.isHidden).map { "\($0.id)" })
    let options = TransactionFilterForm.categories(names, context, of: kind)
      .filter { !hidden.contains($0.0) }
      .map { value, text -> HTML in "<option value=\"\(value)\">\(text)</option>" }
    return "<optgroup label=\"\(context[.categories])\">\(options)</optgroup>"
  }
}

extension PageContext {
  /// The address of the shown inbox, including the import that it is limited to.
  var inboxAddress: String {
    if request.method != "POST" { return address.text }
    return field("back").map { $0.hasPrefix("/inbox") ? $0 : "/inbox" } ?? "/inbox"
  }
}

extension LedgerSite {
  /// Sets the category of one transaction, or of all with a chosen category.
  ///
  /// Transactions that have a category by now are left unchanged.
  func categorise(_ context: PageContext) async throws -> PageAnswer {
    let wanted = context.field("accept") ?? "all"
    var chosen: [TransactionID: CategoryID] = [:]
    for field in context.request.form where field.name.hasPrefix("category.") {
      let name = String(field.name.dropFirst("category.".count))
      guard wanted == "all" || wanted == name, let id = TransactionID(name),
        let category = CategoryID(field.value)
      else { continue }
      chosen[id] = category
    }
    guard !chosen.isEmpty else { return try await inbox(context[.chooseCategory], context) }
    let ids = Array(chosen.keys)
    let commands = try ledger.read { snapshot in
      try snapshot.suggestions(for: ids).compactMap { row -> Command? in
        guard let category = chosen[row.transaction.id] else { return nil }
        var amendment = Amendment(seen: row.transaction)
        amendment.category = category
        return .amend(row.transaction.id, amendment)
      }
    }
    do {
      if !commands.isEmpty { try await append(commands, context) }
    } catch {
      return try await inbox(context.text(error), context)
    }
    return redirect(Self.back(context).setting("done", "saved"))
  }
}
