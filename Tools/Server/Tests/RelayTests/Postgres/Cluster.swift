import DaybookEntities
import Foundation
import Testing

@testable import RelayPostgres

/// The PostgreSQL cluster that tests may use, each store in a schema of its own.
enum Cluster {
  /// How to reach it; `nil` where there is none.
  static let url = ProcessInfo.processInfo.environment["DAYBOOK_POSTGRES"]

  /// How to reach it through pgbouncer in transaction mode; `nil` where there is none.
  static let pooler = ProcessInfo.processInfo.environment["DAYBOOK_PGBOUNCER"]

  /// Why tests are skipped where there is none.
  static let isMissing: Comment = "They need a cluster: make test-postgres"

  /// A store in a new schema.
  static func store(size: Int = 4) async throws -> PostgresRelayStore {
    let pool = try await pool(size: size)
    _ = try await Schema.migrate(pool)
    return try await PostgresRelayStore.open(pool)
  }

  /// Connections to a new, empty schema.
  static func pool(size: Int = 4) async throws -> PostgresPool {
    PostgresPool(try await emptyURL(), size: size)
  }

  /// How to reach a new, empty schema.
  static func emptyURL() async throws -> String {
    let url = try #require(url)
    let name = "t\(UInt64.random(in: 0...UInt64.max))"
    try await PostgresPool(url, size: 1).run { try $0.script("create schema \(name)") }
    return "\(url) options='-csearch_path=\(name)'"
  }
}

extension PostgresRelayStore {
  /// How many rows a table has.
  func count(_ table: String) async throws -> Int {
    Int(try await run("select count(*) from \(table)", [])[0].int8(0))
  }
}

/// A cluster of one test, whose nodes it kills: three nodes, of which two have to have a commit.
final class OwnCluster: Sendable {
  let folder = NSTemporaryDirectory() + "/cluster-\(UUID().uuidString)"
  let port: Int
  let url: String

  private static let script = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../../scripts/postgres-cluster").path

  init(port: Int) throws {
    self.port = port
    url = try OwnCluster.run(["start", folder], port: port)
  }

  deinit {
    _ = try? OwnCluster.run(["stop", folder], port: port)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Does something to nodes, one after another: kill, promote, rejoin, pause, resume, revive.
  func act(_ action: String, _ nodes: Int...) throws {
    for node in nodes { _ = try OwnCluster.run([action, folder, "\(node)"], port: port) }
  }

  /// Waits until both other nodes follow a leader.
  func hasStandbys(_ leader: Int) async throws {
    try await eventually {
      let standbys = try await ask(
        leader, "select 1 from pg_stat_replication where state = 'streaming'")
      try require(standbys.count == 2)
    }
  }

  /// Waits until a commit waits for standbys that do not answer.
  func hasWaitingCommits(_ leader: Int) async throws {
    try await eventually {
      let waiting = try await ask(
        leader, "select 1 from pg_stat_activity where wait_event = 'SyncRep'")
      try require(!waiting.isEmpty)
    }
  }

  /// Cancels the commits that wait.
  func cancelCommits(_ leader: Int) async throws {
    _ = try await ask(
      leader, "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'")
  }

  /// A store on whoever is the primary, and its pool.
  ///
  /// - Parameter options: What else the server is told of its sessions.
  func store(
    size: Int = 4, deadline: Double = 2, options: String = ""
  ) async throws -> PostgresRelayStore {
    let pool = PostgresPool(url + options, size: size, deadline: deadline)
    _ = try await Schema.migrate(pool)
    return try await PostgresRelayStore.open(pool)
  }

  /// Asks one node something, past the store.
  func ask(_ node: Int, _ question: String) async throws -> [Row] {
    let url =
      "host=127.0.0.1 port=\(port + node - 1) user=postgres dbname=relay target_session_attrs=any"
    return try await PostgresPool(url, size: 1).run { try $0.run(question) }
  }

  private static func run(_ words: [String], port: Int) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: script)
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment
      .merging(["CLUSTER_PORT": "\(port)"]) { $1 }
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Servers that go on running have the pipe, too: what is asked for is the first line.
    let text = words[0] == "start" ? firstLine(output) : ""
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ClusterFault(words: words) }
    return text
  }

  private static func firstLine(_ pipe: Pipe) -> String {
    var bytes: [UInt8] = []
    while let byte = try? pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// What is waited for, since servers take their time.
func eventually<Result>(
  seconds: Double = 30, _ body: () async throws -> Result
) async throws -> Result {
  let end = Date() + seconds
  while true {
    do { return try await body() } catch {
      guard Date() < end else { throw error }
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}

struct NotYet: Error {}

func require(_ condition: Bool) throws { if !condition { throw NotYet() } }

struct ClusterFault: Error { let words: [String] }
