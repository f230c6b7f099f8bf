/// Goal: reimplement conversions.
///
/// Method: follow rule 4 of SCENARIOS, with unreduced fractions. The amounts in tests are small
/// enough for 128 bits.
import Daybook

extension Oracle {
  /// Converts an amount at the rates of a day, or returns `nil` if no rate is known.
  func converted(_ units: Int128, _ from: Currency, _ to: Currency, _ day: Day) -> Int128? {
    if from == to { return units }
    return path(from, to, day).map { rounded(units, $0, from, to) }
  }

  /// Returns the rates of the first path, directly or through another currency, that is at most 30
  /// days older than the newest one.
  private func path(_ from: Currency, _ to: Currency, _ day: Day) -> [Rating]? {
    var paths: [[Rating]] = []
    if let step = step(from, to, day) { paths.append([step]) }
    var rated = Set(rates.map(\.base)).union(rates.map(\.quoted)).sorted { $0.code < $1.code }
    if let base = settings?.baseCurrency {
      rated = [base] + rated.filter { $0 != base }
    }
    for between in rated where between != from && between != to {
      if let first = step(from, between, day), let second = step(between, to, day) {
        paths.append([first, second])
      }
    }
    func age(_ path: [Rating]) -> Int {
      path.map { $0.day.distance(to: day) }.max() ?? 0
    }
    let least = paths.map(age).min() ?? 0
    return paths.first { age($0) <= least + 30 }
  }

  private struct Rating {
    var quote: Quote
    var day: Day
    var isInverse: Bool
  }

  /// Returns the newest rate between two currencies on or before the day.
  private func step(_ from: Currency, _ to: Currency, _ day: Day) -> Rating? {
    func newest(_ base: Currency, _ quoted: Currency) -> ExchangeRate? {
      rates.filter { $0.base == base && $0.quoted == quoted && $0.day <= day }
        .max { $0.day < $1.day }
    }
    let direct = newest(from, to)
    let inverse = newest(to, from)
    if let direct, inverse.map({ $0.day <= direct.day }) ?? true {
      return Rating(quote: direct.quote, day: direct.day, isInverse: false)
    }
    return inverse.map { Rating(quote: $0.quote, day: $0.day, isInverse: true) }
  }

  /// Returns the factor of a conversion as a fraction, or `nil` if no rate is known.
  func fraction(_ from: Currency, _ to: Currency, _ day: Day) -> (above: Int128, below: Int128)? {
    if from == to { return (1, 1) }
    return path(from, to, day).map { fraction($0, from, to) }
  }

  private func fraction(
    _ steps: [Rating], _ from: Currency, _ to: Currency
  ) -> (above: Int128, below: Int128) {
    var (above, below): (Int128, Int128) = (1, 1)
    var tens = to.digits - from.digits
    for step in steps {
      if step.isInverse {
        below *= Int128(step.quote.mantissa)
        tens += Int(step.quote.scale)
      } else {
        above *= Int128(step.quote.mantissa)
        tens -= Int(step.quote.scale)
      }
    }
    for _ in 0..<abs(tens) { if tens > 0 { above *= 10 } else { below *= 10 } }
    return (above, below)
  }

  private func rounded(
    _ units: Int128, _ steps: [Rating], _ from: Currency, _ to: Currency
  ) -> Int128 {
    let factor = fraction(steps, from, to)
    let below = factor.below.magnitude
    let above = units.magnitude * factor.above.magnitude
    var (whole, rest) = above.quotientAndRemainder(dividingBy: below)
    if rest * 2 > below || (rest * 2 == below && whole % 2 == 1) { whole += 1 }
    return units < 0 ? -Int128(whole) : Int128(whole)
  }
}
