/// An error that says why Daybook refused an operation or could not complete it, and how to fix it.
///
/// This is the module's only error type. Switch on ``code``, and show ``message`` and ``remedy`` to
/// people.
///
/// The ``cause`` is an error from the journal or LMDB, or the refusal of a command, which is also
/// available as ``refusal``.
public struct DaybookError: Error, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// There is no ledger at the path, and the options don't allow creating it.
    case missing
    /// This process already has the ledger open.
    ///
    /// Use the existing ``Ledger``, or open ledgers through a ``LedgerPool``.
    case alreadyOpen
    /// The path contains something that is not a Daybook ledger.
    case foreign
    /// A backup's destination is inside the ledger's folder, or contains it.
    case nested
    /// The ledger's files are damaged.
    case damaged
    /// Acknowledged commits are missing from the journal, so nothing can be recorded until the loss
    /// is repaired or accepted; see ``Ledger/missingCommits``.
    case missingCommits
    /// A newer version of Daybook wrote the ledger.
    case newerFormat
    /// The ledger has an older format and couldn't be migrated; its files are unchanged.
    case migrationFailed
    /// The ledger's files can't be written, or the ledger was opened for reading only.
    case readOnly
    /// The ledger has been closed.
    case closed
    /// The ledger is suspended; see ``Ledger/suspend(_:)``.
    case suspended
    /// The views are being updated or rebuilt.
    ///
    /// Try again.
    case notReady
    /// A projection is behind, quarantined or not registered.
    case projectionUnavailable
    /// A command broke a rule of bookkeeping; see ``DaybookError/refusal``.
    case refused
    /// The ledger has changed since the expected token.
    case conflict
    /// The token belongs to another ledger, is from before a restore or divergence, or is in the
    /// future.
    case invalidToken
    /// The token is older than the retained history.
    case expiredToken
    /// The idempotency key was already used for another request.
    case keyReused
    /// The commit may or may not have been recorded.
    ///
    /// Append again with the same key.
    case outcomeUnknown
    /// The disk, or the space reserved on it, is full.
    case full
    /// A query has an invalid argument, such as a negative limit.
    case invalidQuery
    /// The task was cancelled; nothing has changed.
    case cancelled
    /// A value exceeds a limit in ``LedgerLimits`` or in Bookkeeping's `Limits`.
    case limitExceeded
    /// A system call failed; see ``DaybookError/cause``.
    case system
  }

  /// The kind of error.
  public var code: Code
  /// A sentence that says what couldn't be done, where and why.
  public var message: String
  /// A sentence that says how to fix the error.
  public var remedy: String
  /// The underlying error, if any.
  public var cause: (any Error)?
  /// The index of the refused command in the appended array, counted from 0.
  ///
  /// It is `nil` if only one command was appended. ``message`` counts from 1, for people: “Command
  /// 2 of 3” has index 1.
  public var commandIndex: Int?

  /// Creates an error.
  public init(code: Code, message: String, remedy: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.cause = cause
  }

  /// The rule of bookkeeping that a command broke; `nil` for other errors.
  public var refusal: Refusal? { cause as? Refusal }

  /// The message and the remedy, on one line.
  public var description: String { remedy.isEmpty ? message : "\(message) \(remedy)" }
}
