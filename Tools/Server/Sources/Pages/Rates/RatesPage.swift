import Daybook

/// What currencies were worth.
enum RatesPage {
  static let rowCount = 500

  static func page(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> Page {
    let rates = try snapshot.rates().sorted { $0.day > $1.day }
    let names = try NameBook(snapshot)
    let form = try RateForm.new(names, context, snapshot)
    guard !rates.isEmpty else {
      return Page(
        context[.rates], .rates, body: "<p class=\"empty\">\(context[.noRates])</p>\(form)")
    }
    let rows = rates.prefix(rowCount).map { rate -> HTML in
      """
      <tr><th scope="row">\(context.day(rate.day))</th><td>1 \(rate.base.code)</td><td class="num"><a class="figure" href="\(context.link("/why/\(rate.id)"))">\(context.typed("\(rate.quote)"))</a></td><td>\(rate.quoted.code) \(RateForm.link(rate.entityID, RateForm.name(rate, names, context), context))</td></tr>
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
