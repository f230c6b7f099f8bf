extension Conversion {
  /// The conversion between two currencies on a day, from the rates there are, or `nil`.
  ///
  /// 1. A currency converts to itself.
  /// 2. Of the newest rate of `source` in `target` and the newest of `target` in `source`, none later
  ///    than the day, the later one counts; of the same day, the first.
  /// 3. Otherwise through the first of `pivots` to which rule 2 finds a way from both. Give the
  ///    ledger's base currency first, then the others that have rates in order of their codes.
  ///
  /// Whoever converts uses this one function, so that a recorded amount and a total follow the same
  /// rules.
  ///
  /// - Parameter rate: the newest rate of the first currency in the second, no later than the day.
  /// - Throws: `MoneyError.overflow` where the rates do not combine into one; what `rate` throws.
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
