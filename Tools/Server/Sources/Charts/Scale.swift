/// A value axis from one round number to another, with grid lines at round numbers.
struct Scale {
  let least: Double
  let most: Double
  let step: Double

  /// Creates an axis that includes all values, and 0 if `hasZero` is true.
  init(_ values: [Double], hasZero: Bool, markCount: Int = 4) {
    let finite = values.filter(\.isFinite)
    var low = finite.min() ?? 0
    var high = finite.max() ?? 1
    if hasZero {
      low = min(low, 0)
      high = max(high, 0)
    }
    if low == high {
      high += max(1, high.magnitude / 10)
    }
    step = Self.round((high - low) / Double(markCount))
    least = (low / step).rounded(.down) * step
    most = (high / step).rounded(.up) * step
  }

  /// The values of the grid lines in ascending order.
  var marks: [Double] {
    let count = Int(((most - least) / step).rounded())
    return (0...max(1, count)).map { least + Double($0) * step }
  }

  /// Returns the coordinate of a value between `bottom` and `top`.
  func place(_ value: Double, bottom: Double, top: Double) -> Double {
    bottom - (value - least) / (most - least) * (bottom - top)
  }

  /// Rounds up to 1, 2 or 5 times a power of ten.
  private static func round(_ step: Double) -> Double {
    var power = 1.0
    while power * 10 <= step { power *= 10 }
    while power > step { power /= 10 }
    for factor in [1.0, 2, 5] where factor * power >= step { return factor * power }
    return 10 * power
  }
}
