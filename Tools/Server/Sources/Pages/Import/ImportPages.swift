import Daybook
import Interchange
import PackedFormats

// A file of a bank: dropped, shown as what it would change, and recorded as one commit.
extension LedgerSite {
  func importForm(_ context: PageContext, problem: String?) -> Page {
    let told = problem.map { text -> HTML in
      "<p class=\"problem\" role=\"alert\">\(text)</p>"
    }
    let form: HTML =
      context.canWrite
      ? """
      <form class="drop card" method="post" action="/import" enctype="multipart/form-data">
      <p><label for="file">\(context[.dropHere])</label></p><p><input id="file" type="file" name="file" required></p>
      <p><button class="main">\(context[.preview])</button></p></form>
      """ : "<p>\(context[.readOnly])</p>"
    return Page(
      context[.importing], .importing,
      body: "<p class=\"aside\">\(context[.importHint])</p>\(told)\(form)")
  }

  func previewImport(_ context: PageContext) async throws -> PageAnswer {
    let kept = context.field("upload")
    let sent = context.request.files.first.map { RawFile($0.bytes, name: $0.name) }
    guard let file = sent ?? kept.flatMap({ uploads.file($0) }) else {
      return try laidOut(importForm(context, problem: context[.choose]), context)
    }
    do {
      let account = context.field("account").flatMap { $0.isEmpty ? nil : $0 }
      let plan = try await plan(file, account: account)
      let id = kept.flatMap { uploads.file($0) == nil ? nil : $0 } ?? uploads.put(file)
      let accounts = try ledger.read { try $0.accounts(includingClosed: false) }
      return try laidOut(
        ImportPreviewPage.page(plan, file, id, account, accounts, context), context)
    } catch {
      let id = kept ?? uploads.put(file)
      let accounts = try ledger.read { try $0.accounts(includingClosed: false) }
      var page = importForm(context, problem: "\(error)")
      page.body += ImportPreviewPage.accountForm(id, nil, accounts, context)
      page.status = 422
      return try laidOut(page, context)
    }
  }

  func recordImport(_ context: PageContext) async throws -> PageAnswer {
    guard let id = context.field("upload"), let file = uploads.file(id) else {
      return try laidOut(importForm(context, problem: context[.choose]), context)
    }
    let account = context.field("account").flatMap { $0.isEmpty ? nil : $0 }
    var plan = try await plan(file, account: account)
    for index in plan.items.indices where plan.items[index].state == .new {
      plan.items[index].choice = .take(category: nil, payee: nil)
    }
    _ = try await plan.record(in: ledger)
    uploads.remove(id)
    let newest = try ledger.token.sequence
    return redirect(Address("/history/\(newest)", [("done", "imported")]))
  }

  /// What a file holds, and what the ledger knows of it.
  private func plan(_ file: RawFile, account: String?) async throws -> ImportPlan {
    let file = try PackedFile.unpacked(file)
    let settings = ImportSettings()
    let formats = FileFormats.candidates(file, among: PackedFormats.all)
    if let format = formats.first {
      var options = ReadingOptions()
      options.currency = try ledger.read { try $0.settings().baseCurrency }
      let contents = try format.read(file, options)
      let importer = StatementImporter(
        settings: settings, accounts: AccountChoice(all: account))
      return try await ImportPlan(contents, path: file.name, by: importer, for: ledger)
    }
    let (saved, base) = try ledger.read { snapshot in
      (try SavedMappings(snapshot), try snapshot.settings().baseCurrency?.code)
    }
    let fits = saved.fitting(file)
    if fits.count == 1 {
      return try await ImportPlan(
        try file.text(fits[0].mapping.encoding), mapping: fits[0].mapping, settings: settings,
        for: ledger)
    }
    var facts = MappingFacts()
    facts.account = account.map { ColumnTemplate(literal: $0) }
    let guess = try ImportMapping.guess(sample: try file.sample(), facts: facts, base: base)
    return try await ImportPlan(
      try file.text(guess.mapping.encoding), mapping: guess.mapping, settings: settings,
      for: ledger)
  }
}

/// What a file would change, before it does.
enum ImportPreviewPage {
  static let rowCount = 200

  static func page(
    _ plan: ImportPlan, _ file: RawFile, _ id: String, _ account: String?, _ accounts: [Account],
    _ context: PageContext
  ) -> Page {
    var counts: [Word: Int] = [:]
    for item in plan.items { counts[word(item.state), default: 0] += 1 }
    let order: [Word] = [.importNew, .importKnown, .importLikely, .importBad]
    let summary = order.compactMap { word in
      counts[word].map { "\(context.number($0)) \(context[word])" }
    }.joined(separator: ", ")
    let rows = plan.items.prefix(rowCount).map { item -> HTML in
      let row = item.row
      var reason = ""
      if case .bad(let why) = item.state { reason = why }
      return """
        <tr><td class="aside">\(context[word(item.state)])</td><td>\(context.day(row.day))</td>\
        <th scope="row">\(row.payee) \(row.description) \(reason)</th>\
        <td>\(row.category.description)</td><td class="num">\(row.isInflow ? "+" : "−")\(context.amount(row.amount))</td></tr>
        """
    }
    let rest = plan.items.count - rowCount
    let more: HTML? = rest > 0 ? "<p class=\"aside\">+ \(context.number(rest))</p>" : nil
    let record: HTML =
      counts[.importNew] == nil
      ? "<p class=\"notice\">\(context[.importNothing])</p>"
      : """
      <form method="post" action="/import/record"><input type="hidden" name="upload" value="\(id)">\
      <input type="hidden" name="account" value="\(account ?? "")"><button class="main">\(context[.record])</button></form>
      """
    return Page(
      file.name, .importing,
      body: """
        <p class="large">\(summary)</p>\(record)\(accountForm(id, account, accounts, context))
        <section class="card"><div class="scroll"><table class="figures"><tbody>\(Array(rows))</tbody></table></div>\(more)</section>
        """)
  }

  /// Which account the file is of.
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
