// Goal: what was acknowledged is never lost or moved, and nothing that was read changes, whatever becomes of servers.
// Method: three devices push and two read while nodes are killed, paused and promoted; afterwards the log is compared with
// what they were told. As controls, commits that do not wait for standbys are lost, and so is what only one standby had when
// the other took over by itself.

import Testing

@testable import RelayPostgres

@Suite(.serialized, .enabled(if: Cluster.url != nil, Cluster.isMissing))
struct FailoverTests {
  @Test func leadersAreKilled() async throws {
    let trial = try await Trial(port: 5_481)
    for (leader, heir) in [(1, 2), (2, 1)] {
      try await trial.cluster.hasStandbys(leader)
      try await trial.progress()
      try trial.cluster.act("kill", leader)
      try trial.cluster.act("promote", heir)
      try trial.cluster.act("rejoin", leader)
      try await trial.progress()
    }
    let moved = try await trial.end()
    #expect(moved == [])
  }

  @Test func theLeaderIsKilledWhileStandbysHang() async throws {
    let trial = try await Trial(port: 5_485)
    try trial.cluster.act("pause", 2, 3)
    try await trial.cluster.hasWaitingCommits(1)
    try trial.cluster.act("kill", 1)
    try trial.cluster.act("resume", 2, 3)
    try trial.cluster.act("promote", 2)
    try await trial.progress()
    let moved = try await trial.end()
    #expect(moved == [])
  }

  @Test func commitsAreCancelledAndTheOneThatLagsTakesOver() async throws {
    let trial = try await Trial(port: 5_489)
    try trial.cluster.act("kill", 3)
    try await trial.progress()
    try trial.cluster.act("pause", 2)
    try await trial.cluster.hasWaitingCommits(1)
    for _ in 0..<5 { try await trial.cluster.cancelCommits(1) }
    try trial.cluster.act("kill", 1)
    try trial.cluster.act("resume", 2)
    try trial.cluster.act("revive", 3)
    try trial.cluster.act("promote", 3)
    // The old leader comes back as the leader it was, with commits that nobody else has.
    try trial.cluster.act("revive", 1)
    try await trial.cluster.cancelCommits(1)
    try trial.cluster.act("rejoin", 1)
    try await trial.progress()
    let moved = try await trial.end()
    #expect(moved == [])
  }

  @Test func theLeaderHangsAndReturns() async throws {
    let trial = try await Trial(port: 5_493)
    try trial.cluster.act("pause", 1)
    try trial.cluster.act("promote", 2)
    // Its machine still answers for it, so nothing breaks: its connections are given up.
    try await trial.progress()
    try trial.cluster.act("resume", 1)
    try await trial.cluster.cancelCommits(1)
    try await trial.progress()
    try trial.cluster.act("rejoin", 1)
    try await trial.progress()
    let moved = try await trial.end()
    #expect(moved == [])
  }

  @Test func whatIsOpenToASilentLeaderIsGivenUpAtOnce() async throws {
    let cluster = try OwnCluster(port: 5_505)
    let pool = PostgresPool(cluster.url, size: 4, deadline: 2)
    // Of whom all four connections are.
    func leaders() async throws -> Set<Int64> {
      try await withThrowingTaskGroup(of: Int64.self) { group in
        for _ in 1...4 {
          group.addTask {
            try await pool.run {
              try $0.run("select current_setting('port')::int8 from pg_sleep(0.3)")
            }[0].int8(0)
          }
        }
        return try await group.reduce(into: []) { $0.insert($1) }
      }
    }
    try await eventually { try require(try await leaders() == [5_505]) }
    // The old leader does not know that another one leads.
    try cluster.act("promote", 2)
    _ = try? await pool.run { try $0.run("select pg_sleep(60)") }
    try await eventually { try require(try await leaders() == [5_506]) }
  }

  // MARK: Controls

  @Test func whatDoesNotWaitForStandbysIsLost() async throws {
    let trial = try await Trial(port: 5_497, options: " options='-csynchronous_commit=local'")
    try trial.cluster.act("kill", 2, 3)
    try await trial.progress()
    try trial.cluster.act("kill", 1)
    try trial.cluster.act("revive", 2, 3)
    try trial.cluster.act("promote", 2)
    let moved = try await trial.end()
    #expect(moved.contains { $0.hasSuffix("is lost") })
    #expect(moved.contains { $0.hasSuffix("has changed") })
  }

  @Test func whatOnlyTheOtherStandbyHadIsLostWithIt() async throws {
    let trial = try await Trial(port: 5_501)
    try trial.cluster.act("kill", 3)
    try await trial.progress()
    try trial.cluster.act("kill", 1, 2)
    try trial.cluster.act("revive", 3)
    #expect(throws: ClusterFault.self) { try trial.cluster.act("promote", 3) }
    try trial.cluster.act("promote-alone", 3)
    try trial.cluster.act("rejoin", 1)
    let moved = try await trial.end()
    #expect(moved.contains { $0.hasSuffix("is lost") }, "\(moved)")
  }
}
