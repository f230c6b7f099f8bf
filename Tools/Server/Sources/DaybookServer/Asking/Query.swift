import Daybook
import HTTPTypes

/// The decoded query of a request's URL.
struct Query: Sendable {
  /// The parameters in their original order.
  let items: [(name: String, value: String)]

  /// - Throws: ``Problem`` if the text is not percent-encoded UTF-8.
  init(_ text: Substring?) throws {
    guard let text, !text.isEmpty else {
      items = []
      return
    }
    items = try text.split(separator: "&").map { part in
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentCoding.decode(sides[0], plusIsSpace: true),
        let value = PercentCoding.decode(sides.count > 1 ? sides[1] : "", plusIsSpace: true)
      else {
        throw Problem(
          .badRequest, "malformed", "The address is not percent-encoded UTF-8.",
          remedy: "Percent-encode it according to RFC 3986.", place: [.init("in", .string("query"))]
        )
      }
      return (name, value)
    }
  }

  /// Throws a ``Problem`` if a parameter is unknown, or is repeated and not in `lists`.
  func check(known: Set<String>, lists: Set<String>) throws {
    var seen: Set<String> = []
    for item in items {
      guard known.contains(item.name) else {
        throw Problem.query(
          item.name.excerpt, "Unknown parameter “\(item.name.excerpt)”.",
          remedy: known.isEmpty
            ? "Remove it." : "Use: \(known.sorted().joined(separator: ", ")).")
      }
      guard seen.insert(item.name).inserted || lists.contains(item.name) else {
        throw Problem.query(
          item.name, "The parameter “\(item.name)” occurs more than once.", remedy: "Send it once.")
      }
    }
  }

  /// Returns all values of a parameter.
  func texts(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

  /// Returns the first value of a parameter.
  func text(_ name: String) -> String? { items.first { $0.name == name }?.value }

  /// Returns a parameter converted by `read`.
  ///
  /// - Parameter form: The expected form, for the error message.
  /// - Throws: ``Problem`` if `read` returns `nil`.
  func value<Value>(_ name: String, _ form: String, _ read: (String) -> Value?) throws -> Value? {
    guard let text = text(name) else { return nil }
    guard let value = read(text) else {
      throw Problem.query(
        name, "“\(text.excerpt)” is not \(form).", remedy: "Use \(form).")
    }
    return value
  }

  /// Returns a day such as `2026-02-15`.
  func day(_ name: String) throws -> Day? {
    try value(name, "a day such as 2026-02-15") { Day($0) }
  }

  /// Returns a month such as `2026-02`.
  func month(_ name: String) throws -> Month? {
    try value(name, "a month such as 2026-02") { Month($0) }
  }

  /// Returns `true` or `false`.
  func flag(_ name: String) throws -> Bool? {
    try value(name, "true or false") { ["true": true, "false": false][$0] }
  }

  /// Returns a whole number in a range.
  func number(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
    try value(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
      guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// Returns one of a type's cases, given by its name in JSON.
  func choice<Choice: Decodable & CaseIterable>(
    _ name: String, _ type: Choice.Type = Choice.self
  ) throws -> Choice? {
    let names = Choice.allCases.map { "\($0)" }.joined(separator: ", ")
    return try value(name, "one of \(names)") { text in
      try? JSONText.decode(Choice.self, from: .string(text))
    }
  }

  /// Returns the id of an entity.
  func id<Owner>(_ name: String, _ type: Identifier<Owner>.Type = Identifier<Owner>.self) throws
    -> Identifier<Owner>?
  {
    try value(name, "an id, a UUID") { Identifier<Owner>($0) }
  }

  /// Returns the number of rows for a page, from 1 to 500.
  func limit(or usual: Int = 50) throws -> Int { try number("limit", 1...500) ?? usual }
}

/// Strict percent-decoding according to RFC 3986.
enum PercentCoding {
  /// Decodes a text, or returns `nil` if it is malformed, not UTF-8, or contains a NUL.
  static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case 0x25:
        guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
          return nil
        }
        bytes.append(high << 4 | low)
      case 0x2B where plusIsSpace: bytes.append(0x20)
      default: bytes.append(byte)
      }
    }
    guard !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
