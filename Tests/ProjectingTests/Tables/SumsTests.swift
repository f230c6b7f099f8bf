import DaybookEntities
import Testing

@testable import DaybookEngine

/// Goal: every row of sums reads back as it was written, and damaged rows are refused.
///
/// Method: numbers around every power of two, in every field, beside long and short neighbours.
@Suite struct SumsTests {
  private func packed(_ sums: Sums, _ fieldCount: Int) -> [UInt8] {
    var writer = ByteWriter()
    sums.write(to: &writer, fieldCount: fieldCount)
    return writer.bytes
  }

  @Test func rowsRoundTrip() throws {
    for shift in 0...126 {
      for near in -1...1 as ClosedRange<Int128> {
        for neighbour in [0, 1, -70_000, Int128.max, -Int128.max] {
          let number = (Int128(1) << Int128(shift)) + near
          for fieldCount in 1...4 {
            for place in 0..<fieldCount {
              var sums = Sums()
              for index in 0..<fieldCount { sums[index] = index == place ? number : neighbour }
              let bytes = packed(sums, fieldCount)
              let read = try Sums(bytes.span.bytes, fieldCount: fieldCount)
              #expect(read == sums)
              let negated = try Sums(packed(-sums, fieldCount).span.bytes, fieldCount: fieldCount)
              #expect(negated == -sums)
            }
          }
        }
      }
    }
  }

  @Test func bytesOfARow() {
    #expect(packed(Sums(-3, 0, 64, 1 << 64), 4) == [0x01, 0x91, 5, 128, 0, 0, 0, 0, 0, 0, 0, 0, 2])
    #expect(packed(Sums(1, 2), 2) == [0x11, 2, 4])
    #expect(packed(Sums(), 1) == [0])
  }

  @Test func damagedRowsAreRefused() {
    let whole = packed(Sums(-3, 0, 64, 1 << 64), 4)
    for count in 0..<whole.count {
      #expect(throws: DecodingFault.self) {
        _ = try Sums(Array(whole[..<count]).span.bytes, fieldCount: 4)
      }
    }
    #expect(throws: DecodingFault.self) {
      _ = try Sums((whole + [0]).span.bytes, fieldCount: 4)
    }
  }
}
