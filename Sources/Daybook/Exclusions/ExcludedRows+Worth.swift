internal import DaybookEngine
internal import DaybookProjections

extension ExcludedRows {
  /// The amounts in one currency on one day, and the number of transactions that make them up.
  struct Amount: Hashable, Sendable {
    var units: Int128 = 0
    var count = 0
  }

  /// Returns, by day and currency, how what is left out changes the balances that count.
  ///
  /// These are the parts that are left out and the money that comes from excluded accounts. A
  /// transaction that has only excluded accounts changes none of these balances.
  func worthChanges(
    on days: Range<Day>, settledIn base: Currency
  ) -> [Day: [Currency: Amount]] {
    var found: [Day: [Currency: Amount]] = [:]
    for row in rows(on: days) where !row.isElsewhere {
      var sums: [Currency: Int128] = [:]
      let lines = row.lines
      let costs = lines.costs(in: base)
      for position in 0..<lines.count where isLeftOut(lines[position], of: row) {
        let line = lines[position]
        guard line.isCategory else { continue }
        let cost = costs[position]
        sums[cost == nil ? line.currency : base, default: 0] -= cost ?? line.net
      }
      for part in row.parts where part.isOnAccount && part.isExcluded {
        sums[part.currency, default: 0] -= Int128(part.units)
      }
      for (currency, units) in sums where units != 0 {
        found[row.place.day, default: [:]][currency, default: Amount()].units += units
        found[row.place.day, default: [:]][currency, default: Amount()].count += 1
      }
    }
    return found
  }

  /// Returns, by day and currency, the amounts that came from Outside and Opening to transactions
  /// that have only excluded accounts.
  func outside(on days: Range<Day>) -> [Day: [Currency: Int128]] {
    var found: [Day: [Currency: Int128]] = [:]
    let exchange = PostingAccountCode.exchange.builtinNumber
    for row in rows(on: days) where row.isElsewhere {
      for part in row.parts
      where part.kind == .account && !part.isOnAccount && part.number != exchange {
        found[row.place.day, default: [:]][part.currency, default: 0] -= Int128(part.units)
      }
    }
    return found
  }
}
