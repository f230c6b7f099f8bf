/// The names of the elements that a format knows, found by their bytes.
struct XMLNames<Element: RawRepresentable<String> & CaseIterable & Sendable>: Sendable {
  private struct Slot: Sendable {
    var name: [UInt8] = []
    var element: Element?
  }

  private var slots: [Slot]
  private let mask: Int

  /// The raw values of all cases.
  init() {
    let elements = Element.allCases
    var size = 16
    while size < elements.count * 4 { size *= 2 }
    mask = size - 1
    slots = Array(repeating: Slot(), count: size)
    for element in elements {
      let name = Array(element.rawValue.utf8)
      var slot = hash(name.indices, of: name.span)
      while slots[slot].element != nil { slot = (slot + 1) & mask }
      slots[slot] = Slot(name: name, element: element)
    }
  }

  /// The element that a reader has entered, or `nil` where the format does not know it.
  func element(_ reader: borrowing XMLReader) -> Element? {
    var slot = hash(reader.name, of: reader.bytes.span)
    while let element = slots[slot].element {
      if equals(slot, reader.name, of: reader.bytes.span) { return element }
      slot = (slot + 1) & mask
    }
    return nil
  }

  private func equals(
    _ slot: Int, _ range: Range<Int>, of bytes: borrowing Span<UInt8>
  ) -> Bool {
    guard slots[slot].name.count == range.count else { return false }
    for index in 0..<range.count
    where slots[slot].name[index] != bytes[range.lowerBound + index] {
      return false
    }
    return true
  }

  private func hash(_ range: Range<Int>, of bytes: borrowing Span<UInt8>) -> Int {
    var value: UInt32 = 2_166_136_261
    for index in range { value = (value ^ UInt32(bytes[index])) &* 16_777_619 }
    return Int((value ^ value >> 15) & UInt32(mask))
  }
}
