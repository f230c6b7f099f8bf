import DaybookEntities

/// A hash table that maps the bytes of element names to the elements that a format supports.
struct XMLNames<Element: RawRepresentable<String> & CaseIterable & Sendable>: Sendable {
  private struct Slot: Sendable {
    /// The first eight bytes of the name.
    var head: UInt64 = 0
    var count = 0
    /// The offset of the name in `letters`.
    var start = 0
    var element: Element?
  }

  private var slots: [Slot]
  private var letters: [UInt8] = []
  private let mask: Int

  /// Builds the table from the raw values of all cases.
  init() {
    let elements = Element.allCases
    var size = 16
    while size < elements.count * 4 { size *= 2 }
    mask = size - 1
    slots = Array(repeating: Slot(), count: size)
    for element in elements {
      let start = letters.count
      letters += element.rawValue.utf8
      let count = letters.count - start
      let head = XMLNames.head(start..<letters.count, of: letters.span)
      var slot = place(head, count)
      while slots[slot].element != nil { slot = (slot + 1) & mask }
      slots[slot] = Slot(head: head, count: count, start: start, element: element)
    }
  }

  /// Returns the element that the reader entered, or `nil` if the format doesn't support it.
  func element(_ reader: borrowing XMLReader) -> Element? {
    let name = reader.name
    let head = XMLNames.head(name, of: reader.bytes.span)
    var index = place(head, name.count)
    while let element = slots[index].element {
      if slots[index].head == head, slots[index].count == name.count,
        name.count <= 8 || equals(slots[index].start, name, of: reader.bytes.span)
      {
        return element
      }
      index = (index + 1) & mask
    }
    return nil
  }

  private func equals(
    _ start: Int, _ name: Range<Int>, of bytes: borrowing Span<UInt8>
  ) -> Bool {
    for index in 8..<name.count where letters[start + index] != bytes[name.lowerBound + index] {
      return false
    }
    return true
  }

  private static func head(_ name: Range<Int>, of bytes: borrowing Span<UInt8>) -> UInt64 {
    var value: UInt64 = 0
    for index in name.prefix(8) { value = value << 8 | UInt64(bytes[index]) }
    return value
  }

  private func place(_ head: UInt64, _ count: Int) -> Int {
    let mixed = (head ^ UInt64(count) << 56) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 40) & mask
  }
}
