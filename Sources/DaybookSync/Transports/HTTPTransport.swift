public import DaybookEntities
public import DaybookSyncWire
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport to a relay over HTTP, using `URLSession`; see `Docs/Sync.md`, "Over HTTP".
///
/// It doesn't follow redirects, because this device's token is meant only for the given address.
public struct HTTPTransport: SyncTransport {
  private let base: URL
  private let token: String
  private let session: DirectSession

  /// Creates a transport to a relay.
  ///
  /// - Parameters:
  ///   - relay: The relay's address, such as `https://relay.example:8481`. Plain HTTP is allowed
  ///     only for a relay on this machine, because every request contains the token.
  ///   - token: The token that authenticates this device; empty for taking an invitation.
  /// - Throws: ``SyncError`` with `unreachable` if the address is invalid.
  public init(relay: String, token: String) throws {
    try self.init(relay: relay, token: token, timeoutSeconds: 60)
  }

  /// Creates a transport with a timeout.
  init(relay: String, token: String, timeoutSeconds: Double) throws {
    guard let base = URL(string: relay), let host = base.host, let scheme = base.scheme,
      scheme == "https" || scheme == "http"
    else {
      throw SyncError(
        .unreachable, "“\(relay)” isn't the address of a relay.",
        remedy: "Write it as https://relay.example:8481.")
    }
    guard scheme == "https" || ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host) else {
      throw SyncError(
        .unreachable,
        "Couldn't connect to the relay at \(relay): without TLS, others could read this device's "
          + "token.",
        remedy: "Use an https address, or a relay on this machine.")
    }
    self.base = base
    self.token = token
    session = DirectSession(seconds: timeoutSeconds)
  }

  private func send(
    _ method: String, _ path: String, _ query: [URLQueryItem] = [], body: [UInt8]? = nil,
    isJSON: Bool = false
  ) async throws -> Data {
    var url = base.appending(path: "v1").appending(path: path)
    if !query.isEmpty { url.append(queryItems: query) }
    var request = URLRequest(url: url)
    request.httpMethod = method
    if !token.isEmpty { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    if let body {
      request.httpBody = Data(body)
      request.setValue(
        isJSON ? "application/json" : "application/octet-stream",
        forHTTPHeaderField: "Content-Type")
    }
    let (data, response) = try await session.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    if (200..<300).contains(status) { return data }
    if let refusal = try? JSONDecoder().decode(RelayRefusal.self, from: data) { throw refusal }
    throw SyncError(
      .malformed,
      "The server at \(base.absoluteString) isn't a relay: it responded with status \(status).",
      remedy: "Check the relay's address.")
  }

  private func json<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch {
      throw SyncError(
        .malformed,
        "The server at \(base.absoluteString) isn't a relay: its response can't be read.",
        remedy: "Check the relay's address.")
    }
  }

  private func after(_ position: UInt64) -> [URLQueryItem] {
    [URLQueryItem(name: "after", value: String(position))]
  }

  /// Returns the status of the log.
  public func status() async throws -> LogStatus {
    try json(LogStatus.self, await send("GET", "status"))
  }

  /// Appends entries to the log.
  public func push(_ page: PushPage) async throws -> PushAnswer {
    try json(PushAnswer.self, await send("POST", "push", body: page.bytes))
  }

  /// Returns the entries after a position.
  public func pull(after position: UInt64) async throws -> PullPage {
    try PullPage(bytes: Array(try await send("GET", "pull", after(position))))
  }

  /// Waits until the log extends beyond `position` or the long poll ends, and returns the position
  /// of the log's end.
  public func waitForEntries(after position: UInt64) async throws -> UInt64 {
    try json(LongPollAnswer.self, await send("GET", "ring", after(position))).head
  }

  /// Stores a chunk of a snapshot under its digest.
  public func putChunk(_ chunk: SealedEntry) async throws {
    _ = try await send("PUT", "chunks", body: chunk.bytes)
  }

  /// Returns the chunk that has the given digest.
  public func chunk(_ digest: Hash256) async throws -> SealedEntry {
    try SealedEntry(bytes: Array(try await send("GET", "chunks/\(digest)")))
  }

  /// Makes a manifest the ledger's newest snapshot.
  public func putManifest(_ manifest: SealedEntry, chunks: [Hash256]) async throws {
    _ = try await send("PUT", "manifest", body: ManifestBody(manifest, chunks: chunks).bytes)
  }

  /// Returns the manifest of the newest snapshot.
  public func manifest() async throws -> SealedEntry {
    try SealedEntry(bytes: Array(try await send("GET", "manifest")))
  }

  /// Stores an invitation in a mailbox for ten minutes.
  public func putInvitation(_ invitation: SealedEntry, mailbox: String) async throws {
    _ = try await send("PUT", "invitations/\(mailbox)", body: invitation.bytes)
  }

  /// Returns an invitation and removes it from its mailbox.
  public func takeInvitation(mailbox: String) async throws -> SealedEntry {
    try SealedEntry(bytes: Array(try await send("POST", "invitations/\(mailbox)/take", body: [])))
  }

  /// Returns the devices of the ledger.
  public func devices() async throws -> [PairedDevice] {
    try json([PairedDevice].self, await send("GET", "devices"))
  }

  /// Adds a device, and returns its token.
  public func addDevice(named name: String) async throws -> String {
    let body = Array(try JSONEncoder().encode(NewDevice(name: name)))
    return try json(
      NewDeviceAnswer.self, await send("POST", "devices", body: body, isJSON: true)
    ).token
  }

  /// Revokes a device's token.
  public func revokeDevice(_ tokenHash: Hash256) async throws {
    _ = try await send("DELETE", "devices/\(tokenHash)")
  }
}
