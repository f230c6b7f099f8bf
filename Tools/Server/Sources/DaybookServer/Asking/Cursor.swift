import Daybook
import Foundation

/// Where a page ended: the key of its last row.
///
/// Rows that come and go meanwhile move nothing: the next page begins after the key, whether or not its row is
/// still there. Clients see an opaque text.
enum Cursor {
  /// The text of a key.
  static func text(_ key: String) -> String {
    Data(key.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }

  /// The key of a text, or `nil` where it is none.
  static func key(_ text: String) -> String? {
    var base = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(
      of: "_", with: "/")
    while base.utf8.count % 4 != 0 { base += "=" }
    guard (1...100).contains(text.utf8.count), let data = Data(base64Encoded: base) else {
      return nil
    }
    return String(validating: data, as: UTF8.self)
  }
}

extension Query {
  /// The key after which the page begins.
  func cursor<Key>(_ read: (String) -> Key?) throws -> Key? {
    try value("cursor", "a cursor that this list gave") { Cursor.key($0).flatMap(read) }
  }

  /// The place of a transaction after which the page begins.
  func position() throws -> TransactionPosition? {
    try cursor { key in
      let parts = key.split(separator: "#")
      guard parts.count == 2, let day = Day(parts[0]), let number = UInt64(parts[1]) else {
        return nil
      }
      return TransactionPosition(day: day, number: number)
    }
  }

  /// A page of entities that are listed in the order of their numbers.
  func page<Entity>(_ entities: [Entity], number: (Entity) -> UInt64) throws -> Page<Entity> {
    let limit = try limit()
    let after = try cursor { UInt64($0) } ?? 0
    let rest = entities.filter { number($0) > after || after == 0 && number($0) == 0 }
    let rows = Array(rest.prefix(limit))
    let next = rest.count > limit ? rows.last.map { Cursor.text("\(number($0))") } : nil
    return Page(rows: rows, count: entities.count, next: next)
  }
}

/// A page of a list, and where the next one begins.
struct Page<Row> {
  var rows: [Row]
  var count: Int
  var next: String?
}

extension Page: Sendable where Row: Sendable {}

/// A list under its name, with how many there are in all, and the next page's cursor.
struct Listing<Row: Encodable & Sendable>: Encodable, Sendable {
  let name: String
  let page: Page<Row>

  init(_ name: String, _ page: Page<Row>) {
    self.name = name
    self.page = page
  }

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    try container.encode(page.count, forKey: Name("count"))
    try container.encode(page.rows, forKey: Name(name))
    try container.encodeIfPresent(page.next, forKey: Name("next"))
  }
}
