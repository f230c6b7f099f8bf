// A server that is a process of its own, for what only a process can meet.
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `daybook-serve`, running.
///
/// Unchecked `Sendable`: everything is set before it is shared, and afterwards only asked and signalled.
final class ServedProcess: @unchecked Sendable {
  let process = Process()
  /// Below those from which the system takes one for each connection that a client makes.
  let port = Int.random(in: 20_000...32_000)
  private let output = Pipe()

  /// Starts it; ``wait()`` tells when it answers.
  init(ledger: String, more: [String] = []) throws {
    // It lies beside the tests.
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("daybook-serve")
    process.arguments =
      ["--ledger", ledger, "--port", "\(port)", "--today", "2026-02-15"] + more
    process.standardOutput = output
    process.standardError = output
    try process.run()
  }

  deinit { kill() }

  /// What it says first: where it serves, or why it does not.
  func firstWords() throws -> String {
    var text = ""
    while !text.contains("\n"), let data = try output.fileHandleForReading.read(upToCount: 1) {
      text += String(decoding: data, as: UTF8.self)
    }
    return text
  }

  /// Ends it as a power cut would.
  func kill() {
    guard process.isRunning else { return }
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The status and body of the answer to a request; `nil` where there is none.
  func send(
    _ method: String, _ path: String, _ body: String? = nil, key: String? = nil
  ) async -> (status: Int, body: String)? {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { return nil }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
    if let key { request.setValue(key, forHTTPHeaderField: "Idempotency-Key") }
    guard let (data, response) = try? await URLSession.shared.data(for: request),
      let status = (response as? HTTPURLResponse)?.statusCode
    else { return nil }
    return (status, String(decoding: data, as: UTF8.self))
  }

  /// A connection that has sent the beginning of a request, and nothing more.
  func halfRequest() throws -> Int32 {
    #if os(Linux)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let socket = Foundation.socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(socket >= 0 && connected == 0)
    let beginning = Array("POST /v1/categories HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nX-".utf8)
    try #require(write(socket, beginning, beginning.count) == beginning.count)
    return socket
  }
}
