// Goal: what the redo log has made durable is there again although the data file has lost everything since it was
// flushed; and a log that does not belong to the data file changes nothing.
// Method: a log that is opened after one commit, and full after four. The data file is put back to what was flushed,
// as if no later write had reached the disk, and the journal is opened under another boot identity. Trials that lose
// random writes are in `PowerLossTrials`.

import DaybookEntities
import DaybookJournal
import Foundation
import Testing

@Suite struct RedoTests {
  static let policy: RedoPolicy = {
    var policy = RedoPolicy()
    policy.patienceCommitCount = 1
    policy.recordCountMax = 4
    policy.recordByteCountMax = 4_096
    policy.byteCountMax = 16_384
    return policy
  }()

  /// A journal whose log is open, with so many small commits.
  private func working(
    _ scratch: Scratch, commitCount: UInt64
  ) throws -> (folder: StoreFolder, store: JournalStore) {
    let folder = try StoreFolder.create(at: scratch.ledger)
    let store = try folder.openJournal(redoing: RedoTests.policy)
    for number in 1...commitCount { try store.record(draft([noteInsertion(number)])) }
    #expect(store.isUnsettled)
    return (folder, store)
  }

  /// Checks that a closed journal has so many commits, and can be opened after a restart as it is.
  private func expectSettled(_ folder: StoreFolder, commitCount: UInt64) throws {
    let store = try folder.openJournal(bootIdentity: "another run")
    #expect(try store.verifyChain().commitCount == commitCount)
    try store.close()
  }

  /// A journal with so many commits, of which the data file holds only what was flushed; nobody has it open.
  private func stopped(_ scratch: Scratch, commitCount: UInt64) throws -> StoreFolder {
    let folder = try StoreFolder.create(at: scratch.ledger)
    let store = try folder.openJournal(redoing: RedoTests.policy)
    let data = store.path + "/data.mdb"
    var flushed = Data()
    for number in 1...commitCount {
      try store.record(draft([noteInsertion(number)]))
      // Commit 1 is flushed, and each that finds the log full: 6, 11, …
      if number % 5 == 1 { flushed = try Data(contentsOf: URL(fileURLWithPath: data)) }
    }
    #expect(store.isUnsettled)
    try store.close()
    try flushed.write(to: URL(fileURLWithPath: data))
    return folder
  }

  /// Changes bytes of the log.
  private func change(_ folder: StoreFolder, _ body: (inout [UInt8]) -> Void) throws {
    let place = URL(fileURLWithPath: folder.journalPath(1) + "/REDO")
    var bytes = [UInt8](try Data(contentsOf: place))
    body(&bytes)
    try Data(bytes).write(to: place)
  }

  private func recover(_ folder: StoreFolder) throws -> JournalStore {
    try folder.recoverJournal(bootIdentity: "another run")
    return try folder.openJournal(redoing: RedoTests.policy, bootIdentity: "another run")
  }

