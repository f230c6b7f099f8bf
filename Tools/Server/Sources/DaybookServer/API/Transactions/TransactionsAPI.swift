import Daybook
import HTTPTypes

/// `/v1/transactions`: transactions, payees, tags and duplicates.
enum TransactionsAPI {
  static let filters: Set<String> = [
    "text", "payee", "wholePayee", "type", "status", "currency", "least", "most", "from", "through",
    "uncategorized", "subcategories", "excluded",
  ]
  static let lists: Set<String> = ["account", "category", "tag"]

  static let endpoints: [Endpoint] = [
    .read(
      "/transactions", "listTransactions", query: filters.union(["cursor", "limit", "balance"]),
      lists: lists
    ) { call, snapshot in try list(call, snapshot) },
    .read("/transactions/count", "countTransactions", query: filters, lists: lists) {
      call, snapshot in ["count": try snapshot.count(filter(call.query))]
    },
    .read(
      "/transactions/sums", "sumTransactions", query: filters.union(["base", "rows"]), lists: lists
    ) { call, snapshot in
      try snapshot.sums(
        of: filter(call.query), base: call.base(in: snapshot),
        readingAtMost: call.query.number("rows", 0...sumMax) ?? sumMax)
    },
    .read(
      "/transactions/days", "listDays", query: filters.union(["before", "limit"]), lists: lists
    ) { call, snapshot in
      [
        "days": try snapshot.sections(
          filter(call.query), before: call.query.day("before"), limit: call.query.limit())
      ]
    },
    .read("/transactions/{transaction}", "getTransaction") { call, snapshot in
      let id = try call.id("transaction", TransactionID.self)
      guard let transaction = try snapshot.transaction(id) else {
        throw Problem.missing("transaction", "\(id)")
      }
      return transaction
    },
    .write(.post, "/transactions", "recordTransaction", command: "record", .created),
    .write(
      .patch, "/transactions/{transaction}", "amendTransaction", command: "amend",
      id: ("transaction", "transaction")),
    .write(
      .delete, "/transactions/{transaction}", "deleteTransaction", command: "delete",
      id: ("transaction", "transaction")),
    .write(.post, "/transactions/reconcile", "reconcile", command: "reconcile"),
    .write(.post, "/transactions/unreconcile", "unreconcile", command: "unreconcile"),
    .write(
      .put, "/transactions/{transaction}/series", "linkTransaction", command: "link",
      id: ("transaction", "transaction")),
    .write(
      .delete, "/transactions/{transaction}/series", "unlinkTransaction", command: "unlink",
      id: ("transaction", "transaction")),
    .write(
      .put, "/transactions/{transaction}/transfer", "linkTransfer", command: "linkTransfer",
      id: ("transaction", "transaction")),
    .write(
      .delete, "/transactions/{transaction}/transfer", "unlinkTransfer", command: "unlinkTransfer",
      id: ("transaction", "transaction")),
    .read("/transfers", "listTransferPairs", query: ["from", "through", "distance", "limit"]) {
      call, snapshot in
      [
        "transfers": try snapshot.transferPairs(
          in: call.query.days(or: .min..<Day.max),
          distance: call.query.number("distance", 0...LedgerLimits.duplicateDistanceMax) ?? 5,
          limit: call.query.limit())
      ]
    },
    .read("/payees", "listPayees", query: ["prefix", "limit"]) { call, snapshot in
      [
        "payees": try snapshot.payees(
          startingWith: call.query.text("prefix") ?? "", limit: call.query.limit(),
          today: call.today())
      ]
    },
    .read("/tags", "listTags") { call, snapshot in
      ["tags": try snapshot.tags(today: call.today())]
    },
    .read(
      "/suggestions", "listSuggestions",
      query: filters.union(["cursor", "limit"]).subtracting(["uncategorized", "subcategories"]),
      lists: ["account", "tag"]
    ) { call, snapshot in try suggestions(call, snapshot) },
    .read("/inbox", "getInbox", query: ["limit"]) { call, snapshot in
      try snapshot.inbox(today: call.today(), limit: call.query.limit())
    },
    .read("/duplicates", "listDuplicates", query: ["from", "through", "distance", "limit"]) {
      call, snapshot in
      [
        "duplicates": try snapshot.duplicates(
          in: call.query.days(or: .min..<Day.max),
          distance: call.query.number("distance", 0...LedgerLimits.duplicateDistanceMax) ?? 3,
          limit: call.query.limit())
      ]
    },
  ]

  private struct Rows: Encodable, Sendable {
    var count: Int
    /// The value `true` if counting stopped early, so that `count` is a lower bound; otherwise
    /// missing.
    var isCountLeast: Bool?
    var transactions: [Transaction]?
    var rows: [TransactionRow]?
    var next: String?
  }

  private struct Suggestions: Encodable, Sendable {
    var count: Int
    /// The value `true` if counting stopped early, as for ``Rows``.
    var isCountLeast: Bool?
    var suggestions: [UncategorizedTransaction]
    var next: String?
  }

