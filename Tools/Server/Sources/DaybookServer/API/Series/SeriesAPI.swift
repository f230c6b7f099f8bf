import Daybook
import HTTPTypes

/// `/v1/series`: recurring transactions.
enum SeriesAPI {
  private struct One: Encodable, Sendable {
    var series: Series
    var next: Day?
  }

  private struct Whole: Encodable, Sendable {
    var series: Series
    var occurrences: [Occurrence]
  }

  static let endpoints: [Endpoint] = [
    .read("/series", "listSeries", query: ["cursor", "limit"]) { call, snapshot in
      let today = try call.today()
      let upcoming = try snapshot.upcoming(through: today.adding(months: 12), today: today)
      let next = Dictionary(
        upcoming.filter { !$0.isOverdue }.map { ($0.series.id, $0.day) },
        uniquingKeysWith: { first, _ in first })
      let page = try call.query.page(snapshot.series()) { $0.number }
      let rows = page.rows.map { One(series: $0, next: next[$0.id]) }
      return Listing("series", Page(rows: rows, count: page.count, next: page.next))
    },
    .read(
      "/series/upcoming", "listUpcoming", query: ["through", "account", "cursor", "limit"]
    ) { call, snapshot in
      let today = try call.today()
      let payments = try snapshot.upcoming(
        through: call.query.day("through") ?? today.adding(months: 3), today: today,
        account: call.query.id("account"))
      return Listing("upcoming", try call.query.page(payments))
    },
    .read("/series/{series}", "getSeries") { call, snapshot in
      let id = try call.id("series", SeriesID.self)
      guard let series = try snapshot.series(id) else { throw Problem.missing("series", "\(id)") }
      return Whole(series: series, occurrences: try snapshot.occurrences(of: id))
    },
    .write(.post, "/series", "createSeries", command: "putSeries", .created),
    .write(.put, "/series/{series}", "amendSeries", query: ["scope", "since"]) { call in
      let series = try call.body(id: ("id", "series"))
      let scope = call.query.text("scope") ?? "seriesOnly"
      let since = try call.query.day("since").map { JSONValue.string("\($0)") }
      let value: JSONValue =
        if scope == "seriesOnly" {
          .string(scope)
        } else {
          .object([.init(scope, try since ?? .string("\(call.today())"))])
        }
      return [
        try call.command(
          "amendSeries", members: .object([.init("series", series), .init("scope", value)]))
      ]
    },
    .write(.delete, "/series/{series}", "removeSeries", query: ["withRows"]) { call in
      let members = try call.body(id: ("series", "series"))
      let flag = try call.query.flag("withRows").map { JSONValue.bool($0) }
      return [
        try call.command(
          "removeSeries", members: flag.map { members.setting("withRows", $0) } ?? members)
      ]
    },
    .write(
      .post, "/series/{series}/pause", "pauseSeries", command: "pauseSeries",
      id: ("series", "series")),
    .write(
      .post, "/series/{series}/resume", "resumeSeries", command: "resumeSeries",
      id: ("series", "series")),
    .write(
      .post, "/series/{series}/stop", "stopSeries", command: "stopSeries", id: ("series", "series")),
    .write(
      .post, "/series/{series}/skip", "skipOccurrence", command: "skipOccurrence",
      id: ("series", "series")),
    .write(
      .post, "/series/{series}/unskip", "unskipOccurrence", command: "unskipOccurrence",
      id: ("series", "series")),
    .write(.post, "/series/generate", "generateDue") { call in
      var members = try call.body()
      if members["through"] == nil {
        members = members.setting("through", .string("\(try call.today())"))
      }
      return [try call.command("generateDue", members: members)]
    },
  ]
}

extension Query {
  /// Returns a page of payments, ordered by day, then by series.
  fileprivate func page(_ payments: [UpcomingPayment]) throws -> Page<UpcomingPayment> {
    let limit = try limit(or: 500)
    let after = try cursor { PaymentKey($0) }
    let sorted = payments.map { (key: PaymentKey($0), payment: $0) }.sorted { $0.key < $1.key }
    let rest = sorted.filter { one in after.map { $0 < one.key } ?? true }
    let rows = rest.prefix(limit)
    let next = rest.count > limit ? rows.last.map { Cursor.text($0.key.text) } : nil
    return Page(rows: rows.map(\.payment), count: payments.count, next: next)
  }
}

/// The sort key of an upcoming payment.
private struct PaymentKey: Comparable {
  var day: Day
  var number: UInt64
  var due: Day

  init(_ payment: UpcomingPayment) {
    (day, number, due) = (payment.day, payment.series.number, payment.due)
  }

  /// Parses a key, or returns `nil` if the text is malformed.
  init?(_ text: String) {
    let parts = text.split(separator: "#")
    guard parts.count == 3, let day = Day(parts[0]), let number = UInt64(parts[1]),
      let due = Day(parts[2])
    else { return nil }
    (self.day, self.number, self.due) = (day, number, due)
  }

  var text: String { "\(day)#\(number)#\(due)" }

  static func < (left: Self, right: Self) -> Bool {
    (left.day, left.number, left.due) < (right.day, right.number, right.due)
  }
}
