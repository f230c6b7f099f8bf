/// Goal: history and what is said of a ledger as a whole are the same before and after they were JSON, and
/// readable in between. Method: the history of a household that has every kind of entity, an undo, a purge
/// and an erasure goes through the coders, and so do values made here; the examples of Docs/JSON.md that
/// name their type are read and written again.
import Daybook
import Foundation
import Testing

@Suite struct CareJSONTests {
  @discardableResult
  private func check<Value: Codable & Equatable>(
    _ value: Value, location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let line = try JSONValue(value).line
    let again = try JSONDecoder().decode(Value.self, from: Data(line.utf8))
    #expect(again == value, "\(line)", sourceLocation: location)
    let data = try JSONEncoder().encode(value)
    #expect(try JSONDecoder().decode(Value.self, from: data) == value, sourceLocation: location)
    return line
  }

  private func text(_ value: Any?) throws -> String {
    let data = try JSONSerialization.data(
      withJSONObject: [value ?? NSNull()], options: .sortedKeys)
    return String(decoding: data, as: UTF8.self)
  }

  private func entries(_ ledger: Ledger) throws -> [HistoryEntry] {
    var found: [HistoryEntry] = []
    var cursor = try ledger.history().cursor()
    while let entry = try cursor.next() { found.append(entry) }
    return found
  }

