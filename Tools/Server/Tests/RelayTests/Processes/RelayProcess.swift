// A relay that is a process of its own, for what only a process can meet.

import DaybookEntities
import DaybookSyncWire
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `daybook-relay serve`, running.
///
/// Unchecked `Sendable`: everything is set before it is shared, and afterwards only asked and signalled.
final class RelayProcess: @unchecked Sendable {
  private let process = Process()
  private let ended = AsyncStream.makeStream(of: Void.self)
  let port: Int

  /// Starts it.
  convenience init(folder: String, port: Int, _ arguments: [String] = []) throws {
    try self.init(["--folder", folder, "--port", "\(port)"] + arguments, port: port)
  }

  /// Starts it with the arguments that say where its logs and its port are.
  init(_ arguments: [String], port: Int) throws {
    self.port = port
    process.executableURL = Self.program
    process.arguments = ["serve"] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let end = ended.continuation
    process.terminationHandler = { _ in end.finish() }
    try process.run()
  }

  deinit { if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) } }

  /// Whether it has not ended.
  var isRunning: Bool { process.isRunning }

  /// Waits until it answers a device.
  func becomesReady(_ client: RelayClient) async throws {
    while process.isRunning {
      do {
        _ = try await client.status()
        return
      } catch is NoAnswer {
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    throw EndedByItself()
  }

  /// Ends it as a power cut would, as far as a process can meet one.
  func kill() async {
    Foundation.kill(process.processIdentifier, SIGKILL)
    for await _ in ended.stream {}
  }

  /// The program lies beside the tests.
  static var program: URL {
    URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("daybook-relay")
  }

  /// Runs another command of the relay: how it ended, and what it said.
  static func run(_ arguments: String...) async throws -> (status: Int32, text: String) {
    try await run(program: program.path, arguments)
  }

  /// Runs a command, and kills it after a while, unless it has ended.
  static func kill(_ words: [String], after time: Duration) async throws {
    let process = Process()
    process.executableURL = program
    process.arguments = words
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let ended = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in ended.continuation.finish() }
    try process.run()
    try await Task.sleep(for: time)
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    for await _ in ended.stream {}
  }

  /// Runs a program that says no more than a pipe holds: how it ended, and what it said.
  static func run(
    program: String, _ arguments: [String]
  ) async throws -> (status: Int32, text: String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = output
    let ended = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in ended.continuation.finish() }
    try process.run()
    for await _ in ended.stream {}
    let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    return (process.terminationStatus, text)
  }
}

/// A device of a relay over HTTP; what comes back is a refusal, an answer, or nothing.
struct RelayClient: Sendable {
  let port: Int
  let token: String
  private let session: URLSession

  init(port: Int, token: String) {
    self.port = port
    self.token = token
    session = URLSession(configuration: .ephemeral)
  }

  func push(_ page: PushPage) async throws -> PushAnswer {
    try JSONDecoder().decode(PushAnswer.self, from: await send("POST", "push", page.bytes))
  }

  func pull(after position: UInt64) async throws -> PullPage {
    try PullPage(bytes: Array(await send("GET", "pull?after=\(position)")))
  }

  func waitForEntries(after position: UInt64) async throws -> UInt64 {
    try JSONDecoder().decode(LongPollAnswer.self, from: await send("GET", "ring?after=\(position)"))
      .head
  }

  func status() async throws -> LogStatus {
    try JSONDecoder().decode(LogStatus.self, from: await send("GET", "status"))
  }

  func put(_ path: String, _ body: [UInt8]) async throws { _ = try await send("PUT", path, body) }

  /// What is outside of a log: health and metrics.
  func text(_ path: String) async throws -> String {
    String(decoding: try await send("GET", "../\(path)"), as: UTF8.self)
  }

  private func send(_ method: String, _ path: String, _ body: [UInt8]? = nil) async throws -> Data {
    guard let url = URL(string: "http://127.0.0.1:\(port)/v1/\(path)") else { throw NoAnswer() }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.httpBody = body.map { Data($0) }
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
    let data: Data
    let status: Int?
    do {
      let (answer, response) = try await session.data(for: request)
      (data, status) = (answer, (response as? HTTPURLResponse)?.statusCode)
    } catch {
      throw NoAnswer()
    }
    if let status, 200..<300 ~= status { return data }
    throw try JSONDecoder().decode(RelayRefusal.self, from: data)
  }
}

/// The relay did not answer: it is down, or went down meanwhile.
struct NoAnswer: Error {}

/// The relay ended although nobody ended it.
struct EndedByItself: Error {}
