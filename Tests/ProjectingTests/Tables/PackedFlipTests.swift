// Goal: what a bulk build flips comes to the same as flipping bit by bit, whichever way the flips take.
// Method: seeded flips through a buffer with a sorter, in small lots and runs, against sets of the
// standard library; sorting by radix against the standard library's.

import DaybookEntities
import DaybookSampleData
import Testing

@testable import DaybookEngine

@Suite struct PackedFlipTests {
  struct Trial: CustomTestStringConvertible {
    let seed: UInt64
    /// How many bytes keys have.
    let keyByteCounts: ClosedRange<Int>
    var flipCountMax = 50
    var runEntryCountMax = 1 << 16
    var count = 4_000
    /// Below it numbers are.
    var reach = 40

    var testDescription: String { "\(self)" }
  }

  private static let trials: [Trial] =
    (1...8).map { Trial(seed: UInt64($0), keyByteCounts: $0...$0) } + [
      Trial(seed: 9, keyByteCounts: 9...12),
      // Those that are packed and those that are not, in one table.
      Trial(seed: 10, keyByteCounts: 1...12),
      Trial(seed: 11, keyByteCounts: 1...12, runEntryCountMax: 20),
      Trial(seed: 12, keyByteCounts: 7...7, runEntryCountMax: 20),
      // One lot that is never full, and lots of one.
      Trial(seed: 13, keyByteCounts: 4...4, flipCountMax: 1 << 20),
      Trial(seed: 14, keyByteCounts: 4...5, flipCountMax: 1 << 20, runEntryCountMax: 3),
      Trial(seed: 15, keyByteCounts: 4...4, flipCountMax: 1, count: 300),
      // Enough of one key that its set is written bit by bit.
      Trial(
        seed: 16, keyByteCounts: 8...8, flipCountMax: 15_000, count: 60_000, reach: Bitmap.bitCount),
    ]

  /// Keys of which some differ in their last bytes alone and some from the first bit on, so that of
  /// those with equal lengths too not all can be packed together.
  private static func key(_ trial: Trial, _ random: inout SeededGenerator) -> TableKey {
    let bytes: [UInt8] = [0, 0, 1, 0x80, 0xff]
    var key = TableKey()
    for place in 0..<Int.random(in: trial.keyByteCounts, using: &random) {
      let isFixed = place < trial.keyByteCounts.lowerBound - 1
      let isFar = Int.random(in: 0..<50, using: &random) == 0
      key.append(u8: isFixed && !isFar ? 0x5a : bytes.randomElement(using: &random) ?? 0)
    }
    return key
  }

  /// A key without its last three bytes.
  private static func head(of key: TableKey) -> TableKey {
    let words = key.words
    return TableKey(bytes: words.span.bytes.extracting(first: max(key.count - 3, 0)))
  }

  @Test(arguments: trials) func flipsThatComeAnOddNumberOfTimesStay(_ trial: Trial) throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: trial.seed)
    let sorter = TableSorter(
      .bitmaps, folder: folder.path, runEntryCountMax: trial.runEntryCountMax)
    var buffer = TableBuffer(.bitmaps)
    buffer.sorter = sorter
    buffer.packedFlips = PackedFlips(countMax: trial.flipCountMax)
    var expected: [TableKey: Set<Int>] = [:]
    for _ in 0..<trial.count {
      let key = PackedFlipTests.key(trial, &random)
      let number = Int.random(in: 0..<trial.reach, using: &random)
      if Int.random(in: 0..<8, using: &random) == 0 {
        // Of equal length with the others where the head is three bytes shorter.
        let head = PackedFlipTests.head(of: key)
        let tails: [UInt32] = [0, 1, 0x80, 0x01_0000, 0xff_ffff].filter { _ in
          Bool.random(using: &random)
        }
        buffer.flip(head, tails: tails, number)
        for tail in tails {
          var key = head
          key.append(UInt64(tail), byteCount: 3)
          expected[key, default: []].formSymmetricDifference([number])
        }
      } else if Int.random(in: 0..<4, using: &random) == 0, number <= Bitmap.bitCount - 32 {
        let mask = UInt32.random(in: 0...UInt32.max, using: &random)
        buffer.flip(key, from: number, mask)
        let flipped = (0..<32).filter { mask >> UInt32($0) & 1 == 1 }.map { number + $0 }
        expected[key, default: []].formSymmetricDifference(flipped)
      } else {
        buffer.flip(key, number)
        expected[key, default: []].formSymmetricDifference([number])
      }
    }
    try sorter.absorb(&buffer)
    if let fault = buffer.fault { throw fault }
    #expect(buffer.packedFlips.isEmpty && buffer.isEmpty)
    var found: [(key: TableKey, numbers: Set<Int>)] = []
    try sorter.drain { key, value in
      let bitmap = try Bitmap(value)
      #expect(bitmap.bytes == value.copied())
      var numbers: Set<Int> = []
      bitmap.forEachNumber { numbers.insert($0) }
      found.append((key, numbers))
    }
    let sorted = expected.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
    #expect(found.map(\.key) == sorted.map(\.key))
    #expect(found.map(\.numbers) == sorted.map(\.value))
  }

  @Test func whatIsFlippedTwiceLeavesNoRow() throws {
    let folder = try TemporaryFolder()
    let sorter = TableSorter(.bitmaps, folder: folder.path)
    var buffer = TableBuffer(.bitmaps)
    buffer.sorter = sorter
    buffer.packedFlips = PackedFlips(countMax: 10)
    var key = TableKey()
    key.append(u32: 7)
    // The second time the first ones are in a run already.
    for _ in 0..<2 { for number in 0..<15 { buffer.flip(key, number * 100) } }
    try sorter.absorb(&buffer)
    var count = 0
    try sorter.drain { _, _ in count += 1 }
    #expect(count == 0)
  }

  @Test(arguments: [0, 1, 2, 100, 255, 256, 257, 5_000], [0, 3, 24, 63])
  func radixSortingIsStableSorting(count: Int, shift: Int) {
    var random = SeededGenerator(seed: UInt64(count * 64 + shift))
    for mask: UInt64 in [0, 1, 0xff, 0x1_0f0f, .max] {
      var words = (0..<count).map { place in
        Word(word: random.next() & mask << UInt64(shift), place: place)
      }
      let expected = words.sorted { ($0.word, $0.place) < ($1.word, $1.place) }
      var room: [Word] = []
      words.radixSort(with: &room) { $0.word }
      #expect(words.map(\.place) == expected.map(\.place))
    }
  }

  private struct Word: BitwiseCopyable {
    let word: UInt64
    let place: Int
  }

  @Test(arguments: [0, 1, 10, 300, 3_000]) func keysComeInOrder(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    let trial = Trial(seed: 0, keyByteCounts: 1...12)
    let keys = (0..<count).map { _ in PackedFlipTests.key(trial, &random) }
    var order = KeyOrder()
    let positions = order.positions(count) { keys[$0] }
    let expected = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    #expect(positions == expected)
  }
}
