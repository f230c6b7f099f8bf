/// Goal: reimplement insights. Method: apply the formulas in their documentation to sums of all
/// postings, and round quotients by their remainder.
import Daybook

/// A ratio in lowest terms.
struct Share: Equatable {
  var part: Int128
  var whole: Int128
  var perMille: Int

  /// Converts a ratio of the ledger.
  init(_ ratio: Ratio) {
    (part, whole) = Share.lowest(ratio.part, ratio.whole)
    perMille = ratio.perMille
  }

  /// Creates a ratio, or returns `nil` unless `whole` is positive.
  init?(_ part: Int128, of whole: Int128) {
    guard whole > 0 else { return nil }
    (self.part, self.whole) = Share.lowest(part, whole)
    perMille = Int(clamping: quotient(part * 1_000, whole))
  }

  private static func lowest(_ part: Int128, _ whole: Int128) -> (Int128, Int128) {
    var (divisor, rest) = (abs(part), whole)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    return (part / max(1, divisor), whole / max(1, divisor))
  }
}

/// Returns a quotient rounded half away from zero.
///
/// The divisor must be positive.
func quotient(_ number: Int128, _ divisor: Int128) -> Int128 {
  let size = abs(number)
  let whole = size / divisor + (2 * (size % divisor) >= divisor ? 1 : 0)
  return number < 0 ? -whole : whole
}

/// The comparison of a month with the previous month.
struct MonthFigures: Equatable {
  var month: Month
  var totals: CurrencyTotals
  var before: CurrencyTotals
  /// The increase of income, expenses and net income.
  var more: [Total]
}

/// A category with a high total, or with an unusually high total.
struct CategoryFigures: Equatable {
  var category: Daybook.Category
  var total: Total
  var usual: Total?
  var share: Share?
}

/// The figures of a runway.
struct RunwayFigures: Equatable {
  var worth: Total
  var expense: Total
  var tenthsOfMonths: Int
}

extension Oracle {
  /// Returns the totals of one currency, or zeros if the currency isn't used.
  func totals(_ currency: Currency, _ isCounted: (Day) -> Bool) -> CurrencyTotals {
    let nothing = Total(units: 0, currency: currency)
    return figures(isCounted).first { $0.currency == currency }
      ?? CurrencyTotals(
        currency: currency, income: nothing, expense: nothing, transfers: nothing, count: 0)
  }

  private func totals(_ currency: Currency, of month: Month, _ today: Day) -> CurrencyTotals {
    totals(currency) { $0.monthOf == month && $0 <= today }
  }

  private func left(_ totals: CurrencyTotals) -> Int128 {
    totals.income.units - totals.expense.units
  }

  /// Returns the first month with figures in a currency.
  private func firstMonth(_ currency: Currency) -> Month? {
    Set(transactions.map(\.day.monthOf)).sorted().first { month in
      figures { $0.monthOf == month }.contains { $0.currency == currency }
    }
  }

  func monthOverMonth(_ month: Month, _ currency: Currency, today: Day) -> MonthFigures {
    let now = totals(currency, of: month, today)
    let before = totals(currency, of: month.adding(-1), today)
    let more = [
      now.income.units - before.income.units, now.expense.units - before.expense.units,
      left(now) - left(before),
    ]
    return MonthFigures(
      month: month, totals: now, before: before,
      more: more.map { Total(units: $0, currency: currency) })
  }

  func averagePerDay(_ days: Range<Day>, _ currency: Currency, today: Day) -> Total {
    let end = min(days.upperBound.rawValue, today.rawValue + 1)
    let count = Int128(end) - Int128(days.lowerBound.rawValue)
    let spent = totals(currency) { days.contains($0) && $0 <= today }.expense.units
    return Total(units: count > 0 ? quotient(spent, count) : 0, currency: currency)
  }

  /// Returns the total of a category, including or excluding its subcategories.
  private func taken(
    _ category: Daybook.Category, _ rollUp: Bool, _ currency: Currency, _ isCounted: (Day) -> Bool
  ) throws -> Int128 {
    let members = try family(category.id, withSubcategories: rollUp)
    var units: Int128 = 0
    for row in exclusions.counted(transactions) where isCounted(row.day) {
      for posting in row.postings where posting.isIn(members) && posting.amount.currency == currency
      {
        units += Int128(posting.amount.minorUnits)
      }
    }
    return category.kind == .expense ? units : -units
  }

