/// Goal: a rebuild, a compaction or an erasure that is killed at any moment leaves either the old or the new
/// generation live, loses nothing, and what it had begun is gone when the ledger is opened next; and a
/// process that waited for its turn while another one replaced the journal lands in the new one.
/// Method: children append while they rebuild and compact, and are killed at every named point, and at
/// random times; other children are held at named points, by files, while this process compacts.
import Daybook
import DaybookEngine
import DaybookPlatform
import DaybookRandom
import Foundation
import Testing

@Suite struct MaintenanceTrials {
  static let points = [
    "rebuild reserved", "rebuild built", "rebuild caught up", "before flip", "after flip",
    "compaction reserved", "compaction copied", "compaction caught up", "before journal flip",
    "after journal flip", "after journal removal", "before erasure", "before erasure flip",
    "after erasure flip",
  ]

  @Test(arguments: points)
  func killedAt(point: String) async throws {
    let place = try Place()
    let path = place.ledger
    for round in 0..<2 {
      let seed = UInt64(round + 1)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, point = point as String, seed = seed as UInt64] in
        try await Child.telling(path) {
          let (ledger, account) = try await Child.open(path) { options in
            options.trace = { if $0 == point { kill(getpid(), SIGKILL) } }
          }
          let acks = AckFile(of: path)
          var random = SeededGenerator(seed: seed)
          var mine: [TransactionID] = []
          for index in 0..<20 {
            try await Child.step(ledger, account, acks, "\(seed) \(point) \(index)", &mine, &random)
          }
          async let others: Void = {
            var random = SeededGenerator(seed: seed + 7)
            var mine: [TransactionID] = []
            for index in 0..<10_000 {
              let name = "beside \(seed) \(point) \(index)"
              try await Child.step(ledger, account, acks, name, &mine, &random)
            }
          }()
          try await ledger.rebuild()
          try await ledger.compact()
          if let row = mine.first { try await ledger.erase(.transaction, row.rawValue) }
          try await others
        }
      }
      Child.expectNothingTold(path, seed: seed)
      try await inspect(path, seed: seed)
      try expectOneOfEach(path)
    }
  }

  @Test(arguments: 0..<max(trialCount / 50, 1))
  func killedAtAnyTime(chain: Int) async throws {
    let place = try Place()
    let path = place.ledger
    for trial in 0..<10 {
      let seed = UInt64(chain * 100 + trial + 50_000)
      // Every other time this process works on the ledger, too.
      try await whileWorking(path, seed: seed, trial % 2 == 1) {
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [path = path as String, seed = seed as UInt64] in
          var random = SeededGenerator(seed: seed)
          Child.killLater(microseconds: UInt32.random(in: 5_000..<120_000, using: &random))
          try await Child.telling(path) {
            let (ledger, _) = try await Child.open(path)
            async let maintenance: Void = {
              while true {
                try await ledger.compact()
                try await ledger.rebuild()
                // What is inspected later is told by the descriptions of groups and imports.
                let row = try ledger.read { snapshot throws in
                  try snapshot.transactions(limit: 50).first {
                    !$0.description.hasPrefix("group") && !$0.description.hasPrefix("import")
                  }
                }
                if let row { try await ledger.erase(.transaction, row.id.rawValue) }
              }
            }()
            async let work: Void = {
              let account = AccountID(EntityID(high: 77, low: 1))
              var random = SeededGenerator(seed: seed)
              var mine: [TransactionID] = []
              for index in 0..<1_000_000 {
                let name = "\(seed)-\(index)"
                try await Child.step(ledger, account, AckFile(of: path), name, &mine, &random)
              }
            }()
            try await maintenance
            try await work
          }
        }
      }
      Child.expectNothingTold(path, seed: seed)
      try await inspect(path, seed: seed)
      try expectOneOfEach(path)
    }
  }

  /// Another process has decided to write and waits for WRITER, or holds it in the midst of a commit,
  /// while this one compacts.
  @Test(arguments: ["before WRITER", "after WRITER", "before journal commit"])
  func aWriterThatWaitedLandsInTheNewJournal(point: String) async throws {
    let place = try Place()
    let path = place.ledger
    let copied = Signal(path + ".copied")
    let turn = Signal(path + ".turn")
    let there = Signal(path + ".there")
    let go = Signal(path + ".go")
    let (ledger, account) = try await Child.open(path) { options in
      // Only what the test does takes WRITER.
      options.idleSeconds = 3_600
      options.trace = { name in
        if name == "compaction caught up" {
          copied.give()
          turn.waitBlocking()
        }
        // Where the child holds WRITER, it goes on once this process waits for it.
        if name == "before WRITER", turn.isGiven, point != "before WRITER" { go.give() }
      }
    }
    var random = SeededGenerator(seed: 1)
    try await ledger.append(.record(Child.draft(account, "before", &random)))
    async let report = ledger.compact()
    await copied.wait()
    async let child: Void = Self.runWriter(path, point, there: there, go: go)
    await there.wait()
    turn.give()
    _ = try await report
    go.give()
    try await child
    let rows = try ledger.read { try $0.transactions(limit: 10).map(\.description) }
    #expect(Set(rows).isSuperset(of: ["before", "waited", "after"]))
    #expect(try await ledger.verify().findings == [])
    try await ledger.close()
    try await inspect(path, seed: 0)
    try expectOneOfEach(path)
  }

  /// Runs the child program as a process of its own; exit tests would each hold one of the few
  /// threads that tests share.
  private static func runWriter(
    _ path: String, _ point: String, there: Signal, go: Signal
  ) async throws {
    try await run(["hold", path, point, there.path, go.path])
  }

  /// Runs the child program, to its end.
  ///
  /// - Parameter ending: The status it ends with, or the signal that ends it.
  static func run(
    _ arguments: [String], telling: Bool = false, ending: Int32 = 0
  ) async throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try PowerLossTrials.childPath())
    process.arguments = arguments
    if !telling { process.standardOutput = FileHandle.nullDevice }
    let status: Int32 = try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    #expect(status == ending)
  }

  /// A program with a projection of its own, and one without, write in turn: what the second one wrote
  /// is missing in the projection, so it must not answer as if it were current.
  @Test func aProjectionThatWasLeftBehindIsNotFedOn() async throws {
    let place = try Place()
    let path = place.ledger
    var options = Ledger.Options(projections: [RowTotal.self])
    options.adjustsEngine = { $0.idleSeconds = 3_600 }
    let ledger = try await Ledger.open(at: path, options: options)
    let account = AccountID(EntityID(high: 77, low: 1))
    guard let euro = Child.euro else { return }
    try await ledger.append(.openAccount(NewAccount(id: account, name: "Cash", currency: euro)))
    var random = SeededGenerator(seed: 1)
    try await ledger.append(.record(Child.draft(account, "own", &random)))
    #expect(try RowTotal.count(ledger) == 1)
    try await Self.run([path, "5", "7"])
    try await ledger.append(.record(Child.draft(account, "own again", &random)))
    let error = #expect(throws: DaybookError.self) { try RowTotal.count(ledger) }
    #expect(error?.code == .projectionUnavailable)
    let rows = try ledger.read { try $0.count() }
    try await ledger.rebuild()
    #expect(try RowTotal.count(ledger) == rows)
    // The other program rebuilds: the projection is left behind, not forgotten.
    try await Self.run(["rebuild", path])
    try await ledger.append(.record(Child.draft(account, "own at last", &random)))
    let later = #expect(throws: DaybookError.self) { try RowTotal.count(ledger) }
    #expect(later?.code == .projectionUnavailable)
    try await ledger.close()
    let again = try await Ledger.open(at: path, options: options)
    #expect(try RowTotal.count(again) == rows + 1)
    #expect(try await again.verify().findings == [])
    try await again.close()
  }
}

/// How many transactions there are.
private struct RowTotal: Projection {
  static let name = "row total"
  static let version: UInt32 = 1
  static let tables = [TableDefinition("count", .sums(fields: 1))]

  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    guard change.kind == .transaction else { return }
    if change.before != nil { tables.add(0, Self.key, Sums(-1)) }
    if change.after != nil { tables.add(0, Self.key, Sums(1)) }
  }

  static var key: TableKey {
    var key = TableKey()
    key.append(u8: 1)
    return key
  }

  static func count(_ ledger: Ledger) throws -> Int {
    try ledger.read { snapshot throws in
      try snapshot.withView { view throws in
        Int(try view.sums(key, in: try view.tables(of: RowTotal.self)[0])?[0] ?? 0)
      }
    }
  }
}

/// A signal from one process to another: a file that is there once it has been given.
struct Signal: Sendable {
  let path: String

  init(_ path: String) { self.path = path }

  var isGiven: Bool { FileManager.default.fileExists(atPath: path) }

  func give() { _ = FileManager.default.createFile(atPath: path, contents: nil) }

  func wait() async {
    while !isGiven { try? await Task.sleep(for: .milliseconds(2)) }
  }

  func waitBlocking() {
    while !isGiven { usleep(2_000) }
  }
}
