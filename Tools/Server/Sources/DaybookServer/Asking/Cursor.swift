import Daybook
import Foundation

/// The key of a page's last row, as an opaque text for clients.
///
/// The next page begins after the key, even if its row has since been deleted. Rows added or
/// deleted between two requests therefore don't shift the pages.
enum Cursor {
  /// Encodes a key.
  static func text(_ key: String) -> String {
    Data(key.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }

  /// Decodes a key, or returns `nil` if the text is malformed.
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
  /// Returns the key after which the page begins.
  func cursor<Key>(_ read: (String) -> Key?) throws -> Key? {
    try value("cursor", "a cursor of this list") { Cursor.key($0).flatMap(read) }
  }

  /// Returns the position of the transaction after which the page begins.
  func position() throws -> TransactionPosition? {
    try cursor { key in
      let parts = key.split(separator: "#")
      guard parts.count == 2, let day = Day(parts[0]), let number = UInt64(parts[1]) else {
        return nil
      }
      return TransactionPosition(day: day, number: number)
    }
  }

  /// Returns a page of entities that are sorted by number.
  func page<Entity>(_ entities: [Entity], number: (Entity) -> UInt64) throws -> Page<Entity> {
    let limit = try limit()
    let after = try cursor { UInt64($0) } ?? 0
    let rest = entities.filter { number($0) > after || after == 0 && number($0) == 0 }
    let rows = Array(rest.prefix(limit))
    let next = rest.count > limit ? rows.last.map { Cursor.text("\(number($0))") } : nil
    return Page(rows: rows, count: entities.count, next: next)
  }
}

/// A page of a list: its rows, the number of rows in the whole list, and the next page's cursor.
struct Page<Row> {
  var rows: [Row]
  var count: Int
  var next: String?
}

extension Page: Sendable where Row: Sendable {}

/// A page encoded with its rows under the list's name, the total count, and the next page's cursor.
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
