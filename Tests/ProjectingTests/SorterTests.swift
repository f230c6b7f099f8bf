// Goal: rows come back in order, whole and once, however many runs they were cut into.
// Method: seeded rows through sorters with tiny runs, against sorting in memory; totals are added up.

import Entities
import Testing

@testable import Projecting

@Suite struct SorterTests {
  private struct Random {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 16
    }
  }

  private static func key(_ number: UInt64) -> TableKey {
    var key = TableKey()
    key.append(u64: number)
    key.append(UInt64(number % 3 + 1), byteCount: Int(number % 3) + 1)
    return key
  }

  @Test(arguments: [1, 7, 1_000, 1 << 18])
  func rowsComeBackInOrder(runEntryCountMax: Int) throws {
    let folder = try TemporaryFolder()
    let sorter = TableSorter(
      .rows, folder: folder.path, runEntryCountMax: runEntryCountMax)
    var random = Random(state: 11)
    var expected: [TableKey: [UInt8]] = [:]
    let count = runEntryCountMax == 1 ? 200 : 5_000
    for _ in 0..<count {
      let key = SorterTests.key(random.next())
      // Now and then a value that is longer than a reader's buffer.
      let length = random.next() % 997 == 0 ? 70_000 : Int(random.next() % 60)
      let value = (0..<length).map { UInt8(truncatingIfNeeded: $0 &+ length) }
      if expected.updateValue(value, forKey: key) == nil { try sorter.add(key, value) }
    }
    var found: [(TableKey, [UInt8])] = []
    try sorter.drain { found.append(($0, $1.copied())) }
    let sorted = expected.sorted { $0.key < $1.key }
    #expect(found.map(\.0) == sorted.map(\.key))
    #expect(found.map(\.1) == sorted.map(\.value))
  }

  @Test(arguments: [3, 100, 1 << 18])
  func totalsAreAddedUp(runEntryCountMax: Int) throws {
    let folder = try TemporaryFolder()
    let sorter = TableSorter(
      .sums(fields: 2), folder: folder.path, runEntryCountMax: runEntryCountMax)
    var random = Random(state: 5)
    var expected: [TableKey: Sums] = [:]
    for _ in 0..<40 {
      var buffer = TableBuffer(.sums(fields: 2))
      for _ in 0..<50 {
        let key = SorterTests.key(random.next() % 97)
        let sums = Sums(Int128(random.next() % 7) - 3, Int128(random.next() % 3) - 1)
        buffer.add(key, sums)
        expected[key, default: Sums()] += sums
      }
      try sorter.absorb(&buffer)
    }
    var found: [TableKey: Sums] = [:]
    var last: TableKey?
    try sorter.drain { key, value in
      if let last { #expect(last < key) }
      last = key
      found[key] = try Sums(value, fieldCount: 2)
    }
    #expect(found == expected.filter { !$0.value.isZero })
  }

  @Test(arguments: [3, 100, 1 << 18])
  func bitmapsAreMerged(runEntryCountMax: Int) throws {
    let folder = try TemporaryFolder()
    let sorter = TableSorter(.bitmaps, folder: folder.path, runEntryCountMax: runEntryCountMax)
    var random = Random(state: 6)
    var expected: [TableKey: Set<Int>] = [:]
    for _ in 0..<40 {
      var buffer = TableBuffer(.bitmaps)
      for _ in 0..<400 {
        let key = SorterTests.key(random.next() % 29)
        let number = Int(random.next() % 97) * 83
        buffer.flip(key, number)
        expected[key, default: []].formSymmetricDifference([number])
      }
      try sorter.absorb(&buffer)
    }
    var found: [TableKey: Set<Int>] = [:]
    var last: TableKey?
    try sorter.drain { key, value in
      if let last { #expect(last < key) }
      last = key
      let bitmap = try Bitmap(value)
      #expect(bitmap.bytes == value.copied())
      bitmap.forEachNumber { found[key, default: []].insert($0) }
    }
    #expect(found == expected.filter { !$0.value.isEmpty })
  }
}
