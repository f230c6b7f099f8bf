/// Goal: faults come when a test says so, and a ledger bears them as it promises. Method: each is injected into
/// a ledger on disk; what was acknowledged is looked for afterwards, and everything is checked.
import Daybook
import DaybookPlatform
import DaybookTesting
import Foundation
import Synchronization
import Testing

private let today = Day(year: 2026, month: 2, day: 15) ?? .min
private let cash = AccountID(EntityID(high: 9, low: 1))

/// A place for ledgers, removed with the object.
private final class Place {
  let path = NSTemporaryDirectory() + "daybook-faults-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  var ledger: String { path + "/L.daybook" }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Opens a ledger and makes its account, where that is missing.
private func open(_ path: String, _ options: Ledger.Options = Ledger.Options()) async throws
  -> Ledger
{
  let ledger = try await Ledger.open(at: path, options: options)
  if try ledger.read({ try $0.account(cash) }) == nil {
    try await ledger.append(.openAccount(NewAccount(id: cash, name: "Cash", currency: .eur)))
  }
  return ledger
}

private func spend(_ ledger: Ledger, _ text: String) async throws {
  try await ledger.append(
    .record(.expense(Money(1_00, .eur), from: cash, on: today, description: text)))
}

private func texts(_ ledger: Ledger) throws -> [String] {
  try ledger.read { try $0.transactions(limit: 1_000).map(\.description).reversed() }
}

/// Opens a ledger, checks everything, and says what its rows are.
private func inspected(_ path: String, _ options: Ledger.Options = Ledger.Options()) async throws
  -> [String]
{
  let ledger = try await Ledger.open(at: path, options: options)
  #expect(try await LedgerChecker().differences(in: ledger) == [])
  let texts = try texts(ledger)
  try await ledger.close()
  return texts
}

@Suite struct FaultTests {
  @Test func aFullDiskRefusesAndLosesNothing() async throws {
    let place = try Place()
    let disk = LedgerDisk()
    var options = Ledger.Options()
    options.use(disk)
    let ledger = try await open(place.ledger, options)
    try await spend(ledger, "before")
    // The views follow; where there is no room for what they lack, no read is answered.
    #expect(try texts(ledger) == ["before"])
    disk.isFull = true
    for _ in 0..<3 {
      let error = await #expect(throws: DaybookError.self) { try await spend(ledger, "refused") }
      #expect(error?.code == .full)
    }
    let rebuilding = await #expect(throws: DaybookError.self) { try await ledger.rebuild() }
    #expect(rebuilding?.code == .full)
    let compacting = await #expect(throws: DaybookError.self) { _ = try await ledger.compact() }
    #expect(compacting?.code == .full)
    #expect(try texts(ledger) == ["before"])
    disk.isFull = false
    for index in 0..<12 { try await spend(ledger, "after \(index)") }
    try await ledger.rebuild()
    #expect(try texts(ledger).count == 13)
    try await ledger.close()
    #expect(try await inspected(place.ledger).count == 13)
  }

  @Test func aSlowDiskIsWaitedFor() async throws {
    let place = try Place()
    let disk = LedgerDisk()
    var options = Ledger.Options()
    options.use(disk)
    let ledger = try await open(place.ledger, options)
    // The first are flushed by the data file, later ones by the redo log.
    for index in 0..<12 {
      disk.flushDelay = .milliseconds(30)
      let clock = ContinuousClock()
      let took = try await clock.measure { try await spend(ledger, "row \(index)") }
      disk.flushDelay = .zero
      #expect(took >= .milliseconds(30), "row \(index) took \(took)")
    }
    try await ledger.close()
    #expect(try await inspected(place.ledger).count == 12)
    disk.flushDelay = .seconds(-1)
    #expect(disk.flushDelay == .zero)
    disk.flushDelay = .seconds(1_000_000)
    #expect(disk.flushDelay == .seconds(3_600))
  }

  @Test func roomThatIsUsedUp() async throws {
    let place = try Place()
    try await open(place.ledger).close()
    var options = Ledger.Options()
    options.limitRoom(toByteCount: 400_000)
    let ledger = try await open(place.ledger, options)
    var recorded = 0
    var code: DaybookError.Code?
    while code == nil, recorded < 20_000 {
      do {
        try await spend(ledger, "row \(recorded) " + String(repeating: "x", count: 400))
        recorded += 1
      } catch let error as DaybookError {
        code = error.code
      }
    }
    #expect(code == .full && recorded > 10)
    try await ledger.close()
    let again = try await open(place.ledger)
    try await spend(again, "more")
    #expect(try again.read { try $0.count() } == recorded + 1)
    #expect(try await LedgerChecker().differences(in: again) == [])
    try await again.close()
  }

