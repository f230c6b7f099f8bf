/// An error between a relay and its database.
public enum PostgresFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// Connecting failed, or the connection broke; the outcome of a running statement is unknown.
  case connection(String)
  /// The server warned during a commit that standbys may not have the commit; a failover could
  /// revert it.
  case doubtful(String)
  /// The server refused a statement: its SQLSTATE, message, detail and hint.
  case statement(state: String, message: String, detail: String, hint: String)
  /// The result doesn't have the expected form.
  case unreadable(String)
  /// Within this number of seconds, no connection was free or no result arrived.
  case deadline(Double)
  /// The server didn't respond for this number of seconds, and the connection was abandoned.
  case silent(Double)
  /// A read and its fence ran on different servers: the leader has changed, or an old leader is
  /// responding.
  case moved
  /// The schema has another version; see `daybook-relay migrate`.
  case schema(found: Int, needed: Int)

  /// The problem and its remedy, as sentences.
  public var description: String {
    switch self {
    case .connection(let message): "Couldn't reach the database: \(message)"
    case .doubtful(let message):
      "The database could not confirm that standbys have the commit: \(message)"
    case .statement(let state, let message, let detail, _):
      "The database refused the statement (\(state)): \(message)\(detail.isEmpty ? "" : " (\(detail))")"
    case .unreadable(let message): "The database sent an unexpected response: \(message)"
    case .deadline(let seconds): "The database did not answer within \(seconds) s."
    case .silent(let seconds): "The connection to the database was silent for \(seconds) s."
    case .moved: "The database's leader changed during the request."
    case .schema(0, _):
      "The database has no schema for a relay. Run `daybook-relay migrate`."
    case .schema(let found, let needed):
      "The database's schema is version \(found), but this relay needs version \(needed). Install the newer daybook-relay."
    }
  }

  /// Whether the connection can no longer be used after this error.
  var endsConnection: Bool {
    switch self {
    case .connection, .doubtful, .unreadable, .silent: true
    // 25006 (read-only) means that the server has become a standby; 57P (such as admin shutdown)
    // means that it is shutting down.
    case .statement(let state, _, _, _): state == "25006" || state.hasPrefix("57P")
    case .deadline, .schema, .moved: false
    }
  }
}
