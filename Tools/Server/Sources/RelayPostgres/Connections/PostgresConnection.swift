import CLibPQ
import Foundation

/// A connection to a database, for use by one thread.
///
/// Each statement has its own transaction, so prepared statements are the only state of a session.
/// A pooler may run each transaction in another session, so nothing is prepared on a connection
/// through a pooler.
final class PostgresConnection {
  private let handle: OpaquePointer
  private var prepared: [String: String] = [:]
  private let notices = Notices()
  private let patience: Double
  /// Whether the connection goes through a pooler, such as pgbouncer, which may run each
  /// transaction in another session.
  let isPooled: Bool

  /// The notices and warnings that the server sends in addition to its results.
  private final class Notices {
    var messages: [String] = []
  }

  /// Connects to the first available server.
  ///
  /// - Parameters:
  ///   - url: A URL or `key=value` pairs in libpq's syntax; several hosts are tried in order.
  /// - patience: The number of seconds without a response after which the connection is abandoned.
  ///   Without this limit, a server that hangs on a running machine would block the caller forever.
  ///   The server isn't notified, so a statement that was sent may still take effect.
  /// - suspect: A server to try last.
  /// - Throws: ``PostgresFault/connection(_:)``.
  init(
    _ url: String, patience: Double = 60, avoiding suspect: ServerList.Server? = nil
  ) throws {
    self.patience = patience
    // The URL overrides parameters before `dbname`, but not parameters after it.
    var pairs = [
      ("target_session_attrs", "read-write"), ("connect_timeout", "3"), ("keepalives_idle", "5"),
      ("keepalives_interval", "2"), ("keepalives_count", "3"), ("tcp_user_timeout", "10000"),
      ("application_name", "daybook-relay"), ("dbname", url),
    ]
    if suspect != nil { pairs += ServerList(url).avoiding(suspect).parameters }
    let names = pairs.map { strdup($0.0) } + [nil]
    let values = pairs.map { strdup($0.1) } + [nil]
    defer { for text in names + values { free(text) } }
    let opened = names.map { UnsafePointer($0) }.withUnsafeBufferPointer { names in
      values.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
        PQconnectdbParams(names.baseAddress, values.baseAddress, 1)
      }
    }
    guard let opened else { throw PostgresFault.connection("no memory") }
    guard PQstatus(opened) == CONNECTION_OK else {
      defer { PQfinish(opened) }
      throw PostgresFault.connection(PostgresConnection.words(PQerrorMessage(opened)))
    }
    handle = opened
    PQsetnonblocking(opened, 1)
    isPooled = PostgresConnection.isPooled(opened)
    PQsetNoticeProcessor(
      handle,
      { place, message in
        guard let place, let message else { return }
        let notices = Unmanaged<Notices>.fromOpaque(place).takeUnretainedValue()
        notices.messages.append(String(cString: message))
      }, Unmanaged.passUnretained(notices).toOpaque())
  }

  deinit { PQfinish(handle) }

  /// Returns whether the connection goes through a pooler, whose process id differs
  /// from the server's.
  private static func isPooled(_ handle: OpaquePointer) -> Bool {
    let result = PQexec(handle, "select pg_backend_pid()")
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_TUPLES_OK else { return false }
    return words(PQgetvalue(result, 0, 0)) != "\(PQbackendPID(handle))"
  }

  /// Runs a statement in its own transaction, and prepares it at its first use unless the
  /// connection is pooled.
  ///
  /// - Throws: ``PostgresFault``.
  func run(_ statement: String, _ values: [Value] = []) throws -> [Row] {
    if isPooled {
      return try sending(values) { pointers, counts, formats in
        PQsendQueryParams(
          handle, statement, Int32(values.count), values.map(\.type), pointers, counts, formats, 1)
      }
    }
    let name = try prepare(statement, values)
    return try sending(values) { pointers, counts, formats in
      PQsendQueryPrepared(
        handle, name, Int32(values.count), pointers, counts, formats, 1)
    }
  }

  /// Runs statements without results, in one transaction.
  ///
  /// - Throws: ``PostgresFault``.
  func script(_ statements: String) throws {
    notices.messages = []
    _ = try rows(answer(PQsendQuery(handle, statements)))
  }

  /// Runs a closure's statements in one transaction, which is rolled back if the closure throws.
  ///
  /// - Parameter start: The statement that begins the transaction.
  /// - Throws: ``PostgresFault``, or the closure's error.
  func transaction<Result>(_ start: String = "begin", _ body: () throws -> Result) throws -> Result
  {
    try script(start)
    let result: Result
    do {
      result = try body()
    } catch {
      try script("rollback")
      throw error
    }
    try script("commit")
    return result
  }

  /// Whether unrequested data has arrived, which means that the server is closing the connection.
  var isStale: Bool {
    var waiting = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) != 0
  }

  /// The server of this connection.
  var server: ServerList.Server {
    ServerList.Server(
      host: PostgresConnection.words(PQhost(handle)), port: PostgresConnection.words(PQport(handle))
    )
  }

  /// The socket, for waiting until notifications arrive.
  var socket: Int32 { PQsocket(handle) }

  /// Returns the payloads of the notifications received since the last call.
  ///
  /// - Throws: ``PostgresFault/connection(_:)``.
  func notifications() throws -> [String] {
    try consume()
    var found: [String] = []
    while let one = PQnotifies(handle) {
      found.append(String(cString: one.pointee.extra))
      PQfreemem(one)
    }
    return found
  }

  private func prepare(_ statement: String, _ values: [Value]) throws -> String {
    if let name = prepared[statement] { return name }
    let name = "s\(prepared.count)"
    _ = try rows(
      answer(PQsendPrepare(handle, name, statement, Int32(values.count), values.map(\.type))))
    prepared[statement] = name
    return name
  }

  private func sending(
    _ values: [Value],
    _ send: (
      UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> Int32
  ) throws -> [Row] {
    notices.messages = []
    let encoded = values.map(\.bytes)
    let counts = encoded.map { Int32($0.count) }
    let formats = [Int32](repeating: 1, count: values.count)
    // All values are in one buffer, whose pointers are valid during the call. Because of the extra
    // byte, even an empty value has an address.
    let all = encoded.flatMap(\.self) + [0]
    return try all.withUnsafeBytes { buffer in
      var offset = 0
      let pointers = encoded.map { bytes in
        defer { offset += bytes.count }
        return buffer.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
      }
      return try rows(answer(send(pointers, counts, formats)))
    }
  }

  /// Returns the result of a statement: the first error or, if there is none, the last result.
  ///
  /// - Parameter sent: The return value of libpq's sending function; 0 means that it failed.
  private func answer(_ sent: Int32) throws -> OpaquePointer? {
    guard sent == 1 else { throw broken }
    let end = ContinuousClock.now + .seconds(patience)
    while true {
      let rest = PQflush(handle)
      if rest == 0 { break }
      guard rest == 1 else { throw broken }
      if try waits(for: POLLIN | POLLOUT, until: end) { try consume() }
    }
    var kept: OpaquePointer?
    do {
      while true {
        while PQisBusy(handle) == 1 {
          _ = try waits(for: POLLIN, until: end)
          try consume()
        }
        guard let next = PQgetResult(handle) else { return kept }
        if kept != nil, PQresultStatus(kept) == PGRES_FATAL_ERROR {
          PQclear(next)
        } else {
          PQclear(kept)
          kept = next
        }
      }
    } catch {
      PQclear(kept)
      throw error
    }
  }

  private func consume() throws { if PQconsumeInput(handle) != 1 { throw broken } }

  /// Waits until the socket is ready.
  ///
  /// - Returns: Whether data can be read.
  /// - Throws: ``PostgresFault/silent(_:)`` if the wait exceeds `patience`.
  private func waits(for events: Int32, until end: ContinuousClock.Instant) throws -> Bool {
    let left = end - ContinuousClock.now
    let milliseconds =
      left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000
    var waiting = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
    guard milliseconds > 0, poll(&waiting, 1, Int32(clamping: milliseconds)) != 0 else {
      throw PostgresFault.silent(patience)
    }
    return Int32(waiting.revents) & (POLLIN | POLLHUP | POLLERR) != 0
  }

  private var broken: PostgresFault {
    .connection(PostgresConnection.words(PQerrorMessage(handle)))
  }

  private func rows(_ result: OpaquePointer?) throws -> [Row] {
    switch PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
    default:
      defer { PQclear(result) }
      throw fault(result)
    }
    let found = PostgresResult(result)
    // A server that stops waiting for its standbys reports a commit as successful, with a warning.
    if let notice = notices.messages.first { throw PostgresFault.doubtful(notice) }
    return found.rows
  }

  private func fault(_ result: OpaquePointer?) -> PostgresFault {
    func field(_ code: Character) -> String {
      PostgresConnection.words(PQresultErrorField(result, Int32(code.asciiValue ?? 0)))
    }
    let state = field("C")
    if state.isEmpty || PQstatus(handle) != CONNECTION_OK {
      return .connection(PostgresConnection.words(PQerrorMessage(handle)))
    }
    return .statement(state: state, message: field("M"), detail: field("D"), hint: field("H"))
  }

  private static func words(_ text: UnsafePointer<CChar>?) -> String {
    guard let text else { return "" }
    var words = String(cString: text)
    while words.last?.isNewline == true { words.removeLast() }
    return words
  }
}
