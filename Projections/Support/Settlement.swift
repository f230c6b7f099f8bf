package import DaybookBookkeeping

/// What the categories of a transaction cost in the currency of its account, if they are in another
/// one.
///
/// If 20 CHF were charged to an account as 21.24 EUR, the transaction itself states that its
/// categories cost 21.24 EUR. Converted figures in EUR use that amount instead of a rate.
///
/// A transaction states it if it has one account, and if all parts that aren't in the account's
/// currency have the same currency. Parts in the account's currency cost what they are, and the
/// parts in the other currency cost what remains of the account's change, in proportion to their
/// amounts. The sum of all parts is therefore exactly the account's change.
package struct Settlement: Hashable, Sendable {
  /// The currency of the account.
  package let currency: Currency
  /// The currency of the parts.
  package let original: Currency
  /// The sum of the parts in their own currency, in minor units.
  let sum: Int128
  /// The cost of the parts in the account's currency.
  let cost: Int128
}

/// What one line of a transaction costs in the currency of its account.
package struct SettledLine: Hashable, Sendable {
  /// The position of the line.
  package let position: Int
  /// The cost, in minor units of the account's currency; negative like the line's net.
  package let cost: Int128
}

extension Lines {
  /// The cost of the categories in the account's currency, if the transaction states it.
  package var settlement: Settlement? {
    if isInOneCurrency { return nil }
    var account: Line?
    for position in 0..<count where !self[position].isCategory {
      if self[position].isBuiltInEquity { continue }
      if account != nil { return nil }
      account = self[position]
    }
    guard let account else { return nil }
    var original: Currency?
    var (own, sum): (Int128, Int128) = (0, 0)
    for position in 0..<count where self[position].isCategory {
      let line = self[position]
      if line.currency == account.currency {
        own += line.net
      } else {
        guard original ?? line.currency == line.currency, Int64(exactly: line.net) != nil
        else { return nil }
        original = line.currency
        sum += line.net
      }
    }
    let cost = -(account.net + own)
    // Without a common sign, the parts have no proportion.
    guard let original, sum != 0, cost == 0 || (cost > 0) == (sum > 0), Int64(exactly: cost) != nil
    else { return nil }
    return Settlement(currency: account.currency, original: original, sum: sum, cost: cost)
  }

  private var isInOneCurrency: Bool {
    for position in 1..<max(count, 1) where self[position].currency != self[0].currency {
      return false
    }
    return true
  }

  /// Divides a settlement's cost among its lines in proportion to their nets.
  ///
  /// The costs are rounded down. The lines with the largest remainders, and of equal ones the first,
  /// get the rest.
  package func settled(_ settlement: Settlement) -> [SettledLine] {
    var parts: [(position: Int, cost: Int128, remainder: UInt128)] = []
    var rest = settlement.cost
    for position in 0..<count {
      let line = self[position]
      guard line.isCategory, line.currency == settlement.original else { continue }
      var (cost, remainder) = (line.net * settlement.cost)
        .quotientAndRemainder(dividingBy: settlement.sum)
      if remainder != 0, (remainder < 0) != (settlement.sum < 0) {
        cost -= 1
        remainder += settlement.sum
      }
      rest -= cost
      parts.append((position, cost, remainder.magnitude))
    }
    let order = parts.indices.sorted {
      (parts[$1].remainder, $0) < (parts[$0].remainder, $1)
    }
    for index in order.prefix(Int(clamping: rest)) { parts[index].cost += 1 }
    return parts.map { SettledLine(position: $0.position, cost: $0.cost) }
  }
}
