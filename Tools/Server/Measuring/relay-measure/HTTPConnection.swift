import Foundation

#if canImport(Glibc)
  private let stream = Int32(SOCK_STREAM.rawValue)
#else
  private let stream = SOCK_STREAM
#endif

/// A connection that is kept, for one request at a time.
struct HTTPConnection {
  private let socket: Int32
  /// As large as the largest page, and its headers.
  private var buffer = [UInt8](repeating: 0, count: 4 << 20 + 16 << 10)

  init(port: Int) throws {
    socket = Foundation.socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
    }
    guard socket >= 0, result == 0 else { throw Fault(description: "the relay does not answer") }
    var one: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  func close() { _ = Foundation.close(socket) }

  /// Sends a request, and waits for the body of its answer.
  ///
  /// - Throws: ``Fault`` where it is none of status 200 with its length.
  mutating func answer(to request: [UInt8]) throws -> ArraySlice<UInt8> {
    var sent = 0
    while sent < request.count {
      let count = request[sent...].withUnsafeBytes { send(socket, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { throw Fault(description: "the relay hung up") }
      sent += count
    }
    var filled = 0
    var body: Range<Int>?
    while body.map({ filled < $0.upperBound }) ?? true {
      let count = buffer.withUnsafeMutableBytes {
        let rest = UnsafeMutableRawBufferPointer(rebasing: $0[filled...])
        return recv(socket, rest.baseAddress, rest.count, 0)
      }
      guard count > 0 else { throw Fault(description: "the relay hung up") }
      filled += count
      if body == nil { body = try bodyRange(filled) }
    }
    return buffer[body ?? 0..<0]
  }

  /// Where the body is, once all headers are there.
  private func bodyRange(_ filled: Int) throws -> Range<Int>? {
    let head = buffer[..<min(filled, 4_096)]
    guard let end = head.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: head[..<end.lowerBound], as: UTF8.self).lowercased()
      .split(separator: "\r\n")
    let length = lines.first { $0.hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) }
    guard lines.first?.hasPrefix("http/1.1 200 ") == true, let length else {
      throw Fault(description: String(decoding: buffer[..<filled], as: UTF8.self))
    }
    return end.upperBound..<end.upperBound + length
  }
}
