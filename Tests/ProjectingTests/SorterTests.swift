// Goal: rows come back in order, whole and once, however many runs they were cut into.
// Method: seeded rows through sorters with tiny runs, of which one takes over another, against sorting in
// memory; totals are added up; taken out at once or block by block.

import DaybookEntities
import DaybookRandom
import Testing

@testable import DaybookEngine

@Suite struct SorterTests {
  private static func key(_ number: UInt64) -> TableKey {
    var key = TableKey()
    key.append(u64: number)
    key.append(UInt64(number % 3 + 1), byteCount: Int(number % 3) + 1)
    return key
  }

  @Test(arguments: [1, 7, 1_000, 1 << 18])
  func rowsComeBackInOrder(runEntryCountMax: Int) throws {
    let folder = try TemporaryFolder()
    let sorters = (0..<2).map { _ in
      TableSorter(.rows, folder: folder.path, runEntryCountMax: runEntryCountMax)
    }
    var random = SeededGenerator(seed: 11)
    var expected: [TableKey: [UInt8]] = [:]
    let count = runEntryCountMax == 1 ? 200 : 5_000
    for _ in 0..<count {
      let key = SorterTests.key(random.next())
      // Now and then a value that is longer than a reader's buffer.
      let length = random.next() % 997 == 0 ? 70_000 : Int(random.next() % 60)
      let value = (0..<length).map { UInt8(truncatingIfNeeded: $0 &+ length) }
      if expected.updateValue(value, forKey: key) == nil {
        try sorters[Int(random.next() % 2)].add(key, value)
      }
    }
    try sorters[0].take(over: sorters[1])
    var found: [(TableKey, [UInt8])] = []
    try sorters[0].drain { found.append(($0, $1.copied())) }
    try sorters[1].drain { found.append(($0, $1.copied())) }
    let sorted = expected.sorted { $0.key < $1.key }
    #expect(found.map(\.0) == sorted.map(\.key))
    #expect(found.map(\.1) == sorted.map(\.value))
  }

  @Test(arguments: [3, 100, 1 << 18])
  func totalsAreAddedUp(runEntryCountMax: Int) throws {
    let folder = try TemporaryFolder()
    let sorters = (0..<2).map { _ in
      TableSorter(.sums(fields: 2), folder: folder.path, runEntryCountMax: runEntryCountMax)
    }
    var random = SeededGenerator(seed: 5)
    var expected: [TableKey: Sums] = [:]
    for round in 0..<40 {
      var buffer = TableBuffer(.sums(fields: 2))
      for _ in 0..<50 {
        let key = SorterTests.key(random.next() % 97)
        let sums = Sums(Int128(random.next() % 7) - 3, Int128(random.next() % 3) - 1)
        buffer.add(key, sums)
        expected[key, default: Sums()] += sums
      }
      try sorters[round % 2].absorb(&buffer)
    }
    // What is sorted already is taken over as well as what is not.
    try sorters[1].finishFilling()
    try sorters[0].take(over: sorters[1])
    var found: [TableKey: Sums] = [:]
    var last: TableKey?
    try sorters[0].drain { key, value in
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
    var random = SeededGenerator(seed: 6)
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
    var block = RowRun()
    try sorter.startDraining()
    repeat {
      block.removeAll()
      try sorter.drain(into: &block, upTo: 4)
      for index in 0..<block.count {
        let key = block.key(at: index)
        if let last { #expect(last < key) }
        last = key
        let bitmap = try block.withValue(at: index) { value in
          let bitmap = try Bitmap(value)
          #expect(bitmap.bytes == value.copied())
          return bitmap
        }
        bitmap.forEachNumber { found[key, default: []].insert($0) }
      }
    } while block.count == 4
    #expect(block.count < 4)
    #expect(found == expected.filter { !$0.value.isEmpty })
  }
}
