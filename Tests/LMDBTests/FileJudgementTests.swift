// Goal: a data file that was cut off is refused with an error, and a healthy one that is merely
// shorter than its meta page says is opened; whatever a file holds, judging it ends in an answer.
// Method: files made by LMDB, cut at every page, with bytes changed at random; short healthy files
// by putting and deleting long values in one transaction, which counts pages but writes none.

import DaybookRandom
import Foundation
import Testing

@testable import DaybookLMDB

@Suite struct FileJudgementTests {
  private func open(
    _ path: String, _ change: (inout EnvironmentOptions) -> Void = { _ in }
  ) throws -> Environment {
    var options = EnvironmentOptions(mapByteCount: 1 << 28)
    options.durability = .deferred
    change(&options)
    return try Environment.open(path: path, options: options)
  }

  private func judged(_ path: String) -> LMDBError.Kind? {
    do throws(LMDBError) {
      try FileJudgement.judge(path: path)
      return nil
    } catch {
      return error.kind
    }
  }

  /// What an examination says; nil where nothing is wrong.
  private func examined(_ path: String) -> String? {
    do throws(LMDBError) {
      return try FileJudgement.examine(path: path)?.description
    } catch {
      return "\(error.kind)"
    }
  }

  private func size(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "/data.mdb")
    return try #require(attributes[.size] as? Int)
  }

  /// Rows of 60 bytes in two databases, some of them on overflow pages.
  private func make(_ path: String, rowCount: Int, withOverflow: Bool) throws {
    let environment = try open(path)
    for name in ["a", "b"] {
      let table = try environment.database(named: name, create: true)
      try environment.write { (transaction: inout WriteTransaction) in
        for index in 0..<rowCount {
          let byteCount = withOverflow && index % 97 == 0 ? 9000 : 60
          try transaction.put(key(index), [UInt8](repeating: 1, count: byteCount), in: table)
        }
      }
    }
    try environment.flush()
    try trim(path, environment)
  }

  /// Removes the pages that are kept ahead of the last one: what becomes of them changes nothing.
  private func trim(_ path: String, _ environment: Environment) throws {
    let used = try environment.info.usedByteCount
    guard try size(path) > used else { return }
    let file = try #require(FileHandle(forUpdatingAtPath: path + "/data.mdb"))
    try file.truncate(atOffset: UInt64(used))
    try file.close()
  }

  /// Puts values on overflow pages behind all others and deletes them again, in one transaction.
  private func makeShort(_ path: String) throws {
    let environment = try open(path)
    let table = try environment.database(named: "a")
    try environment.write { (transaction: inout WriteTransaction) in
      for index in 0..<50 {
        try transaction.put(key(1 << 40 + index), [UInt8](repeating: 1, count: 20_000), in: table)
      }
      let lower = key(1 << 40)
      try transaction.deleteRange(from: lower.span.bytes, to: nil, in: table)
    }
    let pageCount = try environment.info.lastPage + 1
    #expect(try size(path) < pageCount * environment.info.pageByteCount)
  }

  @Test(arguments: [false, true]) func healthyShortFileIsAccepted(withOverflow: Bool) throws {
    try withFolder { path in
      try make(path, rowCount: 2000, withOverflow: withOverflow)
      try makeShort(path)
      #expect(judged(path) == nil)
      #expect(examined(path) == nil)
      let environment = try open(path)
      let table = try environment.database(named: "a")
      #expect(try environment.read { try $0.count(of: table) } == 2000)
    }
  }

  @Test(arguments: [false, true]) func truncatedFileIsRefused(withOverflow: Bool) throws {
    try withFolder { path in
      try make(path, rowCount: 500, withOverflow: withOverflow)
      let whole = try size(path)
      var refusedCount = 0
      for byteCount in stride(from: whole - 1, through: 0, by: -1024) {
        let cut = try #require(FileHandle(forUpdatingAtPath: path + "/data.mdb"))
        try cut.truncate(atOffset: UInt64(byteCount))
        try cut.close()
        guard let kind = judged(path) else { continue }
        #expect(kind == .truncated, "\(byteCount) of \(whole)")
        refusedCount += 1
        let error = #expect(throws: LMDBError.self) {
          try open(path) { $0.createIfMissing = false }
        }
        #expect(error?.kind == .truncated)
      }
      // Free pages at the end may go; nearly all other cuts must be noticed.
      #expect(refusedCount > whole / 1024 * 9 / 10)
    }
  }

  @Test(arguments: [0, 40_000]) func whatIsAcceptedCanBeReadToTheEnd(lastByteCount: Int) async {
    // In a child process, because reading a file that was wrongly accepted ends the process.
    await #expect(processExitsWith: .success) { [lastByteCount = lastByteCount as Int] in
      let suite = FileJudgementTests()
      try withFolder { path in
        try suite.make(path, rowCount: 150, withOverflow: true)
        do {
          let environment = try suite.open(path)
          let table = try environment.database(named: "a")
          // A long run of overflow pages that lies at the end of the file, because the other pages
          // that its commit needs have been freed by commits before.
          for _ in 0..<3 { try environment.write { try $0.put(key(1000), [], in: table) } }
          let value = [UInt8](repeating: 1, count: lastByteCount)
          try environment.write { try $0.put(key(1000), value, in: table) }
        }
        if lastByteCount == 0 { try suite.makeShort(path) }
        let whole = try suite.size(path)
        var acceptedCount = 0
        for byteCount in stride(from: whole, through: 0, by: -4096) {
          let cut = try #require(FileHandle(forUpdatingAtPath: path + "/data.mdb"))
          try cut.truncate(atOffset: UInt64(byteCount))
          try cut.close()
          guard suite.judged(path) == nil else { continue }
          acceptedCount += 1
          #expect(try suite.sum(path) == 2 * (148 * 60 + 2 * 9000) + lastByteCount)
        }
        #expect(acceptedCount > 0)
      }
    }
  }

  /// Adds up every byte of every value.
  private func sum(_ path: String) throws -> Int {
    let environment = try open(path)
    var sum = 0
    for name in ["a", "b"] {
      let table = try environment.database(named: name)
      try environment.read { transaction in
        try transaction.forEach(in: table) { _, value in
          sum += copy(value).reduce(0) { $0 + Int($1) }
          return true
        }
      }
    }
    return sum
  }

  @Test func foreignFilesAreRefused() throws {
    try withFolder { path in
      let file = URL(fileURLWithPath: path + "/data.mdb")
      #expect(judged(path) == .notFound)
      try Data().write(to: file)
      #expect(judged(path) == .truncated)
      try Data(repeating: 0, count: 100_000).write(to: file)
      #expect(judged(path) == .invalid)
      try Data(repeating: 0xFF, count: 100_000).write(to: file)
      #expect(judged(path) == .invalid)
      try Data(repeating: 0, count: 100).write(to: file)
      #expect(judged(path) == .truncated)
    }
  }

  @Test func otherVersionIsRefused() throws {
    try withFolder { path in
      try make(path, rowCount: 10, withOverflow: false)
      let file = URL(fileURLWithPath: path + "/data.mdb")
      var bytes = try Data(contentsOf: file)
      bytes[16 + 4] = 2
      try bytes.write(to: file)
      #expect(judged(path) == .corrupted, "one program wrote both pages")
      bytes[4_096 + 16 + 4] = 2
      try bytes.write(to: file)
      #expect(judged(path) == .versionMismatch)
    }
  }

  /// Each flip of one byte is found, or LMDB can read the file to the end all the same.
  @Test(arguments: 1...2) func whatPassesCanBeRead(seed: UInt64) async {
    await #expect(processExitsWith: .success) { [seed = seed as UInt64] in
      let suite = FileJudgementTests()
      try withFolder { path in
        try suite.make(path, rowCount: 300, withOverflow: true)
        let file = URL(fileURLWithPath: path + "/data.mdb")
        let bytes = try Data(contentsOf: file)
        #expect(suite.examined(path) == nil)
        var generator = SeededGenerator(seed: seed)
        var foundCount = 0
        for _ in 0..<400 {
          var damaged = bytes
          let page = Int.random(in: 0..<bytes.count / 4096, using: &generator)
          let offset = Int.random(
            in: 0..<(Bool.random(using: &generator) ? 160 : 4096), using: &generator)
          damaged[page * 4096 + offset] ^= .random(in: 1 ... .max, using: &generator)
          try damaged.write(to: file)
          if suite.examined(path) != nil {
            foundCount += 1
          } else {
            // Names and values may differ, which is for others to find; nothing may trap.
            _ = try? suite.sum(path)
          }
        }
        #expect(foundCount > 40)
      }
    }
  }

  @Test func aLostCommitIsFound() throws {
    try withFolder { path in
      try make(path, rowCount: 300, withOverflow: false)
      let file = URL(fileURLWithPath: path + "/data.mdb")
      let bytes = try Data(contentsOf: file)
      let numbers = [0, 4096].map { bytes[$0 + 16 + 128] }
      let newest = numbers[0] > numbers[1] ? 0 : 4096
      // The newest commit passes for one that is older than the one before it.
      for step: UInt8 in [1, 2, 3] {
        var damaged = bytes
        damaged[newest + 16 + 128] -= step
        try damaged.write(to: file)
        #expect(examined(path) != nil)
        // Even if the numbers are in a row, the last page gives it away.
        #expect(judged(path) == .corrupted)
      }
    }
  }

  @Test(arguments: 1...4) func damageEndsInAnAnswer(seed: UInt64) throws {
    try withFolder { path in
      try make(path, rowCount: 600, withOverflow: true)
      try makeShort(path)
      let file = URL(fileURLWithPath: path + "/data.mdb")
      let bytes = try Data(contentsOf: file)
      var generator = SeededGenerator(seed: seed)
      var foundCount = 0
      for _ in 0..<100 {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
          // Mostly where the structure is: in the first bytes of a page.
          let page = Int.random(in: 0..<bytes.count / 4096, using: &generator)
          let offset = Int.random(
            in: 0..<(Bool.random(using: &generator) ? 60 : 4096), using: &generator)
          damaged[page * 4096 + offset] = .random(in: .min ... .max, using: &generator)
        }
        try damaged.write(to: file)
        _ = judged(path)
        if examined(path) != nil { foundCount += 1 }
      }
      #expect(foundCount > 50)
    }
  }
}