  /// A ledger in whose history every kind of entity is made, and some are changed and deleted.
  private func household() async throws -> House {
    let house = try await House()
    let a = try await house.account("A", opening: "100")
    let b = try await house.account("B", in: usd)
    let food = try await house.category("Food")
    var row = Draft.split(
      from: a,
      parts: [.init(money("3"), food, note: "bread"), .init(money("2"), nil, note: "tea")],
      on: today)
    row.tags = ["t", "u"]
    row.code = "7"
    row.valueDay = today.adding(days: 1)
    let monthly = SeriesTemplate(type: .expense, amount: money("5"), account: a, category: food)
    var budget = Budget(name: "B", categories: [food], amount: money("10"), period: .weekly)
    budget.setAmount(money("12"), ofPeriodsFrom: today.adding(days: 7))
    let points = try #require(Currency(code: "PTS", digits: 0))
    let receipt = try await house.append(
      .defineCurrency(CurrencyDefinition(currency: points, name: "Points")), .record(row),
      .putBudget(budget),
      .putSeries(Series(name: "S", template: monthly, schedule: Schedule(.month), anchor: today)),
      .assertBalance(a, money("97"), on: today),
      .putRule(
        CategoryRule(
          name: "R",
          conditions: [
            .text(.payee, .contains, "x"), .account(b), .type(.income),
            .amount(from: Money(5, usd), through: nil),
          ])),
      .putMapping(
        SavedMapping(
          name: "M", contents: "{}",
          look: ImportLook(delimiter: ";", header: ["D"], columnCount: 1), account: a)),
      .moveMoney(money("5"), from: nil, to: food, in: today.monthOf, note: "n"),
      .setTerms(AccountTerms(of: a, rate: try #require(InterestRate("12")), from: today)),
      .importRows([spending("5", from: a)]), .generateDue(through: today))
    let imported = try #require(receipt.imports.first?.recorded.first)
    try await house.append(
      .amend(imported, Amendment(amount: money("7"), payee: "p")),
      .setSettings(SettingsChange(firstWeekday: 7)), .setOpening(a, money("-4"), today))
    try await house.append(.delete(imported))
    return house
  }

  @Test func historyIsTheSameAgain() async throws {
    let house = try await household()
    try await house.ledger.undo(commit: try house.ledger.token.sequence)
    let found = try entries(house.ledger)
    let kinds = Set(found.flatMap { $0.changes.map(\.kind) })
    #expect(kinds == Set(KindDescription.all.map(\.kind)))
    for entry in found {
      let line = try check(entry)
      // Every value is told as what it is.
      #expect(!line.contains(#""hex""#), "\(line)")
    }
    #expect(try check(try #require(found.last)).contains(#""reversal":{"sequence":"#))
    try await house.end()
  }

  /// What a property was and is stands in the form of the entity's own member.
  @Test func propertiesLookAsInTheEntity() async throws {
    let house = try await household()
    let found = try entries(house.ledger)
    try house.ledger.read { snapshot throws in
      let rules = try snapshot.rules()
      let series = try snapshot.series()
      for (entity, id) in [
        (try JSONValue(rules[0]), rules[0].id.rawValue),
        (try JSONValue(series[0]), series[0].id.rawValue),
      ] {
        let change = try #require(found.flatMap(\.changes).first { $0.id == id })
        let told = try JSONSerialization.jsonObject(
          with: Data(try JSONValue(change).line.utf8))
        let properties = try #require((told as? [String: Any])?["properties"] as? [String: Any])
        let object = try JSONSerialization.jsonObject(with: Data(entity.line.utf8))
        let members = try #require(object as? [String: Any])
        for (name, property) in properties {
          let after = (property as? [String: Any])?["after"]
          #expect(try text(after) == text(members[name]), "\(name) in \(told)")
        }
        #expect(!properties.isEmpty)
      }
    }
    try await house.end()
  }

  @Test func whatWasPurgedAndErasedSaysSo() async throws {
    let house = try await household()
    let account = try #require(try house.ledger.read { try $0.accounts().first { $0.name == "B" } })
    let receipt = try await house.ledger.erase(.account, account.id.rawValue)
    try check(receipt)
    var options = PurgeOptions()
    options.policy = .count(2)
    try check(try await house.ledger.purge(options))
    let found = try entries(house.ledger)
    let lines = try found.map { try check($0) }
    #expect(lines.contains { $0.contains(#""erasedEntity":"\#(account.id)""#) }, "\(lines)")
    #expect(lines.contains { $0.contains(#""purgedThrough":"#) }, "\(lines)")
    try await house.end()
  }

  @Test func aLedgerAndItsReportsAreTheSameAgain() async throws {
    let house = try await household()
    try check(try await house.ledger.info())
    try check(try await house.ledger.verify())
    try check(VerifyReport(commitCount: 1, rowCount: 2, findings: ["a\nb"]))
    try check(try house.ledger.anchor())
    try check(try await house.ledger.compact())
    try check(try await house.ledger.rebuild(comparing: true))
    for policy in [
      RetentionPolicy.keepEverything, .week, .count(3), .bytes(1 << 20),
    ] { try check(policy) }
    try await house.ends { snapshot throws in
      let account = try #require(try snapshot.accounts().first)
      var sheet = try snapshot.reconciliation(
        of: account.id, through: today, statement: money("5"))
      for row in sheet.rows { sheet.toggle(row.id) }
      try check(sheet)
    }
    try check(CreatedCategory(kind: .income, path: ["a:b", "c"]))
  }

  @Test(arguments: [
    (#"{"seconds":1,"bytes":2}"#, "one of"), (#"{"seconds":"x"}"#, "Int64"),
  ])
  func whatIsNoPolicyIsRefused(line: String, words: String) {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(RetentionPolicy.self, from: Data(line.utf8))
    }
    #expect("\(String(describing: error))".contains(words), "\(String(describing: error))")
  }

  /// Changes to the example of a commit that make it none.
  @Test(arguments: [
    ("2026-02-15T09:30:00.250000Z", "2026-02-15T24:30:00.250000Z", "moment"),
    ("2026-02-15T09:30:00.250000Z", "2026-02-30T09:30:00.250000Z", "moment"),
    ("2026-02-15T09:30:00.250000Z", "2026-02-15 09:30:00.250000Z", "moment"),
    ("\"update\"", "\"mend\"", "“insert”"), ("\"transaction\"", "\"lunch\"", "kind of entity"),
    ("\"payee\"", "\"colour\"", "isn't a property of a transaction"),
    ("\"2026-02-13\"", "\"2026-02-31\"", "2026-02-31"), ("019c6123456700a0", "019c", "16 hex"),
    ("019c6123456700a0", "x", "hexadecimal"), ("9f86d081884c7d65", "9f86", "64 hex"),
  ])
  func whatIsNoCommitIsRefused(part: String, other: String, words: String) throws {
    let example = try #require(Self.examples.first { $0.type == "HistoryEntry" }).text
    #expect(example.contains(part))
    let changed = example.replacingOccurrences(of: part, with: other)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(HistoryEntry.self, from: Data(changed.utf8))
    }
    #expect("\(String(describing: error))".contains(words), "\(String(describing: error))")
  }

  struct Example: CustomTestStringConvertible {
    var type: String
    var text: String
    var testDescription: String { type }
  }

  /// The examples of Docs/JSON.md that say of which type they are.
  static let examples: [Example] = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try? String(
      contentsOf: root.appendingPathComponent("Docs/JSON.md"), encoding: .utf8)
    return (page ?? "").components(separatedBy: "```json ").dropFirst().compactMap { part in
      let lines = part.components(separatedBy: "\n```")[0].components(separatedBy: "\n")
      return Example(type: lines[0], text: lines.dropFirst().joined(separator: "\n"))
    }.filter { $0.type != "answer" }
  }()

  @Test(arguments: examples) func theExampleIsReadAndWrittenAgain(example: Example) throws {
    func again<Value: Codable>(_ type: Value.Type) throws -> String {
      try JSONValue(JSONDecoder().decode(type, from: Data(example.text.utf8))).indented
    }
    let written =
      switch example.type {
      case "HistoryEntry": try again(HistoryEntry.self)
      case "Rehearsal": try again(Rehearsal.self)
      case "TransactionSums": try again(TransactionSums.self)
      case "WorthChange": try again(WorthChange.self)
      case "VerifyReport": try again(VerifyReport.self)
      case "LedgerInfo": try again(LedgerInfo.self)
      default: "nobody knows \(example.type)"
      }
    #expect(written == example.text)
  }

  @Test func theExamplesAreThere() {
    #expect(
      Set(Self.examples.map(\.type)) == [
        "HistoryEntry", "Rehearsal", "TransactionSums", "WorthChange", "VerifyReport", "LedgerInfo",
      ])
  }
}
