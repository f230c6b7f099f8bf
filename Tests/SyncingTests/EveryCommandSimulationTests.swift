// Goal: whatever is done to a ledger on three devices, every commit can be sent, no exchange fails, and all end up equal and
// sound. Method: `CommandSimulation`, by seeds. `DAYBOOK_SEEDS` says how many; `DAYBOOK_SEED` which single one.

import DaybookSyncSimulation
import Foundation
import Testing

@Suite struct EveryCommandSimulationTests {
  private static let seeds: Range<UInt64> = {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["DAYBOOK_SEED"].flatMap(UInt64.init) { return seed..<seed + 1 }
    return 0..<(environment["DAYBOOK_SEEDS"].flatMap(UInt64.init) ?? 40)
  }()

  @Test func everythingThatIsRecordedIsSentAndEqual() async throws {
    try await withThrowingTaskGroup(of: [String].self) { group in
      var next = Self.seeds.makeIterator()
      for seed in [next.next(), next.next()].compactMap(\.self) {
        group.addTask { try await CommandSimulation.inMemory(seed: seed).run() }
      }
      while let wrong = try await group.next() {
        #expect(wrong == [])
        if let seed = next.next() {
          group.addTask { try await CommandSimulation.inMemory(seed: seed).run() }
        }
      }
    }
  }
}
