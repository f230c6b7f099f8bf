/// Goal: reimplement the causes of a change of the net worth. Method: classify every posting of the days.
import Daybook

extension Oracle {
  func worthChange(_ days: Range<Day>, _ base: Currency?) throws -> WorthChange {
    guard let base = base ?? settings?.baseCurrency, let last = days.last else {
      throw Unanswerable()
    }
    let before = days.lowerBound.adding(days: -1)
    let totals = try baseTotals(base) { days.contains($0) }
    var other = ConvertedParts()
    func add(_ units: Int128, _ currency: Currency, _ day: Day, _ count: Int) {
      if units == 0 { return }
      let total = Total(units: units, currency: currency)
      other.add(total, converted(units, currency, base, day), count)
    }
    let exclusions = exclusions
    // What came from Outside and Opening is converted together for each day and currency.
    for (day, rows) in rowsByDay({ days.contains($0) }) {
      var sums: [Currency: (units: Int128, count: Int)] = [:]
      for row in rows where !exclusions.isElsewhere(row) {
        let outside = row.postings.filter {
          $0.account == .account(.outside) || $0.account == .account(.opening)
        }
        for currency in Set(outside.map(\.amount.currency)) {
          sums[currency, default: (0, 0)].count += 1
        }
        for posting in outside {
          sums[posting.amount.currency, default: (0, 0)].units -= Int128(posting.amount.minorUnits)
        }
      }
      for (currency, sum) in sums { add(sum.units, currency, day, sum.count) }
    }
    for account in accounts where !account.isExcludedFromTotals {
      if account.kind == .equity {
        let rows = transactions.filter {
          touches($0, .account(account.id)) && days.contains(day(of: $0, on: account.id))
        }
        for (day, rows) in Dictionary(grouping: rows, by: { self.day(of: $0, on: account.id) }) {
          let units = rows.flatMap(\.postings).filter { $0.account == .account(account.id) }
            .reduce(Int128(0)) { $0 - Int128($1.amount.minorUnits) }
          add(units, account.currency, day, rows.count)
        }
      } else if let day = account.openingDay, days.contains(day) {
        add(Int128(account.openingBalance), account.currency, day, 1)
      }
    }
    for (day, sign) in [(before, Int128(1)), (last, -1)] {
      for row in transactions {
        var sums: [Currency: Int128] = [:]
        for posting in row.postings where !posting.isInEquity {
          guard case .account(let id) = posting.account,
            let account = accounts.first(where: { $0.id == id }), account.kind != .equity,
            !account.isExcludedFromTotals
          else { continue }
          let arrives = self.day(of: row, on: id)
          // Far-away days are not looked at.
          if abs(Int(arrives.rawValue) - Int(day.rawValue)) > LedgerLimits.onTheWayDayCountMax {
            continue
          }
          let units = Int128(posting.amount.minorUnits)
          if row.day <= day, arrives > day { sums[posting.amount.currency, default: 0] += units }
          if row.day > day, arrives <= day { sums[posting.amount.currency, default: 0] -= units }
        }
        for (currency, units) in sums { add(sign * units, currency, day, 1) }
      }
    }
    var excluded = ConvertedParts()
    for (day, rows) in rowsByDay({ days.contains($0) }, valuedIn: base) {
      var sums: [Currency: (units: Int128, count: Int)] = [:]
      for row in rows where !exclusions.isElsewhere(row) {
        var own: [Currency: Int128] = [:]
        for posting in row.postings {
          let isOut =
            posting.accountID.map { exclusions.accounts.contains($0) }
            ?? isLeftOut(posting, of: row, exclusions)
          if isOut {
            own[posting.amount.currency, default: 0] -= Int128(posting.amount.minorUnits)
          }
        }
        for (currency, units) in own where units != 0 {
          sums[currency, default: (0, 0)].units += units
          sums[currency, default: (0, 0)].count += 1
        }
      }
      for (currency, sum) in sums where sum.units != 0 {
        excluded.add(
          Total(units: sum.units, currency: currency), converted(sum.units, currency, base, day),
          sum.count)
      }
    }
    return WorthChange(
      first: days.lowerBound, last: last, start: try baseNetWorth(on: before, base),
      end: try baseNetWorth(on: last, base), income: totals.income, expense: totals.expense,
      other: other.converted(to: base), excluded: excluded.converted(to: base))
  }
}
