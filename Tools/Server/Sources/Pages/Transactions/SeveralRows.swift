import Daybook

/// A change applied to several transactions in one commit.
struct SeveralRows: Sendable {
  let ids: [TransactionID]
  let form: SentForm

  static let countMax = 500

  init(_ context: PageContext) {
    form = SentForm(context)
    ids = form.all("row").prefix(Self.countMax).compactMap { TransactionID($0) }
  }

  /// Returns a command for each transaction that changes.
  func commands(_ snapshot: borrowing Snapshot) throws -> [Command] {
    if form.text("do") == "delete" { return ids.map { .delete($0) } }
    let category = CategoryID(form.text("category"))
    let status = Status(name: form.text("status"))
    let tags = form.list("tags")
    var commands: [Command] = []
    for id in ids {
      guard let row = try snapshot.transaction(id) else { continue }
      var amendment = Amendment(seen: row)
      // Transfers have no category, and splits have several.
      if let category, row.type != .transfer, !row.isSplit, row.category != category {
        amendment.category = category
      }
      if let status, row.status != status { amendment.status = status }
      let new = tags.filter { !row.tags.contains($0) }
      if !new.isEmpty { amendment.tags = row.tags + new }
      if amendment != Amendment(seen: row) { commands.append(.amend(id, amendment)) }
    }
    return commands
  }
}

extension LedgerSite {
  /// Previews the change of the selected transactions, or records it if it is confirmed.
  func several(_ context: PageContext) async throws -> PageAnswer {
    let rows = SeveralRows(context)
    let (commands, names) = try ledger.read { (try rows.commands($0), try NameBook($0)) }
    guard !commands.isEmpty else {
      let page = Page(
        context[.edit], .transactions, status: 422,
        body: """
          <p class="problem" role="alert">\(context[rows.ids.isEmpty ? .nothingSelected : .noFigures])</p>
          <p><a class="button" href="/transactions">\(context[.back])</a></p>
          """)
      return try laidOut(page, context)
    }
    let token = context.field("token").flatMap { Token($0) }
    if context.field("confirmed") == "yes" {
      let refusal: DaybookError?
      do {
        try await append(commands, context, expecting: token)
        refusal = nil
      } catch {
        refusal = error
      }
      // Perform only the previewed change. If the ledger has changed, show a new preview.
      if refusal == nil {
        return redirect(
          Self.back(context).setting(
            "done", rows.form.text("do") == "delete" ? "deleted" : "saved"))
      }
    }
    var page = await preview(rows, commands, names, context)
    if context.field("confirmed") == "yes" { page.status = 422 }
    return try laidOut(page, context)
  }

  private func preview(
    _ rows: SeveralRows, _ commands: [Command], _ names: NameBook, _ context: PageContext
  ) async -> Page {
    let isDeletion = rows.form.text("do") == "delete"
    let word: Word = isDeletion ? .delete : .edit
    let contents: HTML
    do {
      let rehearsal = try await ledger.figures(changedBy: commands, today: context.today)
      let kept = context.request.form.filter { $0.name != "token" && $0.name != "confirmed" }
        .map { field -> HTML in
          "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">"
        }
      let style: HTML = isDeletion ? "danger" : "main"
      contents = """
        \(FigureText.table(rehearsal.figures, context, names))
        <form method="post" action="/transactions/several">\(kept)
        <input type="hidden" name="token" value="\(rehearsal.token.text)"><input type="hidden" name="confirmed" value="yes">
        <p class="actions"><button class="\(style)" autofocus>\(context[isDeletion ? .delete : .save])</button> \
        <a class="button" href="\(Self.back(context).text)">\(context[.cancel])</a></p></form>
        """
    } catch {
      let (message, remedy) = context.said(error)
      contents = "<p class=\"problem\" role=\"alert\">\(message)</p><p>\(remedy)</p>"
    }
    return Page(
      "\(context[word]): \(context.rows(commands.count))", .transactions,
      body: "<section class=\"card\"><h2>\(context[.whatChanges])</h2>\(contents)</section>")
  }
}

/// The form above the list for changing the selected transactions.
enum SeveralRowsBar {
  static func html(_ names: NameBook, _ context: PageContext) -> HTML? {
    guard context.canWrite else { return nil }
    func choice(_ name: String, _ word: Word, _ choices: [(String, String)]) -> HTML {
      let options = choices.map { value, text -> HTML in
        "<option value=\"\(value)\">\(text)</option>"
      }
      return """
        <label>\(context[word]) <select name="\(name)"><option value="">\(context[.noChange])</option>\(options)</select></label>
        """
    }
    let statuses = [Status.cleared, .pending].map { ("\($0)", context[$0.word]) }
    return """
      <form id="several" method="post" action="/transactions/several" class="several card" aria-label="\(context[.select])">
      <input type="hidden" name="back" value="\(context.address.text)">
      <strong><span class="selected-count"></span> \(context[.selected])</strong>
      \(choice("category", .category, TransactionFilterForm.categories(names, context)))
      \(choice("status", .status, statuses))
      <label>\(context[.addTags]) <input name="tags" size="12"></label>
      <button class="main" name="do" value="change">\(context[.preview])</button>
      <button class="danger" name="do" value="delete">\(context[.delete])</button></form>
      """
  }
}
