// Goal: a folder is opened only where it is a whole ledger, CURRENT flips in one step that everybody
// notices, and nothing unfinished is mistaken for something live.
// Method: ledgers in temporary folders whose files are removed, damaged, copied and renamed.

import DaybookEntities
import DaybookJournal
import DaybookLMDB
import DaybookPlatform
import Foundation
import Testing

@Suite struct StoreFolderTests {
  private func damage(_ path: String, _ name: String) throws {
    let url = URL(fileURLWithPath: path + "/" + name)
    var bytes = [UInt8](try Data(contentsOf: url))
    bytes[bytes.count / 2] ^= 1
    try Data(bytes).write(to: url)
  }

  private func codeOfOpening(_ path: String) -> JournalError.Code? {
    code {
      let folder = try StoreFolder.open(at: path)
      try folder.openJournal().close()
    }
  }

  @Test func createsAndOpens() throws {
    let scratch = Scratch()
    let made = try StoreFolder.create(at: scratch.ledger + "/")
    let opened = try StoreFolder.open(at: scratch.ledger)
    #expect(opened.identity == made.identity && opened.path == scratch.ledger)
    #expect(try opened.current().format == StoreFolder.formatVersion)
    let current = try opened.current()
    #expect(current.journal == 1 && current.views == 1 && current.highest == 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.ledger).sorted()
    #expect(names == ["CURRENT", "FORMAT", "WRITER", "journal-0001"])
    // Nothing is left beside it.
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).count == 1)
  }

  @Test func whatADeadProcessLeftAsideIsRemoved() throws {
    let scratch = Scratch()
    let files = FileManager.default
    // No process has this number: it is beyond what the system gives out.
    let dead = "2147483646"
    var locks: [Int32] = []
    func aside(_ process: String, old: Bool, locked: Bool = false) throws -> String {
      let path = "\(scratch.ledger).creating-\(process)-\(UUID().uuidString.prefix(8))"
      try files.createDirectory(atPath: path, withIntermediateDirectories: false)
      let file = open(path + "/WRITER", O_RDWR | O_CREAT, 0o600)
      if locked { #expect(flock(file, LOCK_EX) == 0) }
      locks.append(file)
      if old {
        let date = Date(timeIntervalSinceNow: -120)
        try files.setAttributes([.modificationDate: date], ofItemAtPath: path)
      }
      return path
    }
    defer { for file in locks { close(file) } }
    let abandoned = try aside(dead, old: true)
    let kept = [
      try aside(dead, old: false), try aside("1", old: true), try aside("\(getpid())", old: true),
      try aside(dead, old: true, locked: true),
    ]
    let other = scratch.path + "/Other.daybook.creating-\(dead)-00000000"
    try files.createDirectory(atPath: other, withIntermediateDirectories: false)
    _ = try StoreFolder.create(at: scratch.ledger)
    #expect(!files.fileExists(atPath: abandoned))
    for path in kept { #expect(files.fileExists(atPath: path), "\(path)") }
    #expect(files.fileExists(atPath: other))
    let later = try aside(dead, old: true)
    StoreFolder.removeAbandoned(besides: scratch.ledger + "/")
    #expect(!files.fileExists(atPath: later))
  }

  @Test func createRefusesWhatIsThere() throws {
    let scratch = Scratch()
    _ = try StoreFolder.create(at: scratch.ledger)
    #expect(code { _ = try StoreFolder.create(at: scratch.ledger) } == .alreadyExists)
    let file = scratch.path + "/file"
    try Data([1]).write(to: URL(fileURLWithPath: file))
    #expect(code { _ = try StoreFolder.create(at: file) } == .alreadyExists)
    let empty = scratch.path + "/empty"
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
    _ = try StoreFolder.create(at: empty)
    #expect(
      code { _ = try StoreFolder.create(at: scratch.path + "/no/such/parent") } == .missing)
  }

  @Test func eachDamageHasItsError() throws {
    let scratch = Scratch()
    let files = FileManager.default
    #expect(codeOfOpening(scratch.ledger) == .missing)
    #expect(codeOfOpening(scratch.path) == .notALedger)
    let file = scratch.path + "/file"
    try Data([1]).write(to: URL(fileURLWithPath: file))
    #expect(codeOfOpening(file) == .notALedger)

    func fresh(_ name: String) throws -> String {
      let path = scratch.path + "/" + name
      _ = try StoreFolder.create(at: path)
      #expect(codeOfOpening(path) == nil)
      return path
    }
    var path = try fresh("a")
    try damage(path, "FORMAT")
    #expect(codeOfOpening(path) == .damagedFolder)
    try files.removeItem(atPath: path + "/FORMAT")
    #expect(codeOfOpening(path) == .damagedFolder)
    path = try fresh("b")
    try damage(path, "CURRENT")
    #expect(codeOfOpening(path) == .damagedFolder)
    try files.removeItem(atPath: path + "/CURRENT")
    #expect(codeOfOpening(path) == .damagedFolder)
    #expect(message { _ = try StoreFolder.open(at: path).current() }.contains("journal-0001"))
    path = try fresh("c")
    try files.removeItem(atPath: path + "/journal-0001/data.mdb")
    #expect(codeOfOpening(path) == .damagedFolder)
    #expect(files.fileExists(atPath: path + "/journal-0001/data.mdb") == false)
    try files.removeItem(atPath: path + "/journal-0001")
    #expect(codeOfOpening(path) == .damagedFolder)
  }

  @Test func foreignGenerationsAreRefused() throws {
    let scratch = Scratch()
    let files = FileManager.default
    let first = scratch.path + "/first"
    let second = scratch.path + "/second"
    _ = try StoreFolder.create(at: first)
    _ = try StoreFolder.create(at: second)
    try files.removeItem(atPath: first + "/journal-0001")
    try files.copyItem(atPath: second + "/journal-0001", toPath: first + "/journal-0001")
    #expect(codeOfOpening(first) == .foreignGeneration)
    // Another generation of the same ledger in the place of the live one.
    let folder = try StoreFolder.open(at: second)
    try folder.withWriter { lock in
      var current = try folder.current()
      current.journal = 2
      try folder.setCurrent(current, holding: lock)
    }
    try files.moveItem(atPath: second + "/journal-0001", toPath: second + "/journal-0002")
    #expect(codeOfOpening(second) == .foreignGeneration)
    // An environment without anything in it.
    try files.removeItem(atPath: second + "/journal-0002")
    try Environment.open(path: second + "/journal-0002").close()
    #expect(codeOfOpening(second) == .foreignGeneration)
  }

  @Test func newerFormatsAreNamed() throws {
    let scratch = Scratch()
    _ = try StoreFolder.create(at: scratch.ledger)
    let path = scratch.ledger + "/FORMAT"
    var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    lines.removeLast()
    let content = lines.map { $0 == "format 1" ? "format 2" : $0 }.joined(separator: "\n") + "\n"
    let checksum = Hash256(hashing: Array(content.utf8)).description.prefix(16)
    try Data((content + "checksum \(checksum)\n").utf8).write(to: URL(fileURLWithPath: path))
    #expect(codeOfOpening(scratch.ledger) == .newerFormat)
  }

  @Test func flipsAreNoticed() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger, isFlushed: false)
    var seen: Set<CurrentStamp> = [try folder.currentStamp()]
    let lock = try folder.lockWriter()
    for flip in 1...200 as ClosedRange<UInt32> {
      var current = try folder.current()
      current.views = flip + 1
      try folder.setCurrent(current, holding: lock)
      #expect(try folder.current() == current)
      #expect(seen.insert(try folder.currentStamp()).inserted, "flip \(flip) looks like another")
    }
    // The clock of the machine may stand still or go back between two flips.
    let path = scratch.ledger + "/CURRENT"
    let future = Date(timeIntervalSinceNow: 3_600)
    try FileManager.default.setAttributes([.modificationDate: future], ofItemAtPath: path)
    for flip in 1...3 as ClosedRange<UInt32> {
      let before = try folder.currentStamp()
      var current = try folder.current()
      current.views = flip
      try folder.setCurrent(current, holding: lock)
      #expect(before < (try folder.currentStamp()))
    }
    let stamp = try folder.currentStamp()
    _ = try folder.current()
    #expect(try folder.currentStamp() == stamp)
    lock.release()
    #expect(code { try folder.setCurrent(folder.current(), holding: lock) } == .refused)
  }

  @Test func generationsHaveNames() {
    #expect(Generation(kind: .journal, number: 1).folderName == "journal-0001")
    #expect(Generation(kind: .views, number: 12_345).folderName == "views-12345")
    for name in ["journal-0001", "views-0099", "views-12345"] {
      #expect(Generation(name)?.folderName == name)
    }
    for name in [
      "journal-1", "journal-0000", "views-", "views-+001", "removed-views-0001", "journal-00001",
      "x",
    ] {
      #expect(Generation(name) == nil)
    }
  }

  @Test func numbersAreNeverGivenTwice() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger)
    let lock = try folder.lockWriter()
    #expect(try folder.reserveGeneration(holding: lock) == 2)
    #expect(try folder.reserveGeneration(holding: lock) == 3)
    try FileManager.default.createDirectory(
      atPath: folder.viewsPath(1), withIntermediateDirectories: false)
    let next = try folder.discardViews(holding: lock)
    #expect(next.views == 4 && next.journal == 1 && next.highest == 4)
    #expect(try folder.current() == next)
    #expect(try folder.generations() == [Generation(kind: .journal, number: 1)])
    lock.release()
  }

  @Test func unfinishedGenerationsGo() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger)
    let files = FileManager.default
    for name in ["views-0001", "views-0007", "journal-0002", "removed-views-0003-00aa", "mine"] {
      try files.createDirectory(
        atPath: scratch.ledger + "/" + name, withIntermediateDirectories: false)
      try Data([1]).write(to: URL(fileURLWithPath: scratch.ledger + "/" + name + "/data.mdb"))
    }
    let building = try folder.beginBuilding(Generation(kind: .views, number: 9))
    let lock = try folder.lockWriter()
    let removed = try folder.removeUnfinished(holding: lock)
    #expect(removed == ["journal-0002", "removed-views-0003-00aa", "views-0007"])
    #expect(
      try files.contentsOfDirectory(atPath: scratch.ledger).sorted() == [
        "CURRENT", "FORMAT", "NEXT", "WRITER", "journal-0001", "mine", "views-0001", "views-0009",
      ])
    #expect(
      code { try folder.remove(Generation(kind: .journal, number: 1), holding: lock) } == .refused)
    building.release()
    #expect(try folder.removeUnfinished(holding: lock) == ["views-0009"])
    lock.release()
  }
}
