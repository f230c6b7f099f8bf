import Daybook
import DaybookTerminal

extension Transaction {
  /// The day on which the list of some accounts shows the transaction.
  func day(seenFrom accounts: [AccountID]) -> Day {
    TransactionFilter(accounts: accounts).day(of: self)
  }

  /// The cell of the place, after the day that counts on the account if that is another day.
  func placeCell(seenFrom accounts: [AccountID]) -> Report.Cell {
    let day = day(seenFrom: accounts)
    if day == self.day { return .init(place, .dim) }
    return .init(data: place, .init("\(day) (\(place))", .dim))
  }
}

extension RowSummary {
  /// The columns of a report of transactions.
  static var columns: [Report.Column] {
    [
      .fixed("place", "Place"), .data("day"), .data("type"), .data("status"),
      .text(nil, "Account", yielding: .below(3)), .data("account"), .data("to"),
      .text("category", "Category", yielding: .below(2)),
      .text(nil, "Payee", yielding: .below(1)), .data("payee"), .data("description"),
      .data("note"), .data("tags"), .figure("amount", "Amount"), .fixed("currency"),
    ]
  }

  /// Returns the cells of a transaction for these columns.
  ///
  /// - Parameter term: The search term to highlight. Tags that contain the term are also shown.
  static func cells(
    of row: Transaction, _ names: Names, seenFrom viewpoint: [AccountID] = [],
    parts: Set<CategoryID> = [], marking term: SearchTerm? = nil
  ) -> [Report.Cell] {
    let summary = RowSummary(row, names, seenFrom: viewpoint, parts: parts)
    var words = [row.payee, row.description, row.note]
    if let term {
      words += row.postings.map(\.note).filter { term.matches($0) }
      words += row.tags.filter { term.matches($0) }.map { "#\($0)" }
    }
    let text = words.filter { !$0.isEmpty }.joined(separator: "; ")
    var marking: (@Sendable (String) -> [Range<String.Index>])?
    if let term { marking = { term.ranges(in: $0) } }
    let amount = summary.amount
    let style: Style =
      if summary.isNeutral { .dim } else if (amount?.units ?? 0) > 0 { .green } else { .plain }
    return [
      row.placeCell(seenFrom: viewpoint), .day(row.day(seenFrom: viewpoint)), .init("\(row.type)"),
      .init("\(row.status)"),
      .init(summary.account), .init(summary.source), .init(summary.destination),
      .init(data: summary.category, .init(summary.category, marking: marking)),
      .init(data: text, .init(text, marking: marking)), .init(row.payee),
      .init(row.description), .init(row.note), .tags(row.tags),
      .init(data: amount?.text ?? "", .init(amount.map(Figures.text) ?? "", style)),
      .currency(amount?.currency, style),
    ]
  }
}
