// Goal: each hard limit holds at one below, at, and one above, and beyond it nothing is written.
// Method: keys, values, names and options of exactly these sizes.

import DaybookLMDB
import Foundation
import Testing

@Suite struct LimitTests {
  @Test func keys() throws {
    try withEnvironment { environment, table in
      try environment.write { (transaction: inout WriteTransaction) in
        for count in [1, Limits.keyByteCountMax - 1, Limits.keyByteCountMax] {
          let name = [UInt8](repeating: 7, count: count)
          try transaction.put(name, [1], in: table)
          #expect(try transaction.bytes(for: name, in: table) == [1])
        }
        for count in [0, Limits.keyByteCountMax + 1] {
          let name = [UInt8](repeating: 7, count: count)
          let error = #expect(throws: LMDBError.self) { try transaction.put(name, [1], in: table) }
          #expect(error?.kind == .badValueSize)
        }
        #expect(try transaction.count(of: table) == 3)
      }
    }
  }

  @Test func readingWithKeysBeyondTheLimitFindsNothing() throws {
    try withEnvironment { environment, table in
      try environment.write { try $0.put([1], [1], in: table) }
      try environment.read { transaction in
        for count in [0, Limits.keyByteCountMax + 1] {
          let name = [UInt8](repeating: 7, count: count)
          let found = try transaction.bytes(for: name, in: table)
          #expect(found == nil)
          try transaction.forEach(in: table, prefix: name.span.bytes) { key, _ in
            #expect(name.isEmpty)
            return true
          }
        }
      }
      try environment.write { (transaction: inout WriteTransaction) in
        for count in [0, Limits.keyByteCountMax + 1] {
          let name = [UInt8](repeating: 7, count: count)
          let wasThere = try transaction.delete(name, in: table)
          #expect(!wasThere)
        }
      }
    }
  }

  @Test func values() throws {
    try withEnvironment(mapByteCount: 4 << 30) { environment, table in
      let over = [UInt8](repeating: 1, count: Limits.valueByteCountMax + 1)
      try environment.write { (transaction: inout WriteTransaction) in
        let error = #expect(throws: LMDBError.self) {
          try transaction.put(key(1), over, in: table)
        }
        #expect(error?.kind == .badValueSize)
        let name = key(2)
        let reserving = #expect(throws: LMDBError.self) {
          try transaction.reserve(name.span.bytes, byteCount: over.count, in: table) { _ in }
        }
        #expect(reserving?.kind == .badValueSize)
        for count in [Limits.valueByteCountMax - 1, Limits.valueByteCountMax] {
          try transaction.put(key(1), Array(over.prefix(count)), in: table)
          #expect(try transaction.bytes(for: key(1), in: table)?.count == count)
          try transaction.delete(key(1), in: table)
        }
        for count in [-1, 0, 1].map({ Limits.valueByteCountSoft + $0 }) {
          try transaction.put(key(count), Array(over.prefix(count)), in: table)
          #expect(try transaction.bytes(for: key(count), in: table)?.count == count)
        }
        #expect(try transaction.count(of: table) == 3)
      }
    }
  }

  @Test func namesOfDatabases() throws {
    try withEnvironment { environment, _ in
      let longest = String(repeating: "n", count: Limits.keyByteCountMax)
      let shorter = String(longest.dropLast())
      #expect(throws: Never.self) { try environment.database(named: shorter, create: true) }
      #expect(throws: Never.self) { try environment.database(named: longest, create: true) }
      for name in ["", longest + "n", "a\0b"] {
        let error = #expect(throws: LMDBError.self) {
          try environment.database(named: name, create: true)
        }
        #expect(error?.kind == .invalid)
      }
    }
  }

  @Test func options() throws {
    try withFolder { path in
      func attempt(_ change: (inout EnvironmentOptions) -> Void) -> LMDBError.Kind? {
        var options = EnvironmentOptions(mapByteCount: 1 << 20)
        change(&options)
        do throws(LMDBError) {
          try Environment.open(path: path, options: options).close()
          return nil
        } catch {
          return error.kind
        }
      }
      #expect(attempt { $0.mapByteCount = 0 } == .invalid)
      #expect(attempt { $0.maxDatabases = 0 } == .invalid)
      #expect(attempt { $0.maxReaders = 0 } == .invalid)
      #expect(attempt { $0.maxReaders = 1 } == nil)
      for (excess, expected) in [(-1, nil), (0, nil), (1, .invalid)]
        as [(Int, LMDBError.Kind?)]
      {
        #expect(attempt { $0.maxDatabases = Limits.databaseCountMax + excess } == expected)
        #expect(attempt { $0.maxReaders = Limits.readerCountMax + excess } == expected)
      }
    }
  }

  /// In a process of its own: what counts is how many environments a process has open.
  @Test func amplyMappedEnvironments() async {
    await #expect(processExitsWith: .success) {
      try withFolder { path in
        let options = EnvironmentOptions(mapByteCount: Limits.mapByteCountOfMany * 2)
        var open: [Environment] = []
        for number in 1...Limits.largeMapCountMax + 1 {
          open.append(try Environment.open(path: "\(path)/\(number)", options: options))
          let isAmple = try open[number - 1].info.mapByteCount == options.mapByteCount
          guard isAmple == (number <= Limits.largeMapCountMax) else { exit(1) }
        }
        for environment in open { try environment.close() }
      }
    }
  }
}
