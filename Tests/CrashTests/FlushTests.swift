/// Goal: one flush serves all who append at the same time, and a group commit costs two flushes at most;
/// views that were flushed when nothing happened survive a power failure.
/// Method: a child works under the recorder of its writes and flushes (see `PowerLossTrials`), and prints
/// what it has done, which the recorder puts between them.
import ChildPrograms
import Daybook
import DaybookJournal
import DaybookRandom
import Foundation
import Testing

@Suite(.serialized) struct FlushTests {
  /// What the child asked of its files below `place`.
  private func record(_ arguments: [String], in place: Place) throws -> [Recorded] {
    let recorder = try #require(PowerLossTrials.recorderPath)
    let root = try root(of: place)
    let log = place.path + "/log"
    let code = ChildProgram.run(
      try PowerLossTrials.childPath(), arguments,
      environment: ["LD_PRELOAD": recorder, "RECORD_ROOT": root, "RECORD_LOG": log])
    #expect(code == 0)
    return try Recorded.read(log)
  }

  private func root(of place: Place) throws -> String {
    let root = URL(fileURLWithPath: place.path).resolvingSymlinksInPath().path + "/disk"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    return root
  }

  private func place(of line: String, in steps: [Recorded]) throws -> Int {
    try #require(steps.firstIndex { $0.operation == "A" && $0.text == line + "\n" }, "no \(line)")
  }

  /// LMDB flushes the pages, and then writes the page that names them through to the disk.
  @Test(.enabled(if: PowerLossTrials.unsupported == nil, "needs Linux and a C compiler"))
  func oneFlushServesThemAll() throws {
    let place = try Place()
    let commitCount = 400
    let path = try root(of: place) + "/L.daybook"
    let steps = try record(["crowd", path, "\(commitCount)"], in: place)
    let begin = try self.place(of: "begin", in: steps)
    let told = try #require(steps.last { $0.operation == "A" && $0.text.hasPrefix("groups=") })
    let groupCount = try #require(Int(told.text.dropFirst(7).dropLast()))
    let flushes = steps[begin...].filter { $0.operation == "F" || $0.operation == "S" }
    let ofJournal = flushes.count { $0.path.contains("/journal-") }
    #expect(ofJournal >= groupCount, "a group commit was not flushed")
    #expect(ofJournal <= 2 * groupCount, "\(ofJournal) flushes of \(groupCount) group commits")
    #expect(ofJournal * 5 <= commitCount, "\(ofJournal) flushes of \(commitCount) commits")
    #expect(flushes.count == ofJournal, "\(flushes.map(\.path))")
  }

  /// The views are not marked as unflushed while a new projection's tables are made, so they must be whole.
  @Test(.enabled(if: PowerLossTrials.unsupported == nil, "needs Linux and a C compiler"))
  func tablesOfANewProjectionAreMadeDurably() throws {
    let place = try Place()
    let root = try root(of: place)
    let steps = try record(["projection", root + "/L.daybook"], in: place)
    let closed = try self.place(of: "closed", in: steps)
    let written = try #require(
      steps.lastIndex {
        ($0.operation == "W" || $0.operation == "S") && $0.path.contains("/views-0001/data.mdb")
      })
    #expect(written > closed, "no tables were made")
    for trial in 0..<48 {
      var random = SeededGenerator(seed: UInt64(trial + 1))
      let end = Int.random(in: written + 1...steps.count, using: &random)
      var disk = RecordedDisk()
      for step in steps[..<end] { disk.play(step) }
      let target = place.path + "/after-\(trial)"
      try disk.survive(root, to: target, &random)
      let views = target + "/L.daybook/views-0001"
      #expect(!FileManager.default.fileExists(atPath: views + "/SESSION"))
      // A torn file may end the process.
      let arguments = ["open", target + "/L.daybook", "appending"]
      let code = ChildProgram.run(try PowerLossTrials.childPath(), arguments)
      #expect(code == 0, "trial \(trial), failing after \(end) of \(steps.count)")
    }
  }

  /// The power fails just before the views are flushed, and at steps from the removal of the mark on.
  @Test(.enabled(if: PowerLossTrials.unsupported == nil, "needs Linux and a C compiler"))
  func viewsThatWereFlushedWhenIdleSurviveAPowerFailure() async throws {
    let place = try Place()
    let root = try root(of: place)
    let steps = try record(["idle", root + "/L.daybook"], in: place)
    _ = try self.place(of: "committed", in: steps)
    let removed = try #require(
      steps.lastIndex { $0.operation == "U" && $0.path.hasSuffix("/SESSION") })
    let flushed = try #require(
      steps[..<removed].lastIndex { $0.operation == "F" && $0.path.contains("/views-") })
    let isFlushedToo = steps[removed...].contains {
      $0.operation == "F" && $0.path.contains("/views-")
    }
    #expect(isFlushedToo, "the removal of the mark was not flushed")
    // Whether the mark is still on the disk is open until the folder is flushed; the views are kept
    // where it is gone, and must be whole then.
    var (keptCount, discardedCount) = (0, 0)
    for trial in 0..<16 {
      var random = SeededGenerator(seed: UInt64(trial + 1))
      let isBefore = trial.isMultiple(of: 4)
      let end = isBefore ? flushed : Int.random(in: removed + 1...steps.count, using: &random)
      var disk = RecordedDisk()
      for step in steps[..<end] { disk.play(step) }
      let target = place.path + "/after-\(trial)"
      try disk.survive(root, to: target, &random)
      let ledger = target + "/L.daybook"
      let views = try StoreFolder.open(at: ledger).current().views
      try await inspect(ledger, seed: UInt64(trial)) { $0.bootIdentity = "after the failure" }
      let isKept = try StoreFolder.open(at: ledger).current().views == views
      if isKept { keptCount += 1 } else { discardedCount += 1 }
      #expect(!isBefore || !isKept, "trial \(trial): unflushed views were trusted")
      #expect(isKept || end < steps.count, "trial \(trial): flushed views were discarded")
    }
    #expect(keptCount > 0 && discardedCount > 0)
  }
}
