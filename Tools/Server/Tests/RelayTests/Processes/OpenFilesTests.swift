// Goal: a relay has as many connections open as the limit of open files leaves room for, and says where it cannot.
// Method: the real program under a limit that a shell sets; it is asked for more than that, so it ends by itself.

import Foundation
import RelayServer
import Testing

@Suite struct OpenFilesTests {
  /// What a relay says that is asked for so many connections under a limit.
  private func serve(_ limit: String, connections: Int) async throws -> (
    status: Int32, text: String
  ) {
    let scratch = Scratch()
    let made = try await RelayProcess.run("init", "--folder", scratch.path)
    try #require(made.status == 0, "\(made.text)")
    return try await RelayProcess.run(
      program: "/bin/sh",
      [
        "-c",
        "\(limit) && DAYBOOK_RELAY_CONNECTIONS_OPEN=\(connections) exec \"$0\" serve --folder \"$1\" --port 1",
        RelayProcess.program.path, scratch.path,
      ])
  }

  @Test func moreThanTheLimitLeavesRoomForIsRefused() async throws {
    let refused = try await serve("ulimit -n 200", connections: 137)
    #expect(refused.status == 64 && refused.text.contains("200 leaves room for 136"), "\(refused)")
  }

  @Test func theLimitIsRaisedToWhatTheSystemAllows() async throws {
    let refused = try await serve("ulimit -Sn 100 && ulimit -Hn 300", connections: 1_000)
    #expect(refused.text.contains("300 leaves room for 236"), "\(refused)")
  }

  @Test func aDatabaseTakesSome() {
    #expect(OpenFiles.connectionCountMax(of: 1_024) == 960)
    #expect(OpenFiles.connectionCountMax(of: 1_024, databaseConnectionCountMax: 16) == 944)
    #expect(OpenFiles.connectionCountMax(of: 50) == 1)
  }
}
