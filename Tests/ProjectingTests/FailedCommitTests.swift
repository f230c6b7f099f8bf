// Goal: what is projected while the journal is flushed leaves no trace where that fails, and what the journal holds
// is not lost where there is no room for the views.
// Method: a commit for which there is no room, and in which a projection throws; views that a reader keeps growing
// while the journal does not. A limit on the size of files stands in for a full disk.

import DaybookEntities
import DaybookJournal
import Foundation
import Testing

@testable import DaybookEngine

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
      signal(SIGXFSZ, SIG_IGN)
      let whole = limitFiles(to: byteCount(path + "/journal-0001/data.mdb") + 4_096)
      // The second is what the projection throws at.
      let readings = (0..<4_000).map { Reading(group: 2, amount: $0 == 1 ? -666 : 1) }
      var isRefused = false
      do { _ = try await store.record(readings) } catch let error as JournalError {
        isRefused = error.code == .diskFull
      }
      limitFiles(to: whole)
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

  /// Groups that begin when they are decided, since somebody reads, and such that have gathered.
  @Test(arguments: [true, false])
  func aFullDiskForTheViewsAloneLosesNothing(isRead: Bool) async throws {
    let scratch = Scratch()
    await #expect(processExitsWith: .exitCode(0)) {
      [path = scratch.path as String, isRead = isRead as Bool] in
      let store = try await EventStore.open(
        at: path, schema: toySchema, projections: [GroupTotals.self])
      // As long as it is there no page of the views is used again.
      let gate = Gate("reader")
      async let reader: Void = onThread { try store.read { _ in gate.pass("reader") } }
      await gate.arrival(at: "reader")
      var count = 0
      for _ in 0..<200 {
        _ = try await store.record([Reading(group: 1, amount: 1)])
        count += 1
        guard try store.total(1) == Sums(Int128(count), Int128(count)) else { exit(2) }
      }
      let viewsByteCount = byteCount(path + "/views-0001/data.mdb")
      guard viewsByteCount > 2 * byteCount(path + "/journal-0001/data.mdb") else { exit(3) }
      signal(SIGXFSZ, SIG_IGN)
      let whole = limitFiles(to: viewsByteCount + 65_536)
      var failure: (any Error)?
      for _ in 0..<10_000 where failure == nil {
        do {
          _ = try await store.record([Reading(group: 1, amount: 1)])
          count += 1
          if isRead { _ = try store.total(1) }
        } catch { failure = error }
      }
      guard (failure as? ProjectingError)?.code == .stateUnavailable else { exit(4) }
      // Nobody waits for ever, however often it is asked.
      for _ in 0..<3 {
        do {
          _ = try store.total(1)
          exit(5)
        } catch let error as ProjectingError where error.code == .stateUnavailable {}
        do {
          _ = try await store.record([Reading(group: 1, amount: 1)])
          exit(6)
        } catch let error as ProjectingError where error.code == .stateUnavailable {}
      }
      limitFiles(to: whole)
      // Reading is enough to have it tried once more.
      guard try store.total(1) == Sums(Int128(count), Int128(count)) else { exit(7) }
      gate.open("reader")
      try await reader
      _ = try await store.record([Reading(group: 1, amount: 1)])
      guard try store.total(1) == Sums(Int128(count + 1), Int128(count + 1)) else { exit(8) }
      guard try store.verify().findings.isEmpty else { exit(9) }
      try await store.close()
      exit(0)
    }
  }
}

private func byteCount(_ path: String) -> Int {
  (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
}

/// Lets no file become larger.
///
/// - Returns: The limit before.
@discardableResult
private func limitFiles(to byteCount: Int) -> Int {
  #if canImport(Glibc)
    let resource = Int32(RLIMIT_FSIZE.rawValue)
  #else
    let resource = RLIMIT_FSIZE
  #endif
  var limit = rlimit()
  getrlimit(resource, &limit)
  let before = Int(bitPattern: UInt(limit.rlim_cur))
  limit.rlim_cur = rlim_t(UInt(bitPattern: byteCount))
  setrlimit(resource, &limit)
  return before
}
