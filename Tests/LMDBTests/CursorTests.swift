// Goal: cursors and iteration visit exactly what a sorted array would, in both directions.
// Method: seeded random tables, and random movements compared with a model; the model is an array
// with a position that may be before the first or behind the last element.

import DaybookLMDB
import DaybookRandom
import Testing

@Suite struct CursorTests {
  /// The even numbers below `2 * count`, so that every odd one is a gap.
  private func fill(_ environment: Environment, _ table: Database, count: Int) throws {
    try environment.write { (transaction: inout WriteTransaction) in
      for index in 0..<count { try transaction.put(key(2 * index), key(index), in: table) }
    }
  }

  @Test(arguments: [true, false], 1...3 as ClosedRange<UInt64>)
  func advancingFindsWhatSearchingFinds(reversed: Bool, seed: UInt64) throws {
    try withEnvironment { environment, table in
      try fill(environment, table, count: 1_000)
      var generator = SeededGenerator(seed: seed)
      try environment.read { transaction in
        for _ in 0..<100 {
          var cursor = try transaction.cursor(in: table)
          var place = Int.random(in: 0...2_000, using: &generator)
          // Near ones for a while, then far ones, and at times one that was passed.
          let strides = [0...2, 1...3, 2...2, 2...300, -40...40]
          for _ in 0..<60 {
            let stride = strides.randomElement(using: &generator) ?? 0...1
            place += (reversed ? -1 : 1) * Int.random(in: stride, using: &generator)
            let wanted = key(max(0, place))
            let entry = try cursor.advance(to: wanted.span.bytes, reversed: reversed)
            let isThere = place.isMultiple(of: 2) && place < 2_000
            #expect((entry != nil) == (isThere || place <= 0), "\(place)")
            if let entry { #expect(copy(entry.key) == wanted) }
          }
        }
      }
    }
  }

  @Test(arguments: [0, 1, 2, 300]) func movesLikeAnArray(count: Int) throws {
    try withEnvironment { environment, table in
      try fill(environment, table, count: count)
      let model = (0..<count).map { 2 * $0 }
      var generator = SeededGenerator(seed: UInt64(count) + 1)
      try environment.read { transaction in
        var cursor = try transaction.cursor(in: table)
        var position = -1
        for step in 0..<2000 {
          let probe = Int.random(in: 0...2 * count + 1, using: &generator)
          let wanted = key(probe)
          let span = wanted.span.bytes
          let found: Entry?
          switch Int.random(in: 0..<10, using: &generator) {
          case 0:
            found = try cursor.first()
            position = 0
          case 1:
            found = try cursor.last()
            position = count - 1
          case 2, 3, 4:
            found = try cursor.next()
            position = min(position + 1, count)
          case 5, 6:
            found = try cursor.previous()
            position = max(position - 1, -1)
          case 7:
            found = try cursor.seek(atOrAfter: span)
            position = model.firstIndex { $0 >= probe } ?? count
          case 8:
            found = try cursor.seek(atOrBefore: span)
            position = model.lastIndex { $0 <= probe } ?? -1
          default:
            found = try cursor.seek(before: span)
            position = model.lastIndex { $0 < probe } ?? -1
          }
          let expected = model.indices.contains(position) ? model[position] : nil
          if let found {
            #expect(number(found.key) == expected, "step \(step)")
            #expect(number(found.value) == position, "step \(step)")
          } else {
            #expect(expected == nil, "step \(step)")
          }
        }
      }
    }
  }

  @Test func seekExactly() throws {
    try withEnvironment { environment, table in
      try fill(environment, table, count: 10)
      try environment.read { transaction in
        var cursor = try transaction.cursor(in: table)
        let there = key(4)
        let missing = key(5)
        let behind = key(99)
        if let found = try cursor.seek(exactly: there.span.bytes) {
          #expect(number(found.value) == 2)
        } else {
          Issue.record("not found")
        }
        #expect(try cursor.seek(exactly: missing.span.bytes) == nil)
        #expect(try cursor.seek(exactly: behind.span.bytes) == nil)
      }
    }
  }

  @Test func entriesLiveAsLongAsTheTransaction() throws {
    try withEnvironment { environment, table in
      try fill(environment, table, count: 10)
      try environment.read { transaction in
        var cursor = try transaction.cursor(in: table)
        let first = try cursor.first()
        let second = try cursor.next()
        guard let first, let second else {
          Issue.record("no entries")
          return
        }
        #expect(number(first.key) == 0)
        #expect(number(second.key) == 2)
      }
    }
  }

  @Test(arguments: [false, true]) func ranges(reversed: Bool) throws {
    try withEnvironment { environment, table in
      try fill(environment, table, count: 50)
      var generator = SeededGenerator(seed: 7)
      for _ in 0..<200 {
        let lower: Int? =
          Bool.random(using: &generator) ? .random(in: 0..<110, using: &generator) : nil
        let upper: Int? =
          Bool.random(using: &generator) ? .random(in: 0..<110, using: &generator) : nil
        let limit = Int.random(in: 1..<60, using: &generator)
        var expected = (0..<50).map { 2 * $0 }.filter { $0 >= lower ?? 0 && $0 < upper ?? .max }
        if reversed { expected.reverse() }
        var seen: [Int] = []
        let from = lower.map(key)
        let to = upper.map(key)
        try environment.read { transaction in
          try transaction.forEach(
            in: table, from: from?.span.bytes, to: to?.span.bytes, reversed: reversed
          ) { key, _ in
            seen.append(number(key))
            return seen.count < limit
          }
        }
        #expect(seen == Array(expected.prefix(limit)), "\(String(describing: (lower, upper)))")
      }
    }
  }

  @Test func prefixes() throws {
    try withEnvironment { environment, table in
      let names: [[UInt8]] = [
        [1], [1, 0], [1, 255], [1, 255, 255], [2], [255], [255, 255], [255, 255, 0],
      ]
      try environment.write { (transaction: inout WriteTransaction) in
        for name in names { try transaction.put(name, [], in: table) }
      }
      for prefix in names + [[], [3], [1, 255, 255, 1], [255, 255, 255]] {
        for reversed in [false, true] {
          var seen: [[UInt8]] = []
          try environment.read { transaction in
            try transaction.forEach(in: table, prefix: prefix.span.bytes, reversed: reversed) {
              key, _ in
              seen.append(copy(key))
              return true
            }
          }
          let expected = names.filter { $0.starts(with: prefix) }
          #expect(seen == (reversed ? expected.reversed() : expected), "\(prefix)")
        }
      }
    }
  }
}
