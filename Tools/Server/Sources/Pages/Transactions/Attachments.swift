import Daybook
import DaybookFoundation
import Foundation

/// The files attached to a transaction, with the forms that add and remove them.
enum AttachmentSection {
  static func html(
    _ row: Transaction, _ folder: AttachmentFolder, _ context: PageContext
  ) -> HTML? {
    guard context.canWrite || !row.attachments.isEmpty else { return nil }
    let path = "/transactions/\(row.id)"
    let files = row.attachments.map { file -> HTML in
      let isHere = folder.contains(file)
      let name: HTML =
        isHere
        ? "<a href=\"\(path)/attachments/\("\(file.hash)")\">\(file.name)</a>"
        : "\(file.name) <span class=\"aside\">\(context[.notOnDevice])</span>"
      let remove: HTML? =
        context.canWrite
        ? """
        <form class="inline" method="post" action="\(path)/detach"><button name="hash" value="\("\(file.hash)")" aria-label="\(context[.detach]): \(file.name)">\(context[.detach])</button></form>
        """ : nil
      return "<li>\(name) <span class=\"aside\">\(size(file, context))</span> \(remove)</li>"
    }
    let list: HTML? = files.isEmpty ? nil : "<ul class=\"plain files\">\(files)</ul>"
    let problem: HTML? = context.sent?.faults["file"].map {
      "<p class=\"problem\" role=\"alert\">\($0)</p>"
    }
    let add: HTML? =
      context.canWrite
      ? """
      <form class="drop actions" method="post" action="\(path)/attach" enctype="multipart/form-data"><label for="file">\(context[.attachHint])</label>\
      <input id="file" name="file" type="file" multiple required><button>\(context[.attach])</button></form>
      """ : nil
    return """
      <section aria-labelledby="attachments"><h2 id="attachments">\(context[.attachments])</h2>
      \(problem)\(list)\(add)</section>
      """
  }

  private static func size(_ file: Attachment, _ context: PageContext) -> String {
    file.byteCount.formatted(.byteCount(style: .file).locale(context.locale))
  }

  /// The types of files that a browser may show; others could contain scripts, and are only saved.
  private static let shown = [
    "pdf": "application/pdf", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
    "gif": "image/gif", "webp": "image/webp", "txt": "text/plain; charset=utf-8",
  ]

  static func answer(_ file: Attachment, _ folder: AttachmentFolder) throws -> PageAnswer {
    let contents = try folder.contents(of: file)
    let type = shown[folder.location(of: file).pathExtension]
    let name = file.name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "file"
    return PageAnswer(
      headers: [
        ("Content-Type", type ?? "application/octet-stream"),
        (
          "Content-Disposition",
          "\(type == nil ? "attachment" : "inline"); filename*=UTF-8''\(name)"
        ),
        // The address contains the hash of the contents, which never change.
        ("Cache-Control", "private, max-age=31536000, immutable"),
      ], body: Array(contents))
  }
}

extension LedgerSite {
  /// Returns an attached file; `nil` if the path isn't that of one.
  func attachment(_ context: PageContext) async throws -> PageAnswer? {
    let parts = context.request.path.split(separator: "/").map(String.init)
    guard parts.count == 4, parts[0] == "transactions", parts[2] == "attachments" else {
      return nil
    }
    let row = try await row(try known(parts[1]), context)
    guard let file = row.attachments.first(where: { "\($0.hash)" == parts[3] }) else {
      throw PageError.notFound
    }
    return try AttachmentSection.answer(file, ledger.attachments)
  }

  /// Attaches the uploaded files to a transaction.
  func attach(_ context: PageContext, _ id: TransactionID) async throws -> PageAnswer {
    let row = try await row(id, context)
    do {
      let files = context.request.files.filter { !$0.name.isEmpty }
      let added = try files.map { file in
        // Browsers of some systems send the whole path.
        let name = file.name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? file.name
        return try ledger.attachments.add(Data(file.bytes), named: name)
      }
      return try await setAttachments(
        row.attachments + added.filter { !row.attachments.contains($0) }, of: row, context)
    } catch let error as DaybookError {
      var again = context.showing(Address("/transactions/\(id)", []))
      var sent = SentForm()
      sent.faults["file"] = context.text(error)
      again.sent = sent
      var page = try await transaction(again, id)
      page.status = 422
      return try laidOut(page, again)
    }
  }

  /// Removes an attachment from a transaction; the file stays, so that this can be undone.
  func detach(_ context: PageContext, _ id: TransactionID) async throws -> PageAnswer {
    let row = try await row(id, context)
    let hash = context.field("hash")
    return try await setAttachments(
      row.attachments.filter { "\($0.hash)" != hash }, of: row, context)
  }

  private func setAttachments(
    _ attachments: [Attachment], of row: Transaction, _ context: PageContext
  ) async throws -> PageAnswer {
    let back = Address("/transactions/\(row.id)", [])
    guard attachments != row.attachments else { return redirect(back) }
    var amendment = Amendment(seen: row)
    amendment.attachments = attachments
    let receipt = try await append([.amend(row.id, amendment)], context)
    return redirect(
      back.setting("done", "saved").setting("commit", "\(receipt.token.sequence)"))
  }

  private func row(_ id: TransactionID, _ context: PageContext) async throws -> Transaction {
    let row = try await value(asOf: context.past) { try $0.transaction(id) }
    guard let row else { throw PageError.notFound }
    return row
  }
}
