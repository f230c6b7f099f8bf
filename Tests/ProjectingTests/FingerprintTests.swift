// Goal: equal tables have equal fingerprints, however they came about, and tables that differ in one row
// have different ones.
// Method: tables are made by random differences, and read as they are stored; seeded.

import Entities
import Testing

@testable import Projecting

@Suite struct FingerprintTests {
  private static let definitions = [
    TableDefinition("rows", .rows), TableDefinition("sums", .sums(fields: 3)),
    TableDefinition("bitmaps", .bitmaps), TableDefinition("places", .places),
  ]

  private func key(_ number: Int, _ length: Int) -> TableKey {
    var key = TableKey()
    while key.count < length {
      key.append(u8: UInt8(truncatingIfNeeded: number &* (key.count + 1)))
    }
    return key
  }

  /// A table's rows as they are stored.
  private func stored(
    _ tables: ProjectionTables, _ table: Int
  ) throws -> [(key: [UInt8], value: [UInt8])] {
    let rows: [(TableKey, [UInt8])] =
      switch table {
      case 0: tables.rows(0).map { ($0.key, $0.value) }
      case 1:
        tables.sums(1).map { row in
          var writer = ByteWriter()
          row.sums.write(to: &writer, fieldCount: 3)
          return (row.key, writer.bytes)
        }
      case 2: tables.bitmaps(2).map { ($0.key, $0.bitmap.bytes) }
      default: try PlacePacker.rows(of: tables.rows(3).map(\.key)).map { ($0.key, $0.value) }
      }
    return rows.map { key, value in (key.withBytes { $0.copied() }, value) }
  }

  private func read(
    _ rows: [(key: [UInt8], value: [UInt8])], _ kind: TableKind, _ seed: FingerprintSeed
  ) -> TableFingerprint {
    var fingerprint = TableFingerprint(kind, seed)
    for row in rows { fingerprint.read(row.key.span.bytes, row.value.span.bytes) }
    return fingerprint
  }

  @Test(arguments: 1...40)
  func theyAreOfTheRowsAndNotOfTheirHistory(number: UInt64) throws {
    var random = SampleGenerator(number)
    let seed = FingerprintSeed()
    var tables = ProjectionTables(for: FingerprintTests.definitions)
    // In two parts, as two threads have them.
    var given = (0..<2).map { _ in
      FingerprintTests.definitions.map { TableFingerprint($0.kind, seed) }
    }
    for step in 0..<300 {
      let part = Int.random(in: 0...1, using: &random)
      let length = Int.random(in: 1...31, using: &random)
      let near = key(Int.random(in: 1...9, using: &random), length)
      switch Int.random(in: 0...3, using: &random) {
      case 0:
        // Each row is put once, as when projections are told of every entity once.
        var own = TableKey()
        own.append(u32: UInt32(step))
        let value = (0..<Int.random(in: 0...70, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
        tables.put(0, own, value)
        given[part][0].put(own, value.span.bytes)
      case 1:
        let amount = Int128(Int64.random(in: -9...9, using: &random)) << Int128(step % 90)
        let sums = Sums(amount, -amount * 3, Int128(step % 3) - 1)
        tables.add(1, near, sums)
        given[part][1].add(near, sums)
      case 2:
        // As many as divide a list.
        for index in 0..<20 {
          var place = TableKey()
          place.append(u8: UInt8(step & 1))
          place.append(u32: UInt32.random(in: 0..<9, using: &random))
          place.append(u40: UInt64(20 * step + index))
          tables.put(3, place)
          given[part][3].put(place, RawSpan())
        }
      default:
        let number = Int.random(in: 0..<Bitmap.bitCount, using: &random)
        tables.flip(2, near, number)
        given[part][2].flip(near, number)
        let (first, mask) = (number / 32 * 32, UInt32.random(in: 0...UInt32.max, using: &random))
        tables.flip(2, near, from: first, mask)
        given[part][2].flip(near, from: first, mask)
      }
    }
    for (table, definition) in FingerprintTests.definitions.enumerated() {
      var whole = given[0][table]
      whole += given[1][table]
      var rows = try stored(tables, table)
      let inAnyOrder = definition.kind == .places ? rows : rows.shuffled(using: &random)
      #expect(read(inAnyOrder, definition.kind, seed).isEqual(to: whole))

      // One bit of one value, or a row too few, or one too many, is another table.
      let place = Int.random(in: 0..<rows.count, using: &random)
      let row = rows[place]
      if !row.value.isEmpty {
        let offset = Int.random(in: 0..<row.value.count, using: &random)
        rows[place].value[offset] ^= 1 << UInt8.random(in: 0...7, using: &random)
        #expect(!read(rows, definition.kind, seed).isEqual(to: whole))
      }
      rows.remove(at: place)
      #expect(!read(rows, definition.kind, seed).isEqual(to: whole))
      rows += [row, row]
      #expect(!read(rows, definition.kind, seed).isEqual(to: whole))
    }
  }

  @Test func aValueMayComeInTwoParts() {
    let seed = FingerprintSeed()
    let id = EntityID(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210)
    for length in 0...40 {
      let rest = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7) }
      var writer = ByteWriter()
      writer.id(id)
      writer.raw(rest)
      var whole = TableFingerprint(.rows, seed)
      whole.put(key(5, 10), writer.bytes.span.bytes)
      var parts = TableFingerprint(.rows, seed)
      parts.put(key(5, 10), id, rest.span.bytes)
      #expect(whole.isEqual(to: parts), "\(length)")
    }
  }

  /// What no program writes is no equal table, even where it adds nothing.
  @Test func rowsOfNothingAreNotEqual() {
    let seed = FingerprintSeed()
    for (kind, value) in [(.sums(fields: 1), [0]), (.bitmaps, [])] as [(TableKind, [UInt8])] {
      let rows: [(key: [UInt8], value: [UInt8])] = [([1], value)]
      #expect(!read(rows, kind, seed).isEqual(to: TableFingerprint(kind, seed)))
    }
    let long: [(key: [UInt8], value: [UInt8])] = [([UInt8](repeating: 1, count: 32), [])]
    #expect(!read(long, .rows, seed).isEqual(to: TableFingerprint(.rows, seed)))
  }
}
