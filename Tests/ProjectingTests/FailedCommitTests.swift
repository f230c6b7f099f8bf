// Goal: what is projected while the journal is flushed leaves no trace where that fails.
// Method: a commit for which there is no room, and in which a projection throws.

import Entities
import Foundation
import Journal
import Testing

@testable import Projecting

@Suite struct FailedCommitTests {
  /// A projection that throws at a commit which is then not recorded has nothing to be set aside for.
  @Test func aCommitThatFailsSetsNothingAside() async throws {
    let scratch = Scratch()
    await #expect(processExitsWith: .exitCode(0)) { [path = scratch.path as String] in
      let store = try await EventStore.open(
        at: path, schema: toySchema, projections: [GroupTotals.self, ApartTotals.self])
      _ = try await store.record([Reading(group: 1, amount: 3)])
      // Before there is no room, the views hold it.
      guard try store.total(1) == Sums(3, 1) else { exit(6) }
      let journal = path + "/journal-0001/data.mdb"
      let byteCount = try FileManager.default.attributesOfItem(atPath: journal)[.size] as? Int
      signal(SIGXFSZ, SIG_IGN)
      #if canImport(Glibc)
        let resource = Int32(RLIMIT_FSIZE.rawValue)
      #else
        let resource = RLIMIT_FSIZE
      #endif
      var whole = rlimit()
      getrlimit(resource, &whole)
      var small = whole
      small.rlim_cur = rlim_t((byteCount ?? 0) + 4_096)
      setrlimit(resource, &small)
      // The second is what the projection throws at.
      let readings = (0..<4_000).map { Reading(group: 2, amount: $0 == 1 ? -666 : 1) }
      var isRefused = false
      do { _ = try await store.record(readings) } catch let error as JournalError {
        isRefused = error.code == .diskFull
      }
      setrlimit(resource, &whole)
      guard isRefused else { exit(2) }
      _ = try await store.record([Reading(group: 1, amount: 4)])
      for projector in store.projectors {
        guard await projector.health == .current else { exit(3) }
      }
      guard try store.total(1) == Sums(7, 2), try store.total(2) == Sums() else { exit(4) }
      guard try store.verify().findings.isEmpty else { exit(5) }
      try await store.close()
      exit(0)
    }
  }
}
