// Goal: a process of its own that works on a ledger, for trials that watch its system calls from
// outside. Method: it appends, amends and deletes as its seed says, and after each answer writes a
// line about it to standard output at once.

import Daybook
import DaybookJournal
import DaybookPlatform
import DaybookRandom
import LedgerFixture

@main
struct CrashChild {
  static func main() async throws {
    let arguments = CommandLine.arguments
    if arguments.count == 6, arguments[1] == "hold" {
      return try await hold(arguments[2], at: arguments[3], there: arguments[4], go: arguments[5])
    }
    if arguments.count == 4, arguments[1] == "until-told", let seed = UInt64(arguments[3]) {
      return try await appendUntilTold(arguments[2], seed: seed)
    }
    if arguments.count == 7, arguments[1] == "pair", let work = PairWork(rawValue: arguments[3]) {
      let pair = HeldWork(
        path: arguments[2], work: work, point: arguments[4], there: arguments[5], go: arguments[6])
      return try await pair.run()
    }
    if arguments.count == 6, arguments[1] == "projectors" {
      return try await WritePathWork(path: arguments[2]).holdProjectors(
        until: arguments[3], appended: arguments[4], isKilled: arguments[5] == "killed")
    }
    if arguments.count == 5, arguments[1] == "busy" {
      return try await WritePathWork(path: arguments[2]).neverPause(
        there: arguments[3], until: arguments[4])
    }
    if arguments.count == 4, arguments[1] == "read" {
      return try await readForEver(arguments[2], there: arguments[3])
    }
    if arguments.count == 5, arguments[1] == "full",
      let work = FullTrial.Work(rawValue: arguments[2])
    {
      signal(SIGXFSZ, SIG_IGN)
      let trial = FullTrial(
        folder: arguments[3], work: work, limit: arguments[4] == "map" ? .map : .files)
      exit(await trial.isPassed() ? 0 : 1)
    }
    if arguments.count == 4, arguments[1] == "open" {
      return try await openAfterFailure(arguments[2], isNewer: arguments[3] == "migrating")
    }
    if arguments.count == 3, arguments[1] == "rebuild" {
      return try await Ledger.withLedger(at: arguments[2]) { _ = try await $0.rebuild() }
    }
    if arguments.count == 3, arguments[1] == "projection" {
      return try await FlushedWork(path: arguments[2]).beginProjection()
    }
    if arguments.count == 3, arguments[1] == "idle" {
      return try await FlushedWork(path: arguments[2]).waitUntilIdle()
    }
    if arguments.count == 4, arguments[1] == "crowd", let count = Int(arguments[3]) {
      return try await FlushedWork(path: arguments[2]).append(atOnce: count)
    }
    guard
      arguments.count == 4
        || arguments.count == 5 && ["migrate", "unflushed"].contains(arguments[4]),
      let seed = UInt64(arguments[2]), let count = Int(arguments[3])
    else {
      say("usage: CrashChild LEDGER SEED COUNT [migrate | unflushed]")
      exit(64)
    }
    // With every other seed small commits go through the redo log, of which all comes up soon.
    let redoing = seed.isMultiple(of: 2) ? eagerRedoing : .standard
    var options = Ledger.Options()
    options.adjustsEngine = { $0.redoing = redoing }
    if arguments.last == "unflushed" {
      options.adjustsEngine = { $0.leavesJournalUnflushed = true }
    } else if arguments.count == 5 {
      // The first half is written in the format that the second is written in no more.
      try await work(arguments[1], seed: seed &+ 1, count: count / 2, options).close()
      options.adjustsEngine = {
        $0.formats = InventedFormat.second
        $0.redoing = redoing
      }
      say("older")
    }
    let ledger = try await work(
      arguments[1], seed: seed, count: count, options,
      replacesJournal: arguments.last != "unflushed")
    // With every other seed the views hold everything; with the others they mostly lack what came last.
    if !seed.isMultiple(of: 2) { _ = try ledger.token }
    // No close: the power fails first.
    exit(0)
  }

  /// A redo log that is opened after one commit, full after five, and takes no commit of 40 rows.
  static let eagerRedoing: RedoPolicy = {
    var policy = RedoPolicy()
    policy.patienceCommitCount = 1
    policy.recordCountMax = 5
    policy.recordByteCountMax = 4_096
    return policy
  }()

