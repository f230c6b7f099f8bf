// Goal: a mapping file means what Docs/Import.md says, and what it cannot mean is refused with the
// key, line and column. Method: small files and JSON mappings, and the rows that come out.

import DaybookBookkeeping
import DaybookInterchange
import Foundation
import Testing

struct MappingTests {
  static func map(_ text: String, _ json: String) throws -> MappedFile {
    try MappedFile(CSVFile(text), mapping: ImportMapping(json: Data(json.utf8)))
  }

  static let plain = """
    {"date": {"column": "d"}, "amount": {"column": "a"}, "currency": "USD", "account": "A"
    """

  @Test("templates, renamed values and subcategories")
  func templates() throws {
    let file = try Self.map(
      "d,a,k,m,x\n2026-01-01,-5,UROK,,{\n2026-01-02,7,ZZ,note,\n2026-01-03,7,,,\n",
      Self.plain + """
        , "category": ["{k}", "{m}"], "description": "[{x}] {{{m|k}}}", "note": "n {m}",
          "tags": ["{k}"], "values": {"k": {"UROK": "Interest"}}}
        """)
    #expect(file.badLines == [])
    #expect(file.rows.map(\.category) == [["Interest"], ["ZZ", "note"], []])
    #expect(file.rows.map(\.description) == ["[{] {Interest}", "[] {note}", ""])
    #expect(file.rows.map(\.note) == ["", "n note", ""])
    #expect(file.rows.map(\.tags) == [["Interest"], ["ZZ"], []])
    #expect(file.rows.map(\.line) == [2, 3, 4])
  }

  @Test("direction by type, by sign, by two columns")
  func directions() throws {
    let typed = """
      {"date": {"column": 1}, "amount": {"column": 2, "type": 3, "directions":
      {"in": "in", "out": "out", "?": "skip"}}, "currency": "USD", "account": "A", "header": false}
      """
    let file = try Self.map(
      "2026-01-01,5,in\n2026-01-01,5,out\n2026-01-01,5,?\n2026-01-01,5,x\n2026-01-01,-5,in\n",
      typed)
    #expect(file.rows.map(\.amount.minorUnits) == [500, -500])
    #expect(file.skippedCount == 1)
    #expect(file.badLines.map(\.line) == [4, 5])
    #expect(file.badLines.map(\.code) == [.direction, .amount])
    #expect(file.badLines.map(\.column) == [3, 2])

    let pair = """
      {"date": {"column": 1}, "amount": {"debit": 2, "credit": 3}, "currency": "USD",
      "account": "A", "header": false}
      """
    let both = try Self.map(
      "2026-01-01,5,\n2026-01-01,,5\n2026-01-01,-5,0\n2026-01-01,0,5\n2026-01-01,0,0\n"
        + "2026-01-01,,\n2026-01-01,1,1\n", pair)
    #expect(both.rows.map(\.amount.minorUnits) == [-500, 500, -500, 500, 0])
    #expect(both.badLines.map(\.line) == [6, 7])

    let bill = try Self.map(
      "d,a\n2026-01-01,5\n",
      Self.plain.replacing("\"column\": \"a\"", with: "\"column\": \"a\", \"inverted\": true") + "}"
    )
    #expect(bill.rows.map(\.amount.minorUnits) == [-500])
  }

  @Test("ragged rows name the line, unless they are allowed")
  func ragged() throws {
    let text = "d,a,n\n2026-01-01,1,x\n2026-01-02,2\n2026-01-03,3,y,z\n"
    let strict = try Self.map(text, Self.plain + "}")
    #expect(strict.rows.count == 1)
    #expect(strict.badLines.map(\.line) == [3, 4])
    #expect(strict.badLines.map(\.code) == [.ragged, .ragged])
    let loose = try Self.map(text, Self.plain + ", \"ragged\": \"allow\", \"note\": \"{n}\"}")
    #expect(loose.rows.map(\.note) == ["x", "", "y"])
  }

  @Test("junk lines before the header and rows that are left out")
  func junk() throws {
    let text = "=\"Report\"x\n-\n\nd,a\n2026-01-01,1\nTotal,1\n,\n"
    let file = try Self.map(
      text,
      Self.plain + """
        , "skipLines": 3, "skipRows": [{"column": "d", "beginsWith": "Tot"}, {}]}
        """)
    #expect(file.rows.map(\.line) == [5])
    #expect(file.badLines == [])
    #expect(file.skippedCount == 2)
  }

