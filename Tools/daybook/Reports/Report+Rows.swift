import Daybook
import Terminal

extension Report {
  /// How many there are, and nothing else.
  static func count(_ number: some BinaryInteger) -> Report {
    let count = Int64(clamping: number)
    var report = Report([.figure("count", "")], ifEmpty: "") {
      .object([("count", .count(count))])
    }
    report.showsTitles = false
    report.add([.count(count)])
    return report
  }

  /// Says how the rows that follow those shown are asked for, where there may be more.
  mutating func addNext(after rows: [Transaction], limit: Int, of total: Int?) {
    guard let last = rows.last, rows.count == limit else { return }
    let all = total.map { " of \(Figures.count($0))" } ?? ""
    remarks.append("\(Figures.count(rows.count)) rows\(all); the next: --after \(last.place)")
    remarksStandApart = true
  }
}
