// Goal: bitmaps hold what was flipped, in one form of bytes for each set.
// Method: random flips beside a set of the standard library, at every density; damaged bytes are
// refused.

import DaybookEntities
import DaybookSampleData
import Testing

@testable import DaybookEngine

@Suite struct BitmapTests {
  @Test(arguments: [0, 1, 2, 100, 900, 1_023, 1_024, 1_025, 4_000, 8_192])
  func bytesAndBack(count: Int) throws {
    var random = SeededGenerator(seed: 17)
    let numbers = Array((0..<Bitmap.bitCount).shuffled(using: &random).prefix(count))
    var bitmap = Bitmap()
    for number in numbers { bitmap.flip(number) }
    #expect(bitmap.count == count)
    #expect(bitmap.isEmpty == (count == 0))
    let bytes = bitmap.bytes
    #expect(bytes.count <= Bitmap.byteCount)
    let again = try Bitmap(bytes.span.bytes)
    #expect(again == bitmap)
    for first in stride(from: 0, through: Bitmap.bitCount - 32, by: 8) {
      let mask = try Bitmap.mask(from: first, of: bytes.span.bytes)
      for bit in 0..<32 where (mask >> UInt32(bit) & 1 == 1) != bitmap.contains(first + bit) {
        Issue.record("\(first) + \(bit)")
      }
      if count < Bitmap.plainCountMin, first > 1_024 { break }
    }
    var listed: [Int] = []
    again.forEachNumber { listed.append($0) }
    #expect(listed == numbers.sorted())
    #expect(numbers.allSatisfy { again.contains($0) })
    // Flipped once more, nothing is left.
    for number in numbers.shuffled(using: &random) { bitmap.flip(number) }
    #expect(bitmap.bytes.isEmpty)
  }

  /// What is beyond the last number of a large set is not written.
  @Test(arguments: [512, 513, 900], [960, 1_024, 4_096, 8_120, 8_128, 8_129, 8_192])
  func largeSetsEndWithTheirLastNumber(count: Int, end: Int) throws {
    var random = SeededGenerator(seed: UInt64(count + end))
    var bitmap = Bitmap()
    bitmap.flip(end - 1)
    for number in (0..<end - 1).shuffled(using: &random).prefix(count - 1) { bitmap.flip(number) }
    let bytes = bitmap.bytes
    let wordCount = (end + 63) / 64
    #expect(bytes.count == (wordCount == 128 ? 1_024 : 2 + 8 * wordCount))
    #expect(try Bitmap(bytes.span.bytes) == bitmap)
    for first in stride(from: 0, through: Bitmap.bitCount - 32, by: 8)
    where first < 64 || abs(first - end) < 200 {
      let mask = try Bitmap.mask(from: first, of: bytes.span.bytes)
      for bit in 0..<32 where (mask >> UInt32(bit) & 1 == 1) != bitmap.contains(first + bit) {
        Issue.record("\(first) + \(bit)")
      }
    }
    var room = [UInt64](repeating: 0, count: wordCount)
    try room.withMutableSpan { try Bitmap.flip(bytes.span.bytes, in: &$0) }
    #expect(room == Array(bitmap.words.prefix(wordCount)))
    var tooSmall = [UInt64](repeating: 0, count: wordCount - 1)
    #expect(throws: DecodingFault.self) {
      try tooSmall.withMutableSpan { try Bitmap.flip(bytes.span.bytes, in: &$0) }
    }
    // One more, one less, here, there, and past the end: always as the set would be written.
    var value = bytes
    for _ in 0..<300 {
      let near = Int.random(in: max(0, end - 70)..<min(end + 70, Bitmap.bitCount), using: &random)
      let any = Int.random(in: 0..<Bitmap.bitCount, using: &random)
      let some = UInt16([near, near, end - 1, any % end, any].randomElement(using: &random) ?? 0)
      value = try Bitmap.flip([some][...], of: value.span.bytes)
      bitmap.flip(Int(some))
      #expect(value == bitmap.bytes)
    }
  }

  @Test(arguments: [3, 300, 5_000]) func flippingAValueIsFlippingItsSet(reach: Int) throws {
    var random = SeededGenerator(seed: UInt64(reach))
    var bitmap = Bitmap()
    var value: [UInt8] = []
    for round in 0..<400 {
      // Now beyond all that is there, now anywhere, now what is there.
      var numbers = Set<UInt16>()
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        let number = round % 2 == 0 ? round * 20 + Int.random(in: 0..<20, using: &random) : -1
        let any = Int.random(in: 0..<reach, using: &random)
        numbers.insert(UInt16(number < 0 ? any : number))
      }
      if round % 50 == 49 { for number in 0..<600 { numbers.insert(UInt16(number * 7)) } }
      let ascending = numbers.sorted()
      value = try Bitmap.flip(ascending[...], of: value.span.bytes)
      bitmap.flip(ascending[...])
      #expect(value == bitmap.bytes)
    }
  }

  @Test func theEndsAreHeld() throws {
    var bitmap = Bitmap()
    bitmap.flip(0)
    bitmap.flip(Bitmap.bitCount - 1)
    #expect(bitmap.bytes == [0, 0xfe, 0x3f])
    let again = try Bitmap(bitmap.bytes.span.bytes)
    #expect(again == bitmap)
  }

  @Test func damagedBytesAreRefused() {
    let past: [UInt8] = [0xff, 0x40]
    #expect(throws: DecodingFault.self) { try Bitmap(past.span.bytes) }
    let cut: [UInt8] = [0x80]
    #expect(throws: DecodingFault.self) { try Bitmap(cut.span.bytes) }
  }

  @Test func setsAreCombined() {
    var random = SeededGenerator(seed: 17)
    let left = Set((0..<500).map { _ in Int.random(in: 0..<Bitmap.bitCount, using: &random) })
    let right = Set((0..<500).map { _ in Int.random(in: 0..<Bitmap.bitCount, using: &random) })
    func bitmap(_ set: Set<Int>) -> Bitmap {
      var bitmap = Bitmap()
      for number in set { bitmap.flip(number) }
      return bitmap
    }
    var both = bitmap(left)
    both.formIntersection(bitmap(right))
    #expect(both == bitmap(left.intersection(right)))
    var any = bitmap(left)
    any.formUnion(bitmap(right))
    #expect(any == bitmap(left.union(right)))
  }
}
