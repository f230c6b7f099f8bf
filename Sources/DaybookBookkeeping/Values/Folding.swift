/// Normalisation of texts, so that texts that look equal to people also compare as equal.
public enum Folding {
  /// The key by which names and imported texts are compared.
  ///
  /// The key is trimmed, has single spaces, is lowercase (independent of language) and canonically
  /// decomposed. Texts that look the same have keys with the same bytes.
  public static func key(_ text: String) -> String {
    if let short = asciiKey(text) { return short }
    var folded = ""
    var needsSpace = false
    for character in text {
      if character.isWhitespace {
        needsSpace = !folded.isEmpty
        continue
      }
      if needsSpace { folded.append(" ") }
      needsSpace = false
      folded.append(character)
    }
    return decomposed(folded.lowercased())
  }

  /// Returns the key of a text if it is ASCII, or `nil`.
  private static func asciiKey(_ text: String) -> String? {
    var bytes: [UInt8] = []
    let isASCII = forEachASCIIKeyByte(text) { bytes.append($0) }
    return isASCII ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// Calls `body` with the bytes of the key of a text, up to the first byte that isn't ASCII.
  ///
  /// - Returns: Whether the whole text is ASCII.
  @inline(__always)
  static func forEachASCIIKeyByte(_ text: String, _ body: (UInt8) -> Void) -> Bool {
    var needsSpace = false
    var isEmpty = true
    for byte in text.utf8 {
      if byte >= 0x80 { return false }
      if byte == 0x20 || (byte >= 9 && byte <= 13) {
        needsSpace = !isEmpty
        continue
      }
      if needsSpace { body(0x20) }
      needsSpace = false
      isEmpty = false
      body(byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte)
    }
    return true
  }

  /// Returns the canonical decomposition (NFD) of a text.
  ///
  /// The standard library compares texts by this form, but has no public function for it.
  public static func decomposed(_ text: String) -> String {
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars { decompose(scalar, into: &scalars) }
    sortMarks(&scalars)
    var result = ""
    result.unicodeScalars.append(contentsOf: scalars)
    return result
  }

  static func decompose(_ scalar: Unicode.Scalar, into scalars: inout [Unicode.Scalar]) {
    let value = scalar.value
    if value < 0xc0 { return scalars.append(scalar) }
    if (0xac00...0xd7a3).contains(value) {
      let index = value - 0xac00
      append(0x1100 + index / 588, to: &scalars)
      append(0x1161 + index % 588 / 28, to: &scalars)
      if index % 28 != 0 { append(0x11a7 + index % 28, to: &scalars) }
      return
    }
    guard let range = decompositions.range(of: value) else { return scalars.append(scalar) }
    for part in decompositions.parts[range] { append(part, to: &scalars) }
  }

  private static func append(_ value: UInt32, to scalars: inout [Unicode.Scalar]) {
    if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
  }

  /// Sorts combining marks of the same character by combining class (Unicode definition D109).
  static func sortMarks(_ scalars: inout [Unicode.Scalar]) {
    var start = 0
    while start < scalars.count {
      guard rank(scalars[start]) != 0 else {
        start += 1
        continue
      }
      var end = start + 1
      while end < scalars.count, rank(scalars[end]) != 0 { end += 1 }
      if end - start > 1 {
        let sorted = scalars[start..<end].enumerated().sorted {
          let (left, right) = (rank($0.element), rank($1.element))
          return left != right ? left < right : $0.offset < $1.offset
        }
        scalars.replaceSubrange(start..<end, with: sorted.map(\.element))
      }
      start = end
    }
  }

  static func rank(_ scalar: Unicode.Scalar) -> UInt8 {
    scalar.value < 0x300 ? 0 : scalar.properties.canonicalCombiningClass.rawValue
  }

  private static let decompositions = Decompositions(table)
}

/// The parsed table: the sorted scalars, and the start of each scalar's parts.
private struct Decompositions {
  var scalars: [UInt32] = []
  var starts: [Int] = [0]
  var parts: [UInt32] = []

  init(_ table: String) {
    var last: UInt32 = 0
    for entry in table.split(separator: " ") {
      let halves = entry.split(separator: ":")
      last += halves.count == 2 ? UInt32(halves[0], radix: 16) ?? 1 : 1
      scalars.append(last)
      for part in (halves.last ?? entry).split(separator: ".") {
        if let value = UInt32(part, radix: 16) { parts.append(value) }
      }
      starts.append(parts.count)
    }
  }

  /// The range of a scalar's parts, or `nil` if it has none.
  func range(of scalar: UInt32) -> Range<Int>? {
    var low = 0
    var high = scalars.count
    while low < high {
      let middle = (low + high) / 2
      if scalars[middle] < scalar { low = middle + 1 } else { high = middle }
    }
    guard low < scalars.count, scalars[low] == scalar else { return nil }
    return starts[low]..<starts[low + 1]
  }
}
