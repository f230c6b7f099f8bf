/// Goal: reimplement what transactions cost in the currency of their account. Method: replace the
/// categories' postings in another currency by postings of their cost.
import Daybook

extension Oracle {
  /// Returns transactions with the categories' cost in a currency, where they state it.
  func valued(_ rows: [Transaction], in base: Currency) -> [Transaction] {
    rows.map { valued($0, in: base) }
  }

  private func valued(_ row: Transaction, in base: Currency) -> Transaction {
    func sum(_ postings: [Posting]) -> Int128 {
      postings.map { Int128($0.amount.minorUnits) }.reduce(0, +)
    }
    let postings = Array(row.postings)
    let onCategories = postings.filter {
      if case .category = $0.account { true } else { false }
    }
    let onAccounts = postings.filter {
      if case .category = $0.account { false } else { !$0.isInEquity }
    }
    let foreign = onCategories.filter { $0.amount.currency != base }
    guard Set(onAccounts.map(\.account)).count == 1, Set(foreign.map(\.amount.currency)).count == 1,
      onAccounts.allSatisfy({ $0.amount.currency == base })
    else { return row }
    let cost = -sum(onAccounts) - sum(onCategories.filter { $0.amount.currency == base })
    let whole = sum(foreign)
    if whole == 0 || (cost > 0 && whole < 0) || (cost < 0 && whole > 0) { return row }
    var places: [PostingAccount] = []
    for posting in foreign where !places.contains(posting.account) {
      places.append(posting.account)
    }
    let nets = places.map { place in sum(foreign.filter { $0.account == place }) }
    if (nets + [cost]).contains(where: { Int64(exactly: $0) == nil }) { return row }
    // Start well below each share, and give out the rest one by one where most is missing.
    var shares = nets.map { net in net * cost / whole - 1 }
    func missing(_ index: Int) -> Int128 {
      (nets[index] * cost - shares[index] * whole) * whole.signum()
    }
    while shares.reduce(0, +) < cost {
      guard
        let next = shares.indices.max(by: {
          missing($0) < missing($1) || missing($0) == missing($1) && $0 > $1
        })
      else { break }
      shares[next] += 1
    }
    let costs = zip(places, shares).map { Posting($0, Money(Int64(clamping: $1), base)) }
    var valued = row
    valued.postings = SharedList(postings.filter { !foreign.contains($0) } + costs)
    return valued
  }
}
