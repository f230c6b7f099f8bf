import DaybookBookkeeping
import DaybookRandom
import Testing

@testable import DaybookFormats

/// Goal: rows that are written as QIF are read as they were.
///
/// Method: seeded random rows of several accounts; a writer here, which knows nothing of the reader,
/// writes them with random line ends, forms of dates and amounts, and order of fields.
@Suite("Random rows as QIF")
struct QIFPropertyTests {
  private static let names = ["Food", "Café", "Home & Garden", "日本", "A.B", "Fees\\x", "Tax 2024"]

  private static func category(_ random: inout SeededGenerator) -> CategoryPath {
    CategoryPath((0..<random.below(4)).map { _ in random.pick(names) })
  }

  private static func tags(_ random: inout SeededGenerator) -> [String] {
    Array(["Trip", "Work", "Two words", "Ü"].shuffled(using: &random).prefix(random.below(3)))
  }

  private static func row(
    _ currency: Currency, _ accounts: Int, _ random: inout SeededGenerator
  ) -> StatementRow {
    let size = random.isTrue(oneOf: 10) ? Int64.max / 8 : 5_000_000
    func money() -> Money { Money(Int64.random(in: -size...size, using: &random), currency) }
    var row = StatementRow(
      line: 0, day: Day(rawValue: Int32(random.below(25_000))), amount: money(),
      description: random.text(OFXPropertyTests.words, max: 4),
      payee: random.text(OFXPropertyTests.words, max: 3),
      note: (0..<random.below(3)).map { "Line \($0)" }.joined(separator: "\n"),
      tags: tags(&random))
    row.isReconciled = random.isTrue(oneOf: 4)
    if random.isTrue(oneOf: 3) { row.code = "\(100 + random.below(900))" }
    switch random.below(4) {
    case 0: row.target = "Elsewhere"
    case 1:
      for _ in 0..<(2 + random.below(3)) {
        var part = StatementRow.Part(
          money(), category: category(&random), note: random.text(["some", "note"], max: 2))
        if random.isTrue(oneOf: 4) {
          part.category = []
          part.target = "Elsewhere"
        }
        row.parts.append(part)
      }
      let units = row.parts.reduce(0) { $0 + $1.amount.minorUnits }
      row.amount = Money(units, currency)
      row.isInflow = units > 0
    default: row.category = category(&random)
    }
    return row
  }

  @Test("Every row comes back", arguments: 0..<200 as Range<UInt64>)
  func rows(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let currency = try #require(Currency.iso(random.pick(["EUR", "USD", "JPY", "KWD"])))
    let accounts = (0...random.below(3)).map { "Account \($0)" }
    let rows = accounts.map { _ in
      (0..<random.below(10)).map { _ in Self.row(currency, accounts.count, &random) }
    }
    var writer = QIFTestWriter(random)
    let text = writer.text(accounts, rows)
    var options = ReadingOptions()
    options.currency = currency
    options.isDayFirst = writer.isDayFirst
    let contents = try QIF.read(RawFile(Array(text.utf8), name: "x"), options)
    #expect(contents.badLines.isEmpty, "seed \(seed)")
    #expect(contents.statements.map(\.account.name) == accounts, "seed \(seed)")
    for (statement, expected) in zip(contents.statements, rows) {
      var found = statement.rows
      for index in found.indices { found[index].line = 0 }
      #expect(found == expected, "seed \(seed)")
    }
  }
}

/// Writes rows as QIF in a random shape.
struct QIFTestWriter {
  private var random: SeededGenerator
  private let end: String
  private let usesComma: Bool
  private let dateForm: Int
  let isDayFirst: Bool

  init(_ random: SeededGenerator) {
    self.random = random
    end = self.random.pick(["\n", "\r\n", "\r"])
    usesComma = self.random.isTrue(oneOf: 3)
    dateForm = self.random.below(4)
    isDayFirst = self.random.isTrue(oneOf: 2)
  }

  mutating func text(_ accounts: [String], _ rows: [[StatementRow]]) -> String {
    var lines = random.isTrue(oneOf: 2) ? ["!Option:AutoSwitch"] : []
    for (account, rows) in zip(accounts, rows) {
      lines += [
        "!Account", "N\(account)", "TBank", "^", random.pick(["!Type:Bank", "!type:bank "]),
      ]
      for row in rows { lines += self.lines(row) }
    }
    let isClosed = random.isTrue(oneOf: 2)
    return lines.joined(separator: end) + (isClosed ? end : "")
  }

  private mutating func lines(_ row: StatementRow) -> [String] {
    let classes = row.tags.isEmpty ? "" : "/" + row.tags.joined(separator: ":")
    var fields = ["D" + date(row.day), "T" + amount(row.amount)]
    if random.isTrue(oneOf: 3) { fields.append("U" + amount(row.amount)) }
    if !row.payee.isEmpty { fields.append("P" + row.payee) }
    if !row.description.isEmpty { fields.append("M" + row.description) }
    if !row.code.isEmpty { fields.append("N" + row.code) }
    if row.isReconciled {
      fields.append(random.pick(["CX", "CR", "Cx "]))
    } else if random.isTrue(oneOf: 2) {
      fields.append(random.pick(["C*", "Cc", "C"]))
    }
    if let target = row.target {
      fields.append("L[\(target)]\(classes)")
    } else if row.parts.isEmpty {
      fields.append("L\(row.category.names.joined(separator: ":"))\(classes)")
    } else {
      fields.append("L--Split--\(classes)".replacing("--Split--/", with: "/"))
    }
    fields.shuffle(using: &random)
    for line in row.note.split(separator: "\n") { fields.append("A\(line)") }
    for part in row.parts {
      let name = part.target.map { "[\($0)]" } ?? part.category.names.joined(separator: ":")
      fields.append("S" + name)
      if !part.note.isEmpty { fields.append("E" + part.note) }
      fields.append("$" + amount(part.amount))
    }
    return fields + ["^"]
  }

  private mutating func amount(_ money: Money) -> String {
    var text = money.text
    let mark = usesComma ? "," : "."
    let other = usesComma ? "." : ","
    let parts = text.split(separator: ".")
    var whole = String(parts[0])
    if money.currency.digits == 2, random.isTrue(oneOf: 2) {
      var digits = Array(whole.drop { $0 == "-" })
      var index = digits.count - 3
      while index > 0 {
        digits.insert(Character(other), at: index)
        index -= 3
      }
      whole = (whole.hasPrefix("-") ? "-" : "") + String(digits)
    }
    text = parts.count > 1 ? whole + mark + parts[1] : whole
    // A mark with three decimals could part thousands as well.
    return money.currency.digits == 3 ? text.replacing(mark, with: ".") : text
  }

  private mutating func date(_ day: Day) -> String {
    let (year, month, number) = day.components
    switch dateForm {
    case 0: return "\(day)"
    case 1:
      let (first, second) = isDayFirst ? (number, month) : (month, number)
      return "\(first)/\(second < 10 ? " " : "")\(second)/\(year)"
    case 2 where year >= 2000:
      let (first, second) = isDayFirst ? (number, month) : (month, number)
      return "\(first)/\(second)'\(year - 2000)"
    case 3 where isDayFirst: return "\(number).\(month).\(year)"
    default: return "\(day)".replacing("-", with: "")
    }
  }
}
