// Goal: work with too little room, again and again, in a process whose limits may be set.
// Method: see StepwiseFullTests, which runs it. Every trial begins with a copy of the same ledger.

import Daybook
import DaybookJournal
import Foundation
import LedgerFixture
import Synchronization

/// One kind of work, with too little room again and again.
///
/// A class, and few arguments: the compiler (6.3.1) loses the return address of asynchronous functions whose
/// arguments do not fit into registers.
final class FullTrial: Sendable {
  let folder: String
  let work: Work
  let limit: Limit

  init(folder: String, work: Work, limit: Limit) {
    self.folder = folder
    self.work = work
    self.limit = limit
  }

  /// What is done.
  enum Work: String {
    case purge, compact, rebuild, erase, migrate
  }

  /// How much room there is.
  struct Room {
    /// The most that a file may have.
    var fileByteCount: Int?
    /// The address space of each environment.
    var mapByteCount = 1 << 28
  }

  /// Of what there is too little.
  enum Limit {
    case files
    case map

    func room(_ step: Int) -> Room {
      switch self {
      case .files: Room(fileByteCount: step * 4_096)
      case .map: Room(mapByteCount: (step + 1) * 4 * 4_096)
      }
    }
  }

  private struct Answers: Equatable {
    var count: Int
    var balance: Int128
  }

  private struct Wrong: Error, CustomStringConvertible { let description: String }

  private static let account = AccountID(EntityID(high: 77, low: 1))
  /// What every ledger has to answer.
  private let before = Mutex(Answers(count: 0, balance: 0))
  private var base: String { folder + "/Base.daybook" }

  /// Gives more and more room until the work succeeds in it.
  func isPassed() async -> Bool {
    var step = 0
    do {
      try await makeBase()
      while try await isRefused(step) { step += 1 }
      CrashChild.say("\(work.rawValue): refused \(step) times, then done in \(limit.room(step))")
      // Else nothing has been tried.
      guard step >= 3 else { throw Wrong(description: "too little was refused") }
      return true
    } catch {
      CrashChild.say("\(work.rawValue), in \(limit.room(step)): \(error)")
      return false
    }
  }

  private func makeBase() async throws {
    let ledger = try await open(base, Room().mapByteCount)
    try await ledger.append(
      .openAccount(NewAccount(id: Self.account, name: "Cash", currency: euro())))
    for index in 0..<25 {
      let rows = try (0..<(index % 5 == 0 ? 20 : 1)).map {
        Command.record(try draft(index * 100 + $0))
      }
      try await ledger.append(rows)
    }
    let found = try answers(ledger)
    before.withLock { $0 = found }
    try await ledger.close()
  }

  /// Does the work with little room, and then with enough; whether the first was refused.
  private func isRefused(_ step: Int) async throws -> Bool {
    let room = limit.room(step)
    let path = try copyOfBase()
    if work == .migrate { return try await isMigrationRefused(path, step) }
    let ledger = try await open(path, room.mapByteCount)
    setLimit(room)
    let fault = await whyNot(ledger)
    setLimit(Room())
    try check(fault)
    do {
      try check(ledger)
    } catch let error as DaybookError where error.code == .notReady && limit == .map {
      // The map is still too small to add a recorded commit to the views, so reads are refused.
    }
    try expectOneOfEach(path, "at once")
    if room.fileByteCount != nil {
      try await goOn(ledger)
    } else {
      try await ledger.close()
      let again = try await open(path, Room().mapByteCount)
      try await goOn(again)
    }
    try expectOneOfEach(path, "later")
    return fault != nil
  }

