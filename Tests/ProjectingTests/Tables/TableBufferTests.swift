// Goal: a buffer that was emptied knows nothing of what was in it, however much room that took.
// Method: seeded batches of all sizes through one buffer, each against a dictionary of its own.

import DaybookEntities
import DaybookSampleData
import Testing

@testable import DaybookEngine

@Suite struct TableBufferTests {
  @Test(arguments: UInt64(1)...8) func emptiedBufferMergesLikeANewOne(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var buffer = TableBuffer(.sums(fields: 2))
    // Large ones leave much room behind, beside which the next are small; the largest give theirs back.
    for batch in 0..<300 {
      let count = [0, 1, 3, 30, 200, 3_000].randomElement(using: &random) ?? 1
      var expected: [UInt64: Int128] = [:]
      for _ in 0..<(batch == 150 ? 40_000 : count) {
        let number = UInt64.random(in: 0..<UInt64(max(2 * count, 2)), using: &random)
        let difference = Int128.random(in: -5...5, using: &random)
        buffer.add(Self.key(number), Sums(difference, 1))
        expected[number, default: 0] += difference
      }
      #expect(buffer.count == expected.count)
      let found = buffer.sortedSums().map { $0.sums[0] }
      let wanted = expected.sorted { $0.key < $1.key }.map(\.value)
      #expect(found == wanted, "seed \(seed), batch \(batch)")
      let isThere = (0..<20).map { buffer.changes(Self.key($0)) }
      #expect(isThere == (0..<20).map { expected[$0] != nil }, "seed \(seed), batch \(batch)")
      buffer.removeAll()
      #expect((0..<20).allSatisfy { !buffer.changes(Self.key($0)) })
    }
  }

  private static func key(_ number: UInt64) -> TableKey {
    var key = TableKey()
    key.append(number, byteCount: 5)
    return key
  }
}
