// Goal: rows in memory are found and shown in the order of their keys, whatever was put and taken away.
// Method: random changes, and a dictionary beside them.

import DaybookRandom
import Testing

@testable import Relay

@Suite struct SortedRowsTests {
  @Test func theyAreWhatADictionarySorts() {
    var random = SeededGenerator(seed: 1)
    for keyByteCount in [1, 2, 3] {
      var rows = SortedRows()
      var expected: [[UInt8]: [UInt8]] = [:]
      for step in 0..<6_000 {
        let key = (0..<Int.random(in: 1...keyByteCount, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
        let value =
          Int.random(in: 0..<3, using: &random) == 0 ? nil : [UInt8(truncatingIfNeeded: step)]
        rows[key] = value
        expected[key] = value
        #expect(rows[key] == value)
      }
      let sorted = expected.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      for from in [[], [7], [100, 3], [255, 255, 255, 255]] as [[UInt8]] {
        var shown: [[UInt8]] = []
        rows.scan(from: from) { key, value in
          #expect(value == expected[key])
          shown.append(key)
          return shown.count < 500
        }
        let wanted = sorted.map(\.key).filter { !$0.lexicographicallyPrecedes(from) }
        #expect(shown == Array(wanted.prefix(500)))
      }
      for key in expected.keys { rows[key] = nil }
      rows.scan(from: []) { _, _ in
        Issue.record("a row is left")
        return false
      }
    }
  }
}
