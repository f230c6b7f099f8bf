/// Goal: a process that works on a ledger and is killed, for the trials beside this file.
/// Method: it runs as the child of an exit test. What was acknowledged is appended to a plain file
/// right after the answer, one line each; a kill loses nothing that a `write` has taken.
import Daybook
import DaybookEngine
import DaybookPlatform
import DaybookRandom
import Foundation
import Synchronization
import Testing

/// The file of what was acknowledged.
///
/// Lines `+ID`, `-ID` and `=GROUP`, and `?ID` before a row is deleted: a process that dies in between may
/// have deleted it or not. Of imports, see `FileImport`. A kill may tear a write where a page of the file ends:
/// a line counts if it ends with a full stop, and each write begins a new one.
struct AckFile: Sendable {
  let path: String

  init(of ledger: String) { path = ledger + ".acks" }

  /// Appends lines with one write.
  func note(_ lines: [String]) {
    let text = Array(("\n" + lines.map { $0 + ".\n" }.joined()).utf8)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    _ = write(descriptor, text, text.count)
    close(descriptor)
  }

  /// The lines that are whole.
  func lines() -> [Substring] {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").filter { $0.hasSuffix(".") }.map { $0.dropLast() }
  }

  /// Ids acknowledged and surely not deleted since, ids acknowledged as deleted, and groups.
  func read() -> (live: Set<String>, gone: Set<String>, groups: Set<String>) {
    var live: Set<String> = []
    var gone: Set<String> = []
    var doubtful: Set<String> = []
    var groups: Set<String> = []
    for line in lines() {
      let id = String(line.dropFirst())
      switch line.first {
      case "+": live.insert(id)
      case "-": gone.insert(id)
      case "?": doubtful.insert(id)
      case "=": groups.insert(id)
      default: break
      }
    }
    return (live.subtracting(doubtful), gone, groups)
  }
}

enum Child {
  static let rowsOfGroup = 30
  static let euro = Currency.iso("EUR")

  /// Does something, and writes down what it throws: an error that ends a process looks like a trap to who
  /// started it.
  static func telling(_ path: String, _ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch {
      try? "\(error)".write(toFile: path + ".fault", atomically: true, encoding: .utf8)
      throw error
    }
  }

  /// Records what a process has written down by ``telling(_:_:)``.
  static func expectNothingTold(_ path: String, seed: UInt64) {
    guard let fault = try? String(contentsOfFile: path + ".fault", encoding: .utf8) else { return }
    Issue.record("seed \(seed): \(fault)")
    try? FileManager.default.removeItem(atPath: path + ".fault")
  }

  /// Kills this process after some microseconds, whatever it is doing then.
  static func killLater(microseconds: UInt32) {
    Thread.detachNewThread {
      usleep(microseconds)
      kill(getpid(), SIGKILL)
    }
  }

  /// Opens the ledger and makes the account and categories, where they are missing.
  static func open(
    _ path: String, _ adjust: (@Sendable (inout EventStoreOptions) -> Void)? = nil
  ) async throws -> (Ledger, AccountID) {
    var options = Ledger.Options(author: "child", source: "crash trial")
    options.adjustsEngine = adjust
    let ledger = try await Ledger.open(at: path, options: options)
    let account = AccountID(EntityID(high: 77, low: 1))
    guard let euro else { preconditionFailure("the euro is a currency") }
    if try ledger.read({ try $0.account(account) }) == nil {
      try await ledger.append(
        .openAccount(NewAccount(id: account, name: "Cash", currency: euro)))
    }
    return (ledger, account)
  }

  /// Appends from several tasks until the process is killed.
  static func work(_ path: String, seed: UInt64) async throws {
    let (ledger, account) = try await open(path)
    try await work(ledger, account, AckFile(of: path), seed: seed)
  }

