import DaybookLMDB

/// An error of the journal or of a ledger's folder.
///
/// The message says what failed, where and why, and how to fix it.
public struct JournalError: Error, Sendable {
  /// The kinds of errors.
  public enum Code: Hashable, Sendable {
    /// There is no ledger at the path.
    case missing
    /// The path contains something that isn't a ledger.
    case notALedger
    /// There is already a ledger or another file or folder at the path.
    case alreadyExists
    /// The destination of a copy is inside the ledger's folder, or contains it.
    case nested
    /// The file `FORMAT` or `CURRENT` is damaged or missing.
    case damagedFolder
    /// A generation's folder belongs to another ledger or is incomplete.
    case foreignGeneration
    /// The generation has been replaced.
    ///
    /// Read `CURRENT` again and reopen the ledger.
    case superseded
    /// A newer version of Daybook wrote the ledger, which may still be readable.
    case newerFormat
    /// The ledger has an older format that couldn't be migrated, for the reason in `cause`; its
    /// files are unchanged.
    case migrationFailed
    /// The ledger contains a kind of entity, or a version of a kind, that this process doesn't
    /// support.
    case unknownKind
    /// The bytes of a commit are damaged.
    case damagedCommit
    /// The hash chain is broken.
    case brokenChain
    /// A requested commit doesn't exist.
    case missingCommit
    /// Some commits are only in the redo log, because the machine stopped or the folder was copied.
    ///
    /// Opening the ledger for writing recovers the journal.
    case unrecovered
    /// The ledger or the journal is open for reading only.
    case readOnly
    /// A draft exceeds one of the `JournalLimits` or is malformed.
    case refused
    /// The idempotency key was already used for another request.
    case idempotencyConflict
    /// There is no space left on the device or in LMDB's memory map; nothing was recorded.
    case diskFull
    /// The flush of the commit failed, so the commit may or may not be recorded.
    ///
    /// Reopen the ledger and look up the commit.
    case outcomeUnknown
    /// A token can't be used with this ledger.
    case token(TokenFault)
    /// A file operation of the operating system failed.
    case fileSystem
    /// LMDB failed, for the reason in `cause`.
    case storage
  }

  /// The kind of error.
  public var code: Code
  /// A message of one or two sentences that says what failed, where and why, and how to fix it.
  public var message: String
  /// The path of the file or folder concerned, if any.
  public var path: String?
  /// The sequence of the commit concerned, if any.
  public var sequence: UInt64?
  /// The underlying error, if any.
  public var cause: (any Error)?

  /// Creates an error.
  public init(
    _ code: Code, _ message: String, path: String? = nil, sequence: UInt64? = nil,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.sequence = sequence
    self.cause = cause
  }
}

extension JournalError: CustomStringConvertible {
  /// The message, followed by the cause and, unless the message contains it, the path.
  public var description: String {
    var text = message
    if let path, !message.contains(path) { text += " [\(path)]" }
    if let cause { text += " (\(cause))" }
    return text
  }
}

/// The reasons why a token can't be used.
public enum TokenFault: Hashable, Sendable {
  /// The token belongs to another ledger.
  case foreignStore
  /// The token was created before a restore, which started another lineage.
  case otherLineage
  /// The token's commit differs from the ledger's commit with the same sequence: one of the ledgers
  /// is a diverged copy.
  case diverged
  /// The token's commit is newer than the newest commit of the ledger.
  case future
  /// Some of the commits after the token have been purged.
  ///
  /// Read a full snapshot, and continue from its token.
  case expired(floor: UInt64)
}

/// Converts an LMDB or decoding error to a `JournalError`.
func storageError(_ error: any Error, _ doing: String, _ path: String) -> JournalError {
  if let known = error as? JournalError { return known }
  guard let cause = error as? LMDBError else {
    return JournalError(
      .damagedCommit, "\(doing) “\(path)” failed: it is damaged. Run verify.", path: path,
      cause: error)
  }
  switch cause.kind {
  case .diskFull:
    return JournalError(
      .diskFull,
      "\(doing) “\(path)” failed: there is no space left; nothing was recorded. Free "
        + "some space and try again.", path: path, cause: cause)
  case .mapFull:
    return JournalError(
      .diskFull,
      "\(doing) “\(path)” failed: its map is full; nothing was recorded. Reopen the "
        + "ledger with a larger map and try again.", path: path, cause: cause)
  case .truncated, .corrupted:
    return JournalError(
      .storage, "\(doing) “\(path)” failed: \(cause.cause) Restore the ledger from a backup.",
      path: path, cause: cause)
  default:
    return JournalError(
      .storage, "\(doing) “\(path)” failed: \(cause.description)", path: path, cause: cause)
  }
}
