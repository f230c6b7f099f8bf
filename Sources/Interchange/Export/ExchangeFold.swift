import Daybook

/// An exchange of two currencies as one price: `10 EUR @@ 11 USD`, instead of two postings on Exchange.
struct ExchangeFold {
  /// The posting that gets the price, by its place; `nil` where nothing is folded.
  private(set) var index: Int?
  /// The price of all of it, positive.
  private(set) var price: Total?

  /// Finds what can be folded: two postings on Exchange, of which one belongs to a single other posting.
  init(_ postings: some Sequence<Posting>) {
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
        let other = exchanged.first(where: { $0.currency != currency })
      else { continue }
      let units = Int128(other.minorUnits)
      index = found.index
      price = Total(units: units < 0 ? -units : units, currency: other.currency)
      return
    }
  }

  /// Whether a posting is said by the price.
  func isFolded(_ posting: Posting) -> Bool {
    index != nil && posting.account == .account(.exchange)
  }
}
