extension Conversion {
  /// Finds the conversion between two currencies on a day, or returns `nil` if there are no
  /// suitable rates.
  ///
  /// 1. A currency converts to itself.
  /// 2. The newest rate from `source` to `target` and the newest rate from `target` to `source`, on
  ///    or before the day, are compared. The later rate is used; if both are from the same day, the
  ///    first.
  /// 3. Otherwise, the conversion goes through the first of `pivots` for which rule 2 finds rates
  ///    to both currencies. Pass the ledger's base currency first, then the other currencies that
  ///    have rates, ordered by code.
  ///
  /// All conversions use this function, so that recorded amounts and totals follow the same rules.
  ///
  /// - Parameter rate: Returns the newest rate from the first currency to the second on or before
  ///   the day.
  /// - Throws: `MoneyError.overflow` if the rates can't be combined, and any error that `rate`
  ///   throws.
  public static func find(
    from source: Currency, to target: Currency, pivots: [Currency],
    rate: (_ base: Currency, _ quote: Currency) throws -> DatedQuote?
  ) throws -> Conversion? {
    if source == target { return Conversion(identity: source) }
    if let pair = try pair(from: source, to: target, rate: rate) { return pair }
    for pivot in pivots where pivot != source && pivot != target {
      guard let first = try pair(from: source, to: pivot, rate: rate) else { continue }
      guard let second = try pair(from: pivot, to: target, rate: rate) else { continue }
      return try Conversion(first, then: second)
    }
    return nil
  }

  private static func pair(
    from source: Currency, to target: Currency,
    rate: (_ base: Currency, _ quote: Currency) throws -> DatedQuote?
  ) throws -> Conversion? {
    let direct = try rate(source, target)
    let inverse = try rate(target, source)
    if let direct, direct.day >= inverse?.day ?? direct.day {
      return try Conversion(direct: direct.quote, from: source, to: target)
    }
    return try inverse.map { try Conversion(inverse: $0.quote, from: source, to: target) }
  }
}
