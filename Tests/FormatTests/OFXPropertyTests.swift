import DaybookBookkeeping
import DaybookRandom
import Testing

@testable import DaybookFormats

/// Goal: a statement that is written as OFX, SGML or XML, is read as it was.
///
/// Method: seeded random statements; a writer here, which knows nothing of the reader, writes each in a
/// random shape: headers, end tags, CDATA, entities, blanks, case of letters.
@Suite("Random statements as OFX")
struct OFXPropertyTests {
  static let words = [
    "Bakery", "AT&T", "a<b", "x>y", "\"quoted\"", "O'Neil", "Café", "Żółw", "日本", "&amp;", "]]",
    "--", "100%",
    "#5", "[Savings]", ";", "<", "&", "Smith/Jones", "😀", "e\u{301}",
  ]

  static func statement(_ random: inout SeededGenerator) throws -> Statement {
    let currency = try #require(Currency.iso(random.pick(["EUR", "USD", "JPY", "KWD", "CLF"])))
    var statement = Statement(line: 0, account: StatementAccount(currency: currency))
    statement.account.number = "\(random.below(1_000_000_000))"
    statement.account.bank = random.isTrue(oneOf: 3) ? "" : "B\(random.below(1000))"
    for index in 0..<random.below(12) {
      let day = Day(rawValue: Int32(random.below(40_000)) - 10_000)
      let size = random.isTrue(oneOf: 8) ? Int64.max / 2 : 1_000_000
      var row = StatementRow(
        line: 0, day: day,
        amount: Money(Int64.random(in: -size...size, using: &random), currency),
        description: random.text(words, max: 5), payee: random.text(words, max: 3))
      row.reference = "ofx:\(index)-\(random.pick(words))"
      if random.isTrue(oneOf: 3) { row.code = "\(1 + random.below(9999))" }
      if random.isTrue(oneOf: 4) { row.valueDay = day.adding(days: 1 + random.below(5)) }
      row.isPending = random.isTrue(oneOf: 6)
      if row.isPending { row.valueDay = nil }
      statement.rows.append(row)
    }
    // Pending rows stand in a list of their own, behind the others.
    statement.rows = statement.rows.filter { !$0.isPending } + statement.rows.filter(\.isPending)
    if random.isTrue(oneOf: 2) {
      statement.closing = StatedBalance(
        line: 0, day: Day(rawValue: Int32(random.below(20_000))),
        amount: Money(Int64(random.below(1_000_000)) - 500_000, currency))
    }
    return statement
  }

  private func check(_ text: String, _ expected: Statement, _ seed: UInt64) throws {
    let contents = try OFX.read(RawFile(Array(text.utf8), name: "x"), ReadingOptions())
    #expect(contents.badLines.isEmpty, "seed \(seed)")
    #expect(contents.statements.count == 1, "seed \(seed)")
    var found = try #require(contents.statements.first)
    for index in found.rows.indices { found.rows[index].line = 0 }
    found.closing?.line = 0
    #expect(found.rows == expected.rows, "seed \(seed)")
    #expect(found.account == expected.account, "seed \(seed)")
    #expect(found.closing == expected.closing, "seed \(seed)")
  }

  @Test("SGML, with and without end tags", arguments: 0..<150 as Range<UInt64>)
  func sgml(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let statement = try Self.statement(&random)
    var writer = OFXTestWriter(random: random, isXML: false)
    try check(writer.text(statement), statement, seed)
  }

  @Test("XML", arguments: 1000..<1150 as Range<UInt64>)
  func xml(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let statement = try Self.statement(&random)
    var writer = OFXTestWriter(random: random, isXML: true)
    try check(writer.text(statement), statement, seed)
  }
}

/// Writes a statement as OFX in a random shape.
struct OFXTestWriter {
  var random: SeededGenerator
  var isXML: Bool
  private var isLower = false
  private var blanks: [String] = []

  init(random: SeededGenerator, isXML: Bool) {
    self.random = random
    self.isXML = isXML
  }

