extension JSONValue {
  /// The JSON form of a value on one line, as ``line`` of ``init(_:)`` has it, as UTF-8.
  ///
  /// No tree is made on the way, so this is the one for answers that are sent at once.
  ///
  /// - Throws: As ``init(_:)``.
  /// - Complexity: O(bytes).
  public static func bytes(of value: some Encodable) throws -> [UInt8] {
    let writer = JSONWriter()
    try writer.put(value)
    return writer.bytes
  }
}

/// Writes what a value says about itself as it says it.
///
/// A container does not say when it is complete. But what is written next stands either in it, or in one around
/// it: then it is complete, and its bracket is closed.
final class JSONWriter {
  private(set) var bytes: [UInt8] = []
  /// The closing brackets of the containers that are open, with the number of values in each.
  private var containers: [(end: UInt8, count: Int)] = []
  /// Whether a member has its name but not its value.
  private var isOwed = true

  /// How many containers are open.
  var depth: Int { containers.count }

  /// Writes a value where one is owed, by what it says of itself; an object with nothing in it where it says
  /// nothing.
  func put(_ value: some Encodable) throws {
    let depth = depth
    try value.encode(to: JSONPlace(writer: self, depth: depth))
    close(to: depth)
  }

  /// Opens a container for the value at a depth, unless it is open already.
  func open(_ begin: UInt8, _ end: UInt8, at depth: Int) {
    if containers.count > depth { return }
    take(depth)
    bytes.append(begin)
    containers.append((end, 0))
  }

  /// Closes what is open beyond a depth.
  func close(to depth: Int) {
    if isOwed {
      isOwed = false
      bytes.append(UInt8(ascii: "{"))
      bytes.append(UInt8(ascii: "}"))
    }
    while containers.count > depth, let last = containers.popLast() { bytes.append(last.end) }
  }

  /// Begins the next value of the container whose contents are at a depth.
  func begin(at depth: Int) {
    if isOwed || containers.count > depth { close(to: depth) }
    precondition(containers.count == depth, "A container was written to after one around it was.")
    if containers[depth - 1].count > 0 { bytes.append(UInt8(ascii: ",")) }
    containers[depth - 1].count += 1
    isOwed = true
  }

  /// Begins the next member of an object.
  func begin(at depth: Int, _ name: String) {
    begin(at: depth)
    quote(name)
    bytes.append(UInt8(ascii: ":"))
  }

  /// How many values there are in the container whose contents are at a depth.
  func count(at depth: Int) -> Int { containers.count >= depth ? containers[depth - 1].count : 0 }

  private func take(_ depth: Int) {
    precondition(isOwed && containers.count == depth, "A value was written where none is owed.")
    isOwed = false
  }

  // MARK: Values

  func null(at depth: Int) { word("null", at: depth) }

  func flag(_ flag: Bool, at depth: Int) { word(flag ? "true" : "false", at: depth) }

  private func word(_ word: StaticString, at depth: Int) {
    take(depth)
    word.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  func number(_ number: some BinaryInteger, at depth: Int) throws {
    guard var left = Int64(exactly: number).map(\.magnitude) else {
      throw EncodingError.invalidValue(
        number, .init(codingPath: [], debugDescription: "the number is too large"))
    }
    take(depth)
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: left % 10))
      left /= 10
    } while left > 0
    bytes[start...].reverse()
  }

  func text(_ text: String, at depth: Int) {
    take(depth)
    quote(text)
  }

  private func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      let isPlain = utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x7F }
      guard !isPlain else { return bytes.append(contentsOf: utf8) }
      for byte in utf8 { escape(byte) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private func escape(_ byte: UInt8) {
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
