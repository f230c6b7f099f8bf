import DaybookMerging
import Foundation
import Testing

/// Goal: whatever replicas record and whatever the network does to it, a replica's State is at all times
/// what the naive model makes of the log it has and of what it has pending; at rest all agree, the books
/// hold, and nothing recorded was lost without a word.
///
/// Method: `Simulation`, by seeds. `DAYBOOK_SEEDS` says how many; a seed that fails prints the smallest
/// log that shows it.
@Suite struct SimulationTests {
  private static let parts = 4

  private static var seeds: UInt64 {
    ProcessInfo.processInfo.environment["DAYBOOK_SEEDS"].flatMap { UInt64($0) } ?? 300
  }

  @Test(arguments: 0..<parts) func everyReplicaHasWhatTheModelSays(_ part: Int) {
    var counts: [String: Int] = [:]
    for seed in stride(from: UInt64(part), to: Self.seeds, by: Self.parts) {
      var simulation = Simulation(seed: seed) { RoomSubject($0) }
      do {
        try simulation.run()
      } catch {
        let subject = RoomSubject(simulation.rules)
        let smallest = error.example?.shrunk(simulation.rules, subject)
        let report = smallest?.report(simulation.rules, subject) ?? ""
        Issue.record("\(error.description)\n\(report)")
        return
      }
      counts.merge(simulation.counts, uniquingKeysWith: +)
    }
    guard Self.seeds >= 300 else { return }
    // The seeds must do what they are meant to.
    for what in [
      "crash", "restore", "rename", "floor", "valueLost", "deletionStands", "clash", "cycle",
      "closedUnseen", "locked", "held", "erasure", "notAbsorbed",
    ] {
      #expect(counts[what, default: 0] > 5, "\(what) hardly ever came about")
    }
  }

  /// Each fault in a rule shows within the seeds.
  @Test(arguments: NaiveFault.allCases) func aFaultIsNoticed(_ fault: NaiveFault) {
    for seed in 0..<Self.seeds {
      var simulation = Simulation(seed: seed) { FaultySubject($0, [fault]) }
      do { try simulation.run() } catch { return }
    }
    Issue.record("\(fault) went unnoticed")
  }

  /// Merged line by line and by clocks alone, as Actual does, a split's lines do not sum to zero any more.
  @Test func theLastClockForEachLineBreaksABalance() {
    for seed in 0..<Self.seeds {
      var simulation = Simulation(seed: seed) {
        FaultySubject($0, [.groupsFallApart, .seenValuesAreCompared, .clockIsNotCapped])
      }
      simulation.comparesWithModel = false
      do { try simulation.run() } catch {
        if error.description.contains("not balanced") { return }
      }
    }
    Issue.record("every balance held, so the books are not looked at")
  }
}
