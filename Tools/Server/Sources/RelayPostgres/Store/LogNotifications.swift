import DaybookEntities
import Foundation
import Relay
import Synchronization

/// Wakes callers that are waiting for logs to grow, in all relay processes.
///
/// A process wakes its own callers after its own pushes. It also notifies the other processes after
/// the commits, with one notification for all pushes within five milliseconds. Every two seconds,
/// each process queries the heads of all logs for which callers are waiting, so a lost notification
/// causes a delay of at most two seconds.
final class LogNotifications: Sendable {
  private static let channel = "daybook_relay"

  private struct State {
    /// The logs that this process has appended to and not announced to the other processes yet.
    var untold: Set<EntityID> = []
    var isTelling = false
    var isWatching = false
  }

  /// The callers that are waiting in this process.
  let polls = LongPolls()
  private let pool: PostgresPool
  private let url: String
  private let state = Mutex(State())

  /// - Parameter direct: A connection string that bypasses a pooler; by default, the pool's
  ///   connection string.
  init(_ pool: PostgresPool, direct: String? = nil) {
    self.pool = pool
    url = direct ?? pool.url
  }

  /// Wakes the callers in all processes after this process has appended to a log.
  ///
  /// Call it once the push is durable.
  func told(_ ledger: EntityID, head: UInt64) {
    polls.wake(ledger, head: head)
    let isFirst = state.withLock { state in
      state.untold.insert(ledger)
      defer { state.isTelling = true }
      return !state.isTelling
    }
    if isFirst { Task { await tell() } }
  }

  /// Waits at most `seconds` until a log's head is beyond a position, and returns the head.
  func wait(for ledger: EntityID, after position: UInt64, seconds: Double) async throws -> UInt64 {
    watch()
    return try await polls.wait(for: ledger, after: position, seconds: seconds) {
      // If the database doesn't respond, the periodic query makes up for this query.
      (try? await heads([ledger]))?[ledger] ?? position
    }
  }

  /// Returns the heads of logs.
  private func heads(_ ledgers: Set<EntityID>) async throws -> [EntityID: UInt64] {
    let list = "{" + ledgers.map(\.description).joined(separator: ",") + "}"
    let rows = try await pool.run {
      try $0.run("select id, head from ledger where id = any ($1::text::uuid[])", [.text(list)])
    }
    return try Dictionary(rows.map { (try $0.id(0), try $0.bits(1)) }) { first, _ in first }
  }

  /// Queries the heads of some logs, and wakes the callers that were waiting for new entries.
  private func look(at ledgers: Set<EntityID>) async {
    guard !ledgers.isEmpty, let heads = try? await heads(ledgers) else { return }
    for (ledger, head) in heads { polls.wake(ledger, head: head) }
  }

  /// Notifies the other processes of the logs that have grown.
  private func tell() async {
    try? await Task.sleep(for: .milliseconds(5))
    let grown = state.withLock { state in
      state.isTelling = false
      defer { state.untold = [] }
      return state.untold
    }
    // A notification can have at most 8,000 bytes.
    let names = grown.map(\.description)
    for start in stride(from: 0, to: names.count, by: 200) {
      let payload = names[start...].prefix(200).joined(separator: ",")
      _ = try? await pool.run { try $0.run(LogNotifications.telling, [.text(payload)]) }
    }
  }

  /// The statement that sends a notification without making it durable.
  ///
  /// Otherwise, pushes would wait for the notification's flush, and the connection would wait for
  /// the standbys.
  private static let telling = """
    select set_config('synchronous_commit', 'off', true), pg_notify('\(channel)', $1)
    """

  // MARK: Notifications from other processes

  /// Starts to listen when the first caller waits.
  private func watch() {
    let isFirst = state.withLock { state in
      defer { state.isWatching = true }
      return !state.isWatching
    }
    guard isFirst else { return }
    let thread = Thread { [weak self, url] in
      while LogNotifications.listen(url, { self != nil }, { self?.heard($0) }) {}
    }
    thread.name = "postgres calls"
    thread.start()
  }

  private func heard(_ payloads: [String]?) {
    let told = payloads?.flatMap { $0.split(separator: ",") }.compactMap { EntityID(String($0)) }
    let ledgers = told.map { polls.ledgers.intersection($0) } ?? polls.ledgers
    if !ledgers.isEmpty { Task { await look(at: ledgers) } }
  }

  /// Listens on a dedicated connection until it breaks, and calls `heard` with the payloads.
  ///
  /// Also calls `heard` with `nil` every two seconds, with or without notifications.
  ///
  /// - Returns: Whether to listen again.
  private static func listen(
    _ url: String, _ isWanted: () -> Bool, _ heard: ([String]?) -> Void
  ) -> Bool {
    let connection = try? PostgresConnection(url)
    // A pooler would go on listening in a session that it gives to other clients, which would then
    // receive the notifications.
    let isPooled = connection?.isPooled ?? true
    if isPooled || (try? connection?.script("listen \(channel)")) == nil {
      Thread.sleep(forTimeInterval: 2)
      heard(nil)
      return isWanted()
    }
    var polled = Date()
    while isWanted(), let connection {
      var waiting = pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0)
      let isReadable = poll(&waiting, 1, 2_000) > 0
      if isReadable {
        guard let told = try? connection.notifications() else { return isWanted() }
        if !told.isEmpty { heard(told) }
      }
      if polled.timeIntervalSinceNow < -2 || !isReadable {
        heard(nil)
        polled = Date()
      }
    }
    return isWanted()
  }
}
