// Goal: writing through a cursor and deleting ranges leave exactly what a sorted dictionary would
// hold. Method: seeded random tables of several pages; after each change the cursor goes on in
// either direction, and in the end all entries are compared with the model.

import DaybookLMDB
import DaybookRandom
import Testing

@Suite struct WriteCursorTests {
  private func contents(_ environment: Environment, _ table: Database) throws -> [Int: Int] {
    var result: [Int: Int] = [:]
    var last = -1
    try environment.read { transaction in
      try transaction.forEach(in: table) { key, value in
        #expect(number(key) > last)
        last = number(key)
        result[last] = value.byteCount
        return true
      }
    }
    return result
  }

  @Test(arguments: 1...6) func changesLikeADictionary(seed: UInt64) throws {
    try withEnvironment { environment, table in
      var generator = SeededGenerator(seed: seed)
      var model: [Int: Int] = [:]
      for round in 0..<4 {
        try environment.write { (transaction: inout WriteTransaction) in
          for _ in 0..<400 {
            let name = Int.random(in: 0..<1000, using: &generator)
            let count = Int.random(in: 0..<150, using: &generator)
            try transaction.put(key(name), [UInt8](repeating: 1, count: count), in: table)
            model[name] = count
          }
          var cursor = try transaction.writeCursor(in: table)
          var sorted = model.keys.sorted()
          var index = -1
          for step in 0..<800 {
            let found: Int?
            switch Int.random(in: 0..<8, using: &generator) {
            case 0:
              let probe = Int.random(in: 0..<1000, using: &generator)
              let wanted = key(probe)
              found = try cursor.seek(atOrAfter: wanted.span.bytes).number
              index = sorted.firstIndex { $0 >= probe } ?? sorted.count
            case 1, 2:
              found = try cursor.previous().number
              index = max(index - 1, -1)
            default:
              found = try cursor.next().number
              index = min(index + 1, sorted.count)
            }
            let expected = sorted.indices.contains(index) ? sorted[index] : nil
            #expect(found == expected, "seed \(seed) round \(round) step \(step)")
            guard let expected, found == expected else { continue }
            switch Int.random(in: 0..<6, using: &generator) {
            case 0, 1:
              try cursor.deleteCurrent()
              model[expected] = nil
              sorted.remove(at: index)
              // It stands between its neighbours: one step either way.
              if Bool.random(using: &generator) {
                let next = try cursor.next().number
                #expect(next == (index < sorted.count ? sorted[index] : nil), "step \(step)")
              } else {
                let previous = try cursor.previous().number
                index -= 1
                #expect(previous == (index >= 0 ? sorted[index] : nil), "step \(step)")
              }
            case 2:
              let count = Int.random(in: 0..<300, using: &generator)
              let value = [UInt8](repeating: 2, count: count)
              let name = key(expected)
              try cursor.replaceCurrent(with: value.span.bytes, key: name.span.bytes)
              model[expected] = count
            default: break
            }
          }
        }
        #expect(try contents(environment, table) == model, "seed \(seed) round \(round)")
      }
    }
  }

  @Test func changingNothingIsRefused() throws {
    try withEnvironment { environment, table in
      try environment.write { (transaction: inout WriteTransaction) in
        var cursor = try transaction.writeCursor(in: table)
        let value: [UInt8] = [1]
        do throws(LMDBError) {
          try cursor.deleteCurrent()
          Issue.record("deleted nothing")
        } catch {
          #expect(error.kind == .invalid)
        }
        let name = key(1)
        try cursor.put(name.span.bytes, value.span.bytes)
        try cursor.deleteCurrent()
        do throws(LMDBError) {
          try cursor.replaceCurrent(with: value.span.bytes, key: name.span.bytes)
          Issue.record("replaced nothing")
        } catch {
          #expect(error.kind == .invalid)
        }
      }
      #expect(try contents(environment, table) == [:])
    }
  }

  @Test func appendingThroughACursor() throws {
    try withEnvironment { environment, table in
      let value = [UInt8](repeating: 3, count: 100)
      try environment.write { (transaction: inout WriteTransaction) in
        var cursor = try transaction.writeCursor(in: table)
        for index in 0..<2000 {
          let name = key(index)
          try cursor.put(name.span.bytes, value.span.bytes, flags: .append)
        }
      }
      #expect(try contents(environment, table).count == 2000)
    }
  }

  @Test(arguments: 1...5) func deletesRanges(seed: UInt64) throws {
    try withEnvironment { environment, table in
      var generator = SeededGenerator(seed: seed)
      var model: Set<Int> = []
      for round in 0..<30 {
        try environment.write { (transaction: inout WriteTransaction) in
          for _ in 0..<300 {
            let name = Int.random(in: 0..<5000, using: &generator)
            try transaction.put(key(name), [UInt8](repeating: 1, count: 60), in: table)
            model.insert(name)
          }
        }
        let lower: Int? = round % 5 == 0 ? nil : .random(in: 0..<5000, using: &generator)
        let upper: Int? = round % 7 == 0 ? nil : .random(in: 0..<5000, using: &generator)
        let limit = round % 3 == 0 ? Int.random(in: 0..<200, using: &generator) : .max
        let doomed = model.sorted().filter { $0 >= lower ?? 0 && $0 < upper ?? .max }.prefix(limit)
        let from = lower.map(key)
        let to = upper.map(key)
        let count = try environment.write { (transaction: inout WriteTransaction) in
          try transaction.deleteRange(
            from: from?.span.bytes, to: to?.span.bytes, in: table, countMax: limit)
        }
        #expect(count == doomed.count, "seed \(seed) round \(round)")
        model.subtract(doomed)
        #expect(try Set(contents(environment, table).keys) == model, "seed \(seed) round \(round)")
      }
    }
  }

  @Test func clearsAndDrops() throws {
    try withEnvironment { environment, table in
      try environment.write { (transaction: inout WriteTransaction) in
        try transaction.put(key(1), [1], in: table)
        try transaction.clear(table)
        #expect(try transaction.count(of: table) == 0)
        try transaction.put(key(2), [1], in: table)
      }
      try environment.write { try $0.drop(table) }
      let error = #expect(throws: LMDBError.self) { try environment.database(named: "table") }
      #expect(error?.kind == .notFound)
      #expect(throws: LMDBError.self) { try environment.read { try $0.count(of: table) } }
    }
  }
}

extension Optional where Wrapped == Entry, Wrapped: ~Escapable {
  fileprivate var number: Int? {
    switch self {
    case .some(let entry): LMDBTests.number(entry.key)
    case nil: nil
    }
  }
}
