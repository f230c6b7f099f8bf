// Goal: an environment is opened once in a process, closed cleanly, not inherited by programs, and
// tells about itself. Method: each rule by example through the public interface; descriptors are
// looked at in /proc.

import DaybookLMDB
import Foundation
import Testing

@Suite struct EnvironmentTests {
  private func open(
    _ path: String, _ change: (inout EnvironmentOptions) -> Void = { _ in }
  ) throws(LMDBError) -> Environment {
    var options = EnvironmentOptions(mapByteCount: 1 << 24)
    change(&options)
    return try Environment.open(path: path, options: options)
  }

  private func kind(_ body: () throws -> Void) -> LMDBError.Kind? {
    do {
      try body()
      return nil
    } catch {
      return (error as? LMDBError)?.kind
    }
  }

  /// A folder that was removed gives its inode to the next one, which is not open for that; here the
  /// files are removed instead, since nobody can ask for an inode.
  @Test func aRemovedEnvironmentDoesNotBlockAnother() throws {
    try withFolder { path in
      let first = try open(path)
      for name in ["data.mdb", "lock.mdb"] {
        try FileManager.default.removeItem(atPath: path + "/" + name)
      }
      let second = try open(path)
      #expect(kind { _ = try open(path) } == .alreadyOpen)
      // The first one's end must not give the second one's folder away.
      try first.close()
      #expect(kind { _ = try open(path) } == .alreadyOpen)
      try second.close()
      #expect(kind { _ = try open(path) } == nil)
    }
  }

  @Test func opensOncePerProcess() throws {
    try withFolder { path in
      let link = path + "-link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      defer { try? FileManager.default.removeItem(atPath: link) }
      let first = try open(path)
      #expect(kind { _ = try open(path) } == .alreadyOpen)
      #expect(kind { _ = try open(path + "/.") } == .alreadyOpen)
      #expect(kind { _ = try open(link) } == .alreadyOpen)
      try first.close()
      try first.close()
      try open(link).close()
      // Going out of scope closes, too.
      do { _ = try open(path) }
      #expect(kind { _ = try open(path) } == nil)
    }
  }

  @Test func makesItsFolderButNotItsParents() throws {
    try withFolder { path in
      try open(path + "/made").close()
      #expect(FileManager.default.fileExists(atPath: path + "/made/data.mdb"))
      #expect(kind { _ = try open(path + "/missing/made") } == .notFound)
    }
  }

  @Test func missingDataIsNotAnEmptyEnvironment() throws {
    try withFolder { path in
      #expect(kind { _ = try open(path) { $0.createIfMissing = false } } == .notFound)
      #expect(kind { _ = try open(path) { $0.readOnly = true } } == .notFound)
      try Data().write(to: URL(fileURLWithPath: path + "/data.mdb"))
      #expect(kind { _ = try open(path) { $0.createIfMissing = false } } == .truncated)
      #expect(kind { _ = try open(path) } == nil)
      #expect(kind { _ = try open(path) { $0.createIfMissing = false } } == nil)
      #expect(kind { _ = try open(path) { $0.createIfMissing = false } } == nil)
    }
  }

  @Test func closingWaitsForNobody() throws {
    try withFolder { path in
      let environment = try open(path)
      let table = try environment.database(named: "table", create: true)
      try environment.read { _ in
        #expect(kind { try environment.close() } == .busy)
      }
      try environment.write { (transaction: inout WriteTransaction) in
        #expect(kind { try environment.close() } == .busy)
        try transaction.put(key(1), [1], in: table)
      }
      try environment.close()
      #expect(kind { _ = try environment.info } == .closed)
      #expect(kind { try environment.flush() } == .closed)
      #expect(throws: LMDBError.self) { try environment.read { _ in } }
      #expect(throws: LMDBError.self) { try environment.write { _ in } }
    }
  }

  @Test func readOnly() throws {
    try withFolder { path in
      do {
        let environment = try open(path)
        let table = try environment.database(named: "table", create: true)
        try environment.write { try $0.put(key(1), [1], in: table) }
      }
      let environment = try open(path) { $0.readOnly = true }
      let table = try environment.database(named: "table")
      #expect(try environment.read { try $0.bytes(for: key(1), in: table) } == [1])
      let error = #expect(throws: LMDBError.self) { try environment.write { _ in } }
      #expect(error?.kind == .notPermitted)
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
  func descriptorsAreClosedOnExec() throws {
    try withFolder { path in
      let environment = try open(path)
      _ = try environment.database(named: "table", create: true)
      let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      var count = 0
      for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
        guard let descriptor = Int32(name),
          let target = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/fd/\(name)"),
          target.hasPrefix(resolved)
        else { continue }
        count += 1
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0, "\(target)")
      }
      #expect(count == 3)
      _ = environment
    }
  }

