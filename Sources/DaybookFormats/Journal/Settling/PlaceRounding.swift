import DaybookBookkeeping

/// A pair of an account and a commodity.
struct PlaceKey: Hashable {
  var account: Int
  var commodity: Int
}

/// Rounds inferred amounts to the decimals of their currency.
///
/// It carries the rounding error forward, so that the balance of each account is the rounded sum of
/// the exact amounts.
struct PlaceRounding {
  private var sums: [PlaceKey: (exact: JournalNumber, rounded: JournalNumber)] = [:]

  /// Returns the rounded amount; `nil` if the sum doesn't fit.
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
