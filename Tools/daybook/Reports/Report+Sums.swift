import Daybook
import DaybookTerminal

extension Report {
  /// A report of the sums of a list: a row for each currency, and one for the base currency.
  static func sums(_ sums: TransactionSums) -> Report {
    var report = Report(
      [
        .text("sum", ""), .figure("in", "In"), .figure("out", "Out"), .figure("net", "Net"),
        .figure("transfers", "Transfers", yielding: .goes(1)), .data("currency"),
        .data("converted"), .data("count"), .data("complete"),
      ], ifEmpty: "No transactions.", json: JSONAnswer(["sums": sums]))
    report.showsTable = sums.count > 0
    report.above = [.text(Figures.counted(sums.count, "transaction"))]
    for amounts in sums.amounts {
      report.add(cells("\(amounts.currency)", Row(amounts), sums))
    }
    for amounts in sums.excluded?.amounts ?? [] {
      report.add(cells("Excluded \(amounts.currency)", Row(amounts), sums))
    }
    guard let converted = sums.converted else { return report }
    let isAlone = sums.amounts.allSatisfy { $0.currency == converted.base }
    if !sums.amounts.isEmpty, !isAlone {
      report.add(cells("All in \(converted.base)", Row(converted), sums))
    }
    if let excluded = sums.excluded?.converted, !isAlone {
      report.add(cells("All excluded in \(excluded.base)", Row(excluded), sums))
    }
    report.remarks = remarks(on: converted)
    return report
  }

  /// The remarks about amounts that a list's converted sums don't include.
  private static func remarks(on sums: ConvertedSums) -> [String] {
    [(sums.moneyIn, "in"), (sums.moneyOut, "out"), (sums.transfers, "of transfers")].flatMap {
      part, name in
      part.unconverted.map {
        "Left out \(Figures.withCode($0.total)) \(name) (\(Figures.counted($0.count, "transaction"))"
          + "): there is no rate to \(sums.base). Add one with `daybook rate add`."
      }
    }
  }

  private static func cells(_ name: String, _ row: Row, _ sums: TransactionSums) -> [Cell] {
    [
      .init(name, row.isConverted ? .bold : .plain), .total(row.moneyIn), .total(row.moneyOut),
      .total(row.net, .bold),
      .init(data: row.transfers.text, .init(Figures.text(row.transfers), .dim)),
      .currency(row.net.currency), .flag(row.isConverted), .count(sums.count),
      .flag(sums.isComplete),
    ]
  }

  private struct Row {
    var moneyIn: Total
    var moneyOut: Total
    var net: Total
    var transfers: Total
    var isConverted: Bool

    init(_ sums: CurrencySums) {
      (moneyIn, moneyOut, net, transfers) = (sums.moneyIn, sums.moneyOut, sums.net, sums.transfers)
      isConverted = false
    }

    init(_ sums: ConvertedSums) {
      (moneyIn, moneyOut) = (sums.moneyIn.total, sums.moneyOut.total)
      (net, transfers) = (sums.net, sums.transfers.total)
      isConverted = true
    }
  }
}

extension Report {
  /// The maximum number of rows that are read for the line below a list.
  private static let readCountMax = 2_000

  /// Adds a line with the sums of a filtered list for people, unless many rows would have to be
  /// read for them.
  mutating func addSums(of filter: TransactionFilter, in snapshot: borrowing Snapshot) throws {
    guard filter != .all else { return }
    let sums = try snapshot.sums(of: filter, readingAtMost: Report.readCountMax)
    guard sums.isComplete, sums.count > 0 else { return }
    var parts = sums.amounts.map { Report.text($0.moneyIn, $0.moneyOut, $0.net, $0.transfers) }
    if let all = sums.converted, sums.amounts.contains(where: { $0.currency != all.base }),
      all.moneyIn.isComplete, all.moneyOut.isComplete, all.transfers.isComplete
    {
      let (moneyIn, moneyOut) = (all.moneyIn.total, all.moneyOut.total)
      parts.append("converted: \(Report.text(moneyIn, moneyOut, all.net, all.transfers.total))")
    }
    let excluded = (sums.excluded?.amounts ?? [])
      .map { Report.text($0.moneyIn, $0.moneyOut, $0.net, $0.transfers) }
    if !excluded.isEmpty { parts.append("excluded: \(excluded.joined(separator: "; "))") }
    if parts.isEmpty { return }
    let count = Figures.counted(sums.count, "transaction")
    below += [.text(""), .text("\(count): \(parts.joined(separator: "; "))")]
  }

  private static func text(
    _ moneyIn: Total, _ moneyOut: Total, _ net: Total, _ transfers: Total
  ) -> String {
    var parts: [String] = []
    if moneyIn.units != 0 { parts.append("in \(Figures.text(moneyIn))") }
    if moneyOut.units != 0 { parts.append("out \(Figures.text(moneyOut))") }
    if parts.count == 2 { parts.append("net \(Figures.text(net))") }
    if transfers.units != 0 { parts.append("transfers \(Figures.text(transfers))") }
    return parts.joined(separator: ", ") + " \(net.currency)"
  }
}

extension Report {
  /// A report of the sums of tags or payees by month.
  ///
  /// - Parameters:
  ///   - groups: The tags or payees to show, with their months.
  ///   - name: The name of the first column for programs and for people.
  static func months(
    of groups: [NamedMonths], _ name: (data: String, title: String), ifEmpty: String,
    json: JSONAnswer
  ) -> Report {
    var report = Report(
      [
        .text(name.data, name.title, wraps: true), .fixed("month", "Month"),
        .figure("count", "Count", yielding: .goes(1)), .figure("in", "In"), .figure("out", "Out"),
        .figure("net", "Net"), .fixed("currency"),
      ], ifEmpty: ifEmpty, json: json)
    var remarks: [String] = []
    for group in groups {
      for month in group.months where month.sums.count > 0 {
        for row in rows(of: month.sums) {
          report.add([
            .init(group.name), .init("\(month.month)"), .count(month.sums.count, .dim),
            .total(row.moneyIn), .total(row.moneyOut), .total(row.net, .bold),
            .currency(row.net.currency),
          ])
        }
        if let converted = month.sums.converted {
          remarks += Report.remarks(on: converted).map { "\(group.name), \(month.month): \($0)" }
        }
      }
    }
    report.remarks = remarks
    report.remarksStandApart = true
    return report
  }

  /// The row in the base currency, or a row for each currency if there is no base currency.
  private static func rows(of sums: TransactionSums) -> [Row] {
    sums.converted.map { [Row($0)] } ?? sums.amounts.map { Row($0) }
  }
}
