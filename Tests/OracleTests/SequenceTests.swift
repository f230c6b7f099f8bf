/// Goal: whatever happens to a ledger, every query says what an independent model says. Method:
/// seeded random scripts are played against both (see `Player`); a failing one is shortened and
/// printed with its seed.
///
/// `DAYBOOK_SEQUENCES` says how many scripts are played, `DAYBOOK_SEED` which single one.
import Daybook
import Foundation
import Testing

@Suite("Oracle") struct SequenceTests {
  static let defaultCount: UInt64 = 2_000

  private static func setting(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  @Test("Ledger and oracle agree on random sequences") func agree() async {
    if let seed = SequenceTests.setting("DAYBOOK_SEED") {
      await SequenceTests.play(seed)
      return
    }
    let count = SequenceTests.setting("DAYBOOK_SEQUENCES") ?? SequenceTests.defaultCount
    let workers = UInt64(max(2, min(8, ProcessInfo.processInfo.activeProcessorCount)))
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<workers {
        group.addTask {
          var failed = 0
          for seed in stride(from: worker, to: count, by: Int(workers)) where failed < 2 {
            if await !SequenceTests.play(seed) { failed += 1 }
          }
        }
      }
    }
  }

  /// Seeds that found a fault once.
  static let regressions: [UInt64] = []

  @Test("Seeds that once found a fault", arguments: regressions)
  func regression(_ seed: UInt64) async { await SequenceTests.play(seed) }

  /// Every twentieth script is played on disk.
  @concurrent @discardableResult
  static func play(_ seed: UInt64) async -> Bool {
    let onDisk = seed % 20 == 0
    let script = Script(
      seed: seed, stepCount: seed % 50 == 7 ? 60 : onDisk ? 8 : 4 + Int(seed % 9), onDisk: onDisk)
    do {
      try await Player.play(script, onDisk: onDisk)
      return true
    } catch {
      let (shorter, found) = await script.shrunk(onDisk: onDisk, from: error)
      Issue.record("DAYBOOK_SEED=\(seed) fails \(found)\n\(shorter)")
      return false
    }
  }
}
