/// Why State or a projection cannot do what was asked.
public struct ProjectingError: Error, Sendable, CustomStringConvertible {
  /// What went wrong, to switch on.
  public enum Code: String, Hashable, Sendable {
    /// The ledger was opened without this projection.
    case notRegistered
    /// The projection threw while it was fed; its tables are as they were before.
    case quarantined
    /// The projection was left behind by a process that does not know it.
    case behind
    /// The views hold a newer version of the projection than this process knows.
    case newerVersion
    /// The views are being built and cannot answer yet.
    case notReady
    /// The ledger is closed.
    case closed
    /// The ledger is open for reading only; the message says why.
    case readOnly
    /// State cannot be kept up to date, so nothing can be appended.
    case stateUnavailable
    /// A decision contradicts State: a fault of the program.
    case staleDecision
    /// There are later commits than the one that was expected to be the newest.
    case conflict
    /// Too many requests are waiting.
    case queueFull
    /// The commit's outcome could not be found out.
    case outcomeUnknown
    /// Something is larger than its limit.
    case limit
    /// Stored bytes are not what they should be.
    case damaged
  }

  /// What went wrong.
  public let code: Code
  /// What, where, why, and what to do about it.
  public let message: String
  /// The error beneath, where there is one.
  public let cause: (any Error)?

  /// An error with its message.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message, and the cause where there is one.
  public var description: String {
    guard let cause else { return message }
    return "\(message) (\(cause))"
  }
}
