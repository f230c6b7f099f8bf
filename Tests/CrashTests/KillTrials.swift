/// Goal: a process that is killed at any moment loses nothing that it acknowledged, leaves nothing
/// half done, and the ledger opens again with every number equal to history.
/// Method: children append, amend, delete, add groups, import and purge from several tasks and are killed with
/// SIGKILL after a random time, which falls into opening, catching up and committing alike; after
/// each kill the ledger is inspected. DAYBOOK_CRASH_TRIALS sets how many (500 by default).
import Daybook
import DaybookPlatform
import DaybookRandom
import Foundation
import Testing

let trialCount =
  ProcessInfo.processInfo.environment["DAYBOOK_CRASH_TRIALS"].flatMap { Int($0) } ?? 500

@Suite struct KillTrials {
  /// So many trials follow each other on one ledger.
  static let chainLength = 25

  @Test(arguments: 0..<((trialCount + chainLength - 1) / chainLength))
  func killed(chain: Int) async throws {
    let place = try Place()
    let path = place.ledger
    for trial in 0..<KillTrials.chainLength {
      let seed = UInt64(chain * 1_000 + trial + 1)
      // Every other time this process works on the ledger, too.
      try await whileWorking(path, seed: seed, trial % 2 == 1) {
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [path = path as String, seed = seed as UInt64] in
          var random = SeededGenerator(seed: seed)
          Child.killLater(microseconds: UInt32.random(in: 500..<60_000, using: &random))
          try await Child.work(path, seed: seed)
        }
      }
      try await inspect(path, seed: seed)
    }
  }

  /// The moments of a commit that matter most, each hit exactly.
  @Test(
    arguments: [
      "before journal commit", "after journal commit", "before projecting", "before views commit",
      "after views commit", "before flip", "after flip", "before suspending", "after suspending",
      "before resuming", "after resuming",
    ])
  func killedAt(point: String) async throws {
    let place = try Place()
    let path = place.ledger
    for round in 0..<3 {
      let seed = UInt64(round + 1)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, point = point as String, seed = seed as UInt64] in
        let counter = Counter()
        let (ledger, account) = try await Child.open(path) { options in
          options.trace = { name in
            if name == point, counter.next() >= 4 || name.contains("flip") {
              kill(getpid(), SIGKILL)
            }
          }
        }
        var random = SeededGenerator(seed: seed)
        var mine: [TransactionID] = []
        for index in 0..<8 {
          let name = "\(seed)-\(point)-\(index)"
          try await Child.step(ledger, account, AckFile(of: path), name, &mine, &random)
          // Waits for the views, so that each step is projected by itself.
          _ = try ledger.token
          try await ledger.suspend()
          try await ledger.resume()
        }
        try await ledger.rebuild()
      }
      try await inspect(path, seed: seed)
    }
  }
}

/// Counts calls from any thread.
final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  func next() -> Int {
    lock.lock()
    defer { lock.unlock() }
    count += 1
    return count
  }
}
