import DaybookBookkeeping
import Foundation

/// The output of another parser, Python's mt-940: its objects as dumped by PyYAML.
///
/// Only the form of that dump is supported, with sorted keys and one transaction after another.
struct MT940Companion {
  /// A transaction with its lines below `data:`.
  struct Transaction {
    let lines: [Substring]

    /// The value of a key as text, or `nil` if it is missing or null.
    func text(_ key: String) -> String? {
      guard let index = lines.firstIndex(where: { $0.hasPrefix("    \(key): ") }) else {
        return nil
      }
      var parts = [String(lines[index].dropFirst(key.utf8.count + 6))]
      for line in lines[(index + 1)...] {
        guard line.hasPrefix("      ") || line.isEmpty else { break }
        parts.append(line.drop { $0 == " " }.description)
      }
      let whole = parts.joined(separator: " ")
      return whole == "null" ? nil : MT940Companion.plain(whole)
    }

    var amount: String? { MT940Companion.quoted(after: "    amount: ", in: lines) }
    var valueDay: Day? { MT940Companion.day(after: "    date: ", in: lines) }
    var entryDay: Day? { MT940Companion.day(after: "    entry_date: ", in: lines) }
  }

  var transactions: [Transaction] = []
  /// The balances with their names, amounts, currencies and days.
  var balances: [(name: String, amount: String, currency: String, day: Day)] = []
  var account: String?

  init(path: String) throws {
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let start = lines.firstIndex { $0.hasPrefix("transactions:") } ?? lines.count
    var current: [Substring]?
    for line in lines[start...] {
      if line.hasPrefix("- !!python/object:mt940.models.Transaction") {
        if let current { transactions.append(Transaction(lines: current)) }
        current = []
      } else {
        current?.append(line)
      }
    }
    if let current { transactions.append(Transaction(lines: current)) }
    for index in lines[..<start].indices {
      let line = lines[index]
      if line.hasPrefix("  account_identification: ") {
        account = MT940Companion.plain(String(line.dropFirst(26)))
      }
      guard line.hasSuffix("!!python/object:mt940.models.Balance") else { continue }
      let block = Array(lines[index..<min(index + 10, start)])
      guard let amount = MT940Companion.quoted(after: "    amount: ", in: block),
        let currency = block.first(where: { $0.hasPrefix("      currency: ") }),
        let day = MT940Companion.day(after: "    date: ", in: block)
      else { throw Wrong("the companion's balance has no amount, currency or day") }
      balances.append(
        (
          String(line.drop { $0 == " " }.prefix { $0 != ":" }), amount,
          MT940Companion.plain(String(currency.dropFirst(16))), day
        ))
    }
  }

  /// The first text in single quotes after a key.
  private static func quoted(after key: String, in lines: [Substring]) -> String? {
    guard let index = lines.firstIndex(where: { $0.hasPrefix(key) }) else { return nil }
    let found = lines[index...].prefix(4).first { $0.contains("- '") }
    return found.map { String($0.split(separator: "'")[1]) }
  }

  /// The day after a key, encoded in base64: two bytes for the year, then the month and the day.
  private static func day(after key: String, in lines: [Substring]) -> Day? {
    guard let index = lines.firstIndex(where: { $0.hasPrefix(key) }), index + 2 < lines.count,
      let bytes = Data(base64Encoded: lines[index + 2].trimmingCharacters(in: .whitespaces)),
      bytes.count == 4
    else { return nil }
    return Day(
      year: Int(bytes[0]) << 8 | Int(bytes[1]), month: Int(bytes[2]), day: Int(bytes[3]))
  }

  /// A YAML scalar without its quotes.
  ///
  /// Whitespace isn't exact, because comparisons ignore it.
  private static func plain(_ scalar: String) -> String {
    if scalar.hasPrefix("'"), scalar.hasSuffix("'"), scalar.count > 1 {
      return scalar.dropFirst().dropLast().replacingOccurrences(of: "''", with: "'")
    }
    guard scalar.hasPrefix("\""), scalar.hasSuffix("\""), scalar.count > 1 else { return scalar }
    var text = ""
    var rest = scalar.dropFirst().dropLast()
    while let next = rest.popFirst() {
      guard next == "\\", let escaped = rest.popFirst() else {
        text.append(next)
        continue
      }
      switch escaped {
      case "n": text.append("\n")
      case "x", "u":
        let length = escaped == "x" ? 2 : 4
        let code = UInt32(rest.prefix(length), radix: 16) ?? 0x3F
        rest = rest.dropFirst(length)
        text.unicodeScalars.append(Unicode.Scalar(code) ?? "?")
      default: text.append(escaped)
      }
    }
    return text
  }
}
