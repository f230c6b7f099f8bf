/// An error of the store, State, or a projection.
public struct ProjectingError: Error, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Code: String, Hashable, Sendable {
    /// The ledger was opened without this projection.
    case notRegistered
    /// The projection threw while processing a change; its tables are unchanged since before it.
    case quarantined
    /// The projection is behind, because a process that does not know it has written to the ledger.
    case behind
    /// The views contain a newer version of the projection than this process knows.
    case newerVersion
    /// The views are not ready yet, or the operation must be repeated, according to the message.
    case notReady
    /// The ledger is closed.
    case closed
    /// The ledger is suspended.
    case suspended
    /// The ledger is open read-only; the message gives the reason.
    case readOnly
    /// The views could not be updated, so they cannot be read and nothing can be appended.
    case stateUnavailable
    /// A decision contradicts State; this is a programming error.
    case staleDecision
    /// There are newer commits than expected, or a purge stopped because the clock seems to be
    /// wrong.
    case conflict
    /// Too many requests are waiting.
    case queueFull
    /// It is not known whether the commit was recorded.
    case outcomeUnknown
    /// A limit was exceeded, or the system has run out of space, threads or file descriptors.
    case limit
    /// Stored data is damaged.
    case damaged
    /// The journal lacks acknowledged commits, so nothing is appended until that is accepted.
    case missingCommits
  }

  /// The kind of error.
  public let code: Code
  /// A message that says what failed, where and why, and how to fix it.
  public let message: String
  /// The underlying error, if any.
  public let cause: (any Error)?

  /// Creates an error.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message, with the cause if there is one.
  public var description: String {
    guard let cause else { return message }
    return "\(message) (\(cause))"
  }
}
