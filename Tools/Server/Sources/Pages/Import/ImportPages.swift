import Daybook
import DaybookInterchange
import DaybookPackedFormats

// The import of a file: its upload, a preview of its effects, and its recording.
extension LedgerSite {
  func importForm(_ context: PageContext, problem: HTML?) -> Page {
    let notice = problem.map { text -> HTML in
      "<p class=\"problem\" role=\"alert\">\(text)</p>"
    }
    let form: HTML =
      context.canWrite
      ? """
      <form class="drop card" method="post" action="/import" enctype="multipart/form-data">
      <p><label for="file">\(context[.dropHere])</label></p><p><input id="file" type="file" name="file" required></p>
      <p><button class="main">\(context[.preview])</button></p></form>
      """ : "<p>\(context[.readOnly])</p>"
    let kept = try? ledger.read { try MappingForm.list(context, $0) }
    return Page(
      context[.importing], .importing,
      body: "<p class=\"aside\">\(context[.importHint])</p>\(notice)\(form)\(kept)")
  }

  func previewImport(_ context: PageContext) async throws -> PageAnswer {
    let kept = context.field("upload")
    guard context.request.files.count < 2 else {
      var page = importForm(context, problem: "\(context[.oneFile])")
      page.status = 422
      return try laidOut(page, context)
    }
    let sent = context.request.files.first.map { RawFile($0.bytes, name: $0.name) }
    guard let file = sent ?? kept.flatMap({ uploads.file($0) }) else {
      return try laidOut(importForm(context, problem: "\(context[.choose])"), context)
    }
    let id = kept.flatMap { uploads.file($0) == nil ? nil : $0 } ?? uploads.put(file)
    let accounts = try ledger.read { try $0.accounts(includingClosed: false) }
    let columns = ImportColumns(context)
    do {
      let read = try await ReadFile(file, columns, in: ledger, today: context.today)
      let page = try ledger.read { snapshot in
        try ImportPreviewPage.page(read, file, id, columns, accounts, context, snapshot)
      }
      return try laidOut(page, context)
    } catch {
      let reason =
        (error as? DaybookError).map { "\(context.text($0))" } ?? context.library("\(error)")
      var page = importForm(context, problem: "\(context[.fileNotRead]) \(reason)")
      let isTable = FileFormats.candidates(file, among: PackedFormats.all).isEmpty
      page.body +=
        isTable
        ? columns.html(file, nil, id, accounts, context)
        : ImportPreviewPage.accountForm(id, nil, accounts, context)
      page.status = 422
      return try laidOut(page, context)
    }
  }

  func recordImport(_ context: PageContext) async throws -> PageAnswer {
    guard let id = context.field("upload"), let file = uploads.file(id) else {
      return try laidOut(importForm(context, problem: "\(context[.choose])"), context)
    }
    let columns = ImportColumns(context)
    let read = try await ReadFile(file, columns, in: ledger, today: context.today)
    let keeping = try ledger.read { try KeptColumns.command(read, file, columns, context, $0) }
    var before = try ledger.token.sequence
    let commit: UInt64?
    var lists = HTML()
    let taken = Set(SentForm(context).all("take").compactMap { Int($0) })
    guard read.questions.isEmpty, !read.asksForAccount else {
      // Recording isn't offered while questions are open, so show the preview again.
      return try await previewImport(context)
    }
    switch read.kind {
    case .rows(var plan):
      for index in plan.items.indices {
        let item = plan.items[index]
        let isCertain = item.state == .new && !item.row.looksLikeBalance
        guard isCertain || item.isNew && taken.contains(index) else { continue }
        plan.items[index].choice = .take(category: nil, payee: nil)
      }
      // Save the mapping before the rows, so that undoing the newest commit undoes the rows.
      if let keeping { before = try await ledger.append([keeping]).token.sequence }
      let summary = try await plan.record(in: ledger)
      commit = summary.token?.sequence
      lists = ImportResult.lists(summary, context)
    case .books(let contents, _):
      let summary = try await BooksImporter().run(contents, path: file.name, into: ledger)
      commit = summary.token?.sequence
      lists = ImportResult.lists(summary, context)
    case .postings:
      commit = try await PostingsImporter().run(PackedFile.unpacked(file).text(), into: ledger)
        .token?.sequence
    case .ledger:
      try await LedgerRestorer.run(
        PackedFile.unpacked(file).bytes, path: file.name, into: ledger)
      commit = try ledger.token.sequence
    }
    uploads.remove(id)
    // A file without new rows creates no commit.
    let made = commit ?? before
    if made > before { context.own.record(made) }
    guard lists.isEmpty else {
      let number = made > before ? made : nil
      return try laidOut(ImportResult.page(file.name, lists, commit: number, context), context)
    }
    // Rows without a category are shown first, because they need a person.
    if made > before, let rows = try importedRows(made),
      try ledger.read({
        try !$0.suggestions(for: Array(rows.ids.prefix(InboxPage.rowCount))).isEmpty
      })
    {
      return redirect(Address("/inbox", [("import", "\(made)"), ("done", "imported")]))
    }
    return redirect(Address("/history/\(made)", [("done", "imported")]))
  }
}

