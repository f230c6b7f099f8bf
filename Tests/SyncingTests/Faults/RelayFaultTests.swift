// Goal: what a relay does wrong does not go unnoticed. Method: the simulation of `UnreliableNetworkTests`, in which the
// relay has a fault with a name; each must be found within a few seeds, and by what is expected. Without one
// nothing is found.

import DaybookSyncSimulation
import Testing

@testable import DaybookSync

@Suite struct RelayFaultTests {
  private static let seeds: Range<UInt64> = 0..<4

  /// How a fault is found: an error by its code. (What is withheld has the device's own entries in it: the relay
  /// refuses them a second time.)
  private static let found: [RelayFault: String] = [
    .leavesOut: "tampered", .swaps: "tampered", .repeats: "tampered", .redates: "tampered",
    .alters: "tampered", .renames: "tampered", .mixesUp: "tampered",
    .withholds: "restoredCopy", .rollsBack: "rolledBack", .forks: "tampered",
    .answersStale: "tampered", .forgets: "tampered",
  ]

  @Test(arguments: RelayFault.allCases) func isFound(_ fault: RelayFault) async throws {
    let expected = try #require(Self.found[fault])
    var all: [String] = []
    for seed in Self.seeds {
      let wrong = try await SharingSimulation.run(seed: seed, fault: fault)
      if wrong.contains(where: { $0.contains(expected) }) { return }
      all += wrong
    }
    Issue.record("\(fault) went unnoticed, or was taken for something else: \(Set(all).sorted())")
  }
}
