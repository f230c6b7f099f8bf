// Goal: what this module takes for granted of the installed liblmdb is frozen: when a test here
// fails after an upgrade, the design must be looked at again. Method: facts found out by trying,
// each tried again. A fact of one version is only asserted for that version.

import DaybookLMDB
import DaybookRandom
import Foundation
import Testing

@Suite struct ProbeTests {
  private var isKnownVersion: Bool { Environment.libraryVersion.hasPrefix("LMDB 0.9.24") }

  @Test func version() {
    #expect(Environment.libraryVersion.hasPrefix("LMDB 0.9."))
    if isKnownVersion {
      #expect(Environment.libraryVersion == "LMDB 0.9.24: (July 24, 2019)")
    }
  }

  @Test func valuesMoveToOverflowPagesBehind2022Bytes() throws {
    try withEnvironment { environment, table in
      func overflowPageCount(_ byteCount: Int) throws -> Int {
        try environment.write { (transaction: inout WriteTransaction) in
          try transaction.clear(table)
          try transaction.put(key(1), [UInt8](repeating: 1, count: byteCount), in: table)
        }
        return try environment.statistics(of: table).overflowPageCount
      }
      guard try environment.info.pageByteCount == 4096 else { return }
      #expect(try overflowPageCount(2022) == 0)
      #expect(try overflowPageCount(2023) == 1)
      // 16 bytes of each run of overflow pages are its header.
      #expect(try overflowPageCount(4096 - 16) == 1)
      #expect(try overflowPageCount(4096 - 15) == 2)
      #expect(Limits.valueByteCountSoft + Limits.keyByteCountMax > 2022)
    }
  }

  @Test func appendingFillsPagesAndPuttingInOrderTooButInsertingHalvesThem() throws {
    func leafPageCount(_ body: (inout WriteTransaction, Database) throws -> Void) throws -> Int {
      try withEnvironment { environment, table in
        try environment.write { (transaction: inout WriteTransaction) in
          try body(&transaction, table)
        }
        return try environment.statistics(of: table).leafPageCount
      }
    }
    let value = [UInt8](repeating: 1, count: 100)
    // A page of 4,096 has a header of 16; an entry takes 8 + 8 + 100, and 2 for its offset.
    let full = 10_000 / ((4096 - 16) / 118) + 1
    let appended = try leafPageCount { transaction, table in
      for index in 0..<10_000 {
        try transaction.put(key(index), value, in: table, flags: .append)
      }
    }
    let inOrder = try leafPageCount { transaction, table in
      for index in 0..<10_000 { try transaction.put(key(index), value, in: table) }
    }
    var generator = SeededGenerator(seed: 1)
    let shuffled = (0..<10_000).shuffled(using: &generator)
    let atRandom = try leafPageCount { transaction, table in
      for index in shuffled { try transaction.put(key(index), value, in: table) }
    }
    #expect(abs(appended - full) <= 2)
    #expect(inOrder >= appended && inOrder <= full + full / 20)
    #expect(Double(atRandom) > 1.3 * Double(full))
    #expect(Double(atRandom) < 1.6 * Double(full))
  }

  @Test(arguments: [(60, 10_000), (20_000, 50)])
  func puttingAndDeletingLongValuesInOneTransactionLeavesTheFileShort(
    byteCount: Int, count: Int
  ) throws {
    try withFolder { path in
      var options = EnvironmentOptions(mapByteCount: 1 << 28)
      options.durability = .deferred
      let environment = try Environment.open(path: path, options: options)
      let table = try environment.database(named: "table", create: true)
      try environment.write { (transaction: inout WriteTransaction) in
        for index in 0..<2000 {
          try transaction.put(key(index), [UInt8](repeating: 1, count: 60), in: table)
        }
      }
      // A few commits, so that there are old free pages for the free list itself to go to.
      for index in 0..<3 { try environment.write { try $0.put(key(index), [1], in: table) } }
      try environment.write { (transaction: inout WriteTransaction) in
        for index in 2000..<2000 + count {
          try transaction.put(key(index), [UInt8](repeating: 1, count: byteCount), in: table)
        }
        let lower = key(2000)
        try transaction.deleteRange(from: lower.span.bytes, to: nil, in: table)
      }
      let attributes = try FileManager.default.attributesOfItem(atPath: path + "/data.mdb")
      let fileByteCount = try #require(attributes[.size] as? Int)
      let usedByteCount = try environment.info.usedByteCount
      #expect((fileByteCount < usedByteCount) == (byteCount > 2022))
    }
  }

  @Test func freedPagesAreUsedAgainOnlyAfterTheReaderHasGone() throws {
    try withEnvironment { environment, table in
      func rewrite() throws -> Int {
        try environment.write { (transaction: inout WriteTransaction) in
          for index in 0..<1000 {
            try transaction.put(key(index), [UInt8](repeating: 1, count: 100), in: table)
          }
        }
        return try environment.info.lastPage
      }
      for _ in 0..<3 { _ = try rewrite() }
      let settled = try rewrite()
      #expect(try rewrite() == settled)
      try environment.read { _ in
        for _ in 0..<3 { _ = try rewrite() }
        #expect(try environment.info.lastPage > settled)
      }
      let grown = try environment.info.lastPage
      for _ in 0..<5 { _ = try rewrite() }
      #expect(try environment.info.lastPage <= grown)
    }
  }

  @Test func mapReservedIsNotDiskUsed() throws {
    try withFolder { path in
      let environment = try Environment.open(path: path)
      // Where many are open, as in a test run, the further ones are mapped less amply.
      let reserved = try environment.info.mapByteCount
      #expect(
        reserved >= min(Limits.mapByteCountOfMany, EnvironmentOptions.mapByteCountDefault))
      _ = try environment.database(named: "table", create: true)
      let attributes = try FileManager.default.attributesOfItem(atPath: path + "/data.mdb")
      #expect(try #require(attributes[.size] as? Int) < 1 << 16)
    }
  }

  @Test func commitsAreNumberedFromOneAndEmptyOnesAreNot() throws {
    try withEnvironment { environment, table in
      let before = try environment.info.lastTransactionID
      try environment.write { _ in }
      #expect(try environment.info.lastTransactionID == before)
      try environment.write { try $0.put(key(1), [1], in: table) }
      #expect(try environment.info.lastTransactionID == before + 1)
    }
  }
}
