import Daybook
import HTTPTypes

/// What follows `?` in an address, decoded.
struct Query: Sendable {
  /// The parameters, in their order.
  let items: [(name: String, value: String)]

  /// - Throws: ``Problem`` where it is not percent-encoded UTF-8.
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
          remedy: "Encode it as RFC 3986 says.", place: [.init("in", .string("query"))])
      }
      return (name, value)
    }
  }

  /// Refuses parameters that nothing here knows, and those that come twice but for `lists`.
  func check(known: Set<String>, lists: Set<String>) throws {
    var seen: Set<String> = []
    for item in items {
      guard known.contains(item.name) else {
        throw Problem.query(
          item.name.excerpt, "There is no parameter “\(item.name.excerpt)” here.",
          remedy: known.isEmpty
            ? "Leave it out." : "There are: \(known.sorted().joined(separator: ", ")).")
      }
      guard seen.insert(item.name).inserted || lists.contains(item.name) else {
        throw Problem.query(
          item.name, "The parameter “\(item.name)” is there twice.", remedy: "Give it once.")
      }
    }
  }

  /// All values of a parameter.
  func texts(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

  /// The value of a parameter.
  func text(_ name: String) -> String? { items.first { $0.name == name }?.value }

  /// A parameter read as something else.
  func value<Value>(_ name: String, _ form: String, _ read: (String) -> Value?) throws -> Value? {
    guard let text = text(name) else { return nil }
    guard let value = read(text) else {
      throw Problem.query(
        name, "“\(text.excerpt)” is not \(form).", remedy: "Give \(form).")
    }
    return value
  }

  /// A day such as `2026-02-15`.
  func day(_ name: String) throws -> Day? {
    try value(name, "a day such as 2026-02-15") { Day($0) }
  }

  /// A month such as `2026-02`.
  func month(_ name: String) throws -> Month? {
    try value(name, "a month such as 2026-02") { Month($0) }
  }

  /// `true` or `false`.
  func flag(_ name: String) throws -> Bool? {
    try value(name, "true or false") { ["true": true, "false": false][$0] }
  }

  /// A whole number of a range.
  func number(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
    try value(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
      guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// One of some names, as JSON has them.
  func choice<Choice: Decodable & CaseIterable>(
    _ name: String, _ type: Choice.Type = Choice.self
  ) throws -> Choice? {
    let names = Choice.allCases.map { "\($0)" }.joined(separator: ", ")
    return try value(name, "one of \(names)") { text in
      try? JSONText.decode(Choice.self, from: .string(text))
    }
  }

  /// The id of an entity.
  func id<Owner>(_ name: String, _ type: Identifier<Owner>.Type = Identifier<Owner>.self) throws
    -> Identifier<Owner>?
  {
    try value(name, "an id, a UUID") { Identifier<Owner>($0) }
  }

  /// How many rows a page has.
  func limit(or usual: Int = 50) throws -> Int { try number("limit", 1...500) ?? usual }
}

/// Percent-encoding of RFC 3986, strictly.
enum PercentCoding {
  /// The text, or `nil` where it is malformed, no UTF-8, or has a NUL.
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
