import Bookkeeping

/// An account and a commodity.
struct PlaceKey: Hashable {
  var account: Int
  var commodity: Int
}

/// Rounds amounts that follow from others to what currencies can hold, so that the sum in each account is that of
/// the exact amounts, rounded.
struct PlaceRounding {
  private var sums: [PlaceKey: (exact: JournalNumber, rounded: JournalNumber)] = [:]

  /// The amount to book; `nil` where the sum does not fit.
  mutating func rounded(
    _ number: JournalNumber, _ key: PlaceKey, _ currency: Currency?
  ) -> JournalNumber? {
    guard let currency, number.shortest.scale > currency.digits else { return number }
    let known = sums[key] ?? (.zero, .zero)
    guard let exact = known.exact.adding(number) else { return nil }
    let rounded = exact.rounded(to: currency.digits)
    sums[key] = (exact, rounded)
    return rounded.subtracting(known.rounded)
  }
}
