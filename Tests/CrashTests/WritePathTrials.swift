/// Goal: what a process has acknowledged and not brought into the views is not lost on others, whether it is killed or
/// held up, and whether these write or only read; and nobody who wants to write waits for ever for one who always does.
/// Method: a child's projectors are held for ever, or until this process waits for `WRITER`; the child is killed
/// between its stages, or goes on.
import Daybook
import DaybookPlatform
import DaybookRandom
import Foundation
import Testing

@Suite struct WritePathTrials {
  /// A child that appends five rows with its projectors held; when a signal is given it is killed, or goes on.
  private static func child(
    _ path: String, until go: Signal, appended: Signal, isKilled: Bool
  ) async throws {
    try await MaintenanceTrials.run(
      ["projectors", path, go.path, appended.path, isKilled ? "killed" : "goes on"],
      ending: isKilled ? SIGKILL : 0)
  }

  @Test(arguments: [true, false])
  func whoWritesGoesOnAfterOneWhoseProjectorsWereHeld(isKilled: Bool) async throws {
    let place = try Place()
    let path = place.ledger
    let (go, appended) = (Signal(path + ".go"), Signal(path + ".appended"))
    let (ledger, account) = try await Child.open(path) { options in
      options.idleSeconds = 3_600
      // The child goes on, or dies, once this process waits for WRITER.
      options.trace = { if $0 == "before WRITER", appended.isGiven { go.give() } }
    }
    async let other: Void = Self.child(
      path, until: go, appended: appended, isKilled: isKilled)
    await appended.wait()
    var random = SeededGenerator(seed: 3)
    let receipt = try await ledger.append(.record(Child.draft(account, "own", &random)))
    AckFile(of: path).note(receipt.transactions.map { "+\($0.rawValue)" })
    try await other
    #expect(try ledger.read { try $0.count() } == 6)
    #expect(try await ledger.verify().findings == [])
    try await ledger.close()
    try await inspect(path, seed: 0)
  }

  @Test(arguments: [true, false])
  func whoOnlyReadsSeesWhatAKilledProcessAcknowledged(follows: Bool) async throws {
    let place = try Place()
    let path = place.ledger
    let go = Signal(path + ".go")
    let (ledger, _) = try await Child.open(path)
    let before = try ledger.token
    go.give()
    try await Self.child(path, until: go, appended: Signal(path + ".appended"), isKilled: true)
    if follows {
      var count = 0
      for try await _ in ledger.changes(after: before) {
        count += 1
        if count == 5 { break }
      }
    } else {
      let deadline = ContinuousClock.now + .seconds(120)
      while try ledger.read({ try $0.count() }) < 5, .now < deadline {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    #expect(try ledger.read { try $0.count() } == 5)
    #expect(try await ledger.verify().findings == [])
    try await ledger.close()
    try await inspect(path, seed: 0)
  }

  /// The system would give the lock to whoever has just let go of it.
  @Test func whoAlwaysWritesLetsOthersIn() async throws {
    let place = try Place()
    let path = place.ledger
    let (ledger, account) = try await Child.open(path)
    let (there, stop) = (Signal(path + ".there"), Signal(path + ".stop"))
    async let other: Void = MaintenanceTrials.run(["busy", path, there.path, stop.path])
    await there.wait()
    var random = SeededGenerator(seed: 9)
    for _ in 0..<20 {
      try await ledger.append(.record(Child.draft(account, "own", &random)))
    }
    stop.give()
    try await other
    let count = try ledger.read { snapshot throws in
      try snapshot.transactions(limit: 100_000).count { $0.description == "own" }
    }
    #expect(count == 20)
    try await ledger.close()
    try await inspect(path, seed: 0)
  }
}
