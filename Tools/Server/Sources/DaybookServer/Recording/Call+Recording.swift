import Daybook
import HTTPTypes
import Hummingbird

// The parameters of every write: `If-Match`, `Idempotency-Key` and `dryRun`.
extension Call {
  /// Records commands or, with `dryRun`, returns the figures that they would change.
  ///
  /// - Parameter status: The status if the commands are recorded; a repeated request gets 200.
  func record(_ commands: [Command], _ status: HTTPResponse.Status = .ok) async throws -> Answer {
    let key = try idempotencyKey()
    if try query.flag("dryRun") == true {
      return try await rehearse { ledger, token, today throws(DaybookError) in
        try await ledger.figures(changedBy: commands, expecting: token, today: today)
      }
    }
    try service.checkWriting()
    let expected = try expectedToken()
    do {
      let receipt = try await ledger.append(
        commands, expecting: expected, key: key)
      return Answer(
        receipt.isRepeat ? .ok : status, .json(try JSONValue(receipt)), token: receipt.token)
    } catch let error as DaybookError {
      throw problem(error, since: expected)
    }
  }

  /// Converts an error of a write: a conflict becomes 412, and a missing entity named in the path
  /// becomes 404.
  func problem(_ error: DaybookError, since expected: Token?) -> any Error {
    error.code == .conflict ? overtaken(error, since: expected) : missing(error)
  }

  /// Returns a 404 problem if the refusal is about an entity named in the path, and otherwise the
  /// same error.
  func missing(_ error: DaybookError) -> any Error {
    guard let refusal = error.refusal, refusal.code == .missing else { return error }
    for (name, value) in parameters {
      if let id = EntityID(value), refusal.subjects.isEmpty || refusal.subjects.contains(id) {
        return Problem.missing(name, value)
      }
    }
    return error
  }

  /// Returns the key that makes a write idempotent.
  func idempotencyKey() throws -> String? {
    guard let key = head.headerFields[.idempotencyKey] else { return nil }
    guard (1...LedgerLimits.keyByteCountMax).contains(key.utf8.count) else {
      throw Problem.header(
        "Idempotency-Key", "The key has an invalid length of \(key.utf8.count) bytes.",
        remedy: "Use a key of 1 to \(LedgerLimits.keyByteCountMax) bytes, such as a UUID.")
    }
    return key
  }

  /// Returns the commit in `If-Match`, which must be the newest for the write to succeed.
  ///
  /// Returns `nil` if the header is missing or `*`.
  func expectedToken() throws -> Token? {
    guard let header = head.headerFields[.ifMatch] else { return nil }
    let tags = Self.tags(header)
    if tags == ["*"] { return nil }
    let tokens = tags.compactMap { tag in
      Token(tag.filter { $0 != "\"" }.split(separator: ".").first ?? "")
    }
    guard !tokens.isEmpty, tokens.count == tags.count else {
      throw Problem.header(
        "If-Match", "“\(header.excerpt)” is not a token of this ledger.",
        remedy: "Use the ETag of the response that the write is based on.")
    }
    // If the header lists several commits, any of them may be the newest.
    let newest = try ledger.token
    return tokens.first { $0 == newest } ?? tokens[0]
  }

  /// Returns a 412 problem with up to 20 of the commits after the expected one.
  func overtaken(_ error: DaybookError, since token: Token?) -> Problem {
    var problem = Problem(
      .preconditionFailed, "conflict", error.message,
      remedy: "Read again, and if the write is still correct, repeat it with the new ETag.",
      place: [.init("in", .string("header")), .init("name", .string("If-Match"))])
    var filter = HistoryFilter()
    filter.changeCountMax = HistoryAPI.changeCountMax
    guard let token,
      var cursor = try? ledger.history(after: token, matching: filter).cursor()
    else { return problem }
    var commits: [JSONValue] = []
    while commits.count < Self.overtakingCountMax, let entry = try? cursor.next() {
      guard let value = try? JSONValue(entry) else { continue }
      commits.append(value)
    }
    problem.more.append(.init("overtakenBy", .array(commits)))
    if let newest = try? ledger.token {
      problem.headers[.eTag] = Answer.tag(newest, nil)
      problem.headers[.ledgerToken] = newest.text
    }
    return problem
  }

  /// Returns the same problem for the case that the server, not the ledger, compared the tokens.
  func overtaken(since expected: Token) -> Problem {
    let newest = (try? ledger.token.sequence).map { "\($0)" } ?? "another"
    return overtaken(
      DaybookError(
        code: .conflict,
        message:
          "The newest commit is \(newest), not \(expected.sequence) as expected.",
        remedy: ""), since: expected)
  }

  private static let overtakingCountMax = 20

  /// Returns the figures that a write would change, before and after.
  ///
  /// Nothing is recorded.
  func rehearse(
    _ body: (Ledger, Token?, Day) async throws(DaybookError) -> Rehearsal
  ) async throws -> Answer {
    _ = try idempotencyKey()
    let expected = try expectedToken()
    do {
      let rehearsal = try await body(ledger, expected, today())
      guard case .object(let members) = try JSONValue(rehearsal) else { throw CancellationError() }
      return Answer(
        .ok, .json(.object([.init("dryRun", .bool(true))] + members)), token: rehearsal.token)
    } catch let error as DaybookError {
      throw problem(error, since: expected)
    }
  }
}
