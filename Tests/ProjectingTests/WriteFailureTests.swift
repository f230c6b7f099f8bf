// Goal: what fails in the stages of a write is said, loses nothing, and lets nobody wait for ever; and who is idle
// sleeps. Method: a projection that throws among commits that are projected together; a small address space; the
// queue of a stage by itself.

import DaybookEntities
import DaybookJournal
import Foundation
import Synchronization
import Testing

@testable import DaybookEngine

@Suite struct WriteFailureTests {
  private func reading(_ amount: Int64) -> [Reading] { [Reading(group: 1, amount: amount)] }

  /// Commits that are projected together: the one that threw is told apart.
  @Test func aProjectionIsSetAsideAtTheCommitItThrewAt() async throws {
    let scratch = Scratch()
    let held = "before projecting"
    let gate = Gate(held)
    var options = EventStoreOptions()
    options.trace = { gate.pass($0) }
    let store = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self, Population.self],
      options: options)
    for amount in [1, 2, -666, 4, 5] as [Int64] { _ = try await store.record(reading(amount)) }
    gate.open(held)
    guard case .quarantined(atSequence: 2, _) = await store.projectors[0].health else {
      Issue.record("\(await store.projectors[0].health)")
      return
    }
    #expect(await store.projectors[1].health == .current)
    #expect(try Population.count(store) == 5)
    #expect(throws: ProjectingError.self) { try store.total(1) }
    try await store.close()
  }

  /// A full map stops either stage: whatever was acknowledged is there once there is room.
  @Test(arguments: [(1, 1), (1, 40), (20, 1), (20, 60)])
  func aFullMapInEitherStageLosesNothing(count: Int, rounds: Int) async throws {
    let scratch = Scratch()
    var options = EventStoreOptions()
    options.mapByteCount = 1 << 19
    let store = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self, Population.self],
      options: options)
    var acknowledged = 0
    var failure: (any Error)?
    for round in 0..<20_000 where failure == nil {
      do {
        _ = try await store.record(
          (0..<count).map { Reading(group: UInt32($0), amount: Int64(round)) })
        acknowledged += count
        if round % rounds == 0 { _ = try Population.count(store) }
      } catch { failure = error }
    }
    let isTyped =
      (failure as? JournalError)?.code == .diskFull
      || (failure as? ProjectingError)?.code == .stateUnavailable
    #expect(isTyped, "\(String(describing: failure))")
    // Nobody waits for ever: a read tells what is there, or why it can't.
    do {
      #expect(try Population.count(store) == acknowledged)
    } catch let error as ProjectingError { #expect(error.code == .stateUnavailable) }
    await #expect(throws: (any Error).self) {
      for _ in 0..<200 { _ = try await store.record((0..<50).map { _ in self.reading(1)[0] }) }
    }
    try await store.close()
    let again = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self, Population.self])
    #expect(try Population.count(again) >= acknowledged)
    _ = try await again.record(reading(1))
    #expect(try again.verify().findings == [])
    try await again.close()
  }

  /// A wake-up for the idle work until it is done, then none.
  @Test func anIdleQueueWakesNobody() async throws {
    let queue = JobQueue<Int>()
    let calls = Mutex<[Int]>([])
    let gate = Gate()
    try queue.start(idleSeconds: 0) { jobs in
      let isAtRest = calls.withLock {
        $0.append(jobs.count)
        return $0.count == 3
      }
      gate.pass(isAtRest ? "rest" : "work")
      return isAtRest
    } end: {
      gate.pass("end")
    }
    #expect(queue.enqueue(1) == .accepted)
    await gate.arrival(at: "rest")
    try await Task.sleep(for: .milliseconds(50))
    #expect(calls.withLock { $0 } == [1, 0, 0])
    queue.stop()
    await gate.arrival(at: "end")
  }

  #if os(Linux)
    /// Once what gathered is in the views and these are flushed, no thread is woken, as long as nothing happens.
    @Test func anIdleLedgerWakesNobody() async throws {
      let scratch = Scratch()
      await #expect(processExitsWith: .exitCode(0)) { [path = scratch.path as String] in
        var options = EventStoreOptions()
        options.idleSeconds = 1
        // The system's timers have a thread of their own from here on, which is not looked at.
        try await Task.sleep(for: .milliseconds(1))
        let others = Set(try wakeUps().keys)
        let store = try await EventStore.open(
          at: path, schema: toySchema, projections: [GroupTotals.self], options: options)
        _ = try await store.record([Reading(group: 1, amount: 1)])
        guard try store.total(1) == Sums(1, 1) else { exit(2) }
        // This thread is the only one that is awake. Others may still be about to fall asleep.
        for _ in 0..<40 {
          let before = try wakeUps()
          usleep(2_500_000)
          let after = try wakeUps().filter { !others.contains($0.key) }
          if after.allSatisfy({ before[$0.key] == $0.value }) { exit(after.count < 2 ? 3 : 0) }
        }
        exit(4)
      }
    }
  #endif
}

#if os(Linux)
  /// How often each thread of this process but the caller's has gone to sleep.
  private func wakeUps() throws -> [String: Substring] {
    let files = FileManager.default
    let own = try files.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    var counts: [String: Substring] = [:]
    for thread in try files.contentsOfDirectory(atPath: "/proc/self/task")
    where !own.hasSuffix("/\(thread)") {
      // A thread may have ended meanwhile.
      guard
        let status = try FileHandle(forReadingAtPath: "/proc/self/task/\(thread)/status")?
          .readToEnd()
      else { continue }
      let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
      counts[thread] = lines.first { $0.hasPrefix("voluntary_ctxt_switches") }
    }
    return counts
  }
#endif