  @Test(arguments: 2...13 as ClosedRange<UInt64>)
  func whatWasRecordedIsThereAgain(commitCount: UInt64) throws {
    let scratch = Scratch()
    let folder = try stopped(scratch, commitCount: commitCount)
    // Not to be opened as it is, not even for reading.
    #expect(
      code { _ = try folder.openJournal(readOnly: true, bootIdentity: "another run") }
        == .unrecovered)
    let store = try recover(folder)
    #expect(try store.head().sequence == commitCount)
    #expect(try store.nextNumber(.note) == commitCount + 1)
    #expect(try store.verifyChain().commitCount == commitCount)
    try store.verifySeals()
    for number in 1...commitCount {
      #expect(try store.commit(at: number).changes == [expected(noteInsertion(number))])
    }
    // And it goes on, through the log again.
    for number in commitCount + 1...commitCount + 4 {
      try store.record(draft([noteInsertion(number)]))
    }
    #expect(try store.verifyChain().commitCount == commitCount + 4)
    try store.close()
  }

  @Test func keysAreThereAgain() throws {
    let scratch = Scratch()
    let folder = try StoreFolder.create(at: scratch.ledger)
    let store = try folder.openJournal(redoing: RedoTests.policy)
    try store.record(draft([noteInsertion(1)]))
    let data = URL(fileURLWithPath: store.path + "/data.mdb")
    let flushed = try Data(contentsOf: data)
    var keyed = draft([noteInsertion(2)])
    keyed.idempotencyKey = text("a key")
    keyed.requestDigest = Hash256(hashing: text("request"))
    try store.record(keyed)
    try store.close()
    try flushed.write(to: data)
    let again = try recover(folder)
    #expect(try again.lookUp(key: text("a key"))?.sequence == 2)
    try again.close()
  }

  /// The ranges of the copies in a log, two for each record.
  private func copies(_ log: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var offset = 8_192
    while offset + 12 < log.count, log[offset..<offset + 8].elementsEqual(log[8_192..<8_200]) {
      let count = log[offset + 8..<offset + 12].reduce(0) { $0 << 8 | Int($1) }
      found.append(offset..<offset + 12 + count + 32)
      offset += 12 + count + 32
    }
    return found
  }

  /// Nothing of the last record has reached the disk, or less than one copy, or one copy of either place.
  @Test(arguments: [[0, 0], [1, 0], [200, 0], [-1, 0], [0, -1], [200, 200]], [false, true])
  func aTornLastRecordWasNeverAcknowledged(written: [Int], isBackward: Bool) throws {
    let scratch = Scratch()
    let folder = try stopped(scratch, commitCount: 5)
    try change(folder) { bytes in
      let last = copies(bytes).suffix(2)
      #expect(last.count == 2 && copies(bytes).count == 8)
      for (copy, count) in zip(last, written) {
        let count = count < 0 ? copy.count + count : count
        let range =
          isBackward
          ? copy.lowerBound..<copy.upperBound - count : copy.lowerBound + count..<copy.upperBound
        bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
      }
    }
    let store = try recover(folder)
    #expect(try store.head().sequence == 4)
    #expect(try store.verifyChain().commitCount == 4)
    try store.close()
  }

  /// Nobody knows whether the commits of such a record were acknowledged, so they are restored.
  @Test(arguments: [0, 1]) func oneCopyOfTheLastRecordIsEnough(torn: Int) throws {
    let scratch = Scratch()
    let folder = try stopped(scratch, commitCount: 5)
    try change(folder) { bytes in
      let copy = copies(bytes).suffix(2)[copies(bytes).count - 2 + torn]
      bytes.replaceSubrange(copy, with: repeatElement(0, count: copy.count))
    }
    let store = try recover(folder)
    #expect(try store.head().sequence == 5)
    #expect(try store.verifyChain().commitCount == 5)
    try store.close()
  }

  /// Each record stands twice.
  @Test(arguments: 0..<8) func aDamagedCopyOfARecordIsGotOver(index: Int) throws {
    let scratch = Scratch()
    let folder = try stopped(scratch, commitCount: 5)
    let place = URL(fileURLWithPath: folder.journalPath(1) + "/REDO")
    let log = [UInt8](try Data(contentsOf: place))
    let copy = copies(log)[index]
    // In the mark, the byte count, the previous commit, a row, and the checksum.
    for offset in [0, 8, 11, 13, 40, copy.count - 1] {
      let trial = Scratch()
      try FileManager.default.createDirectory(
        atPath: trial.path, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: scratch.ledger, toPath: trial.ledger)
      let copied = try StoreFolder.open(at: trial.ledger)
      try change(copied) { $0[copy.lowerBound + offset] ^= 0x10 }
      let store = try recover(copied)
      #expect(try store.head().sequence == 5, "\(offset)")
      #expect(try store.verifyChain().commitCount == 5)
      try store.close()
    }
  }

  @Test func aDamagedRecordBeforeOthersIsToldAndChangesNothing() throws {
    let scratch = Scratch()
    let folder = try stopped(scratch, commitCount: 5)
    let data = URL(fileURLWithPath: folder.journalPath(1) + "/data.mdb")
    let log = URL(fileURLWithPath: folder.journalPath(1) + "/REDO")
    let (before, whole) = (try Data(contentsOf: data), try Data(contentsOf: log))
    let copies = copies([UInt8](whole))
    for record in 0..<3 {
      for offset in [0, 8, 11, 13, 40, copies[0].count - 1] {
        try change(folder) { bytes in
          for copy in copies[2 * record..<2 * record + 2] {
            bytes[copy.lowerBound + offset] ^= 0x10
          }
        }
        #expect(code { _ = try recover(folder) } == .damagedFolder, "\(record) \(offset)")
        #expect(try Data(contentsOf: data) == before)
        try whole.write(to: log)
      }
    }
    let store = try recover(folder)
    #expect(try store.head().sequence == 5)
    try store.close()
  }

  /// Each header stands twice.
  @Test(arguments: [0, 100, 511, 512, 700, 1_023], [0, 4_096])
  func aDamagedByteOfAHeaderIsGotOver(offset: Int, slot: Int) throws {
    let scratch = Scratch()
    let folder = try stopped(scratch, commitCount: 8)
    try change(folder) { $0[slot + offset] ^= 0x10 }
    let store = try recover(folder)
    #expect(try store.head().sequence == 8)
    try store.close()
  }

  /// An old log must not undo what was committed without it.
  @Test func aLogThatIsOlderThanTheDataFileIsRefused() throws {
    let scratch = Scratch()
    let (folder, store) = try working(scratch, commitCount: 3)
    let log = URL(fileURLWithPath: store.path + "/REDO")
    let old = try Data(contentsOf: log)
    for number in 4...9 as ClosedRange<UInt64> { try store.record(draft([noteInsertion(number)])) }
    try folder.withWriter { _ in try store.settle() }
    try store.close()
    try old.write(to: log)
    #expect(code { _ = try recover(folder) } == .damagedFolder)
    let again = try folder.openJournal()
    #expect(try again.verifyChain().commitCount == 9)
    try again.close()
  }

  @Test func aSettledJournalNeedsNoLog() throws {
    let scratch = Scratch()
    let (folder, store) = try working(scratch, commitCount: 4)
    try folder.withWriter { _ in try store.settle() }
    #expect(!store.isUnsettled)
    try store.close()
    try expectSettled(folder, commitCount: 4)
  }

  /// What is too large for a record is flushed with everything before it, and closes the log.
  @Test func aLargeCommitClosesTheLog() throws {
    let scratch = Scratch()
    let (folder, store) = try working(scratch, commitCount: 3)
    try store.record(draft([figure(1, byteCount: 5_000)]))
    #expect(!store.isUnsettled)
    try store.close()
    try expectSettled(folder, commitCount: 4)
  }

  /// Whoever opens the journal next flushes what a killed process has left, before it writes.
  @Test func whatAnotherProcessLeftOpenIsFlushedFirst() throws {
    let scratch = Scratch()
    let (folder, store) = try working(scratch, commitCount: 3)
    try store.close()
    let next = try folder.openJournal()
    try next.record(draft([noteInsertion(4)]))
    try next.close()
    try expectSettled(folder, commitCount: 4)
  }

  /// A copy that was made while the journal was open is another file.
  @Test func aCopyOfAnOpenFolderIsRecovered() throws {
    let scratch = Scratch()
    let (_, store) = try working(scratch, commitCount: 4)
    let copy = scratch.path + "/Copy.daybook"
    try FileManager.default.copyItem(atPath: scratch.ledger, toPath: copy)
    let copied = try StoreFolder.open(at: copy)
    #expect(code { _ = try copied.openJournal(readOnly: true) } == .unrecovered)
    try copied.recoverJournal()
    try expectSettled(copied, commitCount: 4)
    try store.close()
  }
}
