// Goal: a ledger whose commits could not be sent, because a row that a program made had come back from its deletion, sends them
// now. Method: the folder of such a ledger and its relay's log, kept as text from the version that could not: rent was generated,
// paused and resumed, and a file imported, taken back and taken back again, in two commits that each were refused.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookSyncSimulation
import DaybookSyncWire
import Foundation
import LedgerFixture
import Testing

@testable import DaybookSync

@Suite(.enabled(if: Int.bitWidth == 64 && 1.littleEndian == 1, "the fixture's byte order"))
struct StuckLedgerTests {
  private static let checksum = "62d5cf383729fa946b184eea501bb17e36712e2cd0f44db24545d09e47ab757b"

  /// Pushes the log's entries in their order, each at its own time.
  ///
  /// - Returns: the token of the device that pushed first: the ledger's.
  private func refill(
    _ relay: MemoryRelay, _ clock: Kept<Int64>, from log: String
  ) async throws -> String {
    var tokens: [UInt64: String] = [:]
    var first: String?
    for line in log.split(separator: "\n") {
      let words = line.split(separator: " ")
      clock.value = try #require(Int64(words[0]))
      let bytes = try #require(Data(base64Encoded: String(words[1])))
      let entry = try SealedEntry(bytes: [UInt8](bytes))
      let replica = entry.header.replica
      if tokens[replica] == nil { tokens[replica] = await relay.addDevice(named: "\(replica)") }
      let token = try #require(tokens[replica])
      first = first ?? token
      _ = try await relay.push(PushPage([entry]), by: token)
    }
    return try #require(first)
  }

  @Test func itsCommitsAreSent() async throws {
    let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/stuck-ledger.txt")
    let text = try String(contentsOf: fixture, encoding: .utf8)
    #expect(text.hasSuffix("checksum \(Self.checksum)\n"))
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("stuck-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FolderText(text).write(to: folder)

    let clock = Kept<Int64>(0)
    let relay = MemoryRelay(ledger: EntityID(high: 7, low: 8)) { clock.value }
    let log = try String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)
    let token = try await refill(relay, clock, from: log)

    let path = folder.appendingPathComponent("ledger").path
    let ledger = try await Ledger.open(at: path, options: FixtureLedger.options)
    var options = SyncOptions(secrets: FileSecrets(path: path + "/sync.json"))
    options.connect = { _, _ in MemoryTransport(relay, token: token) }
    options.now = { clock.value }
    let sync = LedgerSync(ledger, options: options)
    #expect(try await sync.refresh().pendingCount > 0)
    #expect(try await sync.unsendableCommits() == [])
    try await sync.exchange()
    #expect(sync.state.pendingCount == 0)

    // Another device that joins has the same.
    let other = try await Ledger.inMemory()
    let code = try await sync.invite(deviceName: "tablet")
    var others = SyncOptions(secrets: MemorySecrets())
    others.connect = { _, token in MemoryTransport(relay, token: token) }
    others.now = { clock.value }
    try await LedgerSync(other, options: others).join(code, relay: "memory", deviceName: "tablet")
    #expect(try days(ledger) == ["2026-01-10", "2026-01-12", "2026-02-10"])
    #expect(try days(other) == ["2026-01-10", "2026-01-12", "2026-02-10"])
    #expect(try await ledger.verify().findings == [])
    try await ledger.close()
    try await other.close()
  }

  private func days(_ ledger: Ledger) throws -> [String] {
    try ledger.read { snapshot in
      var days: [Day] = []
      try snapshot.forEach(Transaction.self) { days.append($0.day) }
      return days.sorted().map { "\($0)" }
    }
  }
}