  /// Appends from several tasks until the process is killed.
  static func work(
    _ ledger: Ledger, _ account: AccountID, _ acks: AckFile, seed: UInt64, tasks: Int = 3
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        group.addTask {
          var random = SeededGenerator(seed: seed &+ UInt64(task) &* 7_919)
          var mine: [TransactionID] = []
          var count = 0
          while true {
            count += 1
            try await step(ledger, account, acks, "\(seed)-\(task)-\(count)", &mine, &random)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Appends, amends, deletes, imports a small file or purges, as the generator says.
  static func step(
    _ ledger: Ledger, _ account: AccountID, _ acks: AckFile, _ name: String,
    _ mine: inout [TransactionID], _ random: inout SeededGenerator
  ) async throws {
    switch Int.random(in: 0..<40, using: &random) {
    case 39:
      var options = PurgeOptions()
      options.policy = .count(Int.random(in: 0..<60, using: &random))
      try await ledger.purge(options)
    case 36..<39:
      let rowCount = Int.random(in: 1...20, using: &random)
      try await FileImport(name, acks).write(rowCount, &random).run(into: ledger)
    case 0..<4:
      let commands = (0..<rowsOfGroup).map { _ in
        Command.record(draft(account, "group \(name)", &random))
      }
      let receipt = try await ledger.append(commands)
      acks.note(receipt.transactions.map { "+\($0.rawValue)" } + ["=group \(name)"])
    case 4..<8 where !mine.isEmpty:
      let id = mine.remove(at: Int.random(in: 0..<mine.count, using: &random))
      acks.note(["?\(id.rawValue)"])
      try await ledger.append(.delete(id))
      acks.note(["-\(id.rawValue)"])
    case 8..<12 where !mine.isEmpty:
      let id = mine[Int.random(in: 0..<mine.count, using: &random)]
      var amendment = Amendment()
      amendment.day = day(&random)
      try await ledger.append(.amend(id, amendment))
    default:
      let receipt = try await ledger.append(.record(draft(account, name, &random)))
      acks.note(receipt.transactions.map { "+\($0.rawValue)" })
      mine += receipt.transactions
    }
  }

  static func day(_ random: inout SeededGenerator) -> Day? {
    Day(year: 2026, month: 1, day: 1)?.adding(days: Int.random(in: 0..<200, using: &random))
  }

  static func draft(_ account: AccountID, _ text: String, _ random: inout SeededGenerator) -> Draft
  {
    guard let day = day(&random), let euro else { preconditionFailure("a day of 2026") }
    let amount = Money(Int64.random(in: 1...9_999, using: &random), euro)
    return .expense(amount, from: account, on: day, description: text)
  }
}

/// Appends, amends, deletes, imports, purges and reads in this process, too, until `body` is done.
func whileWorking(
  _ path: String, seed: UInt64, _ isActive: Bool, _ body: () async throws -> Void
) async throws {
  guard isActive else { return try await body() }
  let (ledger, account) = try await Child.open(path)
  let isDone = Mutex(false)
  async let work: Int = {
    var random = SeededGenerator(seed: seed &+ 31)
    var mine: [TransactionID] = []
    var count = 0
    while !isDone.withLock({ $0 }) {
      count += 1
      let name = "second \(seed) \(count)"
      try await Child.step(ledger, account, AckFile(of: path), name, &mine, &random)
      try ledger.read { snapshot throws in
        let rows = try snapshot.transactions(limit: 100_000).count
        let told = try snapshot.count()
        #expect(told == rows, "seed \(seed): list and counts are of different commits")
      }
    }
    return count
  }()
  try await body()
  isDone.withLock { $0 = true }
  _ = try await work
  try await ledger.close()
}

/// What must hold of a ledger after a kill: all that was acknowledged is there, groups and imports are
/// whole, imports can be repeated, and every number equals history.
func inspect(
  _ path: String, seed: UInt64, _ adjust: (@Sendable (inout EventStoreOptions) -> Void)? = nil
) async throws {
  let (ledger, account) = try await Child.open(path, adjust)
  let (live, gone, groups) = AckFile(of: path).read()
  var stored: Set<String> = []
  var sizes: [String: Int] = [:]
  var texts: [String] = []
  var sum: Int64 = 0
  var offset = 0
  while true {
    let page = try ledger.read { try $0.transactions(offset: offset, limit: 1_000) }
    for transaction in page {
      stored.insert("\(transaction.id.rawValue)")
      texts.append(transaction.description)
      if transaction.description.hasPrefix("group ") {
        sizes[transaction.description, default: 0] += 1
      }
      for posting in transaction.postings where posting.account == .account(account) {
        sum += posting.amount.minorUnits
      }
    }
    if page.count < 1_000 { break }
    offset += page.count
  }
  #expect(live.isSubset(of: stored), "seed \(seed): acknowledged rows are missing")
  #expect(gone.isDisjoint(with: stored), "seed \(seed): a row that was deleted is back")
  #expect(groups.isSubset(of: sizes.keys), "seed \(seed): an acknowledged group is missing")
  #expect(sizes.values.allSatisfy { $0 == Child.rowsOfGroup }, "seed \(seed): half a group")
  guard let end = Day(year: 2027, month: 1, day: 1) else { preconditionFailure("a day") }
  let balance = try ledger.read { try $0.balance(of: account, on: end) }
  #expect(balance.units == Int128(sum), "seed \(seed): the balance is not that of the rows")
  let report = try await ledger.verify()
  #expect(report.findings.isEmpty, "seed \(seed): \(report.findings)")
  try await inspectImports(ledger, AckFile(of: path), texts, seed: seed)
  try await ledger.close()
}

/// Nothing that was begun is left over.
func expectOneOfEach(_ path: String) throws {
  let names = try FileManager.default.contentsOfDirectory(atPath: path)
  #expect(names.count { $0.hasPrefix("journal-") } == 1, "\(names)")
  #expect(names.count { $0.hasPrefix("views-") } == 1, "\(names)")
  #expect(!names.contains { $0.hasPrefix("removed-") }, "\(names)")
}

/// A place for the ledgers of one test, removed with the object.
final class Place {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "daybook-crash-\(UInt64.random(in: 0...UInt64.max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  var ledger: String { path + "/L.daybook" }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
