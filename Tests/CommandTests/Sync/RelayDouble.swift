import DaybookEntities
import DaybookPlatform
import DaybookSync
import DaybookSyncSimulation
import DaybookSyncWire
import Foundation
import Synchronization

/// A relay for the command's tests: `MemoryRelay` behind as much HTTP as the command speaks, on this machine.
///
/// The relay that people run is in a package of its own, which tests what it does over HTTP; `Docs/Sync.md` is what
/// both are written from.
final class RelayDouble: Sendable {
  let relay: MemoryRelay
  private let listener: LoopbackListener
  var address: String { listener.address }

  /// Begins to listen, at a port that is free.
  ///
  /// - Parameter relay: What answers; a new one unless told otherwise.
  init(_ relay: MemoryRelay? = nil) throws {
    self.relay =
      relay
      ?? MemoryRelay(ledger: EntityID(high: 0x0102, low: 0x0304)) {
        Int64(Date().timeIntervalSince1970 * 1_000_000)
      }
    let answering = self.relay
    listener = try LoopbackListener { Connection($0, answering).serve() }
  }

  /// A token for a device.
  func token() async -> String { await relay.addDevice(named: "first device") }
}

/// A thread beside those that tests block while they wait for the command.
private final class ThreadExecutor: TaskExecutor {
  static let shared = ThreadExecutor()
  private let jobs = Mutex<[UnownedJob]>([])
  private let isThere = DispatchSemaphore(value: 0)

  private init() {
    Thread.detachNewThread { [self] in
      while true {
        isThere.wait()
        let job = jobs.withLock { $0.removeFirst() }
        job.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    isThere.signal()
  }
}

/// One connection of a client.
private struct Connection: Sendable {
  private let client: Int32
  private let relay: MemoryRelay

  init(_ client: Int32, _ relay: MemoryRelay) {
    self.client = client
    self.relay = relay
  }

  func serve() {
    defer { close(client) }
    var bytes: [UInt8] = []
    while let request = Request(from: client, &bytes) {
      let answer = Mutex<(status: Int, body: [UInt8])>((500, []))
      let done = DispatchSemaphore(value: 0)
      let relay = relay
      Task(executorPreference: ThreadExecutor.shared) {
        let found = await Self.answer(request, relay)
        answer.withLock { $0 = found }
        done.signal()
      }
      done.wait()
      let (status, body) = answer.withLock { $0 }
      let head = "HTTP/1.1 \(status) x\r\nContent-Length: \(body.count)\r\n\r\n"
      let whole = Array(head.utf8) + body
      guard send(client, whole, whole.count, Int32(MSG_NOSIGNAL)) == whole.count else { return }
    }
  }

  private static func answer(
    _ request: Request, _ relay: MemoryRelay
  ) async -> (status: Int, body: [UInt8]) {
    do {
      return (200, try await body(request, MemoryTransport(relay, token: request.token)))
    } catch let refusal as RelayRefusal {
      let status = refusal.code == .unauthorized ? 401 : refusal.code == .notFound ? 404 : 409
      return (status, json(refusal))
    } catch {
      return (400, json(RelayRefusal(.malformed, "\(error)")))
    }
  }

  private static func json(_ value: some Encodable) -> [UInt8] {
    (try? JSONEncoder().encode(value)).map { Array($0) } ?? []
  }

  private static func body(_ request: Request, _ way: MemoryTransport) async throws -> [UInt8] {
    let path = request.path
    switch (request.method, path.first ?? "", path.dropFirst().first) {
    case ("GET", "status", nil): return json(try await way.status())
    case ("POST", "push", nil): return json(try await way.push(PushPage(bytes: request.body)))
    case ("GET", "pull", nil): return try await way.pull(after: request.after).bytes
    case ("GET", "ring", nil):
      return json(LongPollAnswer(head: try await way.waitForEntries(after: request.after)))
    case ("PUT", "chunks", nil):
      try await way.putChunk(SealedEntry(bytes: request.body))
    case ("GET", "chunks", let digest?):
      return try await way.chunk(Hash256(digest) ?? .zero).bytes
    case ("PUT", "manifest", nil):
      let body = try ManifestBody(bytes: request.body)
      try await way.putManifest(body.manifest, chunks: body.chunks)
    case ("GET", "manifest", nil): return try await way.manifest().bytes
    case ("PUT", "invitations", let mailbox?):
      try await way.putInvitation(SealedEntry(bytes: request.body), mailbox: mailbox)
    case ("POST", "invitations", let mailbox?):
      return try await way.takeInvitation(mailbox: mailbox).bytes
    case ("GET", "devices", nil): return json(try await way.devices())
    case ("POST", "devices", nil):
      let asked = try JSONDecoder().decode(NewDevice.self, from: Data(request.body))
      return json(NewDeviceAnswer(token: try await way.addDevice(named: asked.name)))
    case ("DELETE", "devices", let hash?): try await way.revokeDevice(Hash256(hash) ?? .zero)
    default: throw RelayRefusal(.notFound, "There is nothing.")
    }
    return []
  }
}

/// A request, as far as the command sends them.
private struct Request: Sendable {
  var method: String
  /// What follows `/v1/`.
  var path: [String]
  var after: UInt64 = 0
  var token = ""
  var body: [UInt8] = []

  /// Reads the next request of a connection; `nil` where it has ended.
  init?(from client: Int32, _ bytes: inout [UInt8]) {
    let end = Array("\r\n\r\n".utf8)
    func more(_ bytes: inout [UInt8]) -> Bool {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(client, &buffer, buffer.count, 0)
      if count > 0 { bytes += buffer[..<count] }
      return count > 0
    }
    var head: Range<Int>?
    while head == nil {
      head = bytes.firstRange(of: end)
      if head == nil, !more(&bytes) { return nil }
    }
    guard let head else { return nil }
    let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).components(
      separatedBy: "\r\n")
    let words = lines[0].split(separator: " ").map(String.init)
    guard words.count >= 2, let url = URLComponents(string: words[1]) else { return nil }
    method = words[0]
    path = url.path.split(separator: "/").dropFirst().map(String.init)
    after = url.queryItems?.first { $0.name == "after" }?.value.flatMap(UInt64.init) ?? 0
    var length = 0
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = parts[1].trimmingCharacters(in: .whitespaces)
      switch parts[0].lowercased() {
      case "content-length": length = Int(value) ?? 0
      case "authorization": token = String(value.dropFirst(7))
      default: break
      }
    }
    while bytes.count < head.upperBound + length { if !more(&bytes) { return nil } }
    body = Array(bytes[head.upperBound..<head.upperBound + length])
    bytes.removeFirst(head.upperBound + length)
  }
}
