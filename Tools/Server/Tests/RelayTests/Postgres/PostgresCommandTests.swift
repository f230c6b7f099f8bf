// Goal: daybook-relay does on PostgreSQL what it does in a folder, and says what PostgreSQL's own tools do.
// Method: the program, on a schema of its own.

import DaybookEntities
import DaybookSyncWire
import Foundation
import Relay
import Testing

@testable import RelayPostgres

@Suite(.enabled(if: Cluster.url != nil, Cluster.isMissing))
struct PostgresCommandTests {
  private func run(_ url: String, _ words: String...) async throws -> (status: Int32, text: String)
  {
    try await RelayProcess.run(
      program: RelayProcess.program.path, [words[0], "--postgres", url] + words.dropFirst())
  }

  @Test func aSchemaOfAnotherVersionIsRefusedByName() async throws {
    let current = Schema.current
    let url = try await Cluster.emptyURL()
    let none = try await run(url, "serve")
    #expect(none.status == 1 && none.text.contains("no schema") && none.text.contains("migrate"))
    let first = try await run(url, "migrate")
    #expect(first.status == 0 && first.text.contains("Created the schema"))
    #expect(try await run(url, "migrate").text.contains("already at version \(current)"))
    #expect(try await run(url, "ledgers").status == 0)
    // As a newer relay would leave it.
    try await PostgresPool(url, size: 1).run {
      try $0.script("insert into relay_schema (version) values (\(current + 1))")
    }
    for word in ["serve", "ledgers", "migrate"] {
      let newer = try await run(url, word)
      #expect(newer.status == 1 && newer.text.contains("version \(current + 1)"), "\(word)")
      #expect(newer.text.contains("Install the newer"), "\(word)")
    }
  }

  @Test func twoThatMigrateAtOnceDoItOnce() async throws {
    let url = try await Cluster.emptyURL()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { _ = try await Schema.migrate(PostgresPool(url, size: 1)) }
      }
      try await group.waitForAll()
    }
    let count = try await PostgresPool(url, size: 1).run {
      try $0.run("select count(*) from relay_schema")[0].int8(0)
    }
    #expect(count == 1)
  }

  @Test func everyCommandWorksOrSaysWhatDoes() async throws {
    let url = try await Cluster.emptyURL()
    _ = try await run(url, "migrate")
    let made = try await run(url, "init", ledger.description)
    #expect(made.status == 0 && made.text.contains("--token"))
    #expect(try await run(url, "devices", "--add", "Laptop").status == 0)
    let listed = try await run(url, "devices")
    #expect(listed.text.contains("first device") && listed.text.contains("Laptop"))
    let store = try await PostgresRelayStore.open(PostgresPool(url, size: 2))
    _ = try await store.push(PushPage([entry(1), entry(2)]), to: ledger, now: 1)
    #expect(try await run(url, "verify").text.contains("2 entries up to 2: no problems found"))
    #expect(try await run(url, "trim").text.contains("deleted 0 entries"))
    #expect(try await run(url, "ledgers", "--quota", "3").text.contains("of 3145728 bytes"))
    let backup = try await run(url, "backup", NSTemporaryDirectory() + "/none")
    #expect(backup.status == 1 && backup.text.contains("pg_basebackup"))
    let before = try await store.status(of: ledger, now: 0).incarnation
    #expect(try await run(url, "restored").text.contains("Gave 1 log"))
    #expect(try await store.status(of: ledger, now: 0).incarnation != before)
    // What is damaged is found, here as in a folder.
    try await PostgresPool(url, size: 1).run {
      try $0.script("update entry set received = received + 1 where position = 2")
    }
    let damaged = try await run(url, "verify")
    #expect(damaged.status == 1 && damaged.text.contains("entry 2 doesn't match the hash chain"))
  }

  @Test func aPasswordOnTheCommandLineIsRefused() async throws {
    let url = try #require(Cluster.url) + " password=secret"
    let refused = try await run(url, "serve")
    #expect(refused.status != 0 && refused.text.contains("PGPASSFILE"))
  }

  @Test func twoProcessesServeOneLog() async throws {
    let url = try await Cluster.emptyURL()
    _ = try await Schema.migrate(PostgresPool(url, size: 1))
    let store = try await PostgresRelayStore.open(PostgresPool(url, size: 2))
    try await store.makeLedger(ledger, quota: 1 << 30)
    try await store.addDevice(
      RelayDevice(ledger: ledger, tokenHash: DeviceToken.hash("a"), name: "Phone"))
    let config = Scratch()
    try Data("postgres = \(url)\nconnections = 4\n".utf8)
      .write(to: URL(fileURLWithPath: config.path))
    var clients: [RelayClient] = []
    var processes: [RelayProcess] = []
    for port in [8_591, 8_592] {
      processes.append(
        try RelayProcess(["--config", config.path, "--port", "\(port)"], port: port))
      clients.append(RelayClient(port: port, token: "a"))
      try await processes[processes.count - 1].becomesReady(clients[clients.count - 1])
    }
    let second = clients[1]
    async let rung = second.waitForEntries(after: 0)
    try await Task.sleep(for: .milliseconds(100))
    let page = PushPage([try entry(1)])
    let pushed = try await clients[0].push(page)
    #expect(pushed.positions == [1])
    #expect(try await rung == 1)
    #expect(try await clients[1].pull(after: 0).link == pushed.end.link)
    // What one was answered, the other repeats.
    #expect(try await clients[1].push(page).positions == [1])
    #expect(try await clients[1].text("health/ready") == "ready\n")
    let metrics = try await clients[0].text("metrics")
    for line in [
      "daybook_relay_pushes_total 1\n", "daybook_relay_ledgers 1\n",
      "daybook_relay_pool_connections 4\n", "daybook_relay_store_answers 1\n",
      "daybook_relay_fence_seconds_count ", "daybook_relay_standby_lag_bytes{standby=\"n2\"} ",
      "daybook_relay_commits_waiting_for_standbys ",
    ] {
      #expect(metrics.contains(line), "\(line)")
    }
    for process in processes { await process.kill() }
  }
}
