// Goal: `daybook-relay copy` does what Docs/Relay.md says: it refuses a folder that is served, says what it copied, and
// devices continue with the copy. Method: real processes, on folders, and on a cluster if there is one for tests.

import Daybook
import DaybookSync
import DaybookSyncWire
import Foundation
import SharedLedgers
import Testing

@testable import Relay

@Suite struct CopyCommandTests {
  private let folder = Scratch()
  private let other = Scratch()
  private let config = Scratch()
  private let port = anyPort()

  private func copy(_ words: String...) async throws -> (status: Int32, text: String) {
    try await RelayProcess.run(
      program: RelayProcess.program.path, ["copy", "--folder", folder.path] + words)
  }

  /// Makes logs in the folder; the token of the first one's device.
  private func makeLogs(_ ledgers: [EntityID]) async throws -> String {
    let store = try EmbeddedRelayStore.open(folder: folder.path)
    for ledger in ledgers { try await store.makeLedger(ledger, quota: 1 << 30) }
    let token = try await store.admit("phone", to: ledgers[0])
    try await store.close()
    return token
  }

  private func device(_ ledger: Ledger) -> LedgerSync {
    LedgerSync(ledger, options: SyncOptions(secrets: MemorySecrets()))
  }

  private func record(_ name: String, _ ledger: Ledger) async throws {
    try await ledger.append(.openAccount(NewAccount(name: name, currency: .eur)))
  }

  private func names(_ ledger: Ledger) throws -> Set<String> {
    Set(try ledger.read { try $0.accounts().map(\.name) })
  }

  @Test(arguments: StoreKind.everywhere.filter { $0 != .memory })
  func devicesContinueWithTheCopy(_ kind: StoreKind) async throws {
    let token = try await makeLogs([ledger])
    let process = try RelayProcess(folder: folder.path, port: port)
    try await process.becomesReady(RelayClient(port: port, token: token))
    let (phone, laptop) = (try await Ledger.inMemory(), try await Ledger.inMemory())
    let (phoneSync, laptopSync) = (device(phone), device(laptop))
    let relay = "http://127.0.0.1:\(port)"
    try await record("Cash", phone)
    try await phoneSync.start(relay: relay, token: token, deviceName: "phone")
    try await laptopSync.join(
      try await phoneSync.invite(deviceName: "laptop"), relay: relay, deviceName: "laptop")

    var place = ["--folder", other.path]
    if kind == .postgres {
      let url = try await Cluster.emptyURL()
      #expect(try await RelayProcess.run("migrate", "--postgres", url).status == 0)
      try Data("postgres = \(url)\nconnections = 4\n".utf8)
        .write(to: URL(fileURLWithPath: config.path))
      place = ["--config", config.path]
    }
    let words = ["--to\(place[0].dropFirst())", place[1]]
    let served = try await copy(words[0], words[1])
    #expect(served.status == 1 && served.text.contains("another process serves"), "\(served.text)")
    await process.kill()
    // Written without a relay, and sent to the copy.
    try await record("Pending", laptop)
    let copied = try await copy(words[0], words[1])
    #expect(copied.status == 0, "\(copied.text)")
    #expect(copied.text.contains("Copied \(ledger): "), "\(copied.text)")
    #expect(copied.text.contains("2 devices") && copied.text.contains("Verified."))
    #expect(copied.text.contains("daybook-relay serve \(place[0]) "))
    #expect(copied.text.contains((place[1] as NSString).lastPathComponent))
    #expect(copied.text.contains("daybook sync relay https://ADDRESS"))

    // At the old address, the device is refused and keeps what it has.
    let old = try RelayProcess(folder: folder.path, port: port)
    await #expect(throws: RelayRefusal.self) {
      try await old.becomesReady(RelayClient(port: port, token: token))
    }
    let refused = await #expect(throws: SyncError.self) { try await laptopSync.exchange() }
    #expect(refused?.code == .notAllowed, "\(String(describing: refused))")

