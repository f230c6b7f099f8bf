import Daybook

/// A row of the register.
///
/// The scripts find a cell's field by its class: `on` is the date, `what` the payee, `where` the
/// category, `more` the description, `from` the account, and `amount` the amount.
enum RegisterRow {
  /// Returns a row.
  ///
  /// - Parameters:
  ///   - day: The day on which the list shows the transaction.
  ///   - balance: The balance after the transaction, in the list of an account.
  ///   - account: The account of the list, if there is only one.
  ///   - parts: The categories whose parts are shown instead of the whole amount.
  ///   - isFirst: Whether the row is the first one of its day.
  static func html(
    _ transaction: Transaction, on day: Day, _ balance: Total?, _ account: AccountID?,
    _ context: PageContext, _ names: NameBook, parts: Set<CategoryID>, isFirst: Bool
  ) -> HTML {
    let link = context.link("/transactions/\(transaction.id)")
    let title = names.title(transaction, context)
    let counterpart = names.counterpart(transaction, context)
    let amount = account.flatMap { transaction.amount(on: $0) } ?? transaction.amount
    let figure =
      transaction.sum(ofParts: parts).map { context.figure($0, to: link) }
      ?? amount.map { context.figure($0, to: link) }
    let after = balance.map { total -> HTML in
      "<span class=\"balance\">\(context.figure(total, to: link))</span>"
    }
    let tags = transaction.tags.map { tag -> HTML in
      "<a class=\"tag\" href=\"\(context.link("/transactions", [("tag", tag)]))\">\(tag)</a>"
    }
    let box: HTML? =
      context.canWrite
      ? "<input type=\"checkbox\" form=\"several\" name=\"row\" value=\"\("\(transaction.id)")\" aria-label=\"\(context[.selectRow]): \(title)\">"
      : nil
    let from: HTML? =
      account == nil
      ? "<span class=\"from\">\(transaction.account.map { names.name($0) } ?? "")</span>" : nil
    let status: HTML? =
      transaction.status == .pending
      ? "<span class=\"status\">\(context[.pending])</span>" : nil
    let excluded: HTML? =
      transaction.isExcludedFromTotals
      ? "<span class=\"status\">\(context[.excluded])</span>" : nil
    let style = isFirst ? "row \(transaction.type) first" : "row \(transaction.type)"
    let other = title == counterpart ? "" : counterpart
    return """
      <li class="\(style)" data-number="\(transaction.number)" data-day="\(day)">\(box)\
      <time class="on" datetime="\(day)">\(context.day(day))</time><a class="what" href="\(link)">\(title)</a>\
      <span class="where">\(other)</span><span class="more">\(memo(transaction, title))\(status)\(excluded)\(tags)</span>\(from)\
      <span class="amount">\(figure)</span>\(after)</li>
      """
  }

  /// Returns the description, unless it is the title, and the note.
  private static func memo(_ transaction: Transaction, _ title: String) -> String {
    [transaction.description == title ? "" : transaction.description, transaction.note]
      .filter { !$0.isEmpty }.joined(separator: " · ")
  }
}

extension Transaction {
  /// Returns the sum of the parts in the given categories, which is negative for spending.
  ///
  /// Returns `nil` if there are no such parts, or if they are in several currencies.
  fileprivate func sum(ofParts categories: Set<CategoryID>) -> Total? {
    let parts = postings.filter { $0.categoryID.map(categories.contains) ?? false }
    guard let currency = parts.first?.amount.currency,
      parts.allSatisfy({ $0.amount.currency == currency })
    else { return nil }
    let units = parts.reduce(Int128(0)) { $0 - Int128($1.amount.minorUnits) }
    return Total(units: units, currency: currency)
  }
}
