import Daybook
import HTTPTypes

/// `/v1/rates`: exchange rates and currencies.
enum RatesAPI {
  static let endpoints: [Endpoint] = [
    .read("/rates", "listRates", query: ["base", "quoted", "cursor", "limit"]) { call, snapshot in
      let base = try call.query.text("base").map { try snapshot.known($0, "base") }
      let quoted = try call.query.text("quoted").map { try snapshot.known($0, "quoted") }
      let rates = try snapshot.rates(base: base, quoted: quoted)
      let limit = try call.query.limit()
      let after = try call.query.cursor { $0 }
      let rest = rates.filter { rate in after.map { key(rate) > $0 } ?? true }
      let rows = Array(rest.prefix(limit))
      let next = rest.count > limit ? rows.last.map { Cursor.text(key($0)) } : nil
      return Listing("rates", Page(rows: rows, count: rates.count, next: next))
    },
    .read("/rates/convert", "convertAmount", query: ["amount", "base", "quoted", "day"]) {
      call, snapshot in
      try conversion(call, snapshot)
    },
    .write(.put, "/rates", "setRate", command: "setRate"),
    .write(.delete, "/rates", "removeRate", query: ["base", "quoted", "day"]) { call in
      var members = try call.body()
      for name in ["base", "quoted", "day"] {
        if let text = call.query.text(name) { members = members.setting(name, .string(text)) }
      }
      return [try call.command("removeRate", members: members)]
    },
    .read("/currencies", "listCurrencies", query: ["cursor", "limit"]) { call, snapshot in
      Listing(
        "currencies", try call.query.page(snapshot.currencyDefinitions()) { $0.number })
    },
    .write(.post, "/currencies", "defineCurrency", command: "defineCurrency", .created),
  ]

  private struct Conversion: Encodable, Sendable {
    var day: Day
    var amount: Money
    var converted: Money?
    var rates: [ExchangeRate]
    var oldestDay: Day?
  }

  private static func conversion(
    _ call: Call, _ snapshot: borrowing Snapshot
  ) throws -> Conversion {
    let source = try currency("base", call, snapshot)
    let target = try currency("quoted", call, snapshot)
    let text = call.query.text("amount") ?? "1"
    guard let amount = try? Money.parse(text, currency: source) else {
      throw Problem.query(
        "amount", "“\(text.excerpt)” isn't an amount in \(source).",
        remedy: "Pass a decimal number, such as 12.50.")
    }
    let day = try call.query.day("day") ?? call.today()
    let path = try snapshot.conversionPath(from: source, to: target, on: day)
    return Conversion(
      day: day, amount: amount, converted: try snapshot.convert(amount, to: target, on: day),
      rates: path?.rates ?? [], oldestDay: path?.oldestDay)
  }

  private static func currency(
    _ name: String, _ call: Call, _ snapshot: borrowing Snapshot
  ) throws -> Currency {
    guard let code = call.query.text(name) else {
      throw Problem.query(
        name, "The parameter “\(name)” is missing.", remedy: "Pass a currency, such as EUR.")
    }
    return try snapshot.known(code, name)
  }

  // Rates are ordered by currency pair, then by day.
  private static func key(_ rate: ExchangeRate) -> String {
    "\(rate.base.code) \(rate.quoted.code) \(rate.day)"
  }
}

extension Snapshot {
  /// Returns the currency with a code.
  ///
  /// - Parameter parameter: The query parameter that the error refers to.
  /// - Throws: ``Problem`` if there is no such currency.
  func known(_ code: String, _ parameter: String) throws -> Currency {
    if let currency = try currency(code) { return currency }
    throw Problem.query(
      parameter, "Unknown currency “\(code.excerpt)”.",
      remedy: "Use an ISO 4217 code, such as EUR, or a code defined in the ledger.")
  }
}
