import Daybook

/// The day in `on=`, whose balances, lists and reports a page shows by what is known now.
///
/// `asOf=` is independent of it: that is what had been recorded at a moment.
enum ShownDay {
  /// The number of months ahead of today that can be shown, from planned transactions.
  private static let monthsAheadMax = 120

  /// Returns the day in the address, or `nil` if there is none.
  ///
  /// - Throws: ``PageError/noMoment`` if the day is malformed.
  static func asked(_ context: PageContext) throws -> Day? {
    guard let text = context.query("on") else { return nil }
    guard let day = Day(text) else { throw PageError.noMoment }
    return min(max(.longAgo, day), context.today.adding(months: monthsAheadMax))
  }

  /// Returns whether the view at a path shows figures of a day.
  static func isShown(on path: String) -> Bool {
    let parts = path.split(separator: "/")
    return switch parts.first {
    case nil: true
    case "accounts", "transactions", "reports": parts.count == 1
    case "categories", "budgets": parts.count <= 2
    default: false
    }
  }

  /// Returns the control for choosing a day, or `nil` on pages without figures of a day.
  static func form(_ context: PageContext) -> HTML? {
    guard isShown(on: context.request.path), context.request.method != "POST" else { return nil }
    // A month in the address would overrule the day.
    let left: Set = ["on", "month", "last", "after", "at"]
    let kept = context.address.query.filter { !left.contains($0.name) }.map { field -> HTML in
      "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">"
    }
    return """
      <form class="rail" action="\(context.request.path)">\(kept)
      <label for="on">\(context[.asOf])</label>
      <input id="on" type="date" name="on" value="\(context.on.map { "\($0)" } ?? "")" title="\(context[.asOfHint])">
      <button>\(context[.apply])</button></form>
      """
  }

  /// Returns the notice that the page shows another day, with a link back to today.
  static func banner(_ context: PageContext) -> HTML? {
    guard context.on != nil, isShown(on: context.request.path) else { return nil }
    return """
      <p class="banner" role="status"><span>\(context[.onBanner]) \(context.fullDay(context.today))</span> \
      <a class="button" href="\(context.address.setting("on", nil).text)">\(context[.backToToday])</a></p>
      """
  }
}

extension PageContext {
  /// The day in the address, if the page doesn't show today.
  var on: Day? { query("on").flatMap { Day($0) } }
}
