/// Why Daybook refused or failed, and what to do about it.
///
/// The one error type of this module.
///
/// Switch on ``code``; show ``message`` and ``remedy`` to people. Errors of the layers below (the
/// journal, LMDB, the domain's refusals) arrive as ``cause``; the refusal of a command is also in
/// ``refusal``.
public struct DaybookError: Error, Sendable, CustomStringConvertible {
  /// What went wrong, to switch on.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// There is no ledger at the path, and it was not to be created.
    case missing
    /// This process has the ledger open already: use that ``Ledger``, or open ledgers by a ``LedgerPool``.
    case alreadyOpen
    /// There is something at the path that is not a ledger of Daybook.
    case foreign
    /// A backup was to lie in the ledger's own folder, or the ledger in the backup's.
    case nested
    /// The ledger's files are damaged.
    case damaged
    /// The ledger was written by a newer version of Daybook.
    case newerFormat
    /// The ledger is of an older format that could not be migrated; its files are as they were.
    case migrationFailed
    /// The ledger, or its opening, allows no writing.
    case readOnly
    /// The ledger has been closed.
    case closed
    /// The views are being caught up or rebuilt: ask again.
    case notReady
    /// A projection is behind, quarantined or not registered.
    case projectionUnavailable
    /// A command broke a rule of bookkeeping; see ``DaybookError/refusal``.
    case refused
    /// The ledger has changed since the token that was expected.
    case conflict
    /// The token is of another ledger, or from before a restore or divergence, or of the future.
    case invalidToken
    /// The token is older than the history that is kept.
    case expiredToken
    /// The idempotency key was used before, for another request.
    case keyReused
    /// It is not known whether the commit is on disk; append again with the same key.
    case outcomeUnknown
    /// The disk, or the room set aside in it, is full.
    case full
    /// A query asked for something impossible, such as a negative limit.
    case invalidQuery
    /// The task was cancelled; nothing has changed.
    case cancelled
    /// Something is larger or more than ``LedgerLimits`` or Bookkeeping's `Limits` allow.
    case limitExceeded
    /// The operating system refused; see ``DaybookError/cause``.
    case system
  }

  /// What went wrong.
  public var code: Code
  /// What, where and why, as a sentence.
  public var message: String
  /// What to do about it, as a sentence.
  public var remedy: String
  /// The error below, where there is one.
  public var cause: (any Error)?
  /// Which command of a group was refused: its index in the array that was appended, from 0.
  ///
  /// ``message``, which is for people, counts from 1: “Command 2 of 3” has the index 1. `nil` where there
  /// was one command only.
  public var commandIndex: Int?

  /// An error.
  public init(code: Code, message: String, remedy: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.cause = cause
  }

  /// The rule of bookkeeping that a command broke, where that is the reason.
  public var refusal: Refusal? { cause as? Refusal }

  /// Message and remedy in one line.
  public var description: String { remedy.isEmpty ? message : "\(message) \(remedy)" }
}
