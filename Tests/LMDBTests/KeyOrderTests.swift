// Goal: the order that LMDB is given for keys is its own: by unsigned bytes, a prefix first. A file
// written under one is read under the other, by LMDB's tools too.
// Method: seeded keys of all lengths that share beginnings, compared with the order of arrays of bytes;
// and put into a database and, as its order is left alone, the main one, which must list them alike.

import DaybookRandom
import Testing

@testable import DaybookLMDB

@Suite struct KeyOrderTests {
  /// A key that begins as one before it, mostly, and goes on in few values, so that many are near.
  private static func keys(_ count: Int, seed: UInt64) -> [[UInt8]] {
    var generator = SeededGenerator(seed: seed)
    var keys: [[UInt8]] = [[0], [255]]
    for _ in 0..<count {
      let start = keys.randomElement(using: &generator) ?? []
      var key = Array(start.prefix(Int.random(in: 0...start.count, using: &generator)))
      for _ in 0...Int.random(in: 0...24, using: &generator) {
        key.append([0, 1, 127, 128, 255].randomElement(using: &generator) ?? 0)
      }
      keys.append(Array(key.prefix(Limits.keyByteCountMax - 1)))
    }
    return keys
  }

  @Test func isThatOfBytes() {
    let keys = KeyOrderTests.keys(400, seed: 5) + [[]]
    #expect(Set(keys.map(\.count)).isSuperset(of: 0...32))
    for left in keys {
      for right in keys {
        let order = left.withUnsafeBytes { left in right.withUnsafeBytes { compare(left, $0) } }
        let expected = left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
        #expect(order.signum() == expected, "\(left), \(right)")
      }
    }
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>) func isLMDBsOwn(seed: UInt64) throws {
    let keys = Set(KeyOrderTests.keys(3_000, seed: seed))
    let sorted = keys.sorted { $0.lexicographicallyPrecedes($1) }
    try withEnvironment { environment, table in
      // The main database has the name of the other one too, and keys behind a zero byte.
      let main = try environment.write { (transaction: inout WriteTransaction) in
        let main = try transaction.openMainDatabase()
        for key in keys {
          try transaction.put(key, [1], in: table)
          try transaction.put([0] + key, [1], in: main)
        }
        return main
      }
      try environment.read { transaction in
        var (found, ofMain): ([[UInt8]], [[UInt8]]) = ([], [])
        try transaction.view.forEach(in: table) { key, _ in
          found.append(copy(key))
          return true
        }
        try transaction.view.forEach(in: main) { key, _ in
          ofMain.append(copy(key))
          return true
        }
        #expect(found == sorted)
        #expect(ofMain.filter { $0.first == 0 }.map { Array($0.dropFirst()) } == sorted)
        for key in sorted {
          #expect(try transaction.view.get(key.span.bytes, in: table) != nil)
        }
      }
    }
  }
}
