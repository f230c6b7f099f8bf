// Goal: a device shows its token to nobody but the address that a person gave it, has answers whole, and waits for none
// when it is told to stop. Method: servers that send it on to another one, by each of the ways of HTTP; that answer with
// much; that do not answer.

import DaybookSync
import DaybookSyncWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization
import Testing

@Suite struct DeviceTransportTests {
  @Test(arguments: [301, 302, 307, 308]) func aDeviceFollowsNoRedirect(_ status: Int)
    async throws
  {
    let asked = Asked()
    let elsewhere = Router()
    elsewhere.get("v1/status") { request, _ in
      asked.note(request.headers[.authorization] ?? "")
      return "{}"
    }
    try await Application(router: elsewhere).test(.live) { other in
      let port = try #require(other.port)
      let relay = Router()
      relay.get("v1/status") { _, _ in
        Response(
          status: .init(code: status),
          headers: [.location: "http://127.0.0.1:\(port)/v1/status"])
      }
      try await Application(router: relay).test(.live) { client in
        let transport = try HTTPTransport(
          relay: "http://127.0.0.1:\(try #require(client.port))", token: "secret")
        let refused = await #expect(throws: SyncError.self) { try await transport.status() }
        #expect(
          refused?.message.contains("it responded with status \(status)") == true,
          "\(String(describing: refused))")
      }
    }
    #expect(asked.tokens == [])
  }

  @Test func anAnswerInManyPiecesIsWhole() async throws {
    let manifest = try entry(0, kind: .manifest, content: [UInt8](repeating: 7, count: 900_000))
    let relay = Router()
    relay.get("v1/manifest") { _, _ in
      Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: manifest.bytes)))
    }
    try await Application(router: relay).test(.live) { client in
      let transport = try HTTPTransport(
        relay: "http://127.0.0.1:\(try #require(client.port))", token: "secret")
      #expect(try await transport.manifest() == manifest)
    }
  }

  @Test func whoIsToldToStopWaitsForNoAnswer() async throws {
    let asked = Asked()
    let relay = Router()
    relay.get("v1/ring") { _, _ in
      asked.note("ring")
      while !asked.tokens.contains("over") { try await Task.sleep(for: .milliseconds(1)) }
      return "{}"
    }
    try await Application(router: relay).test(.live) { client in
      let transport = try HTTPTransport(
        relay: "http://127.0.0.1:\(try #require(client.port))", token: "secret")
      let waiting = Task { try await transport.waitForEntries(after: 0) }
      while asked.tokens.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
      waiting.cancel()
      await #expect(throws: (any Error).self) { try await waiting.value }
      // Before it was asked, too.
      let late = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await transport.waitForEntries(after: 0)
      }
      await #expect(throws: (any Error).self) { try await late.value }
      asked.note("over")
    }
  }
}

/// The tokens that were shown.
private final class Asked: Sendable {
  private let noted = Mutex<[String]>([])

  var tokens: [String] { noted.withLock { $0 } }

  func note(_ token: String) { noted.withLock { $0.append(token) } }
}
