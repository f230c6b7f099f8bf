import Daybook

/// Income less expenses, by payee or by tag.
enum NamedReport {
  static func table(
    _ query: ReportQuery, _ base: Currency, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> ReportTable {
    let isTag = query.rows == .tag
    let named =
      isTag
      ? try snapshot.tagMonths(query.months, base: base, today: context.today)
      : try snapshot.payeeMonths(query.months, base: base, today: context.today)
    var rows: [ReportTable.Row] = []
    for (_, variants) in Dictionary(grouping: named, by: { folded($0.name) }) {
      guard let one = variants.first else { continue }
      // Lists don't tell “Trip” from “trip”. A transaction can have both, but counts once.
      let totals =
        variants.count == 1
        ? totals(one, query, base) : try sums(ofTag: one.name, query, base, context, snapshot)
      if totals.allSatisfy({ $0.units == 0 }) { continue }
      let fields: [(String, String?)] =
        isTag ? [("tag", one.name)] : [("payee", one.name), ("wholePayee", "true")]
      rows.append(query.row("\(one.name)", totals, fields, context))
    }
    let all = try query.periods.map { period in
      try sums(TransactionFilter(days: period.days), context, snapshot)
    }
    func sum(_ word: Word, _ total: (ConvertedSums) -> Total) -> ReportTable.Row {
      query.row(
        "\(context[word])", all.map { $0.map(total) ?? .zero(base) }, [], context, isSum: true)
    }
    return ReportTable(
      query: query,
      sections: [
        ReportTable.Section(rows: CategoryReport.sorted(rows)),
        ReportTable.Section(
          title: context[.allTransactions], rows: [],
          sums: [
            sum(.moneyIn) { $0.moneyIn.total }, sum(.moneyOut) { $0.moneyOut.total },
            sum(.net) { $0.net },
          ]),
      ])
  }

  private static func folded(_ name: String) -> [UInt32] {
    var folding = SearchFolding()
    folding.fold(name)
    return folding.scalars
  }

  private static func totals(
    _ named: NamedMonths, _ query: ReportQuery, _ base: Currency
  ) -> [Total] {
    query.periods.map { period in
      let months = named.months.filter { period.months.contains($0.month) }
      let units = months.reduce(Int128(0)) { $0 + ($1.sums.converted?.net.units ?? 0) }
      return Total(units: units, currency: base)
    }
  }

  private static func sums(
    ofTag tag: String, _ query: ReportQuery, _ base: Currency, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [Total] {
    try query.periods.map { period in
      try sums(TransactionFilter(days: period.days, tags: [tag]), context, snapshot)?.net
        ?? .zero(base)
    }
  }

  /// Returns the sums of what counts of a list, up to today.
  private static func sums(
    _ filter: TransactionFilter, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> ConvertedSums? {
    var filter = filter
    filter.isExcluded = false
    filter.days = filter.days.map { days in
      days.lowerBound..<max(days.lowerBound, min(days.upperBound, context.today.adding(days: 1)))
    }
    return try snapshot.sums(of: filter).converted
  }
}