  @Test func tellsAboutItself() throws {
    try withFolder { path in
      let environment = try open(path)
      let table = try environment.database(named: "table", create: true)
      let before = try environment.info
      #expect(before.mapByteCount == 1 << 24)
      #expect(before.readerCountMax == 512)
      try environment.write { (transaction: inout WriteTransaction) in
        for index in 0..<1000 { try transaction.put(key(index), key(index), in: table) }
      }
      let after = try environment.info
      #expect(after.lastTransactionID == before.lastTransactionID + 1)
      #expect(after.lastPage > before.lastPage)
      let statistics = try environment.statistics(of: table)
      #expect(statistics.entryCount == 1000)
      #expect(statistics.leafPageCount > 1 && statistics.depth == 2)
      let attributes = try FileManager.default.attributesOfItem(atPath: path + "/data.mdb")
      #expect(attributes[.systemFileNumber] as? Int == Int(environment.fileIdentity.inode))
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test(arguments: [false, true]) func copies(compacted: Bool) throws {
    try withFolder { path in
      let environment = try open(path + "/original")
      let table = try environment.database(named: "table", create: true)
      try environment.write { (transaction: inout WriteTransaction) in
        for index in 0..<5000 { try transaction.put(key(index), key(index), in: table) }
      }
      let cut = key(4000)
      try environment.write { (transaction: inout WriteTransaction) in
        _ = try transaction.deleteRange(from: nil, to: cut.span.bytes, in: table)
      }
      let target = path + "/copy"
      if compacted {
        try environment.copyCompacted(to: target)
      } else {
        try environment.copy(to: target)
      }
      // A copy into a folder that has one already is refused.
      #expect(kind { try environment.copy(to: target) } == .other)
      let copy = try open(target) { $0.createIfMissing = false }
      let same = try copy.database(named: "table")
      #expect(try copy.read { try $0.count(of: same) } == 1000)
      #expect(try copy.read { try $0.bytes(for: key(4999), in: same) } == key(4999))
      let (old, new) = try (environment.info.lastPage, copy.info.lastPage)
      #expect(compacted ? new < old / 2 : new == old)
      #expect(copy.fileIdentity != environment.fileIdentity)
    }
  }

  @Test func databasesAreSharedAndSeparate() throws {
    try withFolder { path in
      let environment = try open(path) { $0.maxDatabases = 2 }
      #expect(kind { _ = try environment.database(named: "a") } == .notFound)
      let first = try environment.database(named: "a", create: true)
      let second = try environment.database(named: "b", create: true)
      #expect(try environment.database(named: "a") == first)
      #expect(first != second)
      #expect(kind { _ = try environment.database(named: "c", create: true) } == .database)
      try environment.write { try $0.put(key(1), [1], in: first) }
      #expect(try environment.read { try $0.count(of: second) } == 0)
    }
  }

  @Test func databaseMadeInATransactionIsUndoneWithIt() throws {
    try withFolder { path in
      let environment = try open(path)
      struct Refused: Error {}
      #expect(throws: Refused.self) {
        try environment.write { (transaction: inout WriteTransaction) in
          let table = try transaction.openDatabase(named: "a")
          try transaction.put(key(1), [1], in: table)
          throw Refused()
        }
      }
      #expect(kind { _ = try environment.database(named: "a") } == .notFound)
      let table = try environment.write { (transaction: inout WriteTransaction) in
        let table = try transaction.openDatabase(named: "a")
        try transaction.put(key(1), [1], in: table)
        return table
      }
      #expect(try environment.read { try $0.count(of: table) } == 1)
    }
  }

  @Test func mapShrinksToTheAddressSpaceThereIs() throws {
    try withFolder { path in
      let environment = try open(path) { $0.mapByteCount = 1 << 50 }
      let mapByteCount = try environment.info.mapByteCount
      #expect(mapByteCount < 1 << 48 && mapByteCount >= Limits.mapByteCountLeast)
      let table = try environment.database(named: "table", create: true)
      try environment.write { try $0.put(key(1), [1], in: table) }
    }
  }

  @Test func foreignDatabaseTraps() async {
    await #expect(processExitsWith: .failure) {
      try withEnvironment { _, table in
        try withEnvironment { other, _ in
          _ = try other.read { try $0.count(of: table) }
        }
      }
    }
  }
}
