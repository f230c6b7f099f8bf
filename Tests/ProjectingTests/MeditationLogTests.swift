// Goal: the worked example of own rules, and of a consumer that exports, does what it says, by public API alone.
// Method: what is refused is tried one by one; a seeded person's sessions are compared with a naive list; an exporter
// is interrupted, overtaken by a purge and followed live, and what the other side got compared with the log.

import DaybookEngine
import DaybookEntities
import DaybookJournal
import DaybookRandom
import MeditationLog
import Synchronization
import Testing

@Suite struct MeditationLogTests {
  private static let now: UInt32 = 29_000_000

  /// The other side: takes deliveries, and fails when told to, after having taken them.
  private final class OtherSide: Sendable {
    struct State {
      var sessions: [EntityID: Session] = [:]
      var deliveries: [SessionExporter.Delivery] = []
      var failsAfter: Int?
    }

    struct Interrupted: Error {}

    let state = Mutex(State())

    func take(_ delivery: SessionExporter.Delivery) throws -> String {
      try state.withLock { state in
        state.deliveries.append(delivery)
        switch delivery {
        case .everything(let sessions):
          state.sessions = Dictionary(uniqueKeysWithValues: sessions.map { ($0.id, $0) })
        case .changes(let put, let removed):
          for session in put { state.sessions[session.id] = session }
          for id in removed { state.sessions[id] = nil }
        }
        if let left = state.failsAfter {
          state.failsAfter = left - 1
          if left <= 1 { throw Interrupted() }
        }
        return "delivery \(state.deliveries.count)"
      }
    }

    var sessions: [Session] {
      state.withLock { $0.sessions.values.sorted { $0.start < $1.start } }
    }
    var deliveries: [SessionExporter.Delivery] { state.withLock { $0.deliveries } }
    func failAfter(_ count: Int?) { state.withLock { $0.failsAfter = count } }

    func exporter(of log: MeditationLog) -> SessionExporter {
      SessionExporter(log) { [self] in try take($0) }
    }
  }

  @discardableResult
  private func add(_ log: MeditationLog, _ start: UInt32, _ minutes: UInt32 = 10) async throws
    -> EntityID
  {
    try await log.add(start: start, minutes: minutes, technique: .breath, now: Self.now)
  }

  // MARK: Rules

