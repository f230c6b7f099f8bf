// Goal: views are prepared while the journal is flushed, and where that fails nothing of them stays.
// Method: the thread by itself; then a commit for which there is no room, and in which a projection throws.

import Entities
import Foundation
import Journal
import Synchronization
import Testing

@testable import Projecting

@Suite struct AsideTests {
  private struct Refused: Error {}

  @Test(arguments: [true, false]) func bothAreDone(isUsed: Bool) throws {
    let aside = AsideThread(isUsed: isUsed)
    defer { aside.stop() }
    var (left, right) = (0, 0)
    for _ in 0..<1_000 {
      try aside.run {
        left += 1
      } beside: {
        right += 1
      }.get()
    }
    #expect(left == 1_000 && right == 1_000)
  }

  @Test func theyAreDoneAtTheSameTime() throws {
    let aside = AsideThread(isUsed: true)
    defer { aside.stop() }
    // Each waits for the other.
    let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    try aside.run {
      first.signal()
      second.wait()
    } beside: {
      first.wait()
      second.signal()
    }.get()
  }

  @Test(arguments: [true, false]) func whatEachThrowsIsTold(isUsed: Bool) throws {
    let aside = AsideThread(isUsed: isUsed)
    defer { aside.stop() }
    #expect(throws: Refused.self) {
      try aside.run {
        throw Refused()
      } beside: {
      }.get()
    }
    var isDone = false
    #expect(throws: Refused.self) {
      _ = try aside.run {
        isDone = true
      } beside: {
        throw Refused()
      }
    }
    // Without a thread the second is not begun when the first has failed.
    #expect(isDone == isUsed)
  }

  /// A projection that throws at a commit which is then not recorded has nothing to be set aside for.
  @Test func aCommitThatFailsSetsNothingAside() async throws {
    let scratch = Scratch()
    await #expect(processExitsWith: .exitCode(0)) { [path = scratch.path as String] in
      let store = try await EventStore.open(
        at: path, schema: toySchema, projections: [GroupTotals.self, ApartTotals.self])
      _ = try await store.record([Reading(group: 1, amount: 3)])
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
