/// The way from one currency to another on a day: a conversion, and the rates that it combines.
public struct ConversionPath: Hashable, Sendable {
  /// The conversion.
  public let conversion: Conversion
  /// The rates in the order in which they apply, as recorded: one, two for a conversion through
  /// another currency, or none between equal currencies.
  public let rates: [ExchangeRate]

  /// The day of the oldest rate, which is the age of the result; `nil` without rates.
  public var oldestDay: Day? { rates.map(\.day).min() }

  /// The number of days after which a rate counts as old.
  ///
  /// A path whose oldest rate is older than that of another path by more days isn't used.
  public static let oldRateDayCount = 30

  /// Returns the rates that are old on a day: more than ``oldRateDayCount`` days before it.
  public func oldRates(on day: Day) -> [ExchangeRate] {
    rates.filter { $0.day.distance(to: day) > ConversionPath.oldRateDayCount }
  }
}

extension Conversion {
  /// Finds the conversion between two currencies on a day, or returns `nil` if there are no
  /// suitable rates.
  ///
  /// 1. A currency converts to itself.
  /// 2. Between two currencies, the newest rate from `source` to `target` and the newest rate from
  ///    `target` to `source`, on or before the day, are compared. The later rate is used; if both
  ///    are from the same day, the first.
  /// 3. The direct path uses rule 2. Each of `pivots` makes another path if rule 2 finds rates to
  ///    both currencies. Pass the ledger's base currency first, then the other currencies that have
  ///    rates, ordered by code.
  /// 4. A path is as old as its oldest rate. The first path that is at most
  ///    ``ConversionPath/oldRateDayCount`` days older than the newest path is used.
  ///
  /// For example, a rate from USD to EUR of 2011 loses to rates of this month from USD to GBP and
  /// from GBP to EUR. Only rates on or before the day count, so that a new rate never changes
  /// earlier days. All conversions use this function, so that recorded amounts and totals follow
  /// the same rules.
  ///
  /// - Parameters:
  ///   - pivots: Evaluated only if the direct rate is missing or old.
  ///   - rate: Returns the newest rate from the first currency to the second on or before the day.
  /// - Throws: `MoneyError.overflow` if the rates can't be combined, and any error that `rate`
  ///   throws.
  public static func find(
    from source: Currency, to target: Currency, on day: Day,
    pivots: @autoclosure () throws -> [Currency],
    rate: (_ base: Currency, _ quote: Currency) throws -> DatedQuote?
  ) throws -> ConversionPath? {
    if source == target {
      return ConversionPath(conversion: Conversion(identity: source), rates: [])
    }
    // No path is newer than the day.
    let recent = day.adding(days: -ConversionPath.oldRateDayCount)
    var paths: [(steps: [Step], day: Day)] = []
    if let direct = try step(from: source, to: target, rate: rate) {
      if direct.rate.day >= recent { return try path([direct]) }
      paths.append(([direct], direct.rate.day))
    }
    for pivot in try pivots() where pivot != source && pivot != target {
      guard let first = try step(from: source, to: pivot, rate: rate) else { continue }
      guard let second = try step(from: pivot, to: target, rate: rate) else { continue }
      let oldest = min(first.rate.day, second.rate.day)
      if paths.isEmpty, oldest >= recent { return try path([first, second]) }
      paths.append(([first, second], oldest))
    }
    guard let newest = paths.map(\.day).max() else { return nil }
    let limit = newest.adding(days: -ConversionPath.oldRateDayCount)
    return try paths.first { $0.day >= limit }.map { try path($0.steps) }
  }

  /// The newest rate between two currencies, as recorded, and the direction of its use.
  private struct Step {
    let rate: ExchangeRate
    let isInverse: Bool

    func conversion() throws(MoneyError) -> Conversion {
      isInverse
        ? try Conversion(inverse: rate.quote, from: rate.quoted, to: rate.base)
        : try Conversion(direct: rate.quote, from: rate.base, to: rate.quoted)
    }
  }

  private static func path(_ steps: [Step]) throws(MoneyError) -> ConversionPath {
    var conversion = try steps[0].conversion()
    for step in steps.dropFirst() {
      conversion = try Conversion(conversion, then: step.conversion())
    }
    return ConversionPath(conversion: conversion, rates: steps.map(\.rate))
  }

  private static func step(
    from source: Currency, to target: Currency,
    rate: (_ base: Currency, _ quote: Currency) throws -> DatedQuote?
  ) throws -> Step? {
    let direct = try rate(source, target)
    let inverse = try rate(target, source)
    if let direct, direct.day >= inverse?.day ?? direct.day {
      let rate = ExchangeRate(base: source, quoted: target, day: direct.day, quote: direct.quote)
      return Step(rate: rate, isInverse: false)
    }
    return inverse.map {
      Step(
        rate: ExchangeRate(base: target, quoted: source, day: $0.day, quote: $0.quote),
        isInverse: true)
    }
  }
}
