import DaybookEntities
import DaybookSyncWire
import Foundation
import Synchronization

/// Devices that ask a relay over HTTP, each on a connection and a thread of its own, without TLS.
///
/// It does as little as it can: the relay and the database share the processors with it.
struct HTTPLoad {
  let port: Int
  let kind: Logs.Kind
  let seconds: Double

  private final class Outcome: Sendable {
    let times = Mutex<[Double]>([])
    let fault = Mutex<(any Error)?>(nil)
  }

  /// How long each answer took, in seconds.
  func times(_ tokens: [String]) throws -> [Double] {
    let outcome = Outcome()
    let (connecting, asking) = (DispatchGroup(), DispatchGroup())
    for _ in tokens { connecting.enter() }
    for token in tokens {
      asking.enter()
      let thread = Thread {
        defer { asking.leave() }
        do {
          let device = Result { try HTTPDevice(token, port: port, kind: kind) }
          // Time runs once all are there.
          connecting.leave()
          connecting.wait()
          let times = try device.get().ask(until: .now + .seconds(seconds))
          outcome.times.withLock { $0 += times }
        } catch {
          outcome.fault.withLock { $0 = error }
        }
      }
      thread.start()
    }
    asking.wait()
    if let fault = outcome.fault.withLock({ $0 }) { throw fault }
    return outcome.times.withLock { $0 }
  }
}

/// One device.
private final class HTTPDevice {
  private let token: String
  private let kind: Logs.Kind
  private var connection: HTTPConnection
  private var next: UInt64

  /// Connects, and asks where its log ends.
  init(_ token: String, port: Int, kind: Logs.Kind) throws {
    self.token = token
    self.kind = kind
    connection = try HTTPConnection(port: port)
    let body = try connection.answer(to: Self.head("GET", "status", token))
    guard let position = String(decoding: body, as: UTF8.self).firstMatch(of: /"position":(\d+)/),
      let position = UInt64(position.1)
    else { throw Fault(description: "a status without a position") }
    next = position + 1
  }

  deinit { connection.close() }

  func ask(until end: ContinuousClock.Instant) throws -> [Double] {
    let (position, entryCount) = kind.page
    let pull = Self.head("GET", "pull?after=\(position)", token)
    var times: [Double] = []
    while ContinuousClock.now < end {
      let request = kind == .push ? try push() : pull
      let start = ContinuousClock.now
      let body = try connection.answer(to: request)
      times.append(passed(since: start))
      // The page's count of entries.
      let found = body.dropFirst(50).prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard kind == .push || found == entryCount else {
        throw Fault(description: "a page of \(found) entries")
      }
    }
    return times
  }

  private func push() throws -> [UInt8] {
    let body = PushPage([try Logs.entry(next, of: EntityID(high: 1, low: 1))]).bytes
    next += 1
    return Self.head("POST", "push", token, byteCount: body.count) + body
  }

  private static func head(
    _ method: String, _ path: String, _ token: String, byteCount: Int = 0
  ) -> [UInt8] {
    Array(
      "\(method) /v1/\(path) HTTP/1.1\r\nHost: relay\r\nAuthorization: Bearer \(token)\r\nContent-Length: \(byteCount)\r\n\r\n"
        .utf8)
  }
}