  @Test func refusesWhatIsNoSession() async throws {
    let log = try await MeditationLog.inMemory()
    for minutes: UInt32 in [0, 601] {
      await #expect(throws: MeditationLog.Refusal.length(minutes: minutes)) {
        try await add(log, 1_000, minutes)
      }
    }
    let end = UInt64(Self.now) + 1
    await #expect(throws: MeditationLog.Refusal.future(end: end, now: Self.now)) {
      try await add(log, Self.now - 9)
    }
    await #expect(throws: MeditationLog.Refusal.noteTooLong(byteCount: 1_001)) {
      _ = try await log.add(
        start: 1_000, minutes: 1, technique: .walking, note: String(repeating: "x", count: 1_001),
        now: Self.now)
    }
    let unknown = EntityID(high: 1, low: 2)
    await #expect(throws: MeditationLog.Refusal.unknown(unknown)) { try await log.delete(unknown) }
    #expect(try log.sessions() == [])
    try await add(log, 0, 1)
    try await add(log, 1_000, 600)
    try await add(log, Self.now - 10)
    #expect(try log.sessions().count == 3)
    try await log.close()
  }

  @Test func refusesWhatOverlaps() async throws {
    let log = try await MeditationLog.inMemory()
    let first = try await add(log, 1_000, 20)
    for (start, minutes) in [(1_000, 1), (1_019, 1), (981, 20), (500, 600)] as [(UInt32, UInt32)] {
      await #expect(throws: MeditationLog.Refusal.overlaps(first)) {
        try await add(log, start, minutes)
      }
    }
    try await add(log, 1_020, 20)
    try await add(log, 980, 20)
    // A session is not in its own way; another is.
    try await log.amend(first, now: Self.now) { $0.minutes = 19 }
    await #expect(throws: MeditationLog.Refusal.self) {
      try await log.amend(first, now: Self.now) { $0.minutes = 21 }
    }
    try await log.delete(first)
    try await add(log, 1_005, 5)
    #expect(try log.verify())
    try await log.close()
  }

  /// Many at the same time share a batch, in which the table does not know yet what was accepted.
  @Test func ofManyAtOnceOneGetsIn() async throws {
    let log = try await MeditationLog.inMemory()
    let accepted = await withTaskGroup(of: Bool.self) { group in
      for offset: UInt32 in 0..<40 {
        group.addTask { (try? await self.add(log, 5_000 + offset, 60)) != nil }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(accepted == 1)
    #expect(try log.sessions().count == 1)
    try await log.close()
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func agreesWithAPlainList(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let log = try await MeditationLog.inMemory()
    var list: [Session] = []
    for _ in 0..<150 {
      let start = UInt32.random(in: 10_000..<14_000, using: &random)
      let minutes = UInt32.random(in: 1...90, using: &random)
      let chosen = list.randomElement(using: &random)
      let isAmendment = chosen != nil && Bool.random(using: &random)
      let others = isAmendment ? list.filter { $0.id != chosen?.id } : list
      let isFree = others.allSatisfy {
        $0.start + $0.minutes <= start || start + minutes <= $0.start
      }
      do {
        if isAmendment, let chosen {
          try await log.amend(chosen.id, now: Self.now) {
            $0.start = start
            $0.minutes = minutes
          }
          list = others
          list.append(
            Session(id: chosen.id, start: start, minutes: minutes, technique: .breath))
        } else {
          let id = try await add(log, start, minutes)
          list.append(Session(id: id, start: start, minutes: minutes, technique: .breath))
        }
        #expect(isFree, "seed \(seed)")
      } catch is MeditationLog.Refusal {
        #expect(!isFree, "seed \(seed)")
      }
    }
    #expect(try log.sessions() == list.sorted { $0.start < $1.start }, "seed \(seed)")
    #expect(try log.verify())
    try await log.close()
  }

  // MARK: Exporting

  @Test func whatIsNotYetSyncedLiesAfterTheToken() async throws {
    let log = try await MeditationLog.inMemory()
    let other = OtherSide()
    let exporter = other.exporter(of: log)
    #expect(throws: JournalError.self) { try log.notYetSynced() }
    try await exporter.export()
    let id = try await add(log, 1_000)
    try await add(log, 2_000)
    try await log.amend(id, now: Self.now) { $0.technique = .bodyScan }
    #expect(try await waiting(log) == 3)
    try await exporter.export()
    #expect(try await waiting(log) == 0)
    #expect(try other.sessions == log.sessions())
    #expect(try exporter.exportedCount() == 3)
    #expect(try exporter.remoteName(of: id) == "delivery 3")
    try await log.delete(id)
    try await exporter.export()
    #expect(try exporter.remoteName(of: id) == nil)
    #expect(try other.sessions == log.sessions())
    try await log.close()
  }

  private func waiting(_ log: MeditationLog) async throws -> Int {
    var count = 0
    for try await _ in try log.notYetSynced() { count += 1 }
    return count
  }

  /// At least once outside, exactly once in its own table.
  @Test func anInterruptionSendsTwiceAndCountsOnce() async throws {
    let log = try await MeditationLog.inMemory()
    let other = OtherSide()
    for start: UInt32 in [1_000, 2_000, 3_000, 4_000] { try await add(log, start) }
    for failsAfter in [1, 2, 1] {
      other.failAfter(failsAfter)
      await #expect(throws: OtherSide.Interrupted.self) {
        try await other.exporter(of: log).export()
      }
    }
    // One commit has been acknowledged; the others were sent and taken, but nobody knows.
    #expect(try other.exporter(of: log).exportedCount() == 1)
    #expect(try await waiting(log) == 3)
    other.failAfter(nil)
    let exporter = other.exporter(of: log)
    try await exporter.export()
    #expect(other.deliveries.count == 4 + 3)
    #expect(try exporter.exportedCount() == 4)
    #expect(try other.sessions == log.sessions())
    try await log.close()
  }

  @Test func afterAPurgeHasPassedItBeginsAgain() async throws {
    let time = Mutex<Int64>(1_000_000_000_000_000)
    let place = Scratch()
    var options = EventStoreOptions()
    options.clock = { time.withLock { $0 } }
    let log = try await MeditationLog.open(at: place.path, options: options)
    let other = OtherSide()
    let exporter = other.exporter(of: log)
    let early = try await add(log, 1_000)
    try await add(log, 2_000)
    try await exporter.export()
    let known = try #require(try exporter.remoteName(of: early))
    try await log.delete(early)
    let late = try await add(log, 3_000)

    var purge = PurgeOptions()
    purge.policy = .count(0)
    // As long as it was seen lately, a purge waits for it.
    #expect(try await log.purge(purge).holders.map(\.name) == [SessionExporter.consumer])
    #expect(try await waiting(log) > 0)
    time.withLock { $0 += (SessionExporter.allowanceSeconds + 1) * 1_000_000 }
    #expect(try await log.purge(purge).holders == [])
    let expired = #expect(throws: JournalError.self) { try log.notYetSynced() }
    guard case .token(.expired) = expired?.code else {
      Issue.record("\(String(describing: expired))")
      return
    }

    // Interrupted even here, it loses nothing.
    other.failAfter(1)
    await #expect(throws: OtherSide.Interrupted.self) { try await exporter.export() }
    #expect(try exporter.epoch() == 0)
    #expect(try exporter.remoteName(of: early) == known)
    other.failAfter(nil)
    try await exporter.export()
    #expect(other.deliveries.last == .everything(try log.sessions()))
    #expect(try exporter.epoch() == 1)
    #expect(try exporter.remoteName(of: early) == nil)
    #expect(try exporter.remoteName(of: late) != nil)
    try await add(log, 4_000)
    try await exporter.export()
    #expect(try other.sessions == log.sessions())
    #expect(try await waiting(log) == 0)
    try await log.close()
  }

  /// An exporter that comes when the beginning of history has been purged already.
  @Test func aLateExporterBeginsWithEverything() async throws {
    let log = try await MeditationLog.inMemory()
    for start: UInt32 in [1_000, 2_000, 3_000] { try await add(log, start) }
    var purge = PurgeOptions()
    purge.policy = .count(1)
    try await log.purge(purge)
    let other = OtherSide()
    try await other.exporter(of: log).export()
    #expect(other.deliveries == [.everything(try log.sessions())])
    try await log.close()
  }

  @Test(.timeLimit(.minutes(5)))
  func followsWhatIsRecordedMeanwhile() async throws {
    let log = try await MeditationLog.inMemory()
    let other = OtherSide()
    let (arrivals, arrival) = AsyncStream<Int>.makeStream()
    let exporter = SessionExporter(log) { delivery in
      let name = try other.take(delivery)
      arrival.yield(other.sessions.count)
      return name
    }
    try await add(log, 1_000)
    let following = Task {
      defer { arrival.finish() }
      try await exporter.follow()
    }
    for start: UInt32 in stride(from: 2_000, to: 4_000, by: 100) { try await add(log, start) }
    // Told of what arrives instead of asking again and again, which would take turns from who sends.
    for await count in arrivals where count == 21 { break }
    following.cancel()
    try await following.value
    #expect(try other.sessions == log.sessions())
    try await exporter.export()
    #expect(try exporter.exportedCount() == 21)
    try await log.close()
  }
}
