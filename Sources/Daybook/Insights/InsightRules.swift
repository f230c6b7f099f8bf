/// Computes insights from figures in any currency.
enum InsightRules {
  /// Returns the largest positive totals, each with its share of the sum of all positive totals.
  ///
  /// If totals are equal, the category recorded later comes first.
  static func shares(of totals: [(category: Category, total: Total)], limit: Int)
    -> [CategoryShare]
  {
    let found = totals.filter { $0.total.units > 0 }
    let sum = found.reduce(Int128(0)) { $0 + $1.total.units }
    return found.sorted {
      ($1.total.units, $0.category.number) < ($0.total.units, $1.category.number)
    }.prefix(limit).map {
      CategoryShare(category: $0.category, total: $0.total, share: Ratio($0.total.units, of: sum))
    }
  }

  /// Returns the categories whose total is at least `timesPerMille` ÷ 1,000 times the usual total,
  /// highest ratio first.
  ///
  /// - Parameters:
  ///   - totals: The totals of the month.
  ///   - before: The sum of the preceding months for each category.
  ///   - months: The number of preceding months.
  static func spikes(
    in totals: [(category: Category, total: Total)], before: [CategoryID: Int128],
    months: Int, timesPerMille: Int
  ) -> [Spike] {
    let count = Int128(months)
    var found: [Spike] = []
    for (category, now) in totals {
      guard let sum = before[category.id], sum > 0, now.units > 0,
        !isLess((count * now.units, 1_000), (sum, Int128(timesPerMille))),
        let times = Ratio(count * now.units, of: sum)
      else { continue }
      let usual = Total(units: rounded(sum, by: count), currency: now.currency)
      found.append(Spike(category: category, total: now, usual: usual, times: times))
    }
    return found.sorted { left, right in
      let ofLeft = (left.times.part, right.times.whole)
      let ofRight = (right.times.part, left.times.whole)
      if isLess(ofRight, ofLeft) { return true }
      return !isLess(ofLeft, ofRight) && left.category.number < right.category.number
    }
  }

  /// Returns the number of figures at the end of a list that each exceed the previous one.
  static func streak(of figures: [Int128], limit: Int) -> Int {
    var streak = 0
    while streak < limit {
      let index = figures.count - 1 - streak
      guard index > 0, figures[index] > figures[index - 1] else { break }
      streak += 1
    }
    return streak
  }

  /// Returns the elements with the greatest and the least figure; of equal elements, the first.
  static func extremes<Element>(
    of figures: [(element: Element, figure: Int128)]
  ) -> (best: Element, worst: Element)? {
    guard let first = figures.first else { return nil }
    let best = figures.dropFirst().reduce(first) { $1.figure > $0.figure ? $1 : $0 }
    let worst = figures.dropFirst().reduce(first) { $1.figure < $0.figure ? $1 : $0 }
    return (best.element, worst.element)
  }

  /// Returns how long `worth` lasts if spending continues at the given rate.
  ///
  /// Returns `nil` if nothing was spent.
  static func runway(worth: Total, spent: Int128, months: Int128) -> Runway? {
    guard spent > 0 else { return nil }
    let tenths = worth.units > 0 ? worth.units * 10 * months / spent : 0
    return Runway(
      worth: worth, expense: Total(units: rounded(spent, by: months), currency: worth.currency),
      tenthsOfMonths: Int(clamping: tenths))
  }
}

/// Returns whether one product is less than another; the products may exceed `Int128`.
private func isLess(_ left: (Int128, Int128), _ right: (Int128, Int128)) -> Bool {
  let (first, second) = (
    left.0.multipliedFullWidth(by: left.1), right.0.multipliedFullWidth(by: right.1)
  )
  return first.high != second.high ? first.high < second.high : first.low < second.low
}

/// Returns a quotient rounded half away from zero; the divisor must be positive.
func rounded(_ number: Int128, by divisor: Int128) -> Int128 {
  let half = divisor / 2
  return number < 0 ? -((-number + half) / divisor) : (number + half) / divisor
}
