import Daybook
import DaybookFoundation

// The page of a transaction, with its history.
extension LedgerSite {
  func transaction(_ context: PageContext, _ id: TransactionID) async throws -> Page {
    let commits = try timeline(of: id.rawValue, context)
    let folder = ledger.attachments
    let subjects = try subjects(of: commits)
    return try await read(context) { context, snapshot in
      var names = try NameBook(snapshot)
      names.subjects = subjects
      guard let transaction = try snapshot.transaction(id) else {
        guard !commits.isEmpty else { throw PageError.notFound }
        return Page(
          context[.gone], .transactions, body: TransactionPage.why(commits, context, names))
      }
      return try TransactionPage.page(transaction, commits, folder, names, context, snapshot)
    }
  }

  /// Returns the commits that changed an entity, up to the page's moment, newest first.
  func timeline(of id: EntityID, _ context: PageContext) throws -> [HistoryEntry] {
    var cursor = try ledger.timeline(of: id).cursor()
    var entries: [HistoryEntry] = []
    while entries.count < 100, let entry = try cursor.next() {
      if let past = context.past, entry.sequence > past.sequence { continue }
      entries.append(entry)
    }
    return entries.sorted { $0.sequence > $1.sequence }
  }
}

/// The page of a transaction.
enum TransactionPage {
  static func page(
    _ transaction: Transaction, _ commits: [HistoryEntry], _ folder: AttachmentFolder,
    _ names: NameBook, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> Page {
    let rules = try snapshot.rules()
    var facts: [(Word, HTML)] = [(.day, "\(context.fullDay(transaction.day))")]
    func add(_ word: Word, _ text: String) { if !text.isEmpty { facts.append((word, "\(text)")) } }
    add(.type, context[transaction.type.word])
    add(.status, context[transaction.status.word])
    if !transaction.payee.isEmpty {
      let link = context.link(
        "/transactions", [("payee", transaction.payee), ("wholePayee", "true")])
      facts.append((.payee, "<a href=\"\(link)\">\(transaction.payee)</a>"))
    }
    add(.description, transaction.description)
    add(.note, transaction.note)
    add(.tags, transaction.tags.joined(separator: ", "))
    if let reference = transaction.importIdentity?.reference { add(.importLine, reference) }
    for id in transaction.distinctFrom {
      guard let other = try snapshot.transaction(id) else { continue }
      let title = "\(names.title(other, context)), \(context.day(other.day))"
      facts.append(
        (.distinctFrom, "<a href=\"\(context.link("/transactions/\(id)"))\">\(title)</a>"))
    }
    if let id = transaction.categorizedBy {
      let name = rules.first { $0.id == id }?.name ?? "\(id)"
      facts.append((.byRule, "<a href=\"\(context.link("/rules"))\">\(name)</a>"))
    }
    let rows = facts.map { word, value -> HTML in
      "<dt>\(context[word])</dt><dd>\(value)</dd>"
    }
    let large = transaction.amount.map { money -> HTML in
      "<p class=\"large\">\(context.figure(money, to: "#why"))</p>"
    }
    return Page(
      names.title(transaction, context), .transactions,
      actions: actions(transaction, context),
      body: """
        \(large)<dl class="facts">\(rows)</dl>
        \(postings(transaction, context, names))
        \(AttachmentSection.html(transaction, folder, context))
        \(why(commits, context, names))
        """)
  }

  private static func actions(_ transaction: Transaction, _ context: PageContext) -> HTML {
    guard context.canWrite else { return HTML() }
    let path = "/transactions/\(transaction.id)"
    return """
      <div class="actions"><a class="button" data-key="e" href="\(path)/edit">\(context[.edit])</a>
      <form method="post" action="\(path)/delete"><button class="danger" title="\(context[.confirmDelete])">\(context[.delete])</button></form></div>
      """
  }

  private static func postings(
    _ transaction: Transaction, _ context: PageContext, _ names: NameBook
  ) -> HTML {
    let month = transaction.day.monthOf.days
    let rows = transaction.postings.map { posting -> HTML in
      let (name, key, id): (String, String, String) =
        switch posting.account {
        case .account(let id): (names.name(id, context), "account", "\(id)")
        case .category(let id): (names.name(id, context), "category", "\(id)")
        }
      let link = context.transactions(month, [(key, id)], isCounted: false)
      return """
        <tr><th scope="row"><a href="\(context.link("/transactions", [(key, id)]))">\(name)</a></th>\
        <td>\(posting.note)</td><td class="num">\(context.figure(posting.amount, to: link))</td></tr>
        """
    }
    return """
      <section aria-labelledby="postings"><h2 id="postings">\(context[.postings])</h2>
      <table class="figures"><tbody>\(Array(rows))</tbody></table></section>
      """
  }

  /// Returns the section with the commits that created and changed an entity.
  static func why(_ commits: [HistoryEntry], _ context: PageContext, _ names: NameBook) -> HTML {
    let entries = commits.map { entry -> HTML in
      "<li>\(CommitText.heading(entry, context, isNumbered: false))\(CommitText.changes(entry, context, names))</li>"
    }
    return """
      <section id="why" aria-labelledby="why-title"><h2 id="why-title">\(context[.why])</h2>
      <p class="aside">\(context[.whyHint])</p><ol class="plain timeline">\(entries)</ol></section>
      """
  }
}
