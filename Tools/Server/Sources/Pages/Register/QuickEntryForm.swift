import Daybook

/// The row for adding a transaction, above the rows of the register.
///
/// Without scripts it is a plain form, whose lists offer the names of categories and transfers.
enum QuickEntryForm {
  static func html(
    _ query: TransactionQuery, _ names: NameBook, _ context: PageContext
  ) -> HTML? {
    let accounts = names.openAccounts
    let own = query.filter.account
    // The list of a closed account has no row for adding a transaction.
    guard context.canWrite, !accounts.isEmpty,
      own == nil || accounts.contains(where: { $0.id == own })
    else { return nil }
    let sent = context.sent ?? SentForm()
    let day = sent.optional("day") ?? context.query("entryDay") ?? "\(context.today)"
    let account: HTML
    if let own {
      account = "<input type=\"hidden\" name=\"account\" value=\"\("\(own)")\">"
    } else {
      let chosen =
        sent.optional("account") ?? context.query("entryAccount")
        ?? accounts.first.map { "\($0.id)" }
      let options = accounts.map { account -> HTML in
        let selected: HTML = "\(account.id)" == chosen ? " selected" : ""
        return "<option value=\"\("\(account.id)")\"\(selected)>\(account.name)</option>"
      }
      account = """
        <select class="from" name="account" aria-label="\(context[.account])"\(wrong("account", sent))>\(options)</select>
        """
    }
    let pending: HTML? = sent.optional("status") == nil ? nil : " checked"
    let key = "page-\(TransactionID.random())"
    return """
      <form class="entry cells" method="post" action="/transactions/quick" autocomplete="off" aria-label="\(context[.record])" data-mark="\(context.typed("."))">
      <input type="hidden" name="back" value="\(context.address.text)"><input type="hidden" name="key" value="\(key)">
      <button class="hidden" tabindex="-1" aria-hidden="true">\(context[.save])</button>\
      <input class="on" type="date" name="day" value="\(day)" required aria-label="\(context[.day])"\(wrong("day", sent))>\
      \(input("what", "payee", .payee, sent, context, more: " list=\"q-transfers\""))\
      \(input("where", "category", .category, sent, context, more: " list=\"q-categories\""))\
      \(input("more", "description", .description, sent, context))\(account)\
      \(input("amount", "amount", .amount, sent, context, more: " inputmode=\"decimal\" title=\"\(context[.signedHint])\""))\
      \(parts(sent, context))
      <p class="actions"><label><input type="checkbox" name="status" value="pending"\(pending)> \(context[.pending])</label> \
      <button class="main">\(context[.save])</button> \
      <button name="do" value="part" aria-keyshortcuts="Control+Enter" formnovalidate>\(context[.splitIt])</button> \
      <button name="do" value="more" formnovalidate>\(context[.moreFields])</button></p>\
      \(faults(sent))\(lists(own, names, context))</form>
      """
  }

  private static func input(
    _ style: String, _ name: String, _ word: Word, _ sent: SentForm, _ context: PageContext,
    more: HTML = HTML()
  ) -> HTML {
    """
    <input class="\(style)" name="\(name)" value="\(sent.text(name))" placeholder="\(context[word])" aria-label="\(context[word])"\(more)\(wrong(name, sent))>
    """
  }

  private static func wrong(_ name: String, _ sent: SentForm) -> HTML? {
    sent.faults[name] == nil
      ? nil : " aria-invalid=\"true\" aria-describedby=\"fault-q-\(name)\""
  }

  private static func faults(_ sent: SentForm) -> HTML {
    let lines = sent.faults.sorted { $0.key < $1.key }.map { name, text -> HTML in
      "<span class=\"fault\" id=\"fault-q-\(name)\">\(text)</span>"
    }
    return lines.isEmpty ? HTML() : "<div class=\"faults\" role=\"alert\">\(lines)</div>"
  }

  /// The lines of a split: those that were sent, in a part of the form that is otherwise empty.
  private static func parts(_ sent: SentForm, _ context: PageContext) -> HTML {
    let (amounts, notes) = (sent.values["part-amount"] ?? [], sent.values["part-note"] ?? [])
    let categories = sent.values["part-category"] ?? []
    let lines = amounts.indices.map { index in
      line(
        categories.indices.contains(index) ? categories[index] : "",
        notes.indices.contains(index) ? notes[index] : "", amounts[index], context)
    }
    return """
      <div class="split" role="group" aria-label="\(context[.parts])"><div class="lines">\(Array(lines))</div>\
      <p class="rest"\(lines.isEmpty ? " hidden" : "")>\(context[.remainder]): <output></output></p>\
      <template>\(line("", "", "", context))</template></div>
      """
  }

  private static func line(
    _ category: String, _ note: String, _ amount: String, _ context: PageContext
  ) -> HTML {
    """
    <div class="cells part-line"><input class="where" name="part-category" value="\(category)" placeholder="\(context[.category])" aria-label="\(context[.category])" list="q-categories">\
    <input class="more" name="part-note" value="\(note)" placeholder="\(context[.note])" aria-label="\(context[.note])">\
    <input class="amount" name="part-amount" value="\(amount)" inputmode="decimal" placeholder="\(context[.amount])" aria-label="\(context[.amount])"></div>
    """
  }

  private static func lists(
    _ own: AccountID?, _ names: NameBook, _ context: PageContext
  ) -> HTML {
    let categories = names.categories.filter { !$0.isDeleted && !$0.id.isBuiltin }
      .map { (name: names.name($0.id, context), isIncome: $0.kind == .income) }
      .sorted { $0.name < $1.name }
      .map { name, isIncome -> HTML in
        let kind: HTML = isIncome ? " data-kind=\"income\"" : ""
        return "<option value=\"\(name)\"\(kind)></option>"
      }
    let transfers = names.transferPayees(containing: "", except: own, context).map { text -> HTML in
      "<option value=\"\(text)\"></option>"
    }
    return """
      <datalist id="q-categories">\(categories)</datalist><datalist id="q-transfers">\(transfers)</datalist>
      """
  }
}
