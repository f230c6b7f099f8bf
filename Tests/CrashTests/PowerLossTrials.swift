/// Goal: a power failure at any moment loses nothing that was acknowledged. A kill cannot show that,
/// since the page cache survives it.
/// Method: a child works (appends, purges, compacts, rebuilds, erases, brings the ledger to a newer format)
/// under a recorder of its writes and flushes; for random moments of the run, disks that lack random subsets
/// of what was not flushed are made up, opened under another boot identity, and checked. As controls, the same with the journal's flushes
/// disbelieved, or those of its redo log alone, and with a journal that is opened with MDB_NOSYNC, must lose something.
/// DAYBOOK_POWER_TRIALS sets how many (120 by default).
import ChildPrograms
import Daybook
import DaybookRandom
import Foundation
import LedgerFixture
import Testing

@Suite(.serialized) struct PowerLossTrials {
  static let trialCount =
    ProcessInfo.processInfo.environment["DAYBOOK_POWER_TRIALS"].flatMap { Int($0) } ?? 120

  static let unsupported: String? = {
    #if os(Linux)
      return recorderPath == nil ? "no C compiler (cc, gcc, clang) was found" : nil
    #else
      return "the recorder needs Linux"
    #endif
  }()

  /// The recorder, compiled once.
  static let recorderPath: String? = {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Recorder/recorder.c").path
    let target = NSTemporaryDirectory() + "daybook-recorder-\(getpid()).so"
    for compiler in ["cc", "gcc", "clang"] {
      let arguments = [
        compiler, "-shared", "-fPIC", "-O1", "-o", target, source, "-ldl", "-lpthread",
      ]
      if ChildProgram.run("/usr/bin/env", arguments) == 0 { return target }
    }
    return nil
  }()