  private func copyOfBase() throws -> String {
    let path = folder + "/L.daybook"
    if FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
    }
    try FileManager.default.copyItem(atPath: base, toPath: path)
    return path
  }

  /// What was refused was refused for want of room.
  private func check(_ fault: (any Error)?) throws {
    if let fault, (fault as? DaybookError)?.code != .full { throw fault }
  }

  /// Everything answers as before.
  private func check(_ ledger: Ledger) throws {
    let now = try answers(ledger)
    let before = before.withLock { $0 }
    guard now == before else { throw Wrong(description: "\(now) instead of \(before)") }
  }

  /// Appends, and does the work now that there is room.
  private func goOn(_ ledger: Ledger) async throws {
    let row = try await ledger.append(.record(draft(9_999)))
    try await ledger.append(.delete(row.transactions[0]))
    try await perform(ledger)
    try await end(ledger)
  }

  private func end(_ ledger: Ledger) async throws {
    try check(ledger)
    let report = try await ledger.verify()
    try check(report)
    try await ledger.close()
  }

  private func check(_ report: VerifyReport) throws {
    if !report.isSound { throw Wrong(description: "\(report.findings)") }
  }

  private func isMigrationRefused(_ path: String, _ step: Int) async throws -> Bool {
    let room = limit.room(step)
    setLimit(room)
    let first = try await open(path, room.mapByteCount, isNewer: true)
    setLimit(Room())
    let isRefused = try isForWantOfRoom(first.readOnlyReason)
    try check(first)
    try await first.close()
    try expectOneOfEach(path, "at once")
    if isRefused {
      let older = try await open(path, Room().mapByteCount)
      try await older.close()
    }
    let second = try await open(path, Room().mapByteCount, isNewer: true)
    if let reason = second.readOnlyReason { throw reason }
    try await end(second)
    try expectOneOfEach(path, "later")
    return isRefused
  }

  private func isForWantOfRoom(_ reason: DaybookError?) throws -> Bool {
    guard let reason else { return false }
    let failed = reason.cause as? JournalError
    guard reason.code == .migrationFailed, (failed?.cause as? JournalError)?.code == .diskFull
    else { throw reason }
    return true
  }

  /// Why the work cannot be done, if so.
  private func whyNot(_ ledger: Ledger) async -> (any Error)? {
    do {
      try await perform(ledger)
      return nil
    } catch { return error }
  }

  private func perform(_ ledger: Ledger) async throws {
    switch work {
    case .purge:
      var options = PurgeOptions()
      options.policy = .count(3)
      try await ledger.purge(options)
    case .compact: try await ledger.compact()
    case .rebuild: try await ledger.rebuild()
    case .erase:
      let row = try ledger.read { try $0.transactions(limit: 1).first?.id }
      if let row { try await ledger.erase(.transaction, row.rawValue) }
    case .migrate: break
    }
  }

  private func open(
    _ path: String, _ mapByteCount: Int, isNewer: Bool = false
  ) async throws -> Ledger {
    var options = Ledger.Options(author: "child", source: "full trial")
    options.adjustsEngine = { engine in
      engine.mapByteCount = mapByteCount
      engine.idleSeconds = 3_600
      if isNewer { engine.formats = InventedFormat.second }
    }
    return try await Ledger.open(at: path, options: options)
  }

  private func answers(_ ledger: Ledger) throws -> Answers {
    guard let end = Day(year: 2027, month: 1, day: 1) else { throw Wrong(description: "a day") }
    return try ledger.read { snapshot throws in
      Answers(
        count: try snapshot.count(),
        balance: try snapshot.balance(of: Self.account, on: end).units)
    }
  }

  private func expectOneOfEach(_ path: String, _ when: String) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    guard names.count(where: { $0.hasPrefix("journal-") }) == 1,
      names.count(where: { $0.hasPrefix("views-") }) == 1,
      !names.contains(where: { $0.hasPrefix("removed-") || $0.hasSuffix(".new") })
    else { throw Wrong(description: "left over \(when): \(names)") }
  }

  private func setLimit(_ room: Room) {
    let resource = __rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue))
    var limit = rlimit()
    getrlimit(resource, &limit)
    limit.rlim_cur = room.fileByteCount.map { rlim_t($0) } ?? limit.rlim_max
    setrlimit(resource, &limit)
  }

  private func euro() throws -> Currency {
    guard let euro = Currency.iso("EUR") else { throw Wrong(description: "no euro") }
    return euro
  }

  private func draft(_ number: Int) throws -> Draft {
    guard let first = Day(year: 2026, month: 1, day: 1) else { throw Wrong(description: "a day") }
    return .expense(
      Money(Int64(number + 1), try euro()), from: Self.account,
      on: first.adding(days: number * 7 % 200), description: "row \(number)")
  }
}
