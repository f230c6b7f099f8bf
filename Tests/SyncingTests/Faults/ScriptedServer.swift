import DaybookPlatform
import DaybookSyncSimulation
import Foundation

/// Something that listens on this machine and answers each connection's first request with bytes of a test's choosing.
final class ScriptedServer: Sendable {
  /// What it does with a request, by the path that was asked for.
  enum Answer: Sendable {
    /// Sends these bytes, and hangs up.
    case bytes([UInt8])
    /// Says nothing, for as long as it is asked.
    case nothing

    /// An answer with a status, whose body may be cut off.
    static func http(_ status: Int, _ body: [UInt8], missing: Int = 0) -> Answer {
      let head =
        "HTTP/1.1 \(status) x\r\nContent-Length: \(body.count + missing)\r\n"
        + "Connection: close\r\n\r\n"
      return .bytes(Array(head.utf8) + body)
    }
  }

  private let listener: LoopbackListener
  var address: String { listener.address }

  /// Begins to listen, at a port that is free.
  init(_ answer: @escaping @Sendable (_ path: String) -> Answer) throws {
    listener = try LoopbackListener { Self.serve($0, answer) }
  }

  private static func serve(_ client: Int32, _ answer: (String) -> Answer) {
    defer { close(client) }
    var request: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while request.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
      let count = recv(client, &buffer, buffer.count, 0)
      if count <= 0 { return }
      request += buffer[..<count]
    }
    let words = String(decoding: request, as: UTF8.self).split(separator: " ")
    switch answer(words.count > 1 ? String(words[1]) : "") {
    case .bytes(let bytes):
      _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      shutdown(client, Int32(SHUT_WR))
      // Until the other end has hung up as well.
      while recv(client, &buffer, buffer.count, 0) > 0 {}
    case .nothing:
      while recv(client, &buffer, buffer.count, 0) > 0 {}
    }
  }
}