  @Test("every bad line is named, in file order")
  func badLines() throws {
    let file = try Self.map(
      "d,a\n2026-01-01,1\n2026-02-30,1\n2026-01-01,x\nx,\"y\"z\n2026-01-01,2\n2026-01-01,\n",
      Self.plain + "}")
    #expect(file.rows.map(\.line) == [2, 6])
    #expect(file.badLines.map(\.line) == [3, 4, 5, 7])
    #expect(file.badLines.map(\.code) == [.date, .amount, .strayQuote, .amount])
    #expect(file.badLines.map(\.header) == ["d", "a", nil, "a"])
    #expect(file.badLineCount == 4)
  }

  @Test("transfers name the other account, with an amount of their own where currencies differ")
  func transfers() throws {
    let file = try Self.map(
      "d,a,to,ta,tc\n2026-01-01,-100,Savings,,\n2026-01-02,-100,Tenge,45000,KZT\n2026-01-03,-1,,,\n",
      Self.plain + """
        , "transfer": {"account": "{to}", "amount": "ta", "currency": "{tc}"}}
        """)
    #expect(file.badLines == [])
    #expect(file.rows.map(\.target) == ["Savings", "Tenge", nil])
    #expect(file.rows[1].targetAmount?.minorUnits == 4_500_000)
  }

  @Test("stated balances are compared with the one before, per account and in either order")
  func balances() throws {
    let json = """
      {"date": {"column": 1}, "amount": {"column": 2}, "currency": "USD", "account": "{4}",
      "header": false, "balance": {"column": 3}}
      """
    let file = try Self.map(
      "2026-01-01,10,110,A\n2026-01-01,5,5,B\n2026-01-02,-20,90,A\n2026-01-03,1,95,A\n"
        + "2026-01-03,1,96,A\n2026-01-03,1,6,B\n", json)
    #expect(file.mismatches.map(\.line) == [4])
    #expect(file.mismatches.first?.expected.units == 9_100)
    #expect(file.impliedOpenings["A"]?.minorUnits == 10_000)
    #expect(file.impliedOpenings["B"] == nil)
    let newest = try Self.map(
      "2026-01-03,1,96,A\n2026-01-03,1,95,A\n2026-01-02,-20,90,A\n2026-01-01,10,110,A\n",
      json.replacing("{\"column\": 3}", with: "{\"column\": 3, \"newestFirst\": true}"))
    #expect(newest.mismatches.map(\.line) == [2])
    #expect(newest.impliedOpenings["A"]?.minorUnits == 10_000)
  }

  @Test(
    "mappings that are refused",
    arguments: [
      ("{}", "date"), ("{\"date\": 5}", "date"), ("[", "the file ends"),
      (plain + ", \"amounts\": 1}", "amounts"), (plain + ", \"note\": \"{x\"}", "note"),
      (plain + ", \"balance\": {\"column\": 3, \"newest\": true}}", "newest"),
    ])
  func refused(json: String, word: String) throws {
    let error = try #require(throws: InterchangeError.self) {
      try ImportMapping(json: Data(json.utf8))
    }
    #expect(error.code == .mapping)
    #expect(error.message.contains(word))
  }

  @Test(
    "mappings that do not fit the file",
    arguments: [
      (plain + ", \"note\": \"{q}\"}", "q"), (plain + ", \"note\": \"{9}\"}", "9"),
      (plain + ", \"delimiter\": \"::\"}", "::"), (plain + ", \"quote\": \",\"}", "quote"),
      (plain.replacing("USD", with: "US$") + "}", "US$"),
      (plain + ", \"numbers\": {\"decimal\": \";\"}}", "decimal"),
      (plain.replacing("\"column\": \"a\"", with: "\"debit\": \"a\"") + "}", "amount"),
    ])
  func unfit(json: String, word: String) throws {
    let error = try #require(throws: InterchangeError.self) {
      try Self.map("d,a\n2026-01-01,1\n", json)
    }
    #expect(error.code == .mapping)
    #expect(error.message.contains(word))
  }

  @Test("a mapping survives being written and read")
  func roundTrip() throws {
    var mapping = ImportMapping(
      date: .init(column: .name("d"), format: "yyMMdd", pivot: 50),
      amount: .init(column: .number(2), type: .name("t"), directions: ["x": .in], otherwise: .skip),
      currency: ColumnTemplate(literal: "CZK"), account: ColumnTemplate(literal: "a{b"))
    mapping.category = [ColumnTemplate(column: .name("k"))]
    mapping.skipRows = [.init(column: .number(1), equals: [""])]
    mapping.balance = .init(column: .number(7), isNewestFirst: true)
    mapping.values = ["k": ["A": "B"]]
    #expect(try ImportMapping(json: mapping.json()) == mapping)
  }
}
