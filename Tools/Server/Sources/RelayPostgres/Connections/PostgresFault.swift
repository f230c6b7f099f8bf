/// What went wrong between a relay and its database.
public enum PostgresFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The connection could not be made, or broke. What was under way may have happened, or not.
  case connection(String)
  /// The server said, while it committed, that the standbys may lack it: what was done may be taken back.
  case doubtful(String)
  /// The server refused a statement: its SQLSTATE, message, detail and hint.
  case statement(state: String, message: String, detail: String, hint: String)
  /// What came back is not what was asked for.
  case unreadable(String)
  /// No connection was free, or no answer came, for so many seconds.
  case deadline(Double)
  /// The server did not answer on a connection for so many seconds, and it was given up.
  case silent(Double)
  /// What was read and what was written came from two servers: another leads now, or an old one still answers.
  case moved
  /// The schema is another version's: `daybook-relay migrate`.
  case schema(found: Int, needed: Int)

  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .connection(let message): "The database cannot be reached: \(message)"
    case .doubtful(let message): "The database could not say that standbys have it: \(message)"
    case .statement(let state, let message, let detail, _):
      "The database refused (\(state)): \(message)\(detail.isEmpty ? "" : " (\(detail))")"
    case .unreadable(let message): "The database answered what was not asked for: \(message)"
    case .deadline(let seconds): "The database did not answer within \(seconds) s."
    case .silent(let seconds): "The database was silent for \(seconds) s."
    case .moved: "The database's leader changed while it was asked."
    case .schema(0, _):
      "The database has no schema of a relay yet: run daybook-relay migrate."
    case .schema(let found, let needed):
      "The database's schema is version \(found), and this relay knows \(needed): install the newer daybook-relay."
    }
  }

  /// Whether the connection it happened on is of no more use.
  var endsConnection: Bool {
    switch self {
    case .connection, .doubtful, .unreadable, .silent: true
    // Read-only: this server has become a standby. Admin shutdown and such: it goes.
    case .statement(let state, _, _, _): state == "25006" || state.hasPrefix("57P")
    case .deadline, .schema, .moved: false
    }
  }
}
