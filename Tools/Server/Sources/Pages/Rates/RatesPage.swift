import Daybook

/// What currencies were worth.
enum RatesPage {
  static let rowCount = 500

  static func page(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> Page {
    let rates = try snapshot.rates().sorted { $0.day > $1.day }
    let form = SmallForm.html(
      "/rates", .newRate,
      [
        .text("base", .base, isRequired: true), .text("rate", .rate, isRequired: true),
        .text("quoted", .quoted, isRequired: true),
        .text("day", .day, type: "date", isRequired: true),
      ], context)
    guard !rates.isEmpty else {
      return Page(
        context[.rates], .rates, body: "<p class=\"empty\">\(context[.noRates])</p>\(form)")
    }
    let rows = rates.prefix(rowCount).map { rate -> HTML in
      """
      <tr><th scope="row">\(context.day(rate.day))</th><td>1 \(rate.base.code)</td><td class="num">\("\(rate.quote)")</td><td>\(rate.quoted.code)</td></tr>
      """
    }
    return Page(
      context[.rates], .rates,
      body: """
        \(form)<section class="card"><table class="figures"><thead><tr><th scope="col">\(context[.day])</th><th scope="col">\(context[.base])</th>\
        <th scope="col" class="num">\(context[.rate])</th><th scope="col">\(context[.quoted])</th></tr></thead><tbody>\(Array(rows))</tbody></table></section>
        """)
  }
}
