// Goal: whoever connects and says nothing, never ends, or says too much is cut off, and the others are served meanwhile.
// Method: connections to a server with short times, byte by byte. A connection that is not cut would be waited for until the
// test's time is over.

import DaybookSyncWire
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing

@testable import Relay
@testable import RelayServer

@Suite(.timeLimit(.minutes(2))) struct HostileConnectionTests {
  /// Serves with short times, and gives the port.
  ///
  /// - Parameter seconds: After how long a connection is cut: longer where one is to be served, since machines are busy.
  private func serving(
    connectionCountMax: Int = 100, cutAfter seconds: Double = 0.5,
    _ body: @escaping @Sendable (Int) async throws -> Void
  ) async throws {
    var options = RelayOptions()
    options.idleSeconds = seconds
    options.requestSeconds = seconds
    options.connectionCountMax = connectionCountMax
    let store = EmbeddedRelayStore.inMemory()
    try await store.makeLedger(ledger, quota: 1 << 30)
    try await store.addDevice(
      RelayDevice(ledger: ledger, tokenHash: DeviceToken.hash("a"), name: "Phone"))
    let content = [UInt8](repeating: 1, count: 900_000)
    for number in 1...4 as ClosedRange<UInt64> {
      _ = try await store.push(
        PushPage([entry(number, content: content)]), to: ledger, now: 1)
    }
    let server = RelayServer(store, options: options)
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let application = try server.application(at: RelayEndpoint(host: "127.0.0.1", port: 0)) {
      port.yield($0)
    }
    let service = ServiceGroup(services: [application], logger: Logger(label: "test"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await service.run() }
      for await port in ports {
        try await body(port)
        break
      }
      await service.triggerGracefulShutdown()
      try await group.waitForAll()
    }
  }

  private func connect(_ port: Int) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
    try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel(wrappingChannelSynchronously: channel)
        }
      }
  }

  /// Sends the parts one after another, a moment apart, until all are sent or the server closes; what it answered.
  private func send(_ parts: some Sequence<String> & Sendable, to port: Int) async throws -> String
  {
    try await connect(port).executeThenClose { answers, sender in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for part in parts {
            try? await sender.write(ByteBuffer(string: part))
            try await Task.sleep(for: .milliseconds(20))
          }
        }
        var text = ""
        do {
          for try await answer in answers { text += String(buffer: answer) }
        } catch is IOError {
          // A reset ends it as well.
        }
        group.cancelAll()
        return text
      }
    }
  }

  private let live = "GET /health/live HTTP/1.1\r\nHost: relay\r\nConnection: close\r\n\r\n"
  private let push = "POST /v1/push HTTP/1.1\r\nHost: relay\r\n"

  @Test func aConnectionThatSaysNothing() async throws {
    try await serving { (port) async throws in #expect(try await send([], to: port) == "") }
  }

  @Test func headersThatNeverEnd() async throws {
    let parts = [push, "X-A: "] + [String](repeating: "x", count: 3_000)
    try await serving { (port) async throws in #expect(try await send(parts, to: port) == "") }
  }

  @Test func aBodyThatNeverEnds() async throws {
    let start = push + "Content-Length: 3000\r\nAuthorization: Bearer a\r\n\r\n"
    let parts = [start] + [String](repeating: "x", count: 3_000)
    let live = live
    try await serving(cutAfter: 5) { port in
      async let slow = send(parts, to: port)
      // The others are served meanwhile.
      for _ in 0..<5 {
        let answer = try await send([live], to: port)
        #expect(answer.hasPrefix("HTTP/1.1 200 OK") && answer.hasSuffix("live\n"))
      }
      #expect(try await slow == "")
    }
  }

  @Test func anAnswerThatNobodyReads() async throws {
    let pull = "GET /v1/pull?after=0 HTTP/1.1\r\nHost: relay\r\nAuthorization: Bearer a\r\n\r\n"
    try await serving { port in
      try await connect(port).executeThenClose { _, sender in
        // More than the system takes on its way; writing fails once the server has closed.
        var isCut = false
        while !isCut {
          do {
            try await sender.write(ByteBuffer(string: pull))
            try await Task.sleep(for: .milliseconds(20))
          } catch {
            isCut = true
          }
        }
      }
    }
  }

  @Test func whoComesWhenAllConnectionsAreOpenWaits() async throws {
    let live = live
    let first = live.replacing("close", with: "keep-alive")
    try await serving(connectionCountMax: 1, cutAfter: 60) { port in
      let (second, closing) = try await connect(port).executeThenClose { answers, sender in
        try await sender.write(ByteBuffer(string: first))
        for try await answer in answers {
          #expect(String(buffer: answer).hasPrefix("HTTP/1.1 200 OK"))
          break
        }
        let second = Task { try await answerTime(of: live, from: port) }
        // Where it need not wait, it is answered meanwhile.
        try await Task.sleep(for: .milliseconds(200))
        return (second, ContinuousClock.now)
      }
      let answered = try await second.value
      #expect(answered > closing)
    }
  }

  private func answerTime(of request: String, from port: Int) async throws
    -> ContinuousClock.Instant
  {
    #expect(try await send([request], to: port).hasSuffix("live\n"))
    return .now
  }

  @Test func headersThatAreHuge() async throws {
    let start = push + "X-A: " + String(repeating: "a", count: 1 << 20) + "\r\n\r\n"
    let live = live
    try await serving(cutAfter: 5) { (port) async throws in
      #expect(try await !send([start], to: port).contains("200 OK"))
      #expect(try await send([live], to: port).hasSuffix("live\n"))
    }
  }
}
