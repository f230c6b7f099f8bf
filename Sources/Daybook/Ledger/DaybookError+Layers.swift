internal import DaybookEngine
internal import DaybookJournal
import DaybookLMDB

extension DaybookError {
  /// Converts an error of a lower layer to ``DaybookError``; returns any other error unchanged.
  package static func translating(_ error: any Error) -> any Error {
    switch error {
    case is DaybookError: error
    case let error as ProjectingError: DaybookError(error)
    case let error as JournalError: DaybookError(error)
    case let error as LMDBError: DaybookError(error)
    case let error as Refusal: DaybookError(error, command: nil)
    case let error as MoneyError:
      DaybookError(
        code: .invalidQuery, message: "\(error)".asSentence, remedy: "Check the amounts.",
        cause: error)
    case let error as DecodingFault:
      DaybookError(
        code: .damaged, message: "Couldn't read a stored record: \(error).",
        remedy: "Run `daybook verify`. If only the views are damaged, run `daybook rebuild`.",
        cause: error)
    default: error
    }
  }

  /// Converts any error to ``DaybookError``.
  package static func wrapping(_ error: any Error) -> DaybookError {
    if let known = translating(error) as? DaybookError { return known }
    if error is CancellationError {
      return DaybookError(
        code: .cancelled, message: "The operation was cancelled. Nothing has changed.",
        remedy: "Try again later.", cause: error)
    }
    return DaybookError(
      code: .projectionUnavailable, message: "\(error)".ended,
      remedy: "Run `daybook verify`, then `daybook rebuild`.",
      cause: error)
  }

  /// Creates the error for a refused command.
  ///
  /// `index` is the command's index among `count` commands.
  init(_ refusal: Refusal, command index: Int?, of count: Int = 1) {
    if refusal.code == .state, let cause = refusal.cause {
      self = .wrapping(cause)
    } else {
      // The message is for people, so it counts from 1.
      let place = index.map { count > 1 ? "Command \($0 + 1) of \(count): " : "" } ?? ""
      let message = place + refusal.message
      self.init(
        code: .refused, message: message.asSentence, remedy: "Nothing was recorded.",
        cause: refusal)
    }
    commandIndex = count > 1 ? index : nil
  }

  init(_ error: ProjectingError) {
    let code: Code =
      switch error.code {
      case .notRegistered, .quarantined, .behind, .newerVersion: .projectionUnavailable
      case .notReady, .stateUnavailable: .notReady
      case .closed: .closed
      case .suspended: .suspended
      case .readOnly: .readOnly
      case .conflict: .conflict
      case .queueFull, .limit: .limitExceeded
      case .outcomeUnknown: .outcomeUnknown
      case .staleDecision: .system
      case .damaged: .damaged
      case .missingCommits: .missingCommits
      }
    let inner = error.cause.map { DaybookError.wrapping($0) }
    // A full disk is reported as `full`, whichever layer detected it.
    self.init(
      code: inner?.code == .full && code != .outcomeUnknown ? .full : code,
      message: error.message.ended, remedy: inner?.remedy ?? "", cause: error)
    if code == .missingCommits {
      remedy =
        "Put the newer journal back. If there is none, run `daybook recover`: it lists the changes "
        + "that the views still contain, and accepts the loss."
    }
  }

  init(_ error: JournalError) {
    if let cause = error.cause as? LMDBError, cause.kind == .alreadyOpen {
      self.init(cause)
      return
    }
    let code: Code =
      switch error.code {
      case .missing: .missing
      case .notALedger, .alreadyExists, .foreignGeneration: .foreign
      case .nested: .nested
      case .damagedFolder, .damagedCommit, .brokenChain, .missingCommit: .damaged
      case .superseded, .unrecovered: .notReady
      case .newerFormat, .unknownKind: .newerFormat
      case .migrationFailed: .migrationFailed
      case .readOnly: .readOnly
      case .refused: .limitExceeded
      case .idempotencyConflict: .keyReused
      case .diskFull: .full
      case .outcomeUnknown: .outcomeUnknown
      case .token(.expired): .expiredToken
      case .token: .invalidToken
      case .fileSystem: .system
      case .storage: (error.cause as? LMDBError).map { DaybookError($0).code } ?? .system
      }
    self.init(code: code, message: error.message, remedy: "", cause: error)
  }

  init(_ error: LMDBError) {
    if error.kind == .alreadyOpen {
      // The path is the journal's or the views' folder; the ledger's folder is its parent.
      let folder = error.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      self.init(
        code: .alreadyOpen,
        message:
          "Couldn't open the ledger at “\(folder.joined(separator: "/"))”: this process already "
          + "has it open.",
        remedy:
          "Use the open Ledger, or close it first. A LedgerPool gives all callers the same Ledger.",
        cause: error)
      return
    }
    let code: Code =
      switch error.kind {
      case .mapFull, .diskFull: .full
      case .corrupted, .truncated: .damaged
      // EINVAL also maps to `invalid`, so check for MDB_INVALID (-30793): the file is not an LMDB
      // file.
      case .invalid where error.code == -30_793: .damaged
      case .versionMismatch: .newerFormat
      case .notFound: .missing
      default: .system
      }
    // Damaged views are rebuilt from the journal; only a damaged journal needs a backup.
    if code == .damaged, error.path.contains("/views-") {
      self.init(
        code: code, message: "Couldn't read the views in “\(error.path)”: they are damaged.",
        remedy: "Run `daybook rebuild`, which rebuilds them from the journal.", cause: error)
      return
    }
    self.init(code: code, message: "\(error)", remedy: "", cause: error)
  }
}
