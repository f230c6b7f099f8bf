public import Daybook
public import DaybookBookkeeping
public import Foundation

/// Error texts for alerts: the problem, its reason and its solution.
extension DaybookError: LocalizedError, CustomNSError {
  /// The message: ``DaybookError/message``.
  public var errorDescription: String? { message }
  /// The description of the underlying error, if there is one and it differs from the message.
  public var failureReason: String? {
    guard let cause, refusal == nil else { return nil }
    let text = "\(cause)"
    return text == message ? nil : text
  }
  /// The remedy, if there is one: ``DaybookError/remedy``.
  public var recoverySuggestion: String? { remedy.isEmpty ? nil : remedy }

  /// The error domain, `Daybook`.
  public static var errorDomain: String { "Daybook" }
  /// The number of the code, which is the same in all versions.
  public var errorCode: Int { code.number }
  /// The same texts for clients that use `NSError`, and the cause as the underlying error.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: message]
    info[NSLocalizedFailureReasonErrorKey] = failureReason
    info[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
    info[NSUnderlyingErrorKey] = cause
    return info
  }
}

/// The reason a command was refused, for alerts.
extension Refusal: LocalizedError, CustomNSError {
  /// The message as a sentence; see ``Refusal/message``.
  public var errorDescription: String? { message.asSentence }

  /// The error domain, `Daybook.Refusal`.
  public static var errorDomain: String { "Daybook.Refusal" }
  /// The number of the code, which is the same in all versions.
  public var errorCode: Int { code.number }
  /// The message for clients that use `NSError`.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message.asSentence] }
}

/// The reason an amount couldn't be computed or parsed, for alerts.
extension MoneyError: LocalizedError {
  /// The problem and its solution.
  public var errorDescription: String? { description.asSentence }
}

extension DaybookError.Code {
  /// The number of the code, counted from 1.
  ///
  /// The number of a case must never change.
  fileprivate var number: Int {
    switch self {
    case .missing: 1
    case .foreign: 2
    case .damaged: 3
    case .newerFormat: 4
    case .migrationFailed: 5
    case .readOnly: 6
    case .closed: 7
    case .notReady: 8
    case .projectionUnavailable: 9
    case .refused: 10
    case .conflict: 11
    case .invalidToken: 12
    case .expiredToken: 13
    case .keyReused: 14
    case .outcomeUnknown: 15
    case .full: 16
    case .invalidQuery: 17
    case .cancelled: 18
    case .limitExceeded: 19
    case .system: 20
    case .alreadyOpen: 21
    case .nested: 22
    case .missingCommits: 23
    case .suspended: 24
    }
  }
}

extension Refusal.Code {
  /// The number of the code, counted from 1.
  ///
  /// The number of a case must never change.
  fileprivate var number: Int {
    switch self {
    case .overflow: 1
    case .day: 2
    case .currency: 3
    case .unbalanced: 4
    case .missing: 5
    case .currencyMismatch: 6
    case .noRate: 7
    case .text: 8
    case .duplicateName: 9
    case .duplicateID: 10
    case .negative: 11
    case .transfer: 12
    case .reconciled: 13
    case .closedPeriod: 14
    case .closed: 15
    case .inUse: 16
    case .cycle: 17
    case .kind: 18
    case .limit: 19
    case .conflict: 20
    case .shape: 21
    case .builtin: 22
    case .value: 23
    case .rows: 24
    case .state: 25
    case .importedTotal: 26
    }
  }
}
