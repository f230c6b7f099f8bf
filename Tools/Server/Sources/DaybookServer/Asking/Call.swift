import Daybook
import HTTPTypes
import Hummingbird
import Moments

/// A request that has found its endpoint.
struct Call: Sendable {
  let service: LedgerService
  let head: HTTPRequest
  /// The parts of the path that the endpoint names.
  let parameters: [String: String]
  let query: Query
  let body: [UInt8]

  var ledger: Ledger { service.ledger }

  /// A part of the path.
  func parameter(_ name: String) -> String { parameters[name] ?? "" }

  /// The id in the path, of a kind of entity.
  func id<Owner>(_ name: String, _ type: Identifier<Owner>.Type = Identifier<Owner>.self) throws
    -> Identifier<Owner>
  {
    guard let id = Identifier<Owner>(parameter(name)) else {
      throw Problem.missing(name, parameter(name))
    }
    return id
  }

  /// The day that counts as today.
  func today() throws -> Day { try query.day("today") ?? service.today() }

  /// Looks at what many endpoints may be asked, so that none of it is passed over where this one does not come
  /// to it.
  func checkUsual(of endpoint: Endpoint) throws {
    if endpoint.query.contains("today") { _ = try today() }
    if endpoint.query.contains("dryRun") {
      _ = try query.flag("dryRun")
      _ = try idempotencyKey()
    }
  }

  /// The body as JSON; an object with nothing in it where there is none.
  func json() throws -> JSONValue {
    guard !body.isEmpty else { return .object([]) }
    let type = head.headerFields[.contentType].map { $0.split(separator: ";")[0].lowercased() }
    guard let type, type.trimmingPrefix(" ").hasPrefix("application/json") else {
      throw Problem(
        .unsupportedMediaType, "noJSON", "The body is not said to be JSON.",
        remedy: "Send it with Content-Type: application/json.",
        place: [.init("in", .string("header")), .init("name", .string("Content-Type"))])
    }
    return try JSONText.read(body)
  }

  /// Reads the ledger, as of the moment that the query asks for, and makes an answer of what `body` returns.
  ///
  /// Where the client has that already, nothing is read: 304.
  func read(
    _ body: @escaping @Sendable (Call, borrowing Snapshot) throws -> any Encodable & Sendable
  ) async throws -> Answer {
    let day = try today()
    let asOf = try query.value(
      "asOf", "a commit's number, a day, or a moment such as 2026-02-15T09:30:00Z"
    ) { Moment($0) }
    let token = try asOf?.token(in: ledger) ?? ledger.token
    if let known = known(as: token, day) { return known }
    let read: @Sendable (borrowing Snapshot) throws -> ([UInt8], Token) = { snapshot in
      (try JSONValue.bytes(of: body(self, snapshot)), snapshot.token)
    }
    let (bytes, of) =
      asOf == nil
      ? try ledger.read(read) : try await service.past.read(asOf: token, read)
    // Whatever there is counts as known, once there is something.
    if Self.tags(head.headerFields[.ifNoneMatch] ?? "").contains("*") {
      return Answer(.notModified, .none, token: of, day: day)
    }
    return Answer(.ok, .written(bytes), token: of, day: day)
  }

  /// The answer to who has that of a token already: 304; `nil` to others.
  func known(as token: Token, _ day: Day? = nil) -> Answer? {
    let tags = Self.tags(head.headerFields[.ifNoneMatch] ?? "")
    guard tags.contains(Answer.tag(token, day)) else { return nil }
    return Answer(.notModified, .none, token: token, day: day)
  }

  /// The tags of a header, without the marks of weak ones.
  static func tags(_ header: String) -> [String] {
    header.split(separator: ",").map { part in
      let text = Substring(part.trimmingSpaces)
      return text.hasPrefix("W/") ? String(text.dropFirst(2)) : String(text)
    }
  }
}
