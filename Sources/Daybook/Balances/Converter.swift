import DaybookProjections

/// Converts the sums of one query day by day, and caches the conversions.
///
/// It follows the rules of Bookkeeping's `Conversion.find`: the rate of the day or the nearest
/// earlier one, either direct or inverse. If there is none, or only an old one, the amount is
/// converted through another currency. The result is rounded once.
///
/// A conversion found for a day is also valid for earlier days, back to the day of the newest rate
/// that it uses. To benefit from the cache, convert days from the last to the first.
struct Converter {
  let target: Currency
  private var pivots: [Currency]?
  private var found: [Currency: Known] = [:]

  private struct Known {
    /// The days on which the conversion is the same.
    var days: ClosedRange<Day>
    /// The conversion, or `nil` if no rate is known.
    var conversion: Conversion?
  }

  init(to target: Currency) { self.target = target }

  /// Converts an amount to the target currency; returns `nil` if no rate is known.
  mutating func convert(
    _ units: Int128, _ source: Currency, on day: Day, in snapshot: borrowing Snapshot
  ) throws -> Int128? {
    if source == target { return units }
    return try conversion(from: source, on: day, in: snapshot)?.convert(units)
  }

  /// Returns the conversion from a currency on a day, or `nil` if no rate is known.
  mutating func conversion(
    from source: Currency, on day: Day, in snapshot: borrowing Snapshot
  ) throws -> Conversion? {
    if let known = found[source], known.days.contains(day) { return known.conversion }
    let known = try look(from: source, on: day, in: snapshot)
    found[source] = known
    return known.conversion
  }

  private mutating func look(
    from source: Currency, on day: Day, in snapshot: borrowing Snapshot
  ) throws -> Known {
    // If a pair has no rate up to a day, it has none up to any earlier day.
    var since = Day(rawValue: .min)
    let path = try snapshot.path(from: source, to: target, on: day, &pivots, since: &since)
    return Known(days: since...day, conversion: path?.conversion)
  }
}

/// A running sum in the target currency.
struct ConvertedSum {
  private var units: Int128 = 0
  private var left: [Currency: (units: Int128, count: Int)] = [:]

  /// Adds a day's converted sum.
  mutating func add(_ converted: Int128) { units += converted }

  /// Adds a day's sum for which there is no rate.
  mutating func leaveOut(_ units: Int128, _ currency: Currency, count: Int) {
    left[currency, default: (0, 0)].units += units
    left[currency, default: (0, 0)].count += count
  }

  /// Adds another sum.
  mutating func add(_ other: ConvertedSum) {
    units += other.units
    for (currency, part) in other.left { leaveOut(part.units, currency, count: part.count) }
  }

  /// Whether nothing has been added or left out.
  var isEmpty: Bool { units == 0 && left.isEmpty }

  func converted(to target: Currency) -> Converted {
    Converted(
      total: Total(units: units, currency: target),
      unconverted: left.sorted { $0.key < $1.key }.map {
        Unconverted(
          total: Total(units: $0.value.units, currency: $0.key), count: $0.value.count)
      })
  }
}

extension Snapshot {
  /// Returns the conversion between two currencies on a day, directly or through another currency.
  ///
  /// - Parameters:
  ///   - known: The currencies to convert through, once they were needed.
  ///   - since: Increased to the day of the newest rate that was read. Between that day and `day`,
  ///     the path is the same, because it depends only on the rates and not on the day.
  func path(
    from source: Currency, to target: Currency, on day: Day, _ known: inout [Currency]?,
    since: inout Day
  ) throws -> ConversionPath? {
    func pivots() throws -> [Currency] {
      let found = try known ?? self.pivots()
      known = found
      return found
    }
    return try Conversion.find(from: source, to: target, on: day, pivots: try pivots()) {
      base, quoted in
      let quote = try Rates.quote(base, in: quoted, on: day, in: view)
      if let quote { since = max(since, quote.day) }
      return quote
    }
  }

  /// Returns the currencies to convert through: the base currency, followed by all others with
  /// rates.
  func pivots() throws -> [Currency] {
    var rated: Set<Currency> = []
    for pair in try Rates.pairs(in: view) {
      rated.insert(pair.base)
      rated.insert(pair.quoted)
    }
    guard let base = try settings().baseCurrency else { return rated.sorted() }
    rated.remove(base)
    return [base] + rated.sorted()
  }

  /// Returns the given base currency, or the ledger's if it is `nil`; throws if there is neither.
  func base(_ named: Currency?) throws -> Currency {
    if let base = try named ?? settings().baseCurrency { return base }
    throw DaybookError(
      code: .invalidQuery,
      message:
        "Couldn't convert amounts: the ledger has no base currency, and the query names none.",
      remedy: "Set the base currency, or pass one.")
  }
}
