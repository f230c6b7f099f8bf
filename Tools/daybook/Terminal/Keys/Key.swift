/// A key pressed on a terminal.
package enum Key: Hashable, Sendable {
  /// A letter, a digit, a symbol or the space bar.
  case character(Character)
  case enter
  case escape
  case tab
  case backspace
  case up
  case down
  case left
  case right
  case pageUp
  case pageDown
  case home
  case end
  /// Control with a letter, such as `c`.
  case control(Character)
  /// The window was resized.
  case resized
  /// The terminal was closed, or the input ended.
  case gone
}

/// A decoder of keys from the bytes that a terminal sends.
///
/// A key can consist of several bytes, which can arrive in pieces. Incomplete sequences are kept
/// until the rest arrives.
package struct KeyReader: Sendable {
  private var bytes: [UInt8] = []

  /// Creates a reader without pending bytes.
  package init() {}

  /// Adds bytes.
  package mutating func take(_ more: some Sequence<UInt8>) { bytes += more }

  /// Whether the only pending byte is an escape: either the key itself or the start of a sequence.
  package var hasLoneEscape: Bool { bytes == [0x1B] }

  /// Returns the next complete key, or `nil` if more bytes are needed.
  ///
  /// - Parameter isAtRest: Whether no more bytes are expected, so that a lone escape is the Escape
  ///   key.
  package mutating func next(isAtRest: Bool = false) -> Key? {
    while let first = bytes.first {
      switch first {
      case 0x1B:
        guard bytes.count > 1 else { return isAtRest ? taken(1, .escape) : nil }
        guard bytes[1] == 0x5B || bytes[1] == 0x4F else { return taken(1, .escape) }
        guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
          if isAtRest { return taken(1, .escape) }
          return nil
        }
        let key = Self.named(bytes[2...end])
        bytes.removeFirst(end + 1)
        // Skip keys that this type doesn't support.
        if let key { return key }
      case 0x0D, 0x0A: return taken(1, .enter)
      case 0x09: return taken(1, .tab)
      case 0x7F, 0x08: return taken(1, .backspace)
      case 0x01...0x1A: return taken(1, .control(Character(Unicode.Scalar(first + 0x60))))
      case 0x00, 0x1C...0x1F: bytes.removeFirst()
      default:
        let count = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        guard bytes.count >= count else { return nil }
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        bytes.removeFirst(count)
        if let character = text.first { return .character(character) }
      }
    }
    return nil
  }

  private mutating func taken(_ count: Int, _ key: Key) -> Key {
    bytes.removeFirst(count)
    return key
  }

  /// Returns the key that an escape sequence stands for.
  private static func named(_ sequence: ArraySlice<UInt8>) -> Key? {
    switch String(decoding: sequence, as: UTF8.self) {
    case "A": .up
    case "B": .down
    case "C": .right
    case "D": .left
    case "H", "1~", "7~": .home
    case "F", "4~", "8~": .end
    case "5~": .pageUp
    case "6~": .pageDown
    default: nil
    }
  }
}
