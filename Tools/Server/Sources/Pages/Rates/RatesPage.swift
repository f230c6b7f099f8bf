import Daybook

/// The page with exchange rates.
enum RatesPage {
  static let rowCount = 120

  static func page(_ context: PageContext, _ snapshot: borrowing Snapshot) throws -> Page {
    let end = context.query("before").flatMap { Day($0) } ?? .max
    let rates = try snapshot.rates().filter { $0.day < end }.sorted { $0.day > $1.day }
    var shown = rates.prefix(rowCount)
    // End the page with a complete day, so that the next page begins before it.
    if shown.count < rates.count, let last = shown.last?.day, last != shown.first?.day {
      shown = shown.prefix { $0.day > last }
    }
    let names = try NameBook(snapshot)
    let form = try RateForm.new(names, context, snapshot)
    guard !rates.isEmpty else {
      return Page(
        context[.rates], .rates, body: "<p class=\"empty\">\(context[.noRates])</p>\(form)")
    }
    let older: HTML? =
      shown.count == rates.count
      ? nil
      : """
      <a class="button" rel="next" href="\(context.link("/rates", [("before", shown.last.map { "\($0.day)" })]))">\(context[.older])</a>
      """
    let rows = shown.map { rate -> HTML in
      """
      <tr><th scope="row" class="unbroken">\(context.day(rate.day))</th><td class="unbroken">1 \(rate.base.code)</td><td class="num"><a class="figure" href="\(context.link("/why/\(rate.id)"))">\(context.typed("\(rate.quote)"))</a></td><td class="unbroken">\(rate.quoted.code) \(RateForm.link(rate.entityID, RateForm.name(rate, names, context), context))</td></tr>
      """
    }
    return Page(
      context[.rates], .rates,
      body: """
        \(form)<section class="card"><div class="scroll"><table class="figures rates"><thead><tr><th scope="col">\(context[.day])</th><th scope="col">\(context[.base])</th>\
        <th scope="col" class="num">\(context[.rate])</th><th scope="col">\(context[.quoted])</th></tr></thead><tbody>\(rows)</tbody></table></div></section>
        <nav class="pager" aria-label="\(context[.rates])">\(older)</nav>
        """)
  }
}
