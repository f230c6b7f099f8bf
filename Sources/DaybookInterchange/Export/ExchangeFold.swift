import Daybook

/// A currency exchange written as a price, such as `10 EUR @@ 11 USD`, instead of two postings to
/// the exchange account.
struct ExchangeFold {
  /// The index of the posting that gets the price; `nil` if no exchange can be written as a price.
  private(set) var index: Int?
  /// The positive total price.
  private(set) var price: Total?

  /// Finds an exchange that can be written as a price.
  ///
  /// The transaction must have two postings to the exchange account, and there must be exactly one
  /// other posting in the currency of one of them.
  ///
  /// - Parameter isExact: Whether the price must be in a currency with decimals. Beancount first
  ///   computes the price per unit, and accepts the rounding error only in a currency with
  ///   decimals.
  init(_ postings: some Sequence<Posting>, isExact: Bool = false) {
    var exchanged: [Money] = []
    var counts: [Currency: (count: Int, index: Int)] = [:]
    var order: [Currency] = []
    for (index, posting) in postings.enumerated() {
      if posting.account == .account(.exchange) {
        exchanged.append(posting.amount)
      } else {
        let currency = posting.amount.currency
        if counts[currency] == nil { order.append(currency) }
        counts[currency] = ((counts[currency]?.count ?? 0) + 1, index)
      }
    }
    guard exchanged.count == 2, exchanged[0].currency != exchanged[1].currency,
      exchanged.allSatisfy({ $0.minorUnits != 0 }),
      (exchanged[0].minorUnits < 0) != (exchanged[1].minorUnits < 0)
    else { return }
    for currency in order {
      guard let found = counts[currency], found.count == 1,
        exchanged.contains(where: { $0.currency == currency }),
        let other = exchanged.first(where: { $0.currency != currency }),
        !isExact || other.currency.digits > 0
      else { continue }
      let units = Int128(other.minorUnits)
      index = found.index
      price = Total(units: units < 0 ? -units : units, currency: other.currency)
      return
    }
  }

  /// Returns whether a posting is replaced by the price.
  func isFolded(_ posting: Posting) -> Bool {
    index != nil && posting.account == .account(.exchange)
  }
}
