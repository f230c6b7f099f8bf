/// Goal: any number of ledgers cost a bounded number of files and threads, and nobody's ledger is closed while it is
/// used. Method: a thousand ledgers are asked by tasks at once through a small pool; the process's descriptors and
/// threads are counted, and whoever uses, watches or shares a ledger is held up meanwhile.
import Daybook
import DaybookLMDB
import Foundation
import Testing

/// A folder for ledgers, removed with the object.
private final class Place: Sendable {
  let path = NSTemporaryDirectory() + "daybook-pool-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func ledger(_ number: Int) -> String { "\(path)/\(number).daybook" }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// The files below a folder that this process has open.
private func openFiles(below folder: String) -> [String] {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
  return names.compactMap { name in
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
  }.filter { $0.contains(URL(fileURLWithPath: folder).lastPathComponent) }
}

private func openFileCount(below folder: String) -> Int { openFiles(below: folder).count }

/// Soon after a ledger is closed, its thread has ended and let go of its last file.
private func expectNoFiles(below folder: String) async throws {
  for _ in 0..<1_000 where !openFiles(below: folder).isEmpty {
    try await Task.sleep(for: .milliseconds(10))
  }
  #expect(openFiles(below: folder) == [])
}

/// How many threads this process has.
private func threadCount() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
}

private var options: Ledger.Options {
  var options = Ledger.Options()
  options.adjustsEngine = { $0.mapByteCount = 1 << 28 }
  return options
}

private func category(_ name: String) -> Command {
  .createCategory(NewCategory(name: name, kind: .expense))
}

