// Goal: cursors over ranges go where a search in sorted arrays would, each by itself.
// Method: seeded random ranges, steps and leaps, near and far, both ways, compared with the numbers of
// each range in an array.

import DaybookLMDB
import DaybookRandom
import Testing

@Suite struct RangeCursorsTests {
  @Test(arguments: [false, true], [0, 1, 40, 3_000])
  func walkLikeArrays(reversed: Bool, count: Int) throws {
    try withEnvironment { environment, table in
      // The even numbers, so that every odd one is a gap.
      try environment.write { (transaction: inout WriteTransaction) in
        for index in 0..<count { try transaction.put(key(2 * index), key(index), in: table) }
      }
      let seed = UInt64(count) + (reversed ? 77 : 1)
      var generator = SeededGenerator(seed: seed)
      try environment.read { transaction in
        let view = transaction.view
        for round in 0..<12 {
          var cursors = view.rangeCursors(reversed: reversed)
          var lists: [[Int]] = []
          // More than there is room for at first, and than there is for their keys.
          for position in 0..<40 {
            let bounds = [
              Int.random(in: 0...2 * count + 1, using: &generator),
              Int.random(in: 0...2 * count + 1, using: &generator),
            ].sorted()
            let (lower, upper) = (key(bounds[0]), key(bounds[1]))
            let index = try cursors.open(
              table, from: lower.span.bytes, to: upper.span.bytes)
            #expect(index == position)
            let inside = (0..<count).map { 2 * $0 }.filter { bounds[0] <= $0 && $0 < bounds[1] }
            lists.append(reversed ? inside.reversed() : inside)
            var found: Int?
            if let entry = cursors.entry(index) { found = number(entry.key) }
            #expect(found == lists[position].first, "seed \(seed), round \(round)")
          }
          for step in 0..<400 {
            let index = Int.random(in: 0..<lists.count, using: &generator)
            var found: Int?
            if Bool.random(using: &generator) {
              if let entry = try cursors.step(index) { found = number(entry.key) }
              if !lists[index].isEmpty { lists[index].removeFirst() }
            } else {
              let way = Int.random(in: 0...(step % 3 == 0 ? 400 : 12), using: &generator)
              let start = lists[index].first ?? count
              let wanted = max(reversed ? start - way : start + way, 0)
              let bytes = key(wanted)
              let span = bytes.span.bytes
              if let entry = try cursors.leap(index, to: span) { found = number(entry.key) }
              lists[index] = Array(
                lists[index].drop { reversed ? $0 > wanted : $0 < wanted })
            }
            #expect(found == lists[index].first, "seed \(seed), round \(round), step \(step)")
          }
        }
      }
    }
  }
}
