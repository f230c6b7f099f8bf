import LMDB

/// What went wrong in the journal or in the folder of a ledger: what, where, why, what to do.
public struct JournalError: Error, Sendable {
  /// What a program can switch on.
  public enum Code: Hashable, Sendable {
    /// There is nothing at the path.
    case missing
    /// The path holds something, but not a ledger.
    case notALedger
    /// A ledger or something else is already at the path.
    case alreadyExists
    /// A copy was to lie in the ledger's own folder, or the ledger in the copy's.
    case nested
    /// `FORMAT` or `CURRENT` is damaged or gone.
    case damagedFolder
    /// A generation folder belongs to another ledger or is half deleted.
    case foreignGeneration
    /// The generation has been replaced meanwhile; read `CURRENT` again and reopen.
    case superseded
    /// Written by a newer version of Daybook: readable at best.
    case newerFormat
    /// An older format could not be migrated; the files are as they were. `cause` says why.
    case migrationFailed
    /// An entity kind, or a version of one, that this process does not know.
    case unknownKind
    /// The bytes of a commit are damaged.
    case damagedCommit
    /// The chain of links does not hold.
    case brokenChain
    /// A commit that was asked for is not there.
    case missingCommit
    /// The machine stopped, or the folder was copied, while commits were in the redo log alone: the journal
    /// is recovered when the ledger is opened for writing.
    case unrecovered
    /// The ledger, or the journal, was opened for reading only.
    case readOnly
    /// A draft is beyond one of `JournalLimits`, or is not well formed.
    case refused
    /// The idempotency key was used before for another request.
    case idempotencyConflict
    /// There is no space left, on the device or in the journal's map; nothing was recorded.
    case diskFull
    /// The commit's flush failed: it may or may not be recorded. Reopen and look it up.
    case outcomeUnknown
    /// A token can't be used here.
    case token(TokenFault)
    /// The operating system refused a file operation.
    case fileSystem
    /// LMDB refused; `cause` says why.
    case storage
  }

  /// What a program can switch on.
  public var code: Code
  /// What, where, why, and what to do, in a sentence or two.
  public var message: String
  /// The file or folder it is about.
  public var path: String?
  /// The commit it is about.
  public var sequence: UInt64?
  /// The error below this one.
  public var cause: (any Error)?

  /// An error with its parts.
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
  /// The message, then what is known of the place and the cause.
  public var description: String {
    var text = message
    if let path, !message.contains(path) { text += " [\(path)]" }
    if let cause { text += " (\(cause))" }
    return text
  }
}

/// Why a token can't be used.
public enum TokenFault: Hashable, Sendable {
  /// The token is of another ledger.
  case foreignStore
  /// The token is from before a restore: the ledger has begun another lineage since.
  case otherLineage
  /// The commit at the token's place is another one: one of the two is a diverged copy.
  case diverged
  /// The token lies after the newest commit.
  case future
  /// The commits after the token have been purged in part. Take a full snapshot, then follow from
  /// its token.
  case expired(floor: UInt64)
}

/// An error of LMDB, or of decoding, as the journal's.
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
      "\(doing) “\(path)” failed: there is no space left; nothing was recorded. Make "
        + "space and try again.", path: path, cause: cause)
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
