/// Goal: whatever two processes do at the same time, what waited for its turn on generations that are gone
/// by then lands in the new ones: every pair of commit, purge, compaction, rebuild and close.
/// Method: a child process is held by files, once before it takes `WRITER` while this process does its
/// work from beginning to end, once in the midst of its work with `WRITER` held until this process waits for
/// it. Then both go on, and everything that either has recorded must be there.
import Daybook
import DaybookPlatform
import Foundation
import LedgerFixture
import Testing

@Suite(.serialized) struct PairTests {
  static let pairs = PairWork.allCases.flatMap { held in
    PairWork.allCases.map { (held, $0) }
  }

  @Test(arguments: pairs) func whoWaitsBeforeWRITERFindsWhatIsLive(
    held: PairWork, other: PairWork
  ) async throws {
    try await run(held, at: PairWork.outside, while: other)
  }

  @Test(arguments: pairs) func whoWaitsForTheHolderOfWRITERFindsWhatIsLive(
    held: PairWork, other: PairWork
  ) async throws {
    try await run(held, at: held.inside, while: other)
  }

  private func run(_ held: PairWork, at point: String, while other: PairWork) async throws {
    let place = try Place()
    let path = place.ledger
    let (there, go) = (Signal(path + ".there"), Signal(path + ".go"))
    let (prepared, turn) = (Signal(path + ".prepared"), Signal(path + ".turn"))
    let holdsLock = point != PairWork.outside
    let waitsAt = holdsLock ? other.prepared : nil
    let (ledger, _) = try await Child.open(path) { options in
      // Only what the test does takes WRITER.
      options.idleSeconds = 3_600
      options.trace = { name in
        if name == waitsAt, !prepared.isGiven {
          prepared.give()
          turn.waitBlocking()
        }
        // Where the child holds WRITER, it goes on once this process waits for it.
        if name == "before WRITER", holdsLock, turn.isGiven { go.give() }
      }
    }
    for index in 0..<5 { try await PairWork.record("before \(index)", in: ledger) }
    if waitsAt == nil {
      async let child: Void = MaintenanceTrials.run(
        ["pair", path, held.rawValue, point, there.path, go.path], telling: true)
      await there.wait()
      turn.give()
      try await other.perform(on: ledger, "other")
      go.give()
      try await child
    } else {
      // It prepares itself first, as it takes WRITER for that, too.
      async let work: Void = other.perform(on: ledger, "other")
      await prepared.wait()
      async let child: Void = MaintenanceTrials.run(
        ["pair", path, held.rawValue, point, there.path, go.path], telling: true)
      await there.wait()
      turn.give()
      try await work
      go.give()
      try await child
    }
    if other != .close {
      try await PairWork.record("afterwards", in: ledger)
      #expect(try await ledger.verify().findings == [])
      try await ledger.close()
    }
    try await check(path, held, other)
  }

  private func check(_ path: String, _ held: PairWork, _ other: PairWork) async throws {
    let (again, _) = try await Child.open(path)
    let rows = Set(try again.read { try $0.transactions(limit: 100).map(\.description) })
    var expected: Set<String> = ["child before"]
    for index in 0..<5 { expected.insert("before \(index)") }
    if held == .commit { expected.insert("held") }
    if held != .close { expected.insert("child after") }
    if other == .commit { expected.insert("other") }
    if other != .close { expected.insert("afterwards") }
    #expect(rows == expected, "\(held) held while \(other)")
    try await again.close()
    try await inspect(path, seed: 0)
    try expectOneOfEach(path)
  }
}
