// Goal: a relay that is served from a copy has other incarnations, however the copy was made, and else keeps them.
// Method: a store on disk, its backup, and its file copied away and back.

import DaybookSyncWire
import Foundation
import Testing

@testable import Relay

@Suite struct IncarnationTests {
  private let scratch = Scratch()

  /// Serves a folder for a moment: whether it was a copy, and its log's incarnation.
  private func serve(_ path: String) async throws -> (isCopy: Bool, incarnation: UInt64) {
    let store = try EmbeddedRelayStore.open(folder: path)
    let isCopy = try await store.settle()
    try await store.makeLedger(ledger, quota: 1 << 20)
    let incarnation = try await store.status(of: ledger, now: 0).incarnation
    try await store.close()
    return (isCopy, incarnation)
  }

  private func backUp(to path: String) async throws {
    let store = try EmbeddedRelayStore.open(folder: scratch.path)
    try await store.backup(to: path)
    try await store.close()
  }

  @Test func aRelayThatStartsAgainKeepsIt() async throws {
    let first = try await serve(scratch.path)
    let second = try await serve(scratch.path)
    #expect(!first.isCopy && !second.isCopy && first.incarnation == second.incarnation)
  }

  @Test func aBackupGetsAnother() async throws {
    let copy = Scratch()
    let first = try await serve(scratch.path)
    try await backUp(to: copy.path)
    let opened = try EmbeddedRelayStore.open(folder: copy.path)
    #expect(try await opened.verify(ledger).faults == [])
    try await opened.close()
    let restored = try await serve(copy.path)
    #expect(restored.isCopy && restored.incarnation != first.incarnation)
    let again = try await serve(copy.path)
    #expect(!again.isCopy && again.incarnation == restored.incarnation)
    #expect(try await serve(scratch.path).incarnation == first.incarnation)
  }

  @Test func aBackupThatIsWrittenBackGetsAnother() async throws {
    let copy = Scratch()
    let first = try await serve(scratch.path)
    try await backUp(to: copy.path)
    // Into the same file, as cp does.
    let file = try #require(FileHandle(forWritingAtPath: scratch.path + "/data.mdb"))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(contentsOf: URL(fileURLWithPath: copy.path + "/data.mdb")))
    try file.close()
    let restored = try await serve(scratch.path)
    #expect(restored.isCopy && restored.incarnation != first.incarnation)
  }

  @Test func aCopiedFileGetsAnother() async throws {
    let copy = Scratch()
    let first = try await serve(scratch.path)
    try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: scratch.path + "/data.mdb", toPath: copy.path + "/data.mdb")
    let moved = try await serve(copy.path)
    #expect(moved.isCopy && moved.incarnation != first.incarnation)
  }

  /// Often, the new file gets the inode of the deleted one.
  @Test func aFolderThatIsDeletedAndCopiedBackGetsAnother() async throws {
    let copy = Scratch()
    var last = try await serve(scratch.path).incarnation
    for _ in 0..<12 {
      try FileManager.default.copyItem(atPath: scratch.path, toPath: copy.path)
      try FileManager.default.removeItem(atPath: scratch.path)
      try FileManager.default.copyItem(atPath: copy.path, toPath: scratch.path)
      try FileManager.default.removeItem(atPath: copy.path)
      let restored = try await serve(scratch.path)
      #expect(restored.isCopy && restored.incarnation != last)
      last = restored.incarnation
      let again = try await serve(scratch.path)
      #expect(!again.isCopy && again.incarnation == last)
    }
  }

  @Test func aRenamedFolderKeepsIt() async throws {
    let other = Scratch()
    let first = try await serve(scratch.path)
    try FileManager.default.moveItem(atPath: scratch.path, toPath: other.path)
    let moved = try await serve(other.path)
    #expect(!moved.isCopy && moved.incarnation == first.incarnation)
  }

  @Test func aRelayOfAnEarlierVersionKeepsIt() async throws {
    let first = try await serve(scratch.path)
    let rows = try LMDBRows(folder: scratch.path)
    let place = rows.place
    #expect(place.count == 24)
    try await rows.write { $0.put(RowKeys.place, Array(place.prefix(16))) }
    try await rows.close()
    let second = try await serve(scratch.path)
    #expect(!second.isCopy && second.incarnation == first.incarnation)
  }
}
