/// A receiver of the parts of a JSON value, in order, which builds a text or a tree.
protocol JSONSink {
  /// Begins an object or array.
  mutating func open(isObject: Bool)
  /// Ends an object or array.
  mutating func close(isObject: Bool)
  /// Separates the next value of the container from the previous one.
  mutating func separate()
  /// Begins a member with a name.
  mutating func name(_ name: String)
  mutating func null()
  mutating func flag(_ flag: Bool)
  mutating func number(_ number: Int64)
  mutating func text(_ text: String)
}

/// JSON text on one line, as UTF-8.
struct JSONText: JSONSink {
  private(set) var bytes: [UInt8] = []

  mutating func open(isObject: Bool) { bytes.append(UInt8(ascii: isObject ? "{" : "[")) }
  mutating func close(isObject: Bool) { bytes.append(UInt8(ascii: isObject ? "}" : "]")) }
  mutating func separate() { bytes.append(UInt8(ascii: ",")) }
  mutating func null() { word("null") }
  mutating func flag(_ flag: Bool) { word(flag ? "true" : "false") }

  mutating func name(_ name: String) {
    text(name)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Begins a member whose name needs no escaping.
  mutating func name(_ name: StaticString) {
    bytes.append(UInt8(ascii: "\""))
    word(name)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  mutating func number(_ number: Int64) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var left = number.magnitude
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: left % 10))
      left /= 10
    } while left > 0
    bytes[start...].reverse()
  }

  mutating func text(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      let isPlain = utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x7F }
      guard !isPlain else { return bytes.append(contentsOf: utf8) }
      for byte in utf8 { escape(byte) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Starts a line with two spaces per level, for indented output.
  mutating func newLine(_ level: Int) {
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
  }

  /// Writes a space, for indented output.
  mutating func blank() { bytes.append(UInt8(ascii: " ")) }

  private mutating func word(_ word: StaticString) {
    word.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private mutating func escape(_ byte: UInt8) {
    let short: UInt8? =
      switch byte {
      case 0x22, 0x5C: byte
      case 0x0A: UInt8(ascii: "n")
      case 0x0D: UInt8(ascii: "r")
      case 0x09: UInt8(ascii: "t")
      default: nil
      }
    if let short {
      bytes += [0x5C, short]
    } else if byte < 0x20 || byte == 0x7F {
      let digits = Array("0123456789abcdef".utf8)
      bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    } else {
      bytes.append(byte)
    }
  }
}

/// A sink that builds a tree of JSON values.
struct JSONTree: JSONSink {
  private var members: [[JSONValue.Member]] = [[]]
  private var names: [String] = [""]

  /// The completed value.
  var value: JSONValue { members[0].first?.value ?? .object([]) }

  mutating func open(isObject: Bool) {
    members.append([])
    names.append("")
  }

  mutating func close(isObject: Bool) {
    let found = members.removeLast()
    names.removeLast()
    put(isObject ? .object(found) : .array(found.map(\.value)))
  }

  mutating func separate() {}
  mutating func name(_ name: String) { names[names.count - 1] = name }
  mutating func null() { put(.null) }
  mutating func flag(_ flag: Bool) { put(.bool(flag)) }
  mutating func number(_ number: Int64) { put(.int(number)) }
  mutating func text(_ text: String) { put(.string(text)) }

  private mutating func put(_ value: JSONValue) {
    members[members.count - 1].append(.init(names[names.count - 1], value))
  }
}
