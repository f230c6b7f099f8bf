public import DaybookBookkeeping
public import Foundation

extension Day {
  /// Creates the day of a date in the calendar's time zone.
  ///
  /// Only the time zone of the calendar is used; the result doesn't depend on the kind of calendar.
  /// A date outside the range of days is clamped to the range.
  public init(_ date: Date, in calendar: Calendar) {
    let shown = date.timeIntervalSince1970 + Double(calendar.timeZone.secondsFromGMT(for: date))
    let days = (shown / 86_400).rounded(.down)
    guard days > Double(Int32.min) else {
      self.init(rawValue: .min)
      return
    }
    // NaN can't occur here, because it fails the comparison above.
    self.init(rawValue: days < Double(Int32.max) ? Int32(days) : .max)
  }

  /// Returns the current day in the calendar's time zone.
  ///
  /// This is the only place where Daybook reads the current day. Pass it to queries as `today`.
  public static func today(in calendar: Calendar = .current) -> Day { Day(Date(), in: calendar) }

  /// Returns the start of the day in the calendar's time zone.
  ///
  /// This is midnight, or the first moment after it if clocks skip midnight.
  public func date(in calendar: Calendar) -> Date {
    let noon = Double(rawValue) * 86_400 + 43_200
    let offset = calendar.timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: noon))
    return calendar.startOfDay(for: Date(timeIntervalSince1970: noon - Double(offset)))
  }
}