  mutating func text(_ statement: Statement) -> String {
    isLower = random.isTrue(oneOf: 4)
    blanks = random.pick([[""], ["\n"], ["\r\n", "\r\n\t"], ["", "\n  ", " "]])
    let rows = statement.rows.filter { !$0.isPending }.map { row($0) }.joined()
    let pending = statement.rows.filter(\.isPending).map { row($0) }.joined()
    let account = statement.account
    var body = value("CURDEF", account.currency?.code ?? "")
    body += whole("BANKACCTFROM", bank(account) + value("ACCTID", account.number))
    body += whole("BANKTRANLIST", value("DTSTART", "20240101") + rows)
    if let closing = statement.closing {
      body += whole(
        "LEDGERBAL", value("BALAMT", amount(closing.amount)) + value("DTASOF", day(closing.day)))
    }
    if !pending.isEmpty { body += whole("BANKTRANLISTP", pending) }
    return header()
      + whole("OFX", whole("BANKMSGSRSV1", whole("STMTTRNRS", whole("STMTRS", body))))
  }

  private mutating func bank(_ account: StatementAccount) -> String {
    account.bank.isEmpty && random.isTrue(oneOf: 2) ? "" : value("BANKID", account.bank)
  }

  private mutating func header() -> String {
    if isXML {
      return random.pick([
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<?OFX OFXHEADER=\"200\"?>\n",
        "<?xml version=\"1.0\"?><?OFX OFXHEADER='200' VERSION='220'?><!-- made -->",
      ])
    }
    return random.pick([
      "", "OFXHEADER:100\r\nDATA:OFXSGML\r\nENCODING:UTF-8\r\nCHARSET:NONE\r\n\r\n",
      "OFXHEADER:100 DATA:OFXSGML ENCODING:UNICODE ",
    ])
  }

  private mutating func row(_ row: StatementRow) -> String {
    var fields = [
      value(row.isPending ? "DTTRAN" : "DTPOSTED", day(row.day)),
      value("TRNAMT", amount(row.amount)),
      value("FITID", String(row.reference.dropFirst(4))),
    ]
    if let valueDay = row.valueDay { fields.append(value("DTAVAIL", day(valueDay))) }
    fields.append(value("CHECKNUM", row.code))
    fields.append(value("NAME", row.payee))
    fields.append(value("MEMO", row.description))
    return whole(row.isPending ? "STMTTRNP" : "STMTTRN", fields.shuffled(using: &random).joined())
  }

  private mutating func amount(_ money: Money) -> String {
    var text = money.text
    if random.isTrue(oneOf: 3) { text = text.replacing(".", with: ",") }
    if money.minorUnits > 0, random.isTrue(oneOf: 4) { text = "+" + text }
    if money.currency.digits > 0, random.isTrue(oneOf: 5) { text += "000" }
    return text
  }

  private mutating func day(_ day: Day) -> String {
    let digits = "\(day)".replacing("-", with: "")
    return digits + random.pick(["", "120000", "235959.999[-5:EST]", "000000[0:GMT]"])
  }

  private mutating func value(_ name: String, _ text: String) -> String {
    if text.isEmpty, random.isTrue(oneOf: 2) { return "" }
    let isEnded = isXML || random.isTrue(oneOf: 2)
    if isXML, text.isEmpty, random.isTrue(oneOf: 2) { return tag(name + "/") }
    // Without an end tag the text reaches to the next tag.
    return tag(name) + escaped(text) + (isEnded ? tag("/" + name) : "") + gap()
  }

  private mutating func whole(_ name: String, _ body: String) -> String {
    tag(name) + gap() + body + tag("/" + name) + gap()
  }

  private func tag(_ name: String) -> String { "<\(isLower ? name.lowercased() : name)>" }

  private mutating func gap() -> String { random.pick(blanks) }

  private mutating func escaped(_ text: String) -> String {
    if !text.isEmpty, !text.contains("]]>"), random.isTrue(oneOf: 4) {
      return "<![CDATA[\(text)]]>"
    }
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += random.pick(["&amp;", "&#38;", "&#x26;"])
      case "<": escaped += "&lt;"
      case ">": escaped += random.pick(["&gt;", ">"])
      case " ": escaped += random.pick([" ", "  ", " \n "])
      default:
        escaped += random.isTrue(oneOf: 20) ? "&#\(scalar.value);" : String(scalar)
      }
    }
    return escaped
  }
}
