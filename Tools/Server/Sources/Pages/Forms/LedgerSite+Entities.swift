import Daybook

// The creation, change and deletion of entities with forms. A rejected form is shown again with the
// user's input.
extension LedgerSite {
  /// Returns the page with an entity's form.
  func edit<Form: EntityForm>(
    _ form: Form.Type, _ context: PageContext, _ id: EntityID
  ) async throws -> Page {
    guard context.canWrite else { throw PageError.notFound }
    return try ledger.read { snapshot in
      guard let entity = try Form.find(id, snapshot) else { throw PageError.notFound }
      let names = try NameBook(snapshot)
      let path = "\(Form.path)/\(id)"
      let seen = context.field("seen") ?? "\(snapshot.token.sequence)"
      let hidden: HTML = "<input type=\"hidden\" name=\"seen\" value=\"\(seen)\">"
      let fields = try Form.fields(entity, names, context, snapshot)
      var sent = context.sent ?? Form.values(entity, context)
      // Query parameters override the entity's current values.
      for field in fields where context.sent == nil {
        if let value = context.query(field.name) { sent.values[field.name] = [value] }
      }
      return Page(
        "\(context[.edit]): \(Form.name(entity, names, context))", Form.view,
        actions: """
          <div class="actions"><a class="button danger" href="\(path)/delete">\(context[.delete])</a></div>
          """,
        body: """
          <section class="card">\(FormText.html(path, fields, sent, context, cancel: Form.path, more: hidden))</section>
          \(try Form.more(entity, context, snapshot))
          <p><a href="/why/\("\(id)")">\(context[.why])</a></p>
          """)
    }
  }

  /// Records a submitted form: a new entity, or changes to an existing one.
  func put<Form: EntityForm>(
    _ form: Form.Type, _ context: PageContext, _ id: EntityID? = nil
  ) async throws -> PageAnswer {
    var sent = SentForm(context)
    let (commands, names, token) = try ledger.read { snapshot in
      var entity: Form.Entity?
      if let id {
        entity = try Form.find(id, snapshot)
        if entity == nil { throw PageError.notFound }
      }
      let names = try Form.fields(entity, NameBook(snapshot), context, snapshot).map(\.name)
      let commands = try Form.commands(&sent, entity, context, snapshot)
      return (commands, names, snapshot.token)
    }
    if let id, sent.faults.isEmpty {
      let seen = sent.optional("seen").flatMap { UInt64($0) } ?? 0
      let newest = try timeline(of: id, context).first?.sequence ?? 0
      if newest > seen { sent.faults[""] = "\(context[.conflict]) \(context[.conflictHint])" }
      sent.values["seen"] = ["\(newest)"]
    }
    if sent.faults.isEmpty {
      do {
        if !commands.isEmpty {
          try await append(commands, context, expecting: id == nil ? nil : token)
        }
        return redirect(Address(Form.path, [("done", "saved")]))
      } catch {
        sent.refuse(error, names, context)
      }
    }
    var again = context
    again.sent = sent
    var page: Page
    if let id { page = try await edit(form, again, id) } else { page = try await self.page(again) }
    page.status = 422
    return try laidOut(page, again)
  }

  /// Returns the page that previews the effects of deleting an entity.
  func deletion<Form: EntityForm>(
    _ form: Form.Type, _ context: PageContext, _ id: EntityID
  ) async throws -> Page {
    guard context.canWrite else { throw PageError.notFound }
    let (entity, names) = try ledger.read { (try Form.find(id, $0), try NameBook($0)) }
    guard let entity else { throw PageError.notFound }
    let ways = Form.deletions(entity, names, context)
    let asked = context.query("rows") ?? context.field("rows")
    guard let way = ways.first(where: { $0.value == asked }) ?? ways.first else {
      throw PageError.notFound
    }
    let path = "\(Form.path)/\(id)/delete"
    let choice: HTML? =
      ways.count < 2
      ? nil
      : """
      <form action="\(path)" class="grid">\(Choice.html("rows", .itsRows, ways.map { ($0.value, $0.text) }, way.value, context, isOptional: false))
      <p class="actions"><button>\(context[.preview])</button></p></form>
      """
    var figures: HTML
    do {
      let rehearsal = try await ledger.figures(changedBy: [way.command], today: context.today)
      figures = """
        \(FigureText.table(rehearsal.figures, context, names))
        <form method="post" action="\(path)"><input type="hidden" name="rows" value="\(way.value)">
        <input type="hidden" name="token" value="\(rehearsal.token.text)">
        <p class="actions"><button class="danger">\(context[.delete])</button> <a class="button" href="\(Form.path)">\(context[.cancel])</a></p></form>
        """
    } catch {
      let (message, remedy) = context.said(error)
      figures = "<p class=\"problem\" role=\"alert\">\(message)</p><p>\(remedy)</p>"
    }
    return Page(
      "\(context[.delete]): \(Form.name(entity, names, context))", Form.view,
      body: """
        \(choice)<section class="card"><h2>\(context[.whatDeletes])</h2>\(figures)<p class="aside">\(context[.confirmDelete])</p></section>
        """)
  }

  /// Deletes an entity, as shown in the preview.
  func remove<Form: EntityForm>(
    _ form: Form.Type, _ context: PageContext, _ id: EntityID
  ) async throws -> PageAnswer {
    let (entity, names) = try ledger.read { (try Form.find(id, $0), try NameBook($0)) }
    guard let entity else { throw PageError.notFound }
    let ways = Form.deletions(entity, names, context)
    let asked = context.field("rows")
    guard let way = ways.first(where: { $0.value == asked }) ?? (asked == nil ? ways.first : nil)
    else { throw PageError.notFound }
    let token = context.field("token").flatMap { Token($0) }
    let refusal: DaybookError?
    do {
      try await append([way.command], context, expecting: token)
      refusal = nil
    } catch {
      refusal = error
    }
    // Perform only the previewed deletion. If the ledger has changed or refuses it, show a new
    // preview.
    guard refusal == nil else {
      var page = try await deletion(form, context, id)
      page.status = 422
      return try laidOut(page, context)
    }
    return redirect(Address(Form.path, [("done", "deleted")]))
  }
}