  /// The child program stands beside the test bundle.
  static func childPath() throws -> String {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    for _ in 0..<6 {
      folder.deleteLastPathComponent()
      let path = folder.appendingPathComponent("CrashChild").path
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw CocoaError(.fileNoSuchFile)
  }

  /// What the child does.
  enum Work: String {
    /// Appends, and looks after history.
    case appending
    /// The same, then opens the ledger with a newer format, and goes on.
    case migrating
    /// Appends, purges and rebuilds with `MDB_NOSYNC` on the journal, as nobody may.
    case unflushed

    /// What the child is told.
    var arguments: [String] {
      switch self {
      case .appending: []
      case .migrating: ["migrate"]
      case .unflushed: ["unflushed"]
      }
    }

    /// What has to survive.
    static let durable: [Work] = [.appending, .migrating]
  }

  func record(_ work: Work, seed: UInt64, in place: Place) throws -> [Recorded] {
    let recorder = try #require(PowerLossTrials.recorderPath)
    let root = URL(fileURLWithPath: place.path).resolvingSymlinksInPath().path + "/disk"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    let log = place.path + "/log"
    let code = ChildProgram.run(
      try PowerLossTrials.childPath(),
      [root + "/L.daybook", "\(seed)", "40"] + work.arguments,
      environment: ["LD_PRELOAD": recorder, "RECORD_ROOT": root, "RECORD_LOG": log])
    #expect(code == 0)
    let steps = try Recorded.read(log)
    #expect(steps.contains { $0.operation == "S" }, "no synchronous write was recorded")
    #expect(steps.contains { $0.operation == "F" }, "no flush was recorded")
    // See the child: with every other seed, commits go through the redo log soon.
    if seed.isMultiple(of: 2), work != .unflushed {
      let isUsed = steps.contains { $0.operation == "F" && $0.path.hasSuffix("/REDO") }
      #expect(isUsed, "the redo log was not used")
    }
    return steps
  }

  /// What is wrong with the ledger that a failed disk holds, or `nil`.
  func fault(
    _ work: Work, _ steps: [Recorded], upTo end: Int, _ place: Place, seed: UInt64,
    disbelieving: ((String) -> Bool)? = nil
  ) async throws -> String? {
    var random = SeededGenerator(seed: seed)
    var disk = RecordedDisk()
    disk.disbelieved = disbelieving ?? { _ in false }
    for step in steps[..<end] { disk.play(step) }
    let root = URL(fileURLWithPath: place.path).resolvingSymlinksInPath().path + "/disk"
    let target = place.path + "/after-\(seed)"
    defer { try? FileManager.default.removeItem(atPath: target) }
    try disk.survive(root, to: target, &random)
    let live = Set(disk.acknowledged.filter { $0.hasPrefix("+") }.map { String($0.dropFirst()) })
    let doubtful = Set(
      disk.acknowledged.filter { $0.hasPrefix("?") }.map { String($0.dropFirst()) })
    let gone = Set(disk.acknowledged.filter { $0.hasPrefix("-") }.map { String($0.dropFirst()) })
    if disk.acknowledged.isEmpty { return nil }
    // Without flushes a file may be torn in ways that LMDB ends the process for.
    if disbelieving != nil || work == .unflushed {
      let arguments = ["open", target + "/L.daybook", work.rawValue]
      guard ChildProgram.run(try PowerLossTrials.childPath(), arguments) == 0 else {
        return "it cannot be opened and verified"
      }
    }
    do {
      var options = Ledger.Options()
      options.createsIfMissing = false
      options.adjustsEngine = { engine in
        engine.bootIdentity = "after the failure"
        if work == .migrating { engine.formats = InventedFormat.second }
      }
      let ledger = try await Ledger.open(at: target + "/L.daybook", options: options)
      let rows = try ledger.read { try $0.transactions(limit: 100_000) }
      let stored = Set(rows.map { "\($0.id.rawValue)" })
      let report = try await ledger.verify()
      try await ledger.close()
      if !live.subtracting(doubtful).isSubset(of: stored) { return "acknowledged rows are missing" }
      if !gone.isDisjoint(with: stored) { return "deleted rows are back" }
      return report.findings.isEmpty ? nil : "\(report.findings)"
    } catch {
      return "it does not open: \(error)"
    }
  }

  @Test(.enabled(if: unsupported == nil, "needs Linux and a C compiler"), arguments: Work.durable)
  func nothingAcknowledgedIsLost(work: Work) async throws {
    let runs = max(1, PowerLossTrials.trialCount / 40)
    for run in 0..<runs {
      let place = try Place()
      let steps = try record(work, seed: UInt64(run + 1), in: place)
      var random = SeededGenerator(seed: UInt64(run + 900))
      // Of a migrating child, every other failure is while it migrates, which is soon done.
      let older = steps.firstIndex { $0.operation == "A" && $0.text.contains("older") }
      #expect((older != nil) == (work == .migrating))
      let newer = older.flatMap { older in
        steps[(older + 1)...].firstIndex { $0.operation == "A" }
      }
      for trial in 0..<40 {
        var end = Int.random(in: 0...steps.count, using: &random)
        if let older, let newer, trial.isMultiple(of: 2) {
          end = Int.random(in: older...newer, using: &random)
        }
        let seed = UInt64(run * 1_000 + trial + 1)
        let fault = try await fault(work, steps, upTo: end, place, seed: seed)
        #expect(fault == nil, "run \(run), seed \(seed), failing after \(end) of \(steps.count)")
      }
    }
  }

  /// How many of 20 failures of a recorded run lose something.
  private func lossCount(
    _ work: Work, seed: UInt64, disbelieving: ((String) -> Bool)? = nil
  ) async throws -> Int {
    let place = try Place()
    let steps = try record(work, seed: seed, in: place)
    var random = SeededGenerator(seed: seed + 824)
    var lost = 0
    for trial in 0..<20 {
      let end = Int.random(in: steps.count / 2...steps.count, using: &random)
      let fault = try await fault(
        work, steps, upTo: end, place, seed: UInt64(trial + 1), disbelieving: disbelieving)
      if fault != nil { lost += 1 }
    }
    return lost
  }

  @Test(.enabled(if: unsupported == nil, "needs Linux and a C compiler"), arguments: Work.durable)
  func theTrialSeesAJournalThatIsNotFlushed(work: Work) async throws {
    let lost = try await lossCount(work, seed: 77) { $0.contains("/journal-") }
    #expect(lost > 0, "with the journal's flushes disbelieved, nothing was ever lost")
  }

  @Test(.enabled(if: unsupported == nil, "needs Linux and a C compiler"))
  func theTrialSeesARedoLogThatIsNotFlushed() async throws {
    let lost = try await lossCount(.appending, seed: 76) { $0.hasSuffix("/REDO") }
    #expect(lost > 0, "with the redo log's flushes disbelieved, nothing was ever lost")
  }

  @Test(.enabled(if: unsupported == nil, "needs Linux and a C compiler"))
  func withMDB_NOSYNCOnTheJournalWhatWasAcknowledgedIsLost() async throws {
    let lost = try await lossCount(.unflushed, seed: 78)
    #expect(lost > 0, "with MDB_NOSYNC on the journal, nothing was ever lost")
  }
}
