/// Goal: whatever happens to a ledger, every query says what an independent model says. Method:
/// seeded random scripts are played against both (see `Player`); a failing one is shortened and
/// printed with its seed.
///
/// `DAYBOOK_SEQUENCES` says how many scripts are played, `DAYBOOK_SEED` which single one. Without them it
/// is `leastCount` however long that takes, and up to `defaultCount` as long as `secondsMax` are not over.
import Daybook
import DaybookLedgerScripts
import Foundation
import Testing

@testable import DaybookTesting

@Suite("Oracle") struct SequenceTests {
  static let defaultCount: UInt64 = 2_000
  static let leastCount: UInt64 = 500
  static let secondsMax = 120

  private static func setting(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  @Test("Ledger and oracle agree on random sequences") func agree() async {
    if let seed = SequenceTests.setting("DAYBOOK_SEED") {
      await SequenceTests.play(seed)
      return
    }
    let wanted = SequenceTests.setting("DAYBOOK_SEQUENCES")
    let count = wanted ?? SequenceTests.defaultCount
    let least = wanted ?? SequenceTests.leastCount
    let end = ContinuousClock.now + .seconds(SequenceTests.secondsMax)
    let workers = UInt64(max(2, min(8, ProcessInfo.processInfo.activeProcessorCount)))
    let (played, failed) = await withTaskGroup(of: (Int, Int).self) { group in
      for worker in 0..<workers {
        group.addTask {
          var played = 0
          var failed = 0
          for seed in stride(from: worker, to: count, by: Int(workers))
          where failed < 2 && (seed < least || ContinuousClock.now < end) {
            if await !SequenceTests.play(seed) { failed += 1 }
            played += 1
          }
          return (played, failed)
        }
      }
      return await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
    }
    print("oracle: \(played) of \(count) sequences played")
    // Where some fail, which is recorded, the rest need not be played.
    #expect(failed > 0 || played >= Int(least))
  }

  /// Scripts that once failed, as short as they were printed.
  static let regressions = [
    // The token of an empty ledger was one of another history as soon as there was a commit.
    Script(seed: 8, steps: [.appendStale([.closePeriod(through: ScriptWriter.today)])]),
    // A file that is there already may be imported again, though what its rows name is closed by now.
    Script(
      seed: 3_995,
      steps: [
        .append([
          .openAccount(NewAccount(id: cash, name: "Cash", currency: ScriptWriter.currencies[0])),
          .createCategory(NewCategory(id: food, name: "Food", kind: .expense)),
          .importRows([row(amount: 1), row(amount: 2)]),
        ]),
        .append([.deleteCategory(food, .keepRows)]),
        .append([.importRows([row(amount: 1)])]),
        .append([.importRows([row(amount: 1), row(amount: 1)])]),
        .append([.importRows([row(amount: 3)], ImportOptions(skipsBadRows: true))]),
        .append([.importRows([row(amount: 2)], ImportOptions(keepsDuplicates: true))]),
        .append([.closeAccount(cash)]),
        .append([.importRows([row(amount: 2), row(amount: 1)])]),
      ]),
  ]

  private static let cash = AccountID(EntityID(high: 50, low: 1))
  private static let food = CategoryID(EntityID(high: 50, low: 2))

  private static func row(amount: Int64) -> ImportRow {
    ImportRow(
      .expense(
        Money(amount, ScriptWriter.currencies[0]), from: cash, category: food,
        on: ScriptWriter.today))
  }

  @Test("Scripts that once failed") func regressionsStayMended() async throws {
    for script in SequenceTests.regressions {
      try await Player.play(script, onDisk: false)
      try await Player.play(script, onDisk: true)
    }
  }

  /// Every twentieth script is played on disk.
  @concurrent @discardableResult
  static func play(_ seed: UInt64) async -> Bool {
    let onDisk = seed % 20 == 0
    let script = Script(
      seed: seed, stepCount: seed % 100 == 7 ? 30 : onDisk ? 8 : 4 + Int(seed % 9), onDisk: onDisk)
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
