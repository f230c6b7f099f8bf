// Goal: `daybook-relay move` does what Docs/Relay.md says, while the relay serves and devices write over HTTP, and however
// often it is killed. Method: real processes, on folders; and on a cluster, where there is one for tests.

import Entities
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import RelayServer
import SyncWire
import Testing

@testable import Relay

@Suite struct MoveCommandTests {
  private let folder = Scratch()
  private let other = Scratch()
  // Below those that connections are given.
  private let port = anyPort()

  private func move(_ words: String...) async throws -> (status: Int32, text: String) {
    try await RelayProcess.run(
      program: RelayProcess.program.path, ["move", "--folder", folder.path] + words)
  }

  private func letIn(_ tokens: [String]) async throws {
    let store = try EmbeddedRelayStore.open(folder: folder.path)
    try await store.makeLedger(ledger, quota: 1 << 30)
    for token in tokens {
      try await store.addDevice(
        RelayDevice(ledger: ledger, tokenHash: DeviceToken.hash(token), name: token))
    }
    try await store.close()
  }

  @Test func aMoveIsPlannedMadeAndErased() async throws {
    try await letIn(["a"])
    #expect(try await move().status != 0)
    #expect(try await move("--erase", "--to-folder", other.path).status != 0)
    #expect(
      try await move("--to-postgres", "host=x password=y").text.contains("PGPASSFILE"))
    let plan = try await move("--to-folder", other.path, "--dry-run")
    #expect(plan.status == 0 && plan.text.contains("is open here, and not there"))
    #expect(!FileManager.default.fileExists(atPath: other.path))
    #expect(try await move("--erase").text.contains("nothing was erased"))
    let made = try await move("--to-folder", other.path, "--address", "https://b.example")
    #expect(made.status == 0 && made.text.contains("Moved \(ledger)"), "\(made.text)")
    #expect(try await move("--to-folder", other.path, "--address", "https://c.example").status == 0)
    let listed = try await RelayProcess.run("ledgers", "--folder", folder.path)
    #expect(listed.text.contains(", moved to https://c.example"))
    #expect(try await RelayProcess.run("verify", "--folder", folder.path).text.contains("moved"))
    #expect(try await move("--to-folder", other.path, "--take-back").status == 1)
    let same = try await move(
      "--to-folder", folder.path + "/../" + (folder.path as NSString).lastPathComponent)
    #expect(same.status == 64 && same.text.contains("already; name another folder"), "\(same.text)")
    #expect(try await move("--erase").status == 0)
    #expect(try await RelayProcess.run("verify", "--folder", other.path).text.contains("sound"))
  }

  @Test func overHTTPItIsToldWhereTheLogIs() async throws {
    let stores = try await Stores(.memory, .memory)
    let server = RelayServer(stores.source)
    try await withClient(server) { client in
      func status() async throws -> (status: HTTPResponse.Status, refusal: RelayRefusal?) {
        try await client.execute(
          uri: "/v1/status", method: .get, headers: [.authorization: "Bearer 0"]
        ) { response in
          (
            response.status,
            try? JSONDecoder().decode(
              RelayRefusal.self, from: Data(response.body.readableBytesView))
          )
        }
      }
      #expect(try await status().status == .ok)
      let mover = LogMover(
        ledger, from: stores.source, to: stores.target, address: "https://b.example")
      try await mover.run()
      let told = try await status()
      #expect(told.status == .gone && told.refusal?.code == .moved)
      #expect(told.refusal?.message == "This ledger is at https://b.example now.")
      // Under the same name the device comes back by itself.
      try await LogMover(ledger, from: stores.source, to: stores.target).run()
      let later = try await status()
      #expect(later.status == .serviceUnavailable && later.refusal?.retryAfter == 1)
    }
  }

  @Test(arguments: StoreKind.everywhere.filter { $0 != .memory })
  func itIsKilledWhileDevicesWrite(_ kind: StoreKind) async throws {
    try await letIn(["a", "b", "c"])
    let process = try RelayProcess(folder: folder.path, port: port)
    let clients = ["a", "b", "c"].map { RelayClient(port: port, token: $0) }
    try await process.becomesReady(clients[0])
    let pushers = zip([1, 2], clients).map { Pusher($1, replica: $0, seed: 1) }
    let reader = Reader(clients[2])
    for pusher in pushers { for _ in 0..<20 { try await pusher.push() } }
    let url = kind == .postgres ? try await Cluster.emptyURL() : ""
    let config = Scratch()
    let place = kind == .postgres ? ["--config", config.path] : ["--folder", other.path]
    if kind == .postgres {
      // The cluster has 100 connections for all tests.
      try Data("postgres = \(url)\nconnections = 4\n".utf8)
        .write(to: URL(fileURLWithPath: config.path))
      #expect(try await RelayProcess.run("migrate", "--postgres", url).status == 0)
    }
    let words =
      ["move", "--folder", folder.path, "--to\(place[0].dropFirst())", place[1]]
      + ["--address", "https://b.example"]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for pusher in pushers {
        group.addTask {
          while try await isServed({ try await pusher.push() }) {}
        }
      }
      group.addTask { while try await isServed({ try await reader.readToHead() }) {} }
      group.addTask {
        for kill in 0..<8 { try await RelayProcess.kill(words, after: .milliseconds(20 * kill)) }
        let moved = try await RelayProcess.run(program: RelayProcess.program.path, words)
        #expect(moved.status == 0, "\(moved.text)")
      }
      try await group.waitForAll()
    }
    let next = try RelayProcess(place + ["--port", "\(port + 1)"], port: port + 1)
    let there = ["a", "b", "c"].map { RelayClient(port: port + 1, token: $0) }
    try await next.becomesReady(there[0])
    // Each goes on there with what it knows, and finds what it knows.
    for (pusher, client) in zip(pushers, there) {
      pusher.goes(to: client)
      for _ in 0..<3 { try await pusher.push() }
    }
    reader.goes(to: there[2])
    try await reader.readToHead()
    for pusher in pushers { #expect(reader.hasPlaced(pusher)) }
    let sound = try await RelayProcess.run("verify", place[0], place[1])
    #expect(sound.status == 0, "\(sound.text)")
    await process.kill()
    await next.kill()
  }
}

/// Lets a device do something; whether its log is still there.
private func isServed(_ body: () async throws -> Void) async throws -> Bool {
  do {
    try await body()
  } catch let refusal as RelayRefusal {
    switch refusal.code {
    case .moved:
      #expect(refusal.message.contains("https://b.example"))
      return false
    case .unavailable, .tooMany: break
    default: throw refusal
    }
  }
  try await Task.sleep(for: .milliseconds(5))
  return true
}