  private static func suggestions(
    _ call: Call, _ snapshot: borrowing Snapshot
  ) throws -> Suggestions {
    let filter = try filter(call.query)
    let limit = try call.query.limit()
    let found = try snapshot.suggestions(filter, after: call.query.position(), limit: limit)
    let (count, hasMore) = try snapshot.uncategorizedCount(filter, upTo: countMax)
    var next: String?
    if found.count == limit, let key = found.last.map({ filter.position(of: $0.transaction) }) {
      next = Cursor.text("\(key.day)#\(key.number)")
    }
    return Suggestions(
      count: count, isCountLeast: hasMore ? true : nil, suggestions: found, next: next)
  }

  /// The maximum number of rows that a list reads for counting.
  ///
  /// `/transactions/count` counts all rows.
  private static let countMax = 900

  /// The maximum number of rows that are read for sums.
  private static let sumMax = 10_000_000

  private static func list(
    _ call: Call, _ snapshot: borrowing Snapshot
  ) throws -> any Encodable & Sendable {
    let filter = try filter(call.query)
    let limit = try call.query.limit()
    let found = try snapshot.transactions(filter, after: call.query.position(), limit: limit)
    let (count, hasMore) = try snapshot.count(filter, upTo: countMax)
    var rows = Rows(count: count, isCountLeast: hasMore ? true : nil)
    if found.count == limit, let key = found.last.map({ filter.position(of: $0) }) {
      rows.next = Cursor.text("\(key.day)#\(key.number)")
    }
    guard try call.query.flag("balance") == true else {
      rows.transactions = found
      return rows
    }
    guard !filter.accounts.isEmpty else {
      throw Problem.query(
        "balance", "Balances need an account.",
        remedy: "Send the account's id as “account”.")
    }
    let balances = try snapshot.balances(of: filter.accounts, after: found.map(\.key))
    rows.rows = found.indices.map {
      TransactionRow(
        transaction: found[$0], day: filter.day(of: found[$0]), balance: balances?[$0])
    }
    return rows
  }

  /// Returns the filter that the query describes.
  static func filter(_ query: Query) throws -> TransactionFilter {
    func texts(_ name: String) -> JSONValue? {
      let texts = query.texts(name)
      return texts.isEmpty ? nil : .array(texts.map { .string($0) })
    }
    func text(_ name: String) -> JSONValue? { query.text(name).map { .string($0) } }
    func flag(_ name: String) throws -> JSONValue? { try query.flag(name).map { .bool($0) } }
    let named: [(String, JSONValue?)] = [
      ("accounts", texts("account")), ("categories", texts("category")), ("tags", texts("tag")),
      ("text", text("text")), ("payee", text("payee")), ("type", text("type")),
      ("status", text("status")), ("currency", text("currency")),
      ("includesSubcategories", try flag("subcategories")),
      ("uncategorized", try flag("uncategorized")), ("excluded", try flag("excluded")),
      ("matchesWholePayee", try flag("wholePayee")), ("amounts", amounts(query)),
    ]
    let members = named.compactMap { name, value in value.map { JSONValue.Member(name, $0) } }
    do {
      var filter = try JSONText.decode(TransactionFilter.self, from: .object(members))
      if query.text("from") != nil || query.text("through") != nil {
        filter.days = try query.days(or: .min..<Day.max)
      }
      return filter
    } catch let error as DecodingError {
      let problem = Problem(error, hiding: "")
      throw Problem(
        .badRequest, "invalidQuery", problem.detail, remedy: "See /v1/openapi.json for the schema.",
        place: [.init("in", .string("query"))])
    }
  }

  /// Returns the range of amounts; if one bound is missing, the range is open on that side.
  private static func amounts(_ query: Query) -> JSONValue? {
    let ends = (query.text("least"), query.text("most"))
    guard let any = ends.0 ?? ends.1 else { return nil }
    var range: [JSONValue.Member] = [
      .init("least", .string(ends.0 ?? zero(like: any))),
      .init("most", .string(ends.1 ?? greatest(like: any))),
    ]
    if let currency = query.text("currency") { range.append(.init("currency", .string(currency))) }
    return .array([.object(range)])
  }

  private static func decimals(_ text: String) -> Int {
    text.firstIndex(of: ".").map { text[$0...].utf8.count - 1 } ?? 0
  }

  private static func zero(like text: String) -> String {
    let count = decimals(text)
    return count == 0 ? "0" : "0." + String(repeating: "0", count: count)
  }

  private static func greatest(like text: String) -> String {
    let count = decimals(text)
    let digits = String(repeating: "9", count: 18 - min(count, 17))
    return count == 0 ? digits : digits + "." + String(repeating: "9", count: count)
  }
}

extension Query {
  /// Returns the days from `from` to `through`, both included.
  ///
  /// - Throws: ``Problem`` if the last day is before the first.
  func days(or usual: Range<Day>) throws -> Range<Day> {
    let from = try day("from") ?? usual.lowerBound
    let end = try day("through")?.adding(days: 1) ?? usual.upperBound
    guard from <= end else {
      throw Problem.query(
        "through", "The range ends before it begins.",
        remedy: "Choose a “from” on or before “through”."
      )
    }
    return from..<end
  }
}
