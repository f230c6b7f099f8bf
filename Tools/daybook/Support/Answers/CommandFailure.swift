import Daybook
import DaybookInterchange
import DaybookSync

/// A failure of a command: a sentence that states the problem and its cause, and a sentence that
/// states the remedy.
struct CommandFailure: Error {
  var status: ExitStatus
  /// A code to switch on, written with `--json`.
  var code: String
  var message: String
  var remedy: String
  /// More lines, such as the bad lines of a file.
  var details: [String] = []
  /// The details as shown to people, with one line for each cause; `nil` if they are the same as
  /// `details`.
  var gatheredDetails: [String]?

  init(
    _ status: ExitStatus, code: String, _ message: String, remedy: String = "",
    details: [String] = []
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.remedy = remedy
    self.details = details
  }

  /// A failure because a named object doesn't exist.
  static func notFound(_ message: String, remedy: String) -> CommandFailure {
    CommandFailure(.refused, code: "notFound", message, remedy: remedy)
  }

  /// A failure because of contradicting flags or an invalid value.
  static func usage(_ message: String, remedy: String) -> CommandFailure {
    CommandFailure(.usage, code: "usage", message, remedy: remedy)
  }
}

extension CommandFailure {
  /// Converts any error to the form that is shown to people and scripts.
  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as DaybookError: self.init(daybook: error)
    case let error as InterchangeError: self.init(interchange: error)
    case let error as SyncError: self.init(syncing: error)
    case let refusal as Refusal: self.init(refusal)
    case let error as MoneyError:
      self.init(.usage, code: "amount", "\(error)".asSentence)
    default:
      self.init(
        .software, code: "unexpected", "\(error)",
        remedy: "If you didn't expect this, run `daybook verify` and report its output.")
    }
  }

  private init(_ refusal: Refusal) {
    self.init(
      .refused, code: "refused", refusal.message.asSentence,
      remedy: [refusal.remedy, "Nothing was recorded."].compactMap(\.self).joined(separator: "\n"))
  }

  private init(syncing error: SyncError) {
    let status: ExitStatus =
      switch error.code {
      case .unreachable, .busy, .relayFull, .malformed, .suspended: .tryAgain
      case .tampered, .rolledBack: .damaged
      case .secrets: .inputOutput
      case .otherVersion: .badData
      case .notAllowed, .missingKey: .noPermission
      case .notShared, .alreadyShared, .notEmpty, .incomplete, .codeGone, .otherLedger,
        .awayTooLong, .unsendable, .restoredCopy, .unknownDevice, .ledger:
        .refused
      }
    self.init(status, code: error.code.rawValue, error.message.asSentence, remedy: error.remedy)
  }

  private init(daybook error: DaybookError) {
    // Use the refusal's message, because the batch's message only adds the index of the command.
    if error.code == .refused, let refusal = error.refusal {
      self.init(refusal)
      return
    }
    let status: ExitStatus =
      switch error.code {
      case .missing: .noInput
      case .foreign, .newerFormat: .badData
      case .nested: .cannotCreate
      case .damaged, .missingCommits: .damaged
      case .readOnly, .migrationFailed: .noPermission
      case .closed, .suspended, .projectionUnavailable, .notReady, .alreadyOpen: .unavailable
      case .refused, .invalidQuery, .limitExceeded, .keyReused, .invalidToken, .expiredToken:
        .refused
      case .conflict, .outcomeUnknown, .cancelled: .tryAgain
      case .full, .system: .inputOutput
      }
    let remedy =
      error.code == .keyReused
      ? "Use a different --key: a key can't be used for two different commands." : error.remedy
    self.init(status, code: error.code.rawValue, error.message, remedy: remedy)
  }

  /// The flag of `import` that helps with an error.
  private static func flag(for error: InterchangeError) -> String? {
    switch error.code {
    case .encoding: "Set the encoding with --encoding."
    case .badLines where error.badLines.contains(where: \.hasMoney): nil
    case .badLines: "To skip and list bad lines, add --skip-bad."
    case .missing: "To create missing accounts and categories, leave out --no-create."
    default: nil
    }
  }

  private init(interchange error: InterchangeError) {
    let status: ExitStatus =
      switch error.code {
      case .file: .noInput
      case .notMade: .cannotCreate
      case .notWritten: .inputOutput
      case .encoding, .badLines, .format: .badData
      case .mapping, .account: .usage
      case .missing, .refused: .refused
      }
    var place = error.path.map { "\($0): " } ?? ""
    if let line = error.line {
      place += "line \(line)" + (error.column.map { ", column \($0)" } ?? "") + ": "
    }
    let bad = error.badLines.filter { $0.code != .rate }
    let rates = error.missingRates.map { "\($0) Add one: \($0.remedy)." }
    self.init(
      status, code: error.code.rawValue, place + error.message,
      remedy: [error.remedy, Self.flag(for: error)].compactMap(\.self).filter { !$0.isEmpty }
        .joined(separator: "\n"),
      details: bad.map { "\($0)" } + rates)
    gatheredDetails = bad.gathered + rates
    if let cause = error.cause as? DaybookError, error.message != cause.message {
      details.append("\(cause)")
      gatheredDetails?.append("\(cause)")
    }
  }
}