    let new = try RelayProcess(place + ["--port", "\(port + 1)"], port: port + 1)
    try await new.becomesReady(RelayClient(port: port + 1, token: token))
    for sync in [laptopSync, phoneSync] {
      try await sync.use(relay: "http://127.0.0.1:\(port + 1)")
      try await sync.exchange()
    }
    try await record("Later", phone)
    for sync in [phoneSync, laptopSync] { try await sync.exchange() }
    #expect(try names(phone) == ["Cash", "Pending", "Later"])
    #expect(try names(laptop) == ["Cash", "Pending", "Later"])
    await old.kill()
    await new.kill()
    let sound = try await RelayProcess.run("verify", place[0], place[1])
    #expect(sound.status == 0 && sound.text.contains("no problems found"), "\(sound.text)")
  }

  @Test func itSaysWhatIsWrong() async throws {
    let second = EntityID(high: 9, low: 9)
    _ = try await makeLogs([ledger, second])
    #expect(try await copy().text.contains("Pass one target"))
    #expect(try await copy("--to-folder", "a", "--to-postgres", "b").status == 64)
    let password = try await copy("--to-postgres", "host=x password=y")
    #expect(password.status == 64 && password.text.contains("PGPASSFILE"))
    let same = try await copy(
      "--to-folder", folder.path + "/../" + (folder.path as NSString).lastPathComponent)
    #expect(same.status == 64 && same.text.contains("the same folder"), "\(same.text)")
    let postgres = try await RelayProcess.run(
      "copy", "--postgres", "host=/nowhere", "--to-folder", other.path)
    #expect(postgres.status != 0 && postgres.text.contains("--folder"), "\(postgres.text)")
    let unknown = try await copy(
      "--to-folder", other.path, "--ledger", EntityID(high: 3, low: 3).description)
    #expect(unknown.status == 1 && unknown.text.contains("doesn't have"), "\(unknown.text)")

    let one = try await copy("--to-folder", other.path, "--ledger", second.description)
    #expect(one.status == 0 && !one.text.contains(ledger.description), "\(one.text)")
    let all = try await copy("--to-folder", other.path)
    #expect(all.text.contains("Copied \(ledger)"), "\(all.text)")
    #expect(all.text.contains("Already copied: \(second)"), "\(all.text)")
    let listed = try await RelayProcess.run("ledgers", "--folder", folder.path)
    #expect(listed.text.contains(", copied to /"), "\(listed.text)")
    #expect(listed.text.contains((other.path as NSString).lastPathComponent), "\(listed.text)")
    let elsewhere = try await copy("--to-folder", config.path)
    #expect(elsewhere.status == 1 && elsewhere.text.contains("--serve-again"), "\(elsewhere.text)")
    let again = try await RelayProcess.run(
      "ledgers", "--folder", folder.path, ledger.description, "--serve-again")
    #expect(again.status == 0 && again.text.contains("copied to"), "\(again.text)")
    #expect(try await copy("--to-folder", config.path, "--ledger", ledger.description).status == 0)
  }

  @Test func oneProcessServesAFolder() async throws {
    let token = try await makeLogs([ledger])
    let process = try RelayProcess(folder: folder.path, port: port)
    try await process.becomesReady(RelayClient(port: port, token: token))
    let second = try RelayProcess(folder: folder.path, port: port + 1)
    await #expect(throws: EndedByItself.self) {
      try await second.becomesReady(RelayClient(port: port + 1, token: token))
    }
    // Other commands work in the meantime.
    #expect(try await RelayProcess.run("verify", "--folder", folder.path).status == 0)
    await process.kill()
  }

  @Test(arguments: StoreKind.everywhere.filter { $0 != .memory })
  func itIsKilledAndRunAgain(_ kind: StoreKind) async throws {
    _ = try await makeLogs([ledger])
    let store = try EmbeddedRelayStore.open(folder: folder.path)
    var number: UInt64 = 0
    for _ in 0..<40 {
      var entries: [SealedEntry] = []
      for _ in 0..<50 {
        number += 1
        entries.append(try entry(number, content: [UInt8](repeating: 1, count: 8_000)))
      }
      _ = try await store.push(PushPage(entries), to: ledger, now: 1)
    }
    try await store.close()
    var target = ["--to-folder", other.path]
    if kind == .postgres {
      target = ["--to-postgres", try await Cluster.emptyURL()]
      #expect(try await RelayProcess.run("migrate", "--postgres", target[1]).status == 0)
    }
    let words = ["copy", "--folder", folder.path] + target
    for kill in 1...8 {
      try await RelayProcess.kill(words, after: .milliseconds(40 * kill))
      if kind == .disk {
        let there = try EmbeddedRelayStore.open(folder: other.path)
        for ledger in try await there.ledgers() {
          #expect(try await there.verify(ledger).faults == [])
        }
        try await there.close()
      }
    }
    let copied = try await RelayProcess.run(program: RelayProcess.program.path, words)
    #expect(copied.status == 0, "\(copied.text)")
    #expect(copied.text.lowercased().contains("copied") && copied.text.contains("2000 entries"))
    let place = [target[0].replacing("to-", with: ""), target[1]]
    let sound = try await RelayProcess.run("verify", place[0], place[1])
    #expect(sound.status == 0 && sound.text.contains("2000 entries"), "\(sound.text)")
  }
}