  @Test func theClockIsTheTests() async throws {
    let clock = LedgerClock(at: today)
    var options = Ledger.Options()
    options.use(clock)
    let ledger = try await Ledger.inMemory(options: options)
    try await ledger.append(.openAccount(NewAccount(id: cash, name: "Cash", currency: .eur)))
    try await spend(ledger, "old")
    clock.advance(by: .seconds(10 * 86_400))
    #expect(clock.today == today.adding(days: 10))
    try await spend(ledger, "new")
    let times = try times(ledger)
    let now = clock.microsecondsSince1970
    #expect(times == [now, now - 864_000_000_000, now - 864_000_000_000])
    clock.advance(by: .milliseconds(-1))
    #expect(clock.today == today.adding(days: 9))
    try await spend(ledger, "set back")
    try await ledger.setRetention(.week)
    try await ledger.purge()
    // What is left is a week old at most; the last commit says what was purged.
    let kept = try self.times(ledger)
    #expect(kept.count == 3 && kept.allSatisfy { $0 >= clock.microsecondsSince1970 })
    #expect(try texts(ledger) == ["old", "new", "set back"])
    #expect(try await LedgerChecker().differences(in: ledger) == [])
    try await ledger.close()
  }

  /// When each commit was made, newest first.
  private func times(_ ledger: Ledger) throws -> [Int64] {
    var cursor = try ledger.history(before: nil).cursor()
    var times: [Int64] = []
    while let entry = try cursor.next() { times.append(entry.header.wallMicroseconds) }
    return times
  }

  @Test func theClockStopsAtItsEnds() {
    let clock = LedgerClock(at: Day(rawValue: .max))
    #expect(clock.today == .max)
    clock.advance(by: .seconds(Int64.max))
    #expect(clock.today == .max)
    clock.advance(by: .seconds(Int64.min))
    #expect(clock.today == .min)
    clock.set(to: today)
    #expect(clock.today == today)
  }
}

/// Exit tests, and what their children leave behind.
@Suite struct CrashPointTests {
  @Test(arguments: CrashPoint.allCases) func nothingAcknowledgedIsLost(at point: CrashPoint)
    async throws
  {
    let place = try Place()
    let path = place.ledger
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, name = point.rawValue as String] in
      guard let point = CrashPoint(rawValue: name) else { return }
      var options = Ledger.Options()
      // The account, and two rows, are acknowledged; nothing is rebuilt or compacted before.
      let isCommit = [.beforeCommit, .afterCommit, .afterViews].contains(point)
      options.crash(at: point, afterPassing: isCommit ? 3 : 0)
      let ledger = try await open(path, options)
      // Who reads waits for the views, so each row has a commit of its own in them.
      _ = try texts(ledger)
      for text in ["one", "two"] {
        try await spend(ledger, text)
        _ = try texts(ledger)
      }
      if !isCommit {
        try await ledger.rebuild()
        _ = try await ledger.compact()
      }
      try await spend(ledger, "three")
      try await ledger.close()
    }
    let found = try await inspected(path)
    #expect(found.prefix(2) == ["one", "two"])
    #expect(found == ["one", "two"] || found == ["one", "two", "three"])
    if point == .beforeCommit { #expect(found.count == 2) }
    if point == .afterCommit || point == .afterViews { #expect(found.count == 3) }
  }

  @Test func whatAKilledProcessLeavesBehindCanBeCopied() async throws {
    let place = try Place()
    let (path, copies) = (place.ledger, place.path + "/copy")
    let isArmed = Mutex(false)
    var options = Ledger.Options()
    for point in [CrashPoint.beforeCommit, .afterCommit, .afterViews] {
      options.onReaching(point) {
        guard isArmed.withLock({ $0 }) else { return }
        try? FileManager.default.copyItem(atPath: path, toPath: "\(copies) \(point)")
      }
    }
    let ledger = try await open(path, options)
    try await spend(ledger, "before")
    #expect(try texts(ledger) == ["before"])
    isArmed.withLock { $0 = true }
    try await spend(ledger, "at")
    // The views have it when it is read.
    #expect(try texts(ledger) == ["before", "at"])
    isArmed.withLock { $0 = false }
    try await ledger.close()
    #expect(try await inspected("\(copies) beforeCommit") == ["before"])
    #expect(try await inspected("\(copies) afterCommit") == ["before", "at"])
    // The same after the machine has started again.
    var restarted = Ledger.Options()
    restarted.pretendRestart()
    #expect(try await inspected("\(copies) afterViews", restarted) == ["before", "at"])
  }
}
