// Goal: whatever bit of a meta page is flipped, the file is refused, or it is read and written as if
// nothing had happened; it never grows without limit. Method: every bit that LMDB reads is flipped,
// before the file is opened and while it is open, in a child process with a limit on the size of
// its files.

import Foundation
import Testing

@testable import DaybookLMDB

@Suite struct DamagedMetaPageTests {
  private static let rowCount = 300
  /// What a file may grow by in these tests.
  private static let growthByteCountMax = 1 << 20

  private static func open(_ path: String, isFlushed: Bool) throws -> Environment {
    var options = EnvironmentOptions(mapByteCount: 1 << 28)
    options.durability = isFlushed ? .durable : .deferred
    return try Environment.open(path: path, options: options)
  }

  /// A file with overflow pages, free pages, and a last commit that adds pages.
  private static func make(_ path: String) throws {
    let environment = try open(path, isFlushed: false)
    let table = try environment.database(named: "a", create: true)
    for start in stride(from: 0, to: rowCount, by: 50) {
      try environment.write { transaction in
        for index in start..<start + 50 {
          let byteCount = index % 97 == 0 ? 9_000 : 60
          try transaction.put(key(index), [UInt8](repeating: 1, count: byteCount), in: table)
        }
      }
    }
    try environment.flush()
    try environment.close()
  }

  private static func size(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "/data.mdb")
    return try #require(attributes[.size] as? Int)
  }

  private static func put(_ bytes: Data, _ path: String) throws {
    for place in ["data.mdb", "lock.mdb"].map({ path + "/" + $0 })
    where FileManager.default.fileExists(atPath: place) {
      try FileManager.default.removeItem(atPath: place)
    }
    try bytes.write(to: URL(fileURLWithPath: path + "/data.mdb"))
  }

  /// Reads everything and writes twice, so that both meta pages are replaced.
  private static func use(_ environment: Environment) throws {
    let table = try environment.database(named: "a")
    var count = 0
    try environment.read { transaction in
      try transaction.forEach(in: table) { _, value in
        count += copy(value).allSatisfy { $0 == 1 } ? 1 : 0
        return true
      }
    }
    #expect(count == rowCount)
    for index in 0..<2 {
      try environment.write { try $0.put(key(rowCount + index), [1], in: table) }
    }
    let rows = try environment.read { try $0.count(of: table) }
    #expect(rows == rowCount + 2)
  }

  /// Lets files of this process grow to 64 MiB, and reports what would exceed it as an error.
  private static func limitFiles() {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: 1 << 26, rlim_max: 1 << 26)
    #if canImport(Glibc)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
      setrlimit(RLIMIT_FSIZE, &limit)
    #endif
  }

  /// The bits that LMDB reads of both meta pages.
  private static var bits: [(offset: Int, mask: UInt8)] {
    var bits: [(offset: Int, mask: UInt8)] = []
    for page in 0..<2 {
      for byte in 0..<MetaPage.byteCount {
        for bit in 0..<8 { bits.append((offset: page * 4_096 + byte, mask: UInt8(1) << bit)) }
      }
    }
    return bits
  }

  @Test(arguments: [false, true]) func aFlippedBitIsRefusedOrMeansNothing(isFlushed: Bool) async {
    await #expect(processExitsWith: .success) { [isFlushed = isFlushed as Bool] in
      Self.limitFiles()
      try withFolder { path in
        try Self.make(path)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path + "/data.mdb"))
        var refusedCount = 0
        for bit in Self.bits {
          var damaged = bytes
          damaged[bit.offset] ^= bit.mask
          try Self.put(damaged, path)
          do {
            let environment = try Self.open(path, isFlushed: isFlushed)
            try Self.use(environment)
            try environment.close()
          } catch let error as LMDBError {
            #expect([.corrupted, .invalid, .truncated].contains(error.kind), "\(bit): \(error)")
            refusedCount += 1
          }
          let growth = try Self.size(path) - bytes.count
          #expect(growth < Self.growthByteCountMax, "\(bit): grown by \(growth) bytes")
        }
        // The older page's roots mean nothing, nor do both pages' numbers, addresses and map sizes.
        #expect(refusedCount > Self.bits.count / 4, "\(refusedCount)")
      }
    }
  }

  @Test(arguments: [false, true]) func aLastPageThatChangesWhileTheFileIsOpenIsRefused(
    isFlushed: Bool
  ) async {
    await #expect(processExitsWith: .success) { [isFlushed = isFlushed as Bool] in
      Self.limitFiles()
      try withFolder { path in
        try Self.make(path)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path + "/data.mdb"))
        for bit in 0..<64 {
          try Self.put(bytes, path)
          let environment = try Self.open(path, isFlushed: isFlushed)
          let newest = try environment.info.lastTransactionID % 2
          let offset = newest * 4_096 + MetaPage.byteCount - 16 + bit / 8
          let file = try #require(FileHandle(forUpdatingAtPath: path + "/data.mdb"))
          try file.seek(toOffset: UInt64(offset))
          try file.write(contentsOf: [bytes[offset] ^ UInt8(1 << (bit % 8))])
          try file.close()
          do {
            try Self.use(environment)
            #expect(bit < 13, "bit \(bit) wasn't noticed")
          } catch let error as LMDBError {
            // A read that meets a page past the last one ends its transaction.
            #expect([.corrupted, .database].contains(error.kind), "bit \(bit): \(error)")
          }
          try environment.close()
          // A last page within the file, or a little past its end, is believed until it is opened.
          let growth = try Self.size(path) - bytes.count
          #expect(growth < 1 << 26 - bytes.count, "bit \(bit): grown by \(growth) bytes")
        }
      }
    }
  }
}
