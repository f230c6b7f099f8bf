// Goal: processes that die leave nothing behind, and a map that others outgrow is adopted. Method:
// exit tests run the other process; it opens the same folder, works, and is killed or ends.

import DaybookLMDB
import Foundation
import Testing

/// Opens a folder without flushing, with a map so small that it must grow.
private func open(_ path: String, mapByteCount: Int = 1 << 18) throws -> Environment {
  var options = EnvironmentOptions(mapByteCount: mapByteCount)
  options.durability = .deferred
  return try Environment.open(path: path, options: options)
}

/// Writes entries of 300 bytes under keys from a number on, ten in a transaction.
private func fill(_ environment: Environment, from first: Int, count: Int) throws {
  let table = try environment.database(named: "table", create: true)
  for start in stride(from: first, to: first + count, by: 10) {
    try environment.writeGrowing(upTo: 1 << 30) { (transaction: inout WriteTransaction) in
      for index in start..<start + 10 {
        try transaction.put(key(index), [UInt8](repeating: 5, count: 300), in: table)
      }
    }
  }
}

@Suite struct SeveralProcessesTests {
  @Test func staleReaderIsCleared() async throws {
    try await withFolderAsync { path in
      let environment = try open(path)
      let table = try environment.database(named: "table", create: true)
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let environment = try open(path)
        try environment.read { _ in _ = kill(getpid(), SIGKILL) }
      }
      #expect(try environment.info.readerCount >= 1)
      #expect(try environment.clearStaleReaders() == 1)
      #expect(try environment.clearStaleReaders() == 0)
      _ = table
    }
  }

  @Test func openingClearsStaleReaders() async throws {
    try await withFolderAsync { path in
      // This process has it open throughout, so that the lock file is not made anew by the next.
      let environment = try open(path)
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let environment = try open(path)
        try environment.read { _ in _ = kill(getpid(), SIGKILL) }
      }
      await #expect(processExitsWith: .success) { [path = path as String] in
        _ = try open(path)
      }
      #expect(try environment.clearStaleReaders() == 0)
    }
  }

  @Test func fullReaderTableIsClearedOfTheDead() async throws {
    try await withFolderAsync { path in
      var options = EnvironmentOptions(mapByteCount: 1 << 20)
      options.maxReaders = 1
      let environment = try Environment.open(path: path, options: options)
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let environment = try open(path)
        try environment.read { _ in _ = kill(getpid(), SIGKILL) }
      }
      try environment.read { _ in
        let error = #expect(throws: LMDBError.self) { try environment.read { _ in } }
        #expect(error?.kind == .readersFull)
      }
    }
  }

  @Test func killedWriterLeavesNoTrace() async throws {
    try await withFolderAsync { path in
      let environment = try open(path)
      let table = try environment.database(named: "table", create: true)
      try environment.write { try $0.put(key(1), [1], in: table) }
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let environment = try open(path)
        let table = try environment.database(named: "table")
        try environment.write { (transaction: inout WriteTransaction) in
          try transaction.put(key(2), [2], in: table)
          kill(getpid(), SIGKILL)
        }
      }
      // The lock of the dead is taken over.
      try environment.write { try $0.put(key(3), [3], in: table) }
      let found = try environment.read { transaction in
        try (1...3).map { try transaction.contains(key($0).span.bytes, in: table) }
      }
      #expect(found == [true, false, true])
    }
  }

  @Test func fullDiskIsAnErrorAndLosesNothing() async {
    // A limit on the size of files stands for the full disk; the child sets it for itself alone.
    await #expect(processExitsWith: .success) {
      try withFolder { path in
        let environment = try open(path, mapByteCount: 1 << 28)
        try fill(environment, from: 0, count: 1000)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        let before = limit
        signal(SIGXFSZ, SIG_IGN)
        limit.rlim_cur = rlim_t(try environment.info.usedByteCount + 50_000)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        let error = #expect(throws: LMDBError.self) {
          try fill(environment, from: 1000, count: 5000)
        }
        #expect(error?.kind == .diskFull)
        limit = before
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        let table = try environment.database(named: "table")
        let count = try environment.read { try $0.count(of: table) }
        #expect(count >= 1000 && count % 10 == 0)
        try fill(environment, from: 10_000, count: 1000)
        #expect(try environment.read { try $0.count(of: table) } == count + 1000)
      }
    }
  }

  @Test func fullMapIsAnErrorAndGrowingMendsIt() throws {
    try withFolder { path in
      let environment = try open(path)
      let table = try environment.database(named: "table", create: true)
      let error = #expect(throws: LMDBError.self) {
        try environment.write { (transaction: inout WriteTransaction) in
          for index in 0..<2000 {
            try transaction.put(key(index), [UInt8](repeating: 5, count: 300), in: table)
          }
        }
      }
      #expect(error?.kind == .mapFull)
      #expect(try environment.read { try $0.count(of: table) } == 0)
      try fill(environment, from: 0, count: 2000)
      #expect(try environment.read { try $0.count(of: table) } == 2000)
      #expect(try environment.info.mapByteCount > 1 << 18)
      // Never smaller, and no error to ask for it.
      let before = try environment.info.mapByteCount
      try environment.growMap(to: 1)
      #expect(try environment.info.mapByteCount == before)
    }
  }

  @Test func growthGivesUpWhileTransactionsLive() throws {
    try withFolder { path in
      let environment = try open(path)
      try environment.read { _ in
        let start = ContinuousClock.now
        let error = #expect(throws: LMDBError.self) {
          try environment.growMap(to: 1 << 24, patienceSeconds: 1)
        }
        #expect(error?.kind == .busy)
        #expect(ContinuousClock.now - start >= .milliseconds(900))
      }
      try environment.growMap(to: 1 << 24)
      #expect(try environment.info.mapByteCount == 1 << 24)
      // An address space that cannot be had leaves the environment as it was.
      let error = #expect(throws: LMDBError.self) { try environment.growMap(to: 1 << 50) }
      #expect(error?.kind == .resources)
      #expect(throws: Never.self) { try environment.write { _ in } }
    }
  }

  @Test func growsUnderLoadFromThreadsAndProcesses() async throws {
    try await withFolderAsync { path in
      let environment = try open(path)
      let table = try environment.database(named: "table", create: true)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<3 {
          group.addTask { try fill(environment, from: worker * 1_000_000, count: 1500) }
        }
        for worker in 0..<2 {
          group.addTask {
            for _ in 0..<300 {
              let (first, second) = try environment.read { transaction in
                (try transaction.count(of: table), try transaction.count(of: table))
              }
              #expect(first == second && first % 10 == 0, "reader \(worker)")
              await Task.yield()
            }
          }
        }
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String] in
            try fill(open(path), from: 9_000_000, count: 1500)
          }
        }
        try await group.waitForAll()
      }
      #expect(try environment.read { try $0.count(of: table) } == 6000)
      #expect(try environment.info.mapByteCount > 1 << 20)
      var seen = 0
      try environment.read { transaction in
        try transaction.forEach(in: table) { _, value in
          seen += value.byteCount
          return true
        }
      }
      #expect(seen == 6000 * 300)
    }
  }
}