/// The page that previews the effects of importing a file.
enum ImportPreviewPage {
  static let rowCount = 200

  static func page(
    _ read: ReadFile, _ file: RawFile, _ id: String, _ columns: ImportColumns,
    _ accounts: [Account], _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> Page {
    let kept = columns.kept.map { field -> HTML in
      "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">"
    }
    let form: HTML = """
      <form id="record" method="post" action="/import/record"><input type="hidden" name="upload" value="\(id)">\(kept)\
      \(KeptColumns.html(read, file, columns, context))<button class="main" autofocus>\(context[.importing])</button></form>
      """
    guard case .rows(let plan) = read.kind else {
      let names = try NameBook(snapshot)
      return Page(
        file.name, .importing, body: ImportedBooks.html(read.kind, form, names, context))
    }
    var counts: [Word: Int] = [:]
    for item in plan.items { counts[word(item.state), default: 0] += 1 }
    let order: [Word] = [.importNew, .importKnown, .importLikely, .importBad]
    let summary = order.compactMap { word in
      counts[word].map { "\(context.number($0)) \(context[word.counted($0)])" }
    }.joined(separator: ", ")
    // Always show rows that need a decision, even beyond the limit.
    let shown = plan.items.enumerated().filter { index, item in
      index < rowCount || item.state == .new && item.row.looksLikeBalance
    }
    let rows = shown.map { index, item -> HTML in
      let row = item.row
      var more = HTML()
      if case .bad(let why) = item.state {
        more = "<span class=\"fault\">\(context.library(why))</span>"
      }
      if case .likely(let other) = item.state {
        more = """
          <a class="aside" href="\(context.link("/transactions/\(other.id)"))">\(other.payee) \(other.description)</a> \
          <label class="aside"><input type="checkbox" form="record" name="take" value="\(index)"> \(context[.take])</label>
          """
      }
      if item.state == .new, item.row.looksLikeBalance {
        more = """
          <span class="aside">\(context[.maybeBalance])</span> \
          <label class="aside"><input type="checkbox" form="record" name="take" value="\(index)"> \(context[.take])</label>
          """
      }
      if let match = item.match {
        more = match.link(context)
      }
      return """
        <tr><td class="aside">\(context[word(item.state)])</td><td>\(context.day(row.day))</td>\
        <th scope="row">\(row.payee) \(row.description) \(more)</th>\
        <td>\(row.category.description)</td><td class="num">\(context.signed(Total(row.amount)))</td></tr>
        """
    }
    let rest = plan.items.count - shown.count
    let more: HTML? = rest > 0 ? "<p class=\"aside\">+ \(context.number(rest))</p>" : nil
    let isNothing = counts[.importNew] == nil && counts[.importLikely] == nil
    let asked =
      read.questions.map { context.library($0.message) }
      + (read.asksForAccount ? ["\(context[.whichAccount])"] : [])
    let open = asked.map { text -> HTML in "<p class=\"problem\">\(text)</p>" }
    let record: HTML =
      isNothing
      ? "<p class=\"notice\">\(context[.importNothing])</p>"
      : open.isEmpty ? form : "\(open)"
    let correct =
      read.mapping == nil
      ? accountForm(id, context.field("account"), accounts, context)
      : columns.html(file, read.mapping, id, accounts, context)
    return Page(
      file.name, .importing,
      body: """
        <p class="large">\(summary)</p>\(KeptColumns.note(read, columns, context))\(record)\(correct)
        \(try ImportBalances.html(plan, read.stated, context, snapshot))
        <section class="card" id="rows-of-file"><div class="scroll"><table class="figures"><tbody>\(Array(rows))</tbody></table></div>\(more)</section>
        """)
  }

  /// Returns the form for choosing the file's account.
  static func accountForm(
    _ id: String, _ account: String?, _ accounts: [Account], _ context: PageContext
  ) -> HTML {
    let choices = accounts.map { ($0.name, $0.name) }
    return """
      <form method="post" action="/import" class="grid"><input type="hidden" name="upload" value="\(id)">\
      \(Choice.html("account", .account, choices, account, context))<p class="actions"><button>\(context[.preview])</button></p></form>
      """
  }

  private static func word(_ state: ImportPlan.State) -> Word {
    switch state {
    case .new: .importNew
    case .known: .importKnown
    case .likely: .importLikely
    case .bad: .importBad
    }
  }
}

extension RowMatch {
  /// Returns a link to the pending transaction or the recurring transaction that the row matches.
  fileprivate func link(_ context: PageContext) -> HTML {
    if let series, let due {
      return """
        <span class="aside">\(context[.kindSeries]): \(series.name), \(context.day(due))</span>
        """
    }
    guard let transaction else { return HTML() }
    return """
      <a class="aside" href="\(context.link("/transactions/\(transaction.id)"))">\(context[.pending]): \
      \(transaction.payee) \(transaction.description), \(context.day(transaction.day))</a>
      """
  }
}

extension Word {
  /// Returns the form of a word for a count: the plural, if there is one, unless the count is 1.
  func counted(_ count: Int) -> Word {
    switch self {
    case .importKnown where count != 1: .importKnowns
    case .importLikely where count != 1: .importLikelies
    default: self
    }
  }
}
