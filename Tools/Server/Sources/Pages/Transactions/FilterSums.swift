import Daybook

/// The sums of a filtered list, above its rows.
enum FilterSums {
  /// The maximum number of rows that are read for the sums; a longer list is shown without them.
  static let readCountMax = 100_000

  /// Returns the sums of each currency and of the base currency, or `nil` if the list isn't
  /// filtered or is empty.
  static func html(
    _ filter: TransactionFilter, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> HTML? {
    guard filter != .all else { return nil }
    let sums = try snapshot.sums(of: filter, readingAtMost: readCountMax)
    if sums.count == 0 { return nil }
    guard sums.isComplete else {
      return "<p class=\"aside\">\(context[.sumsTooLong])</p>"
    }
    var lines = sums.amounts.map { amounts in
      line(
        nil, amounts.moneyIn, amounts.moneyOut, amounts.net, amounts.transfers, context)
    }
    if let all = sums.converted, sums.amounts.contains(where: { $0.currency != all.base }) {
      lines.append(
        line(
          .total, all.moneyIn.total, all.moneyOut.total, all.net, all.transfers.total, context))
      for part in [all.moneyIn, all.moneyOut, all.transfers].flatMap(\.unconverted) {
        lines.append(
          "<li>\(context.figure(part.total, to: context.link(context.address))) \(context[.unconverted])</li>"
        )
      }
    }
    for amounts in sums.excluded?.amounts ?? [] {
      lines.append(
        line(
          .excluded, amounts.moneyIn, amounts.moneyOut, amounts.net, amounts.transfers, context))
    }
    return lines.isEmpty ? nil : "<ul class=\"totals\">\(lines)</ul>"
  }

  private static func line(
    _ name: Word?, _ moneyIn: Total, _ moneyOut: Total, _ net: Total, _ transfers: Total,
    _ context: PageContext
  ) -> HTML {
    var parts: [(Word, Total)] = []
    if moneyIn.units != 0 || moneyOut.units != 0 {
      parts = [(.moneyIn, moneyIn), (.moneyOut, moneyOut), (.net, net)]
    }
    if transfers.units != 0 { parts.append((.transfers, transfers)) }
    let link = context.link(context.address.setting("after", nil))
    let figures = parts.map { word, total -> HTML in
      " <span>\(context[word]) \(context.figure(total, to: link))</span>"
    }
    let title: HTML? = name.map { "<strong>\(context[$0])</strong>" }
    return "<li>\(title)\(figures)</li>"
  }
}
