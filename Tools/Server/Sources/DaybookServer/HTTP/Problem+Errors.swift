import Daybook
import DaybookInterchange
import Foundation
import HTTPTypes
import Hummingbird
import Moments

extension Problem {
  /// Converts an error to a problem.
  ///
  /// - Parameter path: The ledger's folder. Messages show only its last component.
  init(_ error: any Error, hiding path: String) {
    switch error {
    case let problem as Problem: self = problem
    case let error as DaybookError: self.init(error)
    case let error as InterchangeError: self.init(error)
    case let error as DecodingError: self.init(error)
    case let refusal as Refusal: self.init(refusal: refusal)
    case is PastBusyError: self = RateLimit.problem
    case is CancellationError:
      self.init(.serviceUnavailable, "cancelled", "The request was cancelled. Nothing has changed.")
    default:
      self.init(
        .internalServerError, "unexpected", "The server failed unexpectedly.",
        remedy: "See the server's log on its terminal.")
    }
    detail = detail.hiding(path)
    remedy = remedy.hiding(path)
  }

  private init(_ error: DaybookError) {
    if let refusal = error.refusal {
      self.init(refusal: refusal)
      detail = error.message
      if let index = error.commandIndex { place.append(.init("command", .int(Int64(index)))) }
      return
    }
    let status: HTTPResponse.Status =
      switch error.code {
      case .conflict: .preconditionFailed
      case .invalidToken, .invalidQuery, .limitExceeded: .badRequest
      case .expiredToken: .gone
      case .keyReused: .unprocessableContent
      case .readOnly, .migrationFailed, .newerFormat: .forbidden
      case .missing, .closed, .suspended, .notReady, .projectionUnavailable, .cancelled,
        .alreadyOpen:
        .serviceUnavailable
      case .full: .outOfRoom
      case .refused: .unprocessableContent
      case .foreign, .nested, .damaged, .missingCommits, .outcomeUnknown, .system:
        .internalServerError
      }
    self.init(status, error.code.rawValue, error.message, remedy: error.remedy)
    if error.code == .expiredToken {
      remedy =
        "Read the ledger again without asOf, and follow from the token of that response."
    }
    if status == .serviceUnavailable { headers[.retryAfter] = "1" }
  }

  private init(refusal: Refusal) {
    self.init(
      .unprocessableContent, "refused", "\(refusal)".sentence, remedy: "Nothing was recorded.",
      place: [.init("in", .string("body"))])
    more.append(.init("rule", .string(refusal.code.rawValue)))
    if !refusal.subjects.isEmpty {
      more.append(.init("subjects", .array(refusal.subjects.map { .string("\($0)") })))
    }
    if !refusal.rows.isEmpty {
      more.append(.init("rows", .array(refusal.rows.prefix(100).map { .string("\($0)") })))
    }
  }

  private init(_ error: InterchangeError) {
    self.init(
      .unprocessableContent, "import.\(error.code.rawValue)", error.message, remedy: error.remedy,
      place: [.init("in", .string("file"))])
    if let line = error.line { place.append(.init("line", .int(Int64(line)))) }
    if let column = error.column { place.append(.init("column", .int(Int64(column)))) }
    let lines = error.badLines.prefix(100).map { JSONValue.string("\($0)") }
    if !lines.isEmpty { more.append(.init("badLines", .array(lines))) }
    let accounts = error.unknownAccounts.prefix(100).map { JSONValue.string($0.words) }
    if !accounts.isEmpty { more.append(.init("unknownAccounts", .array(accounts))) }
  }

  /// - Parameter name: The key of the object in which the server wrapped the client's body, which
  ///   is left out of the path.
  init(_ error: DecodingError, inside name: String? = nil) {
    let (context, missing): (DecodingError.Context, String?) =
      switch error {
      case .keyNotFound(let key, let context): (context, key.stringValue)
      case .valueNotFound(_, let context), .typeMismatch(_, let context): (context, nil)
      case .dataCorrupted(let context): (context, nil)
      @unknown default: (.init(codingPath: [], debugDescription: "couldn't read the body"), nil)
      }
    let path = context.codingPath
    let keys = path.dropFirst(path.first?.stringValue == name ? 1 : 0).map { key in
      key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
    }
    let member = String((keys.joined() + (missing.map { ".\($0)" } ?? "")).drop { $0 == "." })
    let what = missing.map { "The member “\($0)” is missing" } ?? context.debugDescription
    self = .body(what.sentence, path: member, remedy: "See /v1/openapi.json for the schema.")
  }
}

extension String {
  /// The text with a capital first letter and a full stop at the end.
  var sentence: String {
    let text = prefix(1).uppercased() + dropFirst()
    return text.last.map { ".!?".contains($0) } ?? true ? text : text + "."
  }

  /// Returns the text with the path of the ledger's folder replaced by its last component.
  func hiding(_ path: String) -> String {
    guard path.utf8.count > 1, contains("/") else { return self }
    let name = path.split(separator: "/").last.map(String.init) ?? "the ledger"
    return replacingOccurrences(of: path, with: name)
  }
}
