// Goal: three ledgers that record without each other, and then share what they recorded, are right and equal. Method:
// seeded commands of every kind on each, offline; slices of the shared log in any order; at rest all hold the same
// entities, and each ledger's every answer is what is counted anew from them. The same, while texts are erased, commits taken
// back, and history and files looked after. `DAYBOOK_SHARED` says how many seeds, `DAYBOOK_SEED` which single one.

import DaybookBookkeeping
import DaybookEntities
import DaybookInterchange
import DaybookLedgerMerging
import DaybookLedgerScripts
import DaybookMerging
import DaybookReplicas
import Foundation
import Testing

@testable import Daybook
@testable import DaybookTesting

@Suite struct SharedLedgerTests {
  private static let seeds: Range<UInt64> = {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["DAYBOOK_SEED"].flatMap(UInt64.init) { return seed..<seed + 1 }
    return 0..<(environment["DAYBOOK_SHARED"].flatMap(UInt64.init) ?? 6)
  }()

  /// One of the ledgers, and who uses it.
  private struct Device {
    let ledger: Ledger
    let replica: Replica
    var writer: ScriptWriter
    var position: UInt64
  }

  /// The log that all share.
  private struct Log {
    private(set) var entries: [LogEntry] = []
    private var numbers: [ReplicaID: UInt64] = [:]

    mutating func push(_ commits: some Sequence<ReplicaCommit>) {
      for commit in commits where commit.number == (numbers[commit.replica] ?? 0) + 1 {
        numbers[commit.replica] = commit.number
        let received = max(commit.clock, entries.last?.received ?? .min)
        entries.append(
          LogEntry(
            position: UInt64(entries.count) + 1, received: received, content: .commit(commit)))
      }
    }
  }

  private func began(_ seed: UInt64) async throws -> [Device] {
    var writer = ScriptWriter(seed: seed)
    let ledger = try await Ledger.inMemory()
    try await ledger.append(writer.beginnings())
    let replica = try await Replica.begin(ledger.store, rules: .ledger)
    let snapshot = try await replica.snapshot()
    writer.take(startingIDsAt: 1_000_000)
    var devices = [Device(ledger: ledger, replica: replica, writer: writer, position: 0)]
    for index: UInt64 in 2...3 {
      let other = try await Ledger.inMemory()
      var writer = ScriptWriter(seed: seed &* 31 &+ index)
      writer.take(startingIDsAt: index * 1_000_000)
      devices.append(
        Device(
          ledger: other,
          replica: try await Replica.join(other.store, rules: .ledger, from: snapshot),
          writer: writer, position: 0))
    }
    return devices
  }

  @Test(arguments: seeds) func allAreRightAndEqual(seed: UInt64) async throws {
    try await share(seed)
  }

  @Test(arguments: seeds.prefix((seeds.count + 1) / 2))
  func whateverIsDoneToTheirFiles(seed: UInt64) async throws {
    try await share(seed &+ 1_000, cares: 3)
  }

  /// - Parameter cares: Of some ten steps how many do something else than record and exchange.
  private func share(_ seed: UInt64, cares: Int = 0) async throws {
    var devices = try await began(seed)
    var log = Log()
    var random = SeededGenerator(seed: seed &+ 77)
    for _ in 0..<24 {
      let index = random.number(0...2)
      switch random.number(0...9 + cares) {
      case 10...: await care(random.number(0...5), for: devices[index], &random)
      case 0..<6: try await record(random.number(1...4), by: &devices[index])
      case 6..<8: log.push(try await devices[index].replica.pending().prefix(random.number(1...5)))
      default: try await pull(random.number(1...6), from: log, by: &devices[index])
      }
    }
    for _ in 0..<2 {
      for index in devices.indices {
        log.push(try await devices[index].replica.pending())
        try await pull(.max, from: log, by: &devices[index])
      }
    }
    let first = try await devices[0].replica.snapshot()
    let export = try exported(devices[0].ledger)
    for device in devices {
      // Also the order of rows and their numbers.
      let lines = try exported(device.ledger)
      let other = zip(lines, export).first { $0 != $1 }
      #expect(lines == export, "seed \(seed): \(other.map { "\($0)\n\($1)" } ?? "")")
      #expect(try await device.replica.snapshot() == first, "seed \(seed)")
      let checker = LedgerChecker(seed: seed, differenceCountMax: 3)
      let verified = try await device.ledger.verify().findings
      #expect(verified == [], "seed \(seed)")
      let differences = try await checker.differences(in: device.ledger)
      #expect(differences == [], "seed \(seed)")
      try expectBalance(device.ledger, seed)
      try await device.ledger.close()
    }
  }

