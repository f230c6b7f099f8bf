// Goal: an environment that is read without LMDB's lock file keeps writers away while it is read, and only then;
// and it sees what they have written meanwhile. Method: an environment is written, closed and opened so; whether a
// writer would have to wait is asked of the file that both lock.

import DaybookPlatform
import Foundation
import Testing

@testable import DaybookLMDB

@Suite struct SharedLockTests {
  /// Whether somebody could write now: whether the lock can be had alone.
  private func isFree(_ path: String) throws -> Bool {
    let file = open(path, O_RDWR | O_CLOEXEC)
    try #require(file >= 0)
    defer { close(file) }
    return flock(file, LOCK_EX | LOCK_NB) == 0
  }

  private func options(_ lock: String) -> EnvironmentOptions {
    var options = EnvironmentOptions(mapByteCount: 1 << 30)
    options.readOnly = true
    options.sharedLockPath = lock
    return options
  }

  @Test func writersWaitWhileSomethingIsRead() throws {
    try withFolder { path in
      let lock = path + "/WRITER"
      try Data().write(to: URL(fileURLWithPath: lock))
      let writing = try Environment.open(
        path: path, options: EnvironmentOptions(mapByteCount: 1 << 30))
      let table = try writing.database(named: "table", create: true)
      try writing.write { try $0.put(key(1), key(10), in: table) }
      try writing.close()
      try FileManager.default.removeItem(atPath: path + "/lock.mdb")
      let reading = try Environment.open(path: path, options: options(lock))
      let known = try reading.database(named: "table")
      #expect(try isFree(lock))
      try reading.read { transaction in
        #expect(try !isFree(lock))
        // A second reader, which ends first.
        let second = try reading.read { try $0.bytes(for: key(1), in: known) }
        #expect(second == key(10))
        #expect(try !isFree(lock))
        let first = try transaction.bytes(for: key(1), in: known)
        #expect(first == key(10))
      }
      #expect(try isFree(lock))
      #expect(!FileManager.default.fileExists(atPath: path + "/lock.mdb"))
      try reading.close()
    }
  }

  @Test func withoutTheFileNothingIsRead() throws {
    try withFolder { path in
      try Environment.open(path: path, options: EnvironmentOptions(mapByteCount: 1 << 30)).close()
      let error = #expect(throws: LMDBError.self) {
        _ = try Environment.open(path: path, options: options(path + "/WRITER"))
      }
      #expect(error?.kind == .notFound || error?.code == ENOENT)
    }
  }

  @Test func onlyReadersShareIt() throws {
    try withFolder { path in
      var options = options(path + "/WRITER")
      options.readOnly = false
      #expect(throws: LMDBError.self) { _ = try Environment.open(path: path, options: options) }
    }
  }
}