  /// Appends, deletes and looks after history as the seed says, and prints what was acknowledged: `+` a row
  /// that is recorded, `-` one that is deleted, `?` one that is about to be.
  ///
  /// - Parameter replacesJournal: Whether that may be by a new file, which is flushed whole.
  static func work(
    _ path: String, seed: UInt64, count: Int, _ options: Ledger.Options,
    replacesJournal: Bool = true
  ) async throws -> Ledger {
    guard let euro = Currency.iso("EUR"), let first = Day(year: 2026, month: 1, day: 1) else {
      exit(64)
    }
    let ledger = try await Ledger.open(at: path, options: options)
    let account = AccountID(EntityID(high: 77, low: 1))
    if try ledger.read({ try $0.account(account) }) == nil {
      try await ledger.append(
        .openAccount(NewAccount(id: account, name: "Cash", currency: euro)))
      say("account")
    }
    var generator = SeededGenerator(seed: seed)
    func random(_ bound: Int) -> Int { generator.below(bound) }
    var mine: [TransactionID] = []
    for step in 0..<count {
      // Looking after history writes whole new generations, and flips to them.
      switch random(24) {
      case 0:
        var options = PurgeOptions()
        options.policy = .count(Int(random(12)))
        try await ledger.purge(options)
      case 1 where replacesJournal: try await ledger.compact()
      case 2: try await ledger.rebuild()
      case 4:
        try await ledger.suspend()
        try await ledger.resume()
      case 3 where replacesJournal && step > count / 2:
        if let row = mine.last { try await ledger.erase(.transaction, row.rawValue) }
      default: break
      }
      if random(6) == 0, let last = mine.popLast() {
        say("?\(last.rawValue)")
        try await ledger.append(.delete(last))
        say("-\(last.rawValue)")
      } else {
        let drafts = (0..<(random(8) == 0 ? 40 : 1)).map { _ in
          Command.record(
            .expense(
              Money(Int64(random(9_999) + 1), euro), from: account,
              on: first.adding(days: Int(random(300))),
              description: "a row of power loss"))
        }
        let receipt = try await ledger.append(drafts)
        mine += receipt.transactions
        say(receipt.transactions.map { "+\($0.rawValue)" }.joined(separator: " "))
      }
    }
    return ledger
  }

  /// Appends twice, and at the first time waits at a named point: it makes the file `there`, and goes
  /// on when there is a file `go`.
  static func hold(_ path: String, at point: String, there: String, go: String) async throws {
    guard let euro = Currency.iso("EUR"), let day = Day(year: 2026, month: 1, day: 1) else {
      exit(64)
    }
    var options = Ledger.Options()
    options.adjustsEngine = { engine in
      engine.idleSeconds = 3_600
      engine.trace = { name in
        guard name == point, access(there + ".armed", F_OK) == 0, access(there, F_OK) != 0 else {
          return
        }
        make(there)
        while access(go, F_OK) != 0 { usleep(2_000) }
      }
    }
    let ledger = try await Ledger.open(at: path, options: options)
    make(there + ".armed")
    for text in ["waited", "after"] {
      try await ledger.append(
        .record(
          .expense(
            Money(100, euro), from: AccountID(EntityID(high: 77, low: 1)), on: day,
            description: text)))
      // What is read of history now is the new journal.
      guard try await ledger.verify().findings.isEmpty else { exit(1) }
    }
    try await ledger.close()
    exit(0)
  }

  /// Appends until the ledger is of a newer format, and notes in `LEDGER.acks` what was acknowledged.
  static func appendUntilTold(_ path: String, seed: UInt64) async throws {
    guard let euro = Currency.iso("EUR"), let day = Day(year: 2026, month: 1, day: 1) else {
      exit(64)
    }
    do {
      let ledger = try await Ledger.open(at: path)
      for index in 0..<1_000_000 {
        let receipt = try await ledger.append(
          .record(
            .expense(
              Money(100, euro), from: AccountID(EntityID(high: 77, low: 1)), on: day,
              description: "older \(seed) \(index)")))
        let line = receipt.transactions.map { "+\($0.rawValue)\n" }.joined()
        let file = open(path + ".acks", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        _ = write(file, Array(line.utf8), line.utf8.count)
        close(file)
      }
    } catch  where error.code == .newerFormat {
      exit(0)
    } catch {
      say("told something else: \(error)")
    }
    exit(1)
  }

  /// Is in the midst of reading views and journal, for ever; makes the file `there` when it is.
  static func readForEver(_ path: String, there: String) async throws {
    let ledger = try await Ledger.open(at: path)
    // A verification reads both in one transaction each.
    _ = try await ledger.verify { _ in
      make(there)
      while true { sleep(1) }
    }
  }

  /// Opens and verifies what a failed disk holds; whatever is wrong ends the process with a code or a
  /// signal.
  static func openAfterFailure(_ path: String, isNewer: Bool) async throws {
    var options = Ledger.Options()
    options.createsIfMissing = false
    options.adjustsEngine = { engine in
      engine.bootIdentity = "after the failure"
      if isNewer { engine.formats = InventedFormat.second }
    }
    let ledger = try await Ledger.open(at: path, options: options)
    guard try await ledger.verify().isSound else { exit(1) }
    try await ledger.close()
  }

  static func make(_ path: String) { close(open(path, O_WRONLY | O_CREAT, 0o600)) }

  /// One line, in one write.
  static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }
}
