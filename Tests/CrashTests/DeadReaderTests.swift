/// Goal: a process that is killed while it reads holds nothing back: pages are used again, and a purge and a
/// compaction give room back, in processes that have had the ledger open all the time.
/// Method: a child is killed in the midst of reading views and journal. Then rows are amended and history is
/// purged, round after round: the files must not grow.
import Daybook
import DaybookPlatform
import DaybookRandom
import Foundation
import Testing

@Suite struct DeadReaderTests {
  @Test func aReaderThatWasKilledHoldsNothingBack() async throws {
    let place = try Place()
    let path = place.ledger
    let (ledger, account) = try await Child.open(path) { $0.idleSeconds = 3_600 }
    var random = SeededGenerator(seed: 1)
    var rows: [TransactionID] = []
    for index in 0..<300 {
      rows += try await ledger.append(
        .record(Child.draft(account, "row \(index)", &random))
      ).transactions
    }
    try await killReader(path)
    var sizes: [UInt64] = []
    for _ in 0..<4 {
      for id in rows.prefix(100) {
        var amendment = Amendment()
        amendment.day = Child.day(&random)
        try await ledger.append(.amend(id, amendment))
      }
      var purge = PurgeOptions()
      purge.policy = .count(5)
      try await ledger.purge(purge)
      let info = try await ledger.info()
      sizes.append(info.journal.byteCount + info.views.byteCount)
    }
    // The first round still freed nothing, as the dead reader was found at its end.
    let growth = Int(sizes[3]) - Int(sizes[1])
    #expect(growth < 40 * 4_096, "\(sizes)")
    let report = try await ledger.compact()
    #expect(report.byteCountAfter < report.byteCountBefore / 2, "\(report)")
    #expect(try await ledger.verify().findings == [])
    try await ledger.close()
  }

  /// Has a process read views and journal, and kills it.
  private func killReader(_ path: String) async throws {
    let there = Signal(path + ".there")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try PowerLossTrials.childPath())
    process.arguments = ["read", path, there.path]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    await there.wait()
    kill(process.processIdentifier, SIGKILL)
    while process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
  }
}