  /// Commands that the device's own books allow; what is refused is another person's business.
  private func record(_ count: Int, by device: inout Device) async throws {
    for _ in 0..<count {
      device.writer.oracle = try device.ledger.read { try Oracle(of: $0) }
      let command = device.writer.likely(device.writer.random.number(0...99))
      _ = try? await device.ledger.append(command)
      device.writer.past += device.writer.oracle.transactions.suffix(3)
    }
  }

  /// History is let go of, files are made anew, a commit is taken back, a text erased; what is refused stays as it is.
  private func care(_ deed: Int, for device: Device, _ random: inout SeededGenerator) async {
    let ledger = device.ledger
    do {
      switch deed {
      case 0:
        var options = PurgeOptions()
        options.policy = .count(random.number(0...3))
        try await ledger.purge(options)
      case 1: try await ledger.compact()
      case 2: try await ledger.rebuild()
      case 3: try await ledger.undoNewest()
      case 4:
        let accounts = try ledger.read { try $0.accounts().map(\.id.rawValue) }
        if !accounts.isEmpty { try await ledger.erase(.account, random.pick(accounts)) }
      default:
        let rows = try ledger.read { try Oracle(of: $0).transactions.map(\.id.rawValue) }
        if !rows.isEmpty { try await ledger.erase(.transaction, random.pick(rows)) }
      }
    } catch let error as DaybookError where error.code == .refused {
      // A commit that cannot be taken back any more.
    } catch {
      Issue.record("\(deed): \(error)")
    }
  }

  private func pull(_ count: Int, from log: Log, by device: inout Device) async throws {
    let entries = Array(log.entries.dropFirst(Int(device.position)).prefix(count))
    if entries.isEmpty { return }
    try await device.replica.pull(entries)
    device.position += UInt64(entries.count)
  }

  /// The ledger as JSON lines.
  private func exported(_ ledger: Ledger) throws -> [Substring] {
    var bytes: [UInt8] = []
    try Exporter.export(ledger, as: .jsonLines) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }

  /// Every row sums to zero in every currency, and refers to what is there.
  private func expectBalance(_ ledger: Ledger, _ seed: UInt64) throws {
    try ledger.read { snapshot in
      let accounts = Set(
        try snapshot.accounts(includingClosed: true, includingDeleted: true).map(\.id))
      let categories = Set(try snapshot.categories(includingDeleted: true).map(\.id))
      let oracle = try Oracle(of: snapshot)
      for row in oracle.transactions {
        var sums: [Currency: Int128] = [:]
        for posting in row.postings {
          sums[posting.amount.currency, default: 0] += Int128(posting.amount.minorUnits)
          if case .account(let id) = posting.account, id.rawValue.high != 0 {
            #expect(accounts.contains(id), "seed \(seed): \(row.id)")
          }
          if case .category(let id) = posting.account, id.rawValue.high != 0 {
            #expect(categories.contains(id), "seed \(seed): \(row.id)")
          }
        }
        #expect(sums.values.allSatisfy { $0 == 0 }, "seed \(seed): \(row.id)")
      }
    }
  }
}
