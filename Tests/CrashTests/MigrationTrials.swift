/// Goal: a process that is killed while it brings a ledger to a newer format leaves the old journal live or
/// the new one, and loses nothing; one of the older version that writes meanwhile is told, and what it was
/// told is recorded stays so.
/// Method: a format that is not adds a row for each commit in many transactions; children are killed at
/// every named point, and at random times, some while a second process writes.
import Daybook
import DaybookPlatform
import DaybookRandom
import Foundation
import LedgerFixture
import Testing

@Suite struct MigrationTrials {
  static let points = [
    "migration reserved", "migration copied", "migration stepped", "migration proven",
    "migration flipped", "migration done",
  ]

  /// Appends some, by the older version.
  private func fill(_ path: String, seed: UInt64) async throws {
    let (ledger, account) = try await Child.open(path)
    var random = SeededGenerator(seed: seed)
    var mine: [TransactionID] = []
    for index in 0..<40 {
      let name = "\(seed) \(index)"
      try await Child.step(ledger, account, AckFile(of: path), name, &mine, &random)
    }
    try await ledger.close()
  }

  @Test(arguments: points) func killedAt(point: String) async throws {
    let place = try Place()
    let path = place.ledger
    try await fill(path, seed: 3)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, point = point as String] in
      _ = try await Child.open(path) { options in
        options.formats = InventedFormat.second
        options.trace = { if $0 == point { kill(getpid(), SIGKILL) } }
      }
    }
    // Before the step the older version may go on; afterwards it refuses.
    let flipped = Self.points.firstIndex(of: "migration flipped") ?? 0
    if (Self.points.firstIndex(of: point) ?? 0) < flipped {
      try await inspect(path, seed: 0)
    } else {
      let error = await #expect(throws: DaybookError.self) { try await Child.open(path) }
      #expect(error?.code == .newerFormat)
    }
    try await inspect(path, seed: 0) { $0.formats = InventedFormat.second }
    try expectOneOfEach(path)
  }

  @Test(arguments: 0..<max(trialCount / 50, 1)) func killedAtAnyTime(chain: Int) async throws {
    for trial in 0..<4 {
      let place = try Place()
      let path = place.ledger
      let seed = UInt64(chain * 10 + trial + 70_000)
      try await fill(path, seed: seed)
      // A process of the older version writes until it is told not to.
      async let older: Void = MaintenanceTrials.run(["until-told", path, "\(seed)"])
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, seed = seed as UInt64] in
        var random = SeededGenerator(seed: seed)
        Child.killLater(microseconds: UInt32.random(in: 2_000..<40_000, using: &random))
        _ = try await Child.open(path) { $0.formats = InventedFormat.second }
        while true { try await Task.sleep(for: .seconds(1)) }
      }
      // If the child did not get to it, this one does.
      try await inspect(path, seed: seed) { $0.formats = InventedFormat.second }
      try await older
      try await inspect(path, seed: seed) { $0.formats = InventedFormat.second }
      try expectOneOfEach(path)
    }
  }
}
