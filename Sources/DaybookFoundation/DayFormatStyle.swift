public import DaybookBookkeeping
public import Foundation

/// A style that formats days for a locale: `14 Feb 2026`.
///
/// ```swift
/// Text(transaction.day, format: .day)
/// day.formatted(.day.date(.complete))
/// ```
public struct DayFormatStyle: FormatStyle {
  /// The locale; by default, the user's.
  public var locale: Locale
  private var length = Date.FormatStyle.DateStyle.abbreviated

  /// Creates a style for a locale.
  public init(locale: Locale = .autoupdatingCurrent) { self.locale = locale }

  /// Returns the style with another locale.
  public func locale(_ locale: Locale) -> Self {
    var copy = self
    copy.locale = locale
    return copy
  }
  /// Returns the style with another length.
  public func date(_ length: Date.FormatStyle.DateStyle) -> Self {
    var copy = self
    copy.length = length
    return copy
  }

  /// Formats a day.
  public func format(_ value: Day) -> String {
    value.date(in: .greenwich).formatted(
      Date.FormatStyle(
        date: length, time: .omitted, locale: locale, calendar: .greenwich, timeZone: .greenwich))
  }
}

/// A style that formats months for a locale: `February 2026`.
public struct MonthFormatStyle: FormatStyle {
  /// The length of the month's name.
  public enum Width: String, Hashable, Sendable, Codable {
    /// February.
    case wide
    /// Feb.
    case abbreviated
    /// F.
    case narrow
  }

  /// The locale; by default, the user's.
  public var locale: Locale
  private var width = Width.wide
  private var hasYear = true

  /// Creates a style for a locale.
  public init(locale: Locale = .autoupdatingCurrent) { self.locale = locale }

  /// Returns the style with another locale.
  public func locale(_ locale: Locale) -> Self {
    var copy = self
    copy.locale = locale
    return copy
  }
  /// Returns the style with another length of the month's name, with or without the year; useful
  /// for charts.
  public func month(_ width: Width, year hasYear: Bool = true) -> Self {
    var copy = self
    copy.width = width
    copy.hasYear = hasYear
    return copy
  }

  /// Formats a month.
  public func format(_ value: Month) -> String {
    let symbol: Date.FormatStyle.Symbol.Month =
      switch width {
      case .wide: .wide
      case .abbreviated: .abbreviated
      case .narrow: .narrow
      }
    let style = Date.FormatStyle(locale: locale, calendar: .greenwich, timeZone: .greenwich)
      .month(symbol)
    return value.first.date(in: .greenwich).formatted(hasYear ? style.year() : style)
  }
}

extension FormatStyle where Self == DayFormatStyle {
  /// The default style for days.
  public static var day: Self { Self() }
}
extension FormatStyle where Self == MonthFormatStyle {
  /// The default style for months.
  public static var month: Self { Self() }
}

extension Day {
  /// Formats the day with a style.
  public func formatted<Style: FormatStyle>(_ style: Style) -> Style.FormatOutput
  where Style.FormatInput == Day {
    style.format(self)
  }
  /// Formats the day for the user's locale.
  public func formatted() -> String { DayFormatStyle().format(self) }
}

extension Month {
  /// Formats the month with a style.
  public func formatted<Style: FormatStyle>(_ style: Style) -> Style.FormatOutput
  where Style.FormatInput == Month {
    style.format(self)
  }
  /// Formats the month for the user's locale.
  public func formatted() -> String { MonthFormatStyle().format(self) }
}

extension TimeZone {
  /// The time zone in which days are formatted, because a day has no time zone.
  fileprivate static var greenwich: TimeZone { .gmt }
}

extension Calendar {
  fileprivate static var greenwich: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .greenwich
    return calendar
  }
}