@Suite(.serialized) struct PoolTests {
  @Test func aThousandLedgersTakeFewFilesAndThreads() async throws {
    let place = try Place()
    try await Ledger.withLedger(at: place.ledger(0), options: options) {
      _ = try await $0.append(category("Food"))
    }
    for number in 1..<1_000 {
      try FileManager.default.copyItem(atPath: place.ledger(0), toPath: place.ledger(number))
    }
    let pool = LedgerPool(limit: 16, idleTime: nil, options: options)
    let threads = threadCount()
    let most = Lock((files: 0, open: 0, threads: 0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          for number in stride(from: worker, to: 1_000, by: 4) {
            let names = try await pool.withLedger(at: place.ledger(number)) { ledger in
              if number % 10 == 0 { try await ledger.append(category("More")) }
              return try ledger.read { try $0.categories().map(\.name) }
            }
            #expect(names == (number % 10 == 0 ? ["Food", "More"] : ["Food"]))
            if number % 25 == worker {
              let now = (openFileCount(below: place.path), await pool.openCount, threadCount())
              most.withLock {
                $0 = (max($0.files, now.0), max($0.open, now.1), max($0.threads, now.2))
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let found = most.withLock { $0 }
    print("1,000 ledgers: at most \(found), \(threads) threads before")
    #expect(await pool.openCount <= 16)
    // Four more may be on their way in, and four on their way out.
    #expect(found.open <= 24 && found.files <= 24 * 8)
    #expect(found.files > 0 || !FileManager.default.fileExists(atPath: "/proc/self/fd"))
    // Other tests have threads of their own at the same time; a thousand ledgers would have a thousand.
    #expect(found.threads < threads + 500)
    try await pool.close()
    #expect(await pool.openCount == 0)
    try await expectNoFiles(below: place.path)
    // What was appended is there, and can be opened by anyone again.
    let count = try await Ledger.withLedger(at: place.ledger(990), options: options) { ledger in
      try ledger.read { try $0.categories().count }
    }
    #expect(count == 2)
  }

  @Test func whatIsIdleIsClosed() async throws {
    let place = try Place()
    let pool = LedgerPool(limit: 16, idleTime: .milliseconds(20), options: options)
    for number in 0..<5 {
      try await pool.withLedger(at: place.ledger(number)) { _ = try await $0.append(category("A")) }
    }
    for _ in 0..<3_000 where await pool.openCount > 0 {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(await pool.openCount == 0)
    try await expectNoFiles(below: place.path)
    // It goes on as before.
    let count = try await pool.withLedger(at: place.ledger(3)) { ledger in
      try ledger.read { try $0.categories().count }
    }
    #expect(count == 1)
    try await pool.close()
  }

  @Test func whatIsUsedOrWatchedStaysOpen() async throws {
    let place = try Place()
    let pool = LedgerPool(limit: 1, idleTime: .zero, options: options)
    let seen = Lock<[Int]>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await pool.withLedger(at: place.ledger(0)) { ledger in
          for try await count in ledger.observe({ try $0.categories().count }) {
            seen.withLock { $0.append(count) }
            if count == 2 { break }
          }
        }
      }
      while seen.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(2)) }
      // Others come and go, and one asks for the ledger that is watched.
      for number in 1..<20 {
        try await pool.withLedger(at: place.ledger(number)) {
          _ = try await $0.append(category("A"))
        }
      }
      for name in ["A", "B"] {
        try await pool.withLedger(at: place.ledger(0)) { _ = try await $0.append(category(name)) }
      }
      try await group.waitForAll()
    }
    #expect(seen.withLock { $0.first == 0 && $0.last == 2 })
    try await pool.close()
  }

  @Test func allGetTheSameLedger() async throws {
    let place = try Place()
    let pool = LedgerPool(limit: 2, options: options)
    let link = place.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: place.path)
    let paths = [place.ledger(0), place.ledger(0) + "/", link + "/0.daybook"]
    let names = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
      for index in 0..<60 {
        group.addTask {
          try await pool.withLedger(at: paths[index % paths.count]) { ledger in
            try await ledger.append(category("\(index)"))
            try await Task.sleep(for: .milliseconds(50))
            return ObjectIdentifier(ledger)
          }
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(names.count == 1)
    #expect(await pool.openCount == 1)
    try await pool.closeLedger(at: link + "/0.daybook")
    #expect(await pool.openCount == 0)
    try FileManager.default.moveItem(atPath: place.ledger(0), toPath: place.ledger(1))
    let count = try await pool.withLedger(at: place.ledger(1)) { ledger in
      try ledger.read { try $0.categories().count }
    }
    #expect(count == 60)
    try await pool.close()
  }

  @Test func whatIsOpenAlreadyIsToldByName() async throws {
    let place = try Place()
    let ledger = try await Ledger.open(at: place.ledger(0), options: options)
    let pool = LedgerPool(options: options)
    for _ in 0..<2 {
      let errors = [
        await #expect(throws: DaybookError.self) {
          _ = try await Ledger.open(at: place.ledger(0), options: options)
        },
        await #expect(throws: DaybookError.self) {
          try await pool.withLedger(at: place.ledger(0)) { _ in }
        },
      ]
      for error in errors {
        #expect(error?.code == .alreadyOpen)
        #expect(
          error?.message.contains("0.daybook”: this process already has it open") == true,
          "\(error?.message ?? "")")
        #expect(error?.remedy.contains("LedgerPool") == true)
      }
    }
    #expect(await pool.openCount == 0)
    try await ledger.close()
    try await pool.withLedger(at: place.ledger(0)) { _ = try await $0.append(category("A")) }
    try await pool.close()
  }

  @Test func aClosedPoolOpensNothing() async throws {
    let place = try Place()
    let pool = LedgerPool(limit: 0, options: options)
    #expect(pool.limit == 1)
    struct Mine: Error {}
    await #expect(throws: Mine.self) {
      try await pool.withLedger(at: place.ledger(0)) { _ in throw Mine() }
    }
    try await pool.close()
    try await pool.close()
    let error = await #expect(throws: DaybookError.self) {
      try await pool.withLedger(at: place.ledger(0)) { _ in }
    }
    #expect(error?.code == .closed)
  }
}
