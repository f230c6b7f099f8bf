extension Conversion {
  /// Converts the parts of a sum such that the results add up to the converted sum.
  ///
  /// The sum is converted and rounded as by ``convert(_:)-(Int128)``. Each part is rounded down, and
  /// the parts with the largest remainders, of equal ones the first, get one minor unit more until
  /// the sum is reached.
  ///
  /// - Throws: `MoneyError.overflow` if a result is too large.
  package func shares(of parts: [Int128]) throws(MoneyError) -> [Int128] {
    var shares: [Int128] = []
    var remainders: [UInt128] = []
    for part in parts {
      let (share, remainder) = try roundedDown(part)
      shares.append(share)
      remainders.append(remainder)
    }
    let rest = try convert(parts.reduce(0, +)) - shares.reduce(0, +)
    let order = parts.indices.sorted { (remainders[$1], $0) < (remainders[$0], $1) }
    for index in order.prefix(Int(clamping: rest)) { shares[index] += 1 }
    return shares
  }

  private func roundedDown(_ units: Int128) throws(MoneyError) -> (Int128, remainder: UInt128) {
    let product = units.magnitude.multipliedFullWidth(by: numerator)
    guard product.high < denominator else {
      throw .overflow("\(Total(units: units, currency: source)) in \(target)")
    }
    let (whole, rest) = denominator.dividingFullWidth((product.high, product.low))
    guard let size = Int128(exactly: whole), size < .max else {
      throw .overflow("\(Total(units: units, currency: source)) in \(target)")
    }
    if units >= 0 { return (size, rest) }
    return rest == 0 ? (-size, 0) : (-size - 1, denominator - rest)
  }
}
