import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

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

  let address: String
  private let listener: Int32

  /// Begins to listen, at a port that is free.
  init(_ answer: @escaping @Sendable (_ path: String) -> Answer) throws {
    #if canImport(Glibc)
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isBound = withUnsafeMutablePointer(to: &place) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 16) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    address = "http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))"
    Thread.detachNewThread {
      while case let client = accept(listener, nil, nil), client >= 0 {
        Thread.detachNewThread { Self.serve(client, answer) }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
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
