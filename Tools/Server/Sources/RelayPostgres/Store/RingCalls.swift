import Entities
import Foundation
import Relay
import Synchronization

/// Wakes those who wait for logs to grow.
///
/// What this process placed it knows. What others placed they tell, once for all of some milliseconds, after their commits;
/// and every two seconds one question asks for the heads of all logs that somebody waits for. So a call that is lost
/// costs two seconds, and nothing else.
final class RingCalls: Sendable {
  private static let channel = "daybook_relay"

  private struct State {
    /// Logs that grew here, which the other processes have not been told of.
    var untold: Set<EntityID> = []
    var isTelling = false
    var isWatching = false
  }

  /// Those who wait here.
  let bells = RelayBells()
  private let pool: PostgresPool
  private let url: String
  private let state = Mutex(State())

  /// - Parameter direct: How to reach the database past a pooler; as the pool does, unless told otherwise.
  init(_ pool: PostgresPool, direct: String? = nil) {
    self.pool = pool
    url = direct ?? pool.url
  }

  /// Says that this process made a log longer, and that it is there to stay.
  func told(_ ledger: EntityID, head: UInt64) {
    bells.ring(ledger, head: head)
    let isFirst = state.withLock { state in
      state.untold.insert(ledger)
      defer { state.isTelling = true }
      return !state.isTelling
    }
    if isFirst { Task { await tell() } }
  }

  /// Waits until a log is longer than a position, or for some seconds; returns its head.
  func wait(for ledger: EntityID, after position: UInt64, seconds: Double) async throws -> UInt64 {
    watch()
    return try await bells.wait(for: ledger, after: position, seconds: seconds) {
      // Where the database does not answer, it is asked again.
      (try? await heads([ledger]))?[ledger] ?? position
    }
  }

  /// The heads of logs.
  private func heads(_ ledgers: Set<EntityID>) async throws -> [EntityID: UInt64] {
    let list = "{" + ledgers.map(\.description).joined(separator: ",") + "}"
    let rows = try await pool.run {
      try $0.run("select id, head from ledger where id = any ($1::text::uuid[])", [.text(list)])
    }
    return try Dictionary(rows.map { (try $0.id(0), try $0.bits(1)) }) { first, _ in first }
  }

  /// Looks at the logs of some ledgers, and wakes whoever waited for what has come.
  private func look(at ledgers: Set<EntityID>) async {
    guard !ledgers.isEmpty, let heads = try? await heads(ledgers) else { return }
    for (ledger, head) in heads { bells.ring(ledger, head: head) }
  }

  /// Tells the other processes of what grew.
  private func tell() async {
    try? await Task.sleep(for: .milliseconds(5))
    let grown = state.withLock { state in
      state.isTelling = false
      defer { state.untold = [] }
      return state.untold
    }
    // A call carries at most 8,000 bytes.
    let names = grown.map(\.description)
    for start in stride(from: 0, to: names.count, by: 200) {
      let payload = names[start...].prefix(200).joined(separator: ",")
      _ = try? await pool.run { try $0.run(RingCalls.telling, [.text(payload)]) }
    }
  }

  /// A call need not be on a disk: pushes would wait for its flush, and its connection for the standbys.
  private static let telling = """
    select set_config('synchronous_commit', 'off', true), pg_notify('\(channel)', $1)
    """

  // MARK: What others tell

  /// Begins to listen, with the first who waits.
  private func watch() {
    let isFirst = state.withLock { state in
      defer { state.isWatching = true }
      return !state.isWatching
    }
    guard isFirst else { return }
    let thread = Thread { [weak self, url] in
      while RingCalls.listen(url, { self != nil }, { self?.heard($0) }) {}
    }
    thread.name = "postgres calls"
    thread.start()
  }

  private func heard(_ payloads: [String]?) {
    let told = payloads?.flatMap { $0.split(separator: ",") }.compactMap { EntityID(String($0)) }
    let ledgers = told.map { bells.ledgers.intersection($0) } ?? bells.ledgers
    if !ledgers.isEmpty { Task { await look(at: ledgers) } }
  }

  /// Listens on a connection of its own until it breaks; `nil` is heard every two seconds, whatever is told.
  ///
  /// - Returns: Whether to go on.
  private static func listen(
    _ url: String, _ isWanted: () -> Bool, _ heard: ([String]?) -> Void
  ) -> Bool {
    let connection = try? PostgresConnection(url)
    // A pooler would leave the listening with a session that others are given, and hand its calls to them.
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
