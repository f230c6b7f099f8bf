// Goal: a file whose commits are not flushed is kept a little longer than its last page, and that changes
// nothing else. Method: sizes before and after commits, announced and not; the file with and without what
// lies behind its last page.

import Foundation
import Testing

@testable import DaybookLMDB

#if os(Linux)
  @Suite struct FileGrowthTests {
    private func pageCount(_ environment: Environment) throws -> Int {
      let file = environment.path + "/data.mdb"
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      let byteCount = try #require(attributes[.size] as? Int)
      return try byteCount / environment.info.pageByteCount
    }

    private func spare(_ environment: Environment) throws -> Int {
      try pageCount(environment) - environment.info.lastPage - 1
    }

    private func put(
      _ range: Range<Int>, in table: Database, of environment: Environment, announced: Int = 0
    ) throws {
      try environment.write { transaction in
        transaction.expectedPageCount = announced
        for index in range {
          try transaction.put(key(index), [UInt8](repeating: 3, count: 400), in: table)
        }
      }
    }

    @Test func whatACommitAddsIsThereBefore() throws {
      try withEnvironment { environment, table in
        try put(0..<10, in: table, of: environment)
        let before = try environment.info.lastPage
        // Some 500 pages, of which LMDB is told nothing.
        try put(10..<5_000, in: table, of: environment, announced: 700)
        let added = try environment.info.lastPage - before
        #expect(added > 400 && added < 700)
        #expect(try pageCount(environment) >= before + 1 + 700)
        #expect(try spare(environment) < 300)
        // What was announced is not taken for what comes.
        for index in 5_000..<5_300 { try put(index..<index + 1, in: table, of: environment) }
        #expect(try spare(environment) < 300)
      }
    }

    @Test func littleIsKeptAhead() throws {
      try withEnvironment { environment, table in
        for index in 0..<300 { try put(index * 20..<index * 20 + 20, in: table, of: environment) }
        // Nearly three pages a commit.
        #expect(try environment.info.lastPage > 500)
        #expect(try spare(environment) < 3 * FileGrowth.pageCountMin)
      }
    }

    @Test func aFileThatIsFlushedIsNoLonger() throws {
      try withFolder { path in
        let environment = try Environment.open(
          path: path, options: EnvironmentOptions(mapByteCount: 1 << 24))
        let table = try environment.database(named: "table", create: true)
        for index in 0..<50 { try put(index..<index + 1, in: table, of: environment) }
        #expect(try spare(environment) <= 0)
        try environment.close()
      }
    }

    @Test(arguments: [false, true]) func whatLiesBehindTheLastPageMeansNothing(
      isTrimmed: Bool
    ) throws {
      try withFolder { path in
        var options = EnvironmentOptions(mapByteCount: 1 << 24)
        options.durability = .deferred
        do {
          let environment = try Environment.open(path: path, options: options)
          let table = try environment.database(named: "table", create: true)
          try put(0..<190, in: table, of: environment)
          try put(190..<200, in: table, of: environment)
          try environment.flush()
          let used = try environment.info.usedByteCount
          #expect(try spare(environment) > 0)
          try environment.close()
          let file = try #require(FileHandle(forUpdatingAtPath: path + "/data.mdb"))
          if isTrimmed {
            try file.truncate(atOffset: UInt64(used))
          } else {
            try file.seekToEnd()
            try file.write(contentsOf: [UInt8](repeating: 0xff, count: 10_000))
          }
          try file.close()
        }
        try FileJudgement.judge(path: path)
        #expect(try FileJudgement.examine(path: path) == nil)
        let environment = try Environment.open(path: path, options: options)
        let table = try environment.database(named: "table")
        for index in 200..<400 { try put(index..<index + 1, in: table, of: environment) }
        #expect(try environment.read { try $0.count(of: table) } == 400)
        try environment.close()
        #expect(try FileJudgement.examine(path: path) == nil)
      }
    }
  }
#endif
