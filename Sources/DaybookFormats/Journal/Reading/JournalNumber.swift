import DaybookBookkeeping

/// An exact decimal number: `units` × 10^−`scale`.
///
/// All operations are checked, and return `nil` if the result doesn't fit.
struct JournalNumber: Hashable, Sendable {
  /// The signed digits without the decimal mark.
  var units: Int128
  /// The number of decimals, from 0 to `scaleMax`.
  var scale: Int

  /// The maximum number of decimals of an amount.
  ///
  /// A product can have twice as many.
  static let scaleMax = 18
  static let zero = JournalNumber(units: 0, scale: 0)

  var isZero: Bool { units == 0 }
  var isNegative: Bool { units < 0 }
  var negated: JournalNumber { JournalNumber(units: 0 &- units, scale: scale) }
  var magnitude: JournalNumber { units < 0 ? negated : self }

  /// Returns the number with at least `digits` decimals, or `nil` if it doesn't fit.
  func scaled(to digits: Int) -> JournalNumber? {
    var result = self
    while result.scale < digits {
      let (product, overflow) = result.units.multipliedReportingOverflow(by: 10)
      guard !overflow, product != .min else { return nil }
      result.units = product
      result.scale += 1
    }
    return result
  }

  func adding(_ other: JournalNumber) -> JournalNumber? {
    if scale == other.scale {
      let (sum, overflow) = units.addingReportingOverflow(other.units)
      return overflow || sum == .min ? nil : JournalNumber(units: sum, scale: scale)
    }
    let digits = max(scale, other.scale)
    guard let left = scaled(to: digits), let right = other.scaled(to: digits) else { return nil }
    return left.adding(right)
  }

  func subtracting(_ other: JournalNumber) -> JournalNumber? { adding(other.negated) }

  func multiplied(by other: JournalNumber) -> JournalNumber? {
    let (left, right) = (shortest, other.shortest)
    let (product, overflow) = left.units.multipliedReportingOverflow(by: right.units)
    guard !overflow, product != .min else { return nil }
    return JournalNumber(units: product, scale: left.scale + right.scale)
  }

  /// Returns the quotient, or `nil` if `other` is zero.
  ///
  /// The quotient is exact if it has at most 24 decimals. Otherwise it is truncated after 24
  /// decimals, or earlier if the digits don't fit.
  func divided(by other: JournalNumber) -> JournalNumber? {
    guard other.units != 0 else { return nil }
    var number = shortest
    let divisor = other.shortest
    while number.scale < divisor.scale || number.units % divisor.units != 0 {
      if number.scale - divisor.scale >= 24 { break }
      guard let next = number.scaled(to: number.scale + 1) else { break }
      number = next
    }
    guard number.scale >= divisor.scale else { return nil }
    let (quotient, overflow) = number.units.dividedReportingOverflow(by: divisor.units)
    return overflow ? nil : JournalNumber(units: quotient, scale: number.scale - divisor.scale)
  }

  /// The number without trailing zeros.
  var shortest: JournalNumber {
    var result = self
    while result.scale > 0, result.units % 10 == 0 {
      result.units /= 10
      result.scale -= 1
    }
    return result
  }

  /// Returns the number rounded to `digits` decimals, half to even.
  func rounded(to digits: Int) -> JournalNumber {
    guard scale > digits else { return self }
    var divisor: Int128 = 1
    for _ in digits..<scale {
      let (product, overflow) = divisor.multipliedReportingOverflow(by: 10)
      guard !overflow else { return JournalNumber(units: 0, scale: digits) }
      divisor = product
    }
    var (quotient, rest) = units.quotientAndRemainder(dividingBy: divisor)
    rest = rest < 0 ? 0 - rest : rest
    // This form of the comparison can't overflow, because the remainder is less than the divisor.
    let toHalf = rest - (divisor - rest)
    if toHalf > 0 || (toHalf == 0 && quotient % 2 != 0) { quotient += units < 0 ? -1 : 1 }
    return JournalNumber(units: quotient, scale: digits)
  }

  /// Returns the amount in minor units of a currency, or `nil` if it doesn't fit or has too many
  /// decimals.
  func money(_ currency: Currency) -> Money? {
    let short = shortest
    guard short.scale <= currency.digits, let scaled = short.scaled(to: currency.digits),
      let units = Int64(exactly: scaled.units)
    else { return nil }
    return Money(units, currency)
  }

  /// Returns whether both numbers have the same value.
  func equals(_ other: JournalNumber) -> Bool { shortest == other.shortest }
}

extension JournalNumber: CustomStringConvertible {
  var description: String {
    var text = String(units.magnitude)
    if scale > 0 {
      if text.utf8.count <= scale {
        text = String(repeating: "0", count: scale + 1 - text.utf8.count) + text
      }
      text.insert(".", at: text.index(text.endIndex, offsetBy: -scale))
    }
    return units < 0 ? "-" + text : text
  }
}

/// A number and the index of its commodity in the `CommodityTable`.
struct JournalAmount: Hashable, Sendable {
  var number: JournalNumber
  var commodity: Int

  /// The index used for a zero without a commodity.
  static let anyCommodity = -1
}

/// Sums by commodity, in order of first appearance.
struct JournalSum {
  private(set) var amounts: [JournalAmount] = []

  /// Adds an amount.
  ///
  /// Returns `false` if the sum doesn't fit.
  mutating func add(_ amount: JournalAmount) -> Bool {
    for index in amounts.indices where amounts[index].commodity == amount.commodity {
      guard let sum = amounts[index].number.adding(amount.number) else { return false }
      amounts[index].number = sum
      return true
    }
    amounts.append(amount)
    return true
  }

  subscript(commodity: Int) -> JournalNumber {
    amounts.first { $0.commodity == commodity }?.number ?? .zero
  }
}
