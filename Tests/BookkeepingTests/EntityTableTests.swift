// Goal: what is said of a property in an entity's table holds everywhere, and a new one needs nothing
// else. Method: a copy of an entity with one property more goes through record, JSON, history's names and
// erasure's list; the tables of all kinds are looked at for what the compiler cannot see, and what is merged
// together is held against Docs/Notes/Bookkeeping.md; the examples of Docs/JSON.md are read and written again.

import DaybookBookkeeping
import DaybookEntities
import Foundation
import Testing

/// A category as it might be one day, with an emoji: the line in `visit` is all that was added.
private struct DecoratedCategory: LedgerEntity {
  var number: UInt64
  var id: CategoryID
  var name: String
  var parent: CategoryID?
  var emoji: String = ""

  static var kind: EntityKind { .category }
  var entityID: EntityID { id.rawValue }
  static let blank = DecoratedCategory(
    number: 0, id: CategoryID(EntityID(high: 0, low: 0)), name: "")

  @_lifetime(p: copy p)
  func visit<V: PropertyVisitor & ~Copyable & ~Escapable>(
    _ p: inout V
  ) throws(V.Failure) -> DecoratedCategory {
    DecoratedCategory.init(number:id:name:parent:emoji:)(
      p.number, CategoryID(p.id),
      try p(1, "name", name, .text, .name),
      try p(3, "parent", parent, .optional(.id()), .plain),
      try p(20, "emoji", emoji, .text, .personal.since(2)))
  }
}

@Suite struct EntityTableTests {
  private static let id = EntityID(high: 3, low: 4)

  @Test func aPropertyMoreWorksEverywhere() throws {
    let category = DecoratedCategory(
      number: 17, id: CategoryID(Self.id), name: "Food", parent: nil, emoji: "🥦")
    let record = category.record()
    #expect(record[20] == Array("🥦".utf8))
    #expect(try DecoratedCategory(record: record, id: Self.id, number: 17) == category)
    let json = try JSONValue(category).line
    #expect(json.hasSuffix(#""name":"Food","emoji":"🥦"}"#), "\(json)")
    #expect(
      try JSONDecoder().decode(DecoratedCategory.self, from: Data(json.utf8)) == category)
    let description = KindDescription("category", DecoratedCategory.self)
    let emoji = try #require(description.properties.last)
    #expect(emoji.name == "emoji" && emoji.value(Array("🥦".utf8)) == .text("🥦"))
    #expect(description.personalTags == [1, 20] && description.version == 2)
    // It says no register: it is merged by itself.
    #expect(description.properties.map(\.register) == [1, 3, 20])
    // The program of before refuses what it would lose.
    let error = try #require(throws: DecodingFault.self) {
      try Category(record: record, id: Self.id, number: 17)
    }
    #expect("\(error)".contains("property 20 is not known"))
  }

  /// The newest versions of the kinds that have later ones than the first.
  private static let newestVersions = [
    "account": 4, "category": 3, "transaction": 5, "fingerprint": 2, "allocation": 2,
  ]

  @Test func namesAndTagsOfAKindAreItsOwn() {
    for kind in KindDescription.all {
      let names = kind.properties.map(\.name)
      #expect(Set(names).count == names.count, "\(kind.name)")
      let members = kind.properties.compactMap(\.jsonName)
      #expect(Set(members + ["id", "number"]).count == members.count + 2, "\(kind.name)")
      for property in kind.properties {
        let newest = Self.newestVersions[kind.name] ?? 1
        #expect(property.traits.since <= newest, "the newest version of \(kind.name)")
      }
    }
  }

  /// The table in Docs/Notes/Bookkeeping.md: the registers of each kind that have several properties.
  @Test func whatIsMergedTogetherIsWhatTheNotesSay() throws {
    let page = try String(
      contentsOf: Self.root.appendingPathComponent("Docs/Notes/Bookkeeping.md"), encoding: .utf8)
    let table = page.components(separatedBy: "| kind | registers of several properties |\n")
    var said: [String: Set<Set<String>>] = [:]
    let rows = try #require(table.last).components(separatedBy: "\n").dropFirst()
    for row in rows.prefix(while: { $0.hasPrefix("|") }) {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let groups = cells[1].components(separatedBy: "; ").filter { $0 != "none" }
      said[cells[0]] = Set(groups.map { Set($0.components(separatedBy: ", ")) })
    }
    var found: [String: Set<Set<String>>] = [:]
    for kind in KindDescription.all {
      let registers = Dictionary(grouping: kind.properties, by: \.register)
      found[kind.name] = Set(
        registers.values.filter { $0.count > 1 }.map { Set($0.map(\.name)) })
      for (register, properties) in registers {
        // The register is one of its properties, so that it has one name.
        #expect(properties.contains { $0.tag == register }, "\(kind.name), register \(register)")
      }
    }
    #expect(found == said)
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The examples of Docs/JSON.md: what stands between fences of `json`.
  private static let examples: [String] = {
    let page = try? String(
      contentsOf: root.appendingPathComponent("Docs/JSON.md"), encoding: .utf8)
    return (page ?? "").components(separatedBy: "```json\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
  }()

  @Test(arguments: examples) func theExampleIsReadAndWrittenAgain(example: String) throws {
    let entity = try JSONDecoder().decode(Example.self, from: Data(example.utf8)).entity
    let name = type(of: entity).kind.name
    let value = try JSONValue(entity)
    #expect(JSONValue.object([.init(name, value)]).indented == example)
  }

  @Test func everyKindHasAnExample() throws {
    let kinds = try Self.examples.map {
      try type(of: JSONDecoder().decode(Example.self, from: Data($0.utf8)).entity).kind.name
    }
    #expect(Set(kinds) == Set(KindDescription.all.map(\.name)))
  }

  @Test func whatIsNoEntityIsRefusedByItsMember() {
    for (json, words) in [
      (#"{"number":1,"name":"A","kind":"asset","currency":"EUR"}"#, "id"),
      (#"{"id":"\#(Self.id)","name":"A","kind":"purse","currency":"EUR"}"#, "“asset”"),
      (#"{"id":"\#(Self.id)","name":"A","kind":"asset","currency":"QQQ"}"#, "QQQ"),
      (
        #"""
        {"id":"\#(Self.id)","name":"A","kind":"asset","currency":"EUR",
         "opening":{"amount":"1.234","currency":"EUR"}}
        """#, "1.234"
      ),
      (
        #"""
        {"id":"\#(Self.id)","name":"A","kind":"asset","currency":"EUR",
         "opening":{"amount":"1.23","currency":"USD"}}
        """#, "account's currency"
      ),
    ] {
      let error = #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Account.self, from: Data(json.utf8))
      }
      #expect("\(String(describing: error))".contains(words), "\(String(describing: error))")
    }
  }

  @Test func floatingPointIsRefused() {
    #expect(throws: EncodingError.self) { try JSONValue(["half": 0.5]) }
    #expect(throws: EncodingError.self) { try JSONValue([UInt64.max]) }
  }
}

/// An entity under the name of its kind.
private struct Example: Decodable {
  var entity: any LedgerEntity

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let key = try #require(container.allKeys.first)
    let kind = try #require(KindDescription.all.first { $0.name == key.stringValue })
    entity = try container.decode(kind.type, forKey: key)
  }
}
