public import Bookkeeping
public import Foundation

extension Day {
  /// The day that a clock in the calendar's time zone shows at a moment.
  ///
  /// Whatever calendar it is, the day is the same: it is only read otherwise. A date beyond all days is the
  /// first or last of them.
  public init(_ date: Date, in calendar: Calendar) {
    let shown = date.timeIntervalSince1970 + Double(calendar.timeZone.secondsFromGMT(for: date))
    let days = (shown / 86_400).rounded(.down)
    guard days > Double(Int32.min) else {
      self.init(rawValue: .min)
      return
    }
    // Not a number is not less.
    self.init(rawValue: days < Double(Int32.max) ? Int32(days) : .max)
  }

  /// The day it is now in the calendar's time zone.
  ///
  /// Nothing else in Daybook knows what day it is: questions take it as `today`.
  public static func today(in calendar: Calendar = .current) -> Day { Day(Date(), in: calendar) }

  /// The moment at which the day begins in the calendar's time zone: midnight, or what comes first where
  /// clocks skip it.
  public func date(in calendar: Calendar) -> Date {
    let noon = Double(rawValue) * 86_400 + 43_200
    let offset = calendar.timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: noon))
    return calendar.startOfDay(for: Date(timeIntervalSince1970: noon - Double(offset)))
  }
}