  func topCategories(
    _ kind: CategoryKind, rollUp: Bool, _ currency: Currency, limit: Int,
    _ isCounted: (Day) -> Bool
  ) throws -> [CategoryFigures] {
    let listed = everyCategory.filter { $0.kind == kind && !(rollUp && $0.parent != nil) }
    let taken = try listed.map { ($0, try self.taken($0, rollUp, currency, isCounted)) }
      .filter { $0.1 > 0 }
    let sum = taken.map(\.1).reduce(0, +)
    return taken.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0.number < $1.0.number }.prefix(limit)
      .map { category, units in
        CategoryFigures(
          category: category, total: Total(units: units, currency: currency),
          share: Share(units, of: sum))
      }
  }

  func spikes(_ month: Month, _ currency: Currency, timesPerMille: Int, today: Day) throws
    -> [CategoryFigures]
  {
    var found: [(figures: CategoryFigures, now: Int128, before: Int128)] = []
    let first = firstMonth(currency)
    let count = Int128((1...3).count { back in first.map { $0 <= month.adding(-back) } ?? false })
    for category in everyCategory where category.kind == .expense {
      let now = try taken(category, false, currency) { $0.monthOf == month && $0 <= today }
      let before = try taken(category, false, currency) { day in
        (1...3).contains(day.monthOf.distance(to: month)) && day <= today
      }
      guard before > 0, now > 0, count * now * 1_000 >= before * Int128(timesPerMille) else {
        continue
      }
      let figures = CategoryFigures(
        category: category, total: Total(units: now, currency: currency),
        usual: Total(units: quotient(before, count), currency: currency),
        share: Share(count * now, of: before))
      found.append((figures, now, before))
    }
    return found.sorted { one, other in
      let (left, right) = (one.now * other.before, other.now * one.before)
      return left != right
        ? left > right : one.figures.category.number < other.figures.category.number
    }.map(\.figures)
  }

  func growthStreak(_ month: Month, _ currency: Currency, limit: Int, today: Day) -> Int {
    let first = firstMonth(currency)
    for streak in 0..<limit {
      guard let first, first < month.adding(-streak) else { return streak }
      let now = totals(currency, of: month.adding(-streak), today).expense.units
      let before = totals(currency, of: month.adding(-streak - 1), today).expense.units
      if now <= before { return streak }
    }
    return limit
  }

  func savingsRate(_ days: Range<Day>, _ currency: Currency, today: Day) -> Share? {
    let found = totals(currency) { days.contains($0) && $0 <= today }
    return Share(left(found), of: found.income.units)
  }

  /// Returns the best and the worst month, or an empty array.
  func bestAndWorst(_ months: Range<Month>, _ currency: Currency, today: Day) -> [MonthTotals] {
    let found = months.map { month in
      MonthTotals(month: month, totals: figures { $0.monthOf == month && $0 <= today })
    }.filter { $0.totals.contains { $0.currency == currency } }
    let left = found.map { month in
      month.totals.filter { $0.currency == currency }.map { self.left($0) }.reduce(0, +)
    }
    guard let most = left.max(), let least = left.min(), let best = left.firstIndex(of: most),
      let worst = left.firstIndex(of: least)
    else { return [] }
    return [found[best], found[worst]]
  }

  func runway(_ currency: Currency, months: Int, today: Day) throws -> RunwayFigures? {
    let first = firstMonth(currency)
    let count = (1...max(1, months)).count { back in
      first.map { $0 <= today.monthOf.adding(-back) } ?? false
    }
    let spent = (1...max(1, months)).map {
      totals(currency, of: today.monthOf.adding(-$0), today).expense.units
    }.reduce(0, +)
    guard spent > 0 else { return nil }
    var worth = Total(units: 0, currency: currency)
    for account in accounts
    where account.kind != .equity && account.currency == currency && !account.isExcludedFromTotals {
      worth.units += try balance(account.id, on: today).units
    }
    return RunwayFigures(
      worth: worth,
      expense: Total(units: quotient(spent, Int128(count)), currency: currency),
      tenthsOfMonths: Int(clamping: max(0, worth.units) * 10 * Int128(count) / spent))
  }
}
