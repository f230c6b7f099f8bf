import Daybook
import DaybookTerminal

/// Formatting of figures.
enum Figures {
  /// Returns a total with digits in groups of three and no code, such as `1,234,567.89`.
  static func text(_ total: Total) -> String { grouped(total.text) }

  /// A total with its currency, such as `1,234.56 EUR`.
  static func withCode(_ total: Total) -> String { "\(text(total)) \(total.currency.code)" }

  /// A table cell with a total, red if negative.
  static func cell(_ total: Total, _ style: Style = .plain) -> TextTable.Cell {
    .init(text(total), total.units < 0 ? .red : style)
  }

  /// Several totals in one line, such as `1,234.56 EUR, 10.00 USD`.
  static func list(_ totals: [Total]) -> String {
    totals.isEmpty ? "–" : totals.map(withCode).joined(separator: ", ")
  }

  /// A share in percent, such as `64.3 %`.
  static func percent(_ ratio: Ratio) -> String {
    let size = ratio.perMille.magnitude
    return "\(ratio.perMille < 0 ? "-" : "")\(size / 10).\(size % 10) %"
  }

  /// A count with digits in groups of three.
  static func count(_ number: some BinaryInteger) -> String { grouped(String(number)) }

  /// A count with a noun, such as `1 row` or `2 rows`.
  static func counted(_ number: some BinaryInteger, _ thing: String) -> String {
    number == 1 ? "1 \(thing)" : "\(count(number)) \(thing)s"
  }

  /// A byte count in a suitable unit.
  static func bytes(_ count: UInt64) -> String {
    var size = Double(count)
    for unit in ["bytes", "KB", "MB", "GB"] {
      if size < 1000 || unit == "GB" {
        if unit == "bytes" { return "\(count) bytes" }
        let tenths = Int((size * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(unit)"
      }
      size /= 1000
    }
    return "\(count) bytes"
  }

  /// A number with the digits before the point in groups of three.
  static func grouped(_ number: String) -> String {
    let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first else { return number }
    var text = ""
    let digits = whole.drop { $0 == "-" }
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    if whole.hasPrefix("-") { text = "-" + text }
    return parts.count == 2 ? "\(text).\(parts[1])" : text
  }
}
