import Daybook
import HTTPTypes
import Moments

/// `/v1/history`: commits with the values before and after each change, and undo, redo and restore.
enum HistoryAPI {
  private struct Commits: Encodable, Sendable {
    var commits: [HistoryEntry]
    var next: String?
  }

  /// The maximum number of changes listed per commit; an import can have a million.
  static let changeCountMax = 1_000

  static let endpoints: [Endpoint] = [
    Endpoint(
      .get, "/history", "listHistory",
      query: ["cursor", "limit", "asOf", "author", "entity", "kind"]
    ) { call in try list(call) },
    Endpoint(.get, "/history/{commit}", "getCommit") { call in
      let sequence = try number(call)
      var filter = HistoryFilter()
      filter.changeCountMax = changeCountMax
      var cursor = try call.ledger.history(
        before: call.ledger.token(at: sequence), matching: filter
      ).cursor()
      guard let entry = try cursor.next(), entry.sequence == sequence else {
        throw Problem.missing("commit", "\(sequence)")
      }
      return Answer(.ok, .json(try JSONValue(entry)), token: entry.token)
    },
    Endpoint(
      .post, "/history/{commit}/undo", "undoCommit", query: ["dryRun", "today"],
      bodyByteCountMax: Endpoint.jsonByteCountMax
    ) { call in try await undo(try number(call), call) },
    Endpoint(
      .post, "/undo", "undoNewest", query: ["dryRun", "today"],
      bodyByteCountMax: Endpoint.jsonByteCountMax
    ) { call in
      _ = (try call.body(), try call.expectedToken())
      if try call.query.flag("dryRun") == true {
        guard let entry = try call.ledger.nextUndo() else { throw nothing("Undo") }
        return try await undo(entry.sequence, call)
      }
      return try await call.reverting(orElse: nothing("Undo")) {
        expected, key throws(DaybookError) in
        try await call.ledger.undoNewest(expecting: expected, key: key)
      }
    },
    Endpoint(
      .post, "/redo", "redoNewest", query: ["dryRun", "today"],
      bodyByteCountMax: Endpoint.jsonByteCountMax
    ) { call in
      _ = (try call.body(), try call.expectedToken())
      if try call.query.flag("dryRun") == true {
        guard let entry = try call.ledger.nextRedo() else { throw nothing("Redo") }
        return try await undo(entry.sequence, call)
      }
      return try await call.reverting(orElse: nothing("Redo")) {
        expected, key throws(DaybookError) in
        try await call.ledger.redoNewest(expecting: expected, key: key)
      }
    },
    Endpoint(
      .post, "/entities/{entity}/restore", "restoreEntity", query: ["dryRun", "today"],
      bodyByteCountMax: Endpoint.jsonByteCountMax
    ) { call in
      guard let id = EntityID(call.parameter("entity")) else {
        throw Problem.missing("entity", call.parameter("entity"))
      }
      if try call.query.flag("dryRun") == true {
        return try await call.rehearse { ledger, token, today throws(DaybookError) in
          try await ledger.figures(changedByRestoring: id, expecting: token, today: today)
        }
      }
      return try await call.reverting { expected, key throws(DaybookError) in
        try await call.ledger.restore(entity: id, expecting: expected, key: key)
      }
    },
  ]

  private static func nothing(_ what: String) -> Problem {
    Problem(
      .conflict, "nothingTo\(what)", "There is nothing to \(what.lowercased()).",
      remedy: "See /v1/history for recorded changes.")
  }

  private static func number(_ call: Call) throws -> UInt64 {
    guard let sequence = UInt64(call.parameter("commit")),
      try (1...max(1, call.ledger.token.sequence)).contains(sequence)
    else { throw Problem.missing("commit", call.parameter("commit")) }
    return sequence
  }

  private static func list(_ call: Call) throws -> Answer {
    let limit = try call.query.limit()
    var filter = HistoryFilter()
    filter.changeCountMax = changeCountMax
    if let author = call.query.text("author") { filter.authors = [author] }
    if let id = try call.query.value("entity", "an id, a UUID", { EntityID($0) }) {
      filter.entities = [id]
    }
    if let name = call.query.text("kind") {
      guard let kind = KindDescription.all.first(where: { $0.name == name })?.kind else {
        throw Problem.query(
          "kind", "“\(name.excerpt)” is not a kind of entity.",
          remedy: "Use one of \(KindDescription.all.map { $0.name }.joined(separator: ", ")).")
      }
      filter.kinds = [kind]
    }
    let asOf = try call.query.value("asOf", "a commit's number, a day, or a time") { Moment($0) }
    let newest = try asOf?.token(in: call.ledger) ?? call.ledger.token
    let after = try call.query.cursor { UInt64($0) }
    if let known = call.known(as: newest) { return known }
    var start: Token? = newest
    if let after {
      start = after > 1 ? try call.ledger.token(at: after - 1) : nil
      if start == nil {
        return Answer(.ok, .json(try JSONValue(Commits(commits: []))), token: newest)
      }
    }
    var answer = Commits(commits: [])
    if filter.kinds == nil, let entity = filter.entities?.first {
      answer.commits = try changes(of: entity, upTo: start, filter, limit, call.ledger)
    } else {
      var cursor = try call.ledger.history(before: start, matching: filter).cursor()
      while answer.commits.count < limit, let entry = try cursor.next() {
        answer.commits.append(entry)
      }
    }
    if answer.commits.count == limit, let last = answer.commits.last, last.sequence > 1 {
      answer.next = Cursor.text("\(last.sequence)")
    }
    return Answer(.ok, .json(try JSONValue(answer)), token: newest)
  }

  /// Returns the newest commits that changed an entity, newest first, using the entity's timeline.
  private static func changes(
    of entity: EntityID, upTo start: Token?, _ filter: HistoryFilter, _ limit: Int, _ ledger: Ledger
  ) throws -> [HistoryEntry] {
    var found: [HistoryEntry] = []
    var cursor = try ledger.timeline(of: entity).cursor()
    while let entry = try cursor.next(), entry.sequence <= start?.sequence ?? .max {
      if let authors = filter.authors, !authors.contains(entry.header.author ?? "") { continue }
      found.append(entry)
    }
    return Array(found.suffix(limit).reversed())
  }

  private static func undo(_ sequence: UInt64, _ call: Call) async throws -> Answer {
    _ = try call.body()
    if try call.query.flag("dryRun") == true {
      return try await call.rehearse { ledger, token, today throws(DaybookError) in
        try await ledger.figures(changedByUndoing: sequence, expecting: token, today: today)
      }
    }
    return try await call.reverting { expected, key throws(DaybookError) in
      try await call.ledger.undo(commit: sequence, expecting: expected, key: key)
    }
  }
}

extension Call {
  /// Reverses a commit or restores an entity, at most once for each idempotency key.
  ///
  /// - Throws: `nothing` if `revert` returns no receipt, and the ``Problem`` of a refusal or
  ///   conflict.
  func reverting(
    orElse nothing: Problem = .missing("commit", "newest"),
    _ revert: (Token?, String?) async throws(DaybookError) -> Receipt?
  ) async throws -> Answer {
    _ = try body()
    try service.checkWriting()
    let key = try idempotencyKey()
    let expected = try expectedToken()
    do {
      guard let receipt = try await revert(expected, key) else { throw nothing }
      return Answer(.ok, .json(try JSONValue(receipt)), token: receipt.token)
    } catch let error as DaybookError {
      throw problem(error, since: expected)
    }
  }
}
