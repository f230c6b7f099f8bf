import Daybook
import DaybookTerminal

extension Report {
  /// A report of a single count.
  static func count(_ number: some BinaryInteger) -> Report {
    let count = Int64(clamping: number)
    var report = Report(
      [.figure("count", "")], ifEmpty: "", json: JSONAnswer(["count": count]))
    report.showsTitles = false
    report.add([.count(count)])
    return report
  }

  /// Adds a remark about how to request the next rows, if there may be more.
  mutating func addNext(after rows: [Transaction], limit: Int, of total: Int?) {
    guard let last = rows.last, rows.count == limit else { return }
    let all = total.map { " of \(Figures.count($0))" } ?? ""
    remarks.append(
      "Showing \(Figures.counted(rows.count, "transaction"))\(all). For the next, add "
        + "--after \(last.place)")
    remarksStandApart = true
  }
}

extension TextTable {
  /// An empty table of names and values.
  static var facts: TextTable {
    TextTable(
      [
        .init("", isFlexible: false, yielding: .never),
        .init("", wraps: true, keepsWords: true, yielding: .never),
      ], showsTitles: false)
  }
}

extension Report {
  /// An empty report of facts.
  ///
  /// Each fact has a name for programs and a title for people.
  static func facts(json: JSONAnswer) -> Report {
    var report = Report(
      [
        .data("name"), .fixed(nil), .data("value"),
        Column(
          name: nil, table: .init("", wraps: true, keepsWords: true, yielding: .never)),
      ], ifEmpty: "", json: json)
    report.showsTitles = false
    return report
  }

  mutating func addFact(_ name: String, _ title: String, _ value: Cell) {
    add([.init(name), .init(title, .dim), .init(value.data), value])
  }
}
