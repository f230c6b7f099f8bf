import Daybook
import HTTPTypes
import Hummingbird
import Moments

/// A request with the values of its path's parameters.
struct Call: Sendable {
  let service: LedgerService
  let head: HTTPRequest
  /// The values of the path's parameters, by name.
  let parameters: [String: String]
  let query: Query
  let body: [UInt8]

  var ledger: Ledger { service.ledger }

  /// Returns a parameter of the path, or an empty string if there is none.
  func parameter(_ name: String) -> String { parameters[name] ?? "" }

  /// Returns the id in the path.
  ///
  /// - Throws: ``Problem`` 404 if the id is malformed.
  func id<Owner>(_ name: String, _ type: Identifier<Owner>.Type = Identifier<Owner>.self) throws
    -> Identifier<Owner>
  {
    guard let id = Identifier<Owner>(parameter(name)) else {
      throw Problem.missing(name, parameter(name))
    }
    return id
  }

  /// Returns the day that counts as today, from the query or the server.
  func today() throws -> Day { try query.day("today") ?? service.today() }

  /// Checks the parameters that many endpoints share.
  ///
  /// An invalid value is rejected even if the endpoint doesn't use it.
  func checkUsual(of endpoint: Endpoint) throws {
    if endpoint.query.contains("today") { _ = try today() }
    if endpoint.query.contains("dryRun") {
      _ = try query.flag("dryRun")
      _ = try idempotencyKey()
    }
  }

  /// Returns the body as JSON, or an empty object if there is no body.
  ///
  /// - Throws: ``Problem`` if the body or its `Content-Type` isn't JSON.
  func json() throws -> JSONValue {
    guard !body.isEmpty else { return .object([]) }
    let type = head.headerFields[.contentType].map { $0.split(separator: ";")[0].lowercased() }
    guard let type, type.trimmingPrefix(" ").hasPrefix("application/json") else {
      throw Problem(
        .unsupportedMediaType, "noJSON", "The Content-Type of the body is not JSON.",
        remedy: "Send it with Content-Type: application/json.",
        place: [.init("in", .string("header")), .init("name", .string("Content-Type"))])
    }
    return try JSONText.read(body)
  }

  /// Returns the value of `body` for the ledger as of the moment in the query.
  ///
  /// Returns 304 without reading if the client already has this version.
  func read(
    _ body: @escaping @Sendable (Call, borrowing Snapshot) throws -> any Encodable & Sendable
  ) async throws -> Answer {
    let day = try today()
    let asOf = try query.value(
      "asOf", "a commit's number, a day, or a time such as 2026-02-15T09:30:00Z"
    ) { Moment($0) }
    let token = try asOf?.token(in: ledger) ?? ledger.token
    if let known = known(as: token, day) { return known }
    let read: @Sendable (borrowing Snapshot) throws -> ([UInt8], Token) = { snapshot in
      (try JSONValue.bytes(of: body(self, snapshot)), snapshot.token)
    }
    let (bytes, of) =
      asOf == nil
      ? try ledger.read(read) : try await service.past.read(asOf: token, read)
    // `If-None-Match: *` matches any existing resource, and the read above has shown that this one
    // exists.
    if Self.tags(head.headerFields[.ifNoneMatch] ?? "").contains("*") {
      return Answer(.notModified, .none, token: of, day: day)
    }
    return Answer(.ok, .written(bytes), token: of, day: day)
  }

  /// Returns a 304 answer if the client already has the version with this token, otherwise `nil`.
  func known(as token: Token, _ day: Day? = nil) -> Answer? {
    let tags = Self.tags(head.headerFields[.ifNoneMatch] ?? "")
    guard tags.contains(Answer.tag(token, day)) else { return nil }
    return Answer(.notModified, .none, token: token, day: day)
  }

  /// Returns the entity tags in a header, without the `W/` prefix of weak tags.
  static func tags(_ header: String) -> [String] {
    header.split(separator: ",").map { part in
      let text = Substring(part.trimmingSpaces)
      return text.hasPrefix("W/") ? String(text.dropFirst(2)) : String(text)
    }
  }
}
