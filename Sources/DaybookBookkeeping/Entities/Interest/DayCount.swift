/// The rule that turns days into fractions of a year.
public enum DayCount: UInt8, NamedChoice {
  /// Actual/365 fixed: each day is 1/365 of a year, also in leap years.
  case actual365 = 0
  /// Actual/actual (ISDA): each day is 1/366 of a year if it begins in a leap year, otherwise 1/365.
  case actualActual = 1
  /// Actual/360: each day is 1/360 of a year.
  case actual360 = 2
  /// 30E/360: each month has 30 days; the 31st counts as the 30th.
  case thirty360 = 3
  /// Each period between two due days is the same part of a year, such as 1/12; the days within a
  /// period are equal.
  case periods = 4

  /// The case with code 0.
  public static var first: DayCount { .actual365 }
}

/// The distance between two due days.
public enum InterestInterval: UInt8, NamedChoice {
  /// Every month.
  case month = 0
  /// Every three months.
  case quarter = 1
  /// Every year.
  case year = 2

  /// The case with code 0.
  public static var first: InterestInterval { .month }

  /// The number of months.
  public var monthCount: Int {
    switch self {
    case .month: 1
    case .quarter: 3
    case .year: 12
    }
  }
}

extension AccountTerms {
  /// The common denominator of the parts of a year that single days are.
  var yearDenominator: Int128 {
    switch dayCount {
    case .actual365: 365
    case .actualActual: 365 * 366
    case .actual360, .thirty360: 360
    case .periods:
      // The lengths of periods that end on a given day of the month, or on a shorter month's last
      // day: 28 to 31, 89 to 92, 365 and 366 days. Their least common multiples are used.
      switch interval {
      case .month: 12 * 377_580
      case .quarter: 4 * 33_529_860
      case .year: 365 * 366
      }
    }
  }

  /// The part of a year that one day is, from the end of the previous day to the end of `day`, in
  /// units of 1 ÷ ``yearDenominator``.
  ///
  /// - Parameter period: The due days around `day`: after the first, up to and including the second.
  func yearPart(of day: Day, in period: (after: Day, through: Day)) -> Int128 {
    switch dayCount {
    case .actual365, .actual360: return 1
    case .actualActual:
      let year = day.adding(days: -1).year
      return Day.length(ofMonth: 2, year: year) == 29 ? 365 : 366
    case .thirty360: return Int128(Self.day360(day) - Self.day360(day.adding(days: -1)))
    case .periods:
      let days = Int128(period.after.distance(to: period.through))
      return yearDenominator / (Int128(12 / interval.monthCount) * days)
    }
  }

  private static func day360(_ day: Day) -> Int {
    let (year, month, number) = day.components
    return 360 * year + 30 * month + min(number, 30)
  }
}
