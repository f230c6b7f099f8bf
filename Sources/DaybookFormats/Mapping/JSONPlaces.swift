/// The positions of keys and values in a JSON text, for error messages.
///
/// `JSONDecoder` reports the key with an error, but not its position. For malformed JSON, it
/// reports even less.
struct JSONPlaces {
  /// A position in the text.
  struct Place: Hashable {
    /// The line, from 1.
    var line: Int
    /// The column, in characters from 1.
    var column: Int
  }

  /// The reason why the text isn't valid JSON.
  struct Fault: Error {
    var place: Place
    /// A sentence with the expected and the actual contents.
    var reason: String
  }

  private indirect enum Value {
    case object([(key: String, keyOffset: Int, value: Value)], Int)
    case array([Value], Int)
    case other(Int)

    var offset: Int {
      switch self {
      case .object(_, let offset), .array(_, let offset), .other(let offset): offset
      }
    }
  }

  private let bytes: [UInt8]
  private var offset = 0
  private var root = Value.other(0)
  /// The maximum nesting depth, which is more than a mapping needs.
  private static let depthMax = 64

  /// Parses a whole text.
  /// - Throws: `Fault` at the first unexpected byte.
  init(_ bytes: [UInt8]) throws(Fault) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    root = try value(depth: 0)
    skipBlanks()
    if offset < bytes.count { throw fault("the end of the file") }
  }

  /// Returns the position of the value at a path of keys and indices.
  ///
  /// If part of the path doesn't exist, returns the position of the deepest value that exists.
  ///
  /// - Parameter atKey: Whether to return the position of the last key instead of its value.
  func place(of path: [String], atKey: Bool = false) -> Place {
    var value = root
    var found = root.offset
    for step in path {
      switch value {
      case .object(let members, _):
        guard let member = members.last(where: { $0.key == step }) else { return place(found) }
        value = member.value
        found = atKey ? member.keyOffset : value.offset
      case .array(let values, _):
        guard let index = Int(step), values.indices.contains(index) else { return place(found) }
        value = values[index]
        found = value.offset
      case .other: return place(found)
      }
    }
    return place(found)
  }

  // MARK: Reading

  private mutating func value(depth: Int) throws(Fault) -> Value {
    skipBlanks()
    let start = offset
    guard depth < Self.depthMax else { throw fault("fewer nested values") }
    switch current {
    case UInt8(ascii: "{"): return .object(try members(depth), start)
    case UInt8(ascii: "["): return .array(try elements(depth), start)
    case UInt8(ascii: "\""):
      _ = try string()
      return .other(start)
    case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte):
      while let byte = current, Self.isOfNumber(byte) { offset += 1 }
      return .other(start)
    default:
      for word in ["true", "false", "null"] where bytes[offset...].starts(with: word.utf8) {
        offset += word.utf8.count
        return .other(start)
      }
      throw fault("a value: text in quotes, a number, true, false, [ or {")
    }
  }

  private mutating func members(
    _ depth: Int
  ) throws(Fault) -> [(key: String, keyOffset: Int, value: Value)] {
    var members: [(key: String, keyOffset: Int, value: Value)] = []
    offset += 1
    skipBlanks()
    if take("}") { return [] }
    while true {
      skipBlanks()
      let start = offset
      guard current == UInt8(ascii: "\"") else {
        throw fault(members.isEmpty ? "a key in quotes, or }" : "a key in quotes")
      }
      let key = try string()
      skipBlanks()
      guard take(":") else { throw fault("a : after the key “\(key)”") }
      members.append((key, start, try value(depth: depth + 1)))
      skipBlanks()
      if take("}") { return members }
      guard take(",") else { throw fault("a comma, or }") }
    }
  }

  private mutating func elements(_ depth: Int) throws(Fault) -> [Value] {
    var values: [Value] = []
    offset += 1
    skipBlanks()
    if take("]") { return [] }
    while true {
      values.append(try value(depth: depth + 1))
      skipBlanks()
      if take("]") { return values }
      guard take(",") else { throw fault("a comma, or ]") }
    }
  }

  private mutating func string() throws(Fault) -> String {
    let start = offset
    offset += 1
    while let byte = current, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { break }
      offset += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    guard take("\"") else {
      offset = start
      throw Fault(place: place(start), reason: "The text that starts here has no closing quote.")
    }
    return Self.unescaped(bytes[(start + 1)..<(offset - 1)])
  }

  /// Unescapes a key as `JSONDecoder` does, except for escapes other than `\"` and `\\`.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    var isEscaped = false
    for byte in bytes {
      if byte == UInt8(ascii: "\\"), !isEscaped {
        isEscaped = true
        continue
      }
      isEscaped = false
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    isDigit(byte) || "+-.eE".utf8.contains(byte)
  }

  private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipBlanks() {
    while let byte = current, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private func fault(_ expected: String) -> Fault {
    let found =
      offset >= bytes.count
      ? "the file ends"
      : "there is “\(String(decoding: bytes[offset...].prefix(while: { $0 > 0x20 }).prefix(20), as: UTF8.self))”"
    return Fault(place: place(offset), reason: "Expected \(expected), but \(found).")
  }

  private func place(_ offset: Int) -> Place {
    let before = bytes.prefix(offset)
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return Place(
      line: before.count { $0 == 0x0A } + 1,
      column: String(decoding: before[start...], as: UTF8.self).count + 1)
  }
}
