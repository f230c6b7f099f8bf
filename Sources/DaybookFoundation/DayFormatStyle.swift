public import Bookkeeping
public import Foundation

/// Shows days as people of a locale write them: `14 Feb 2026`.
///
/// ```swift
/// Text(transaction.day, format: .day)
/// day.formatted(.day.date(.complete))
/// ```
public struct DayFormatStyle: FormatStyle {
  /// The locale; that of the user where none is given.
  public var locale: Locale
  private var length = Date.FormatStyle.DateStyle.abbreviated

  /// A style of a locale.
  public init(locale: Locale = .autoupdatingCurrent) { self.locale = locale }

  /// The same in another locale.
  public func locale(_ locale: Locale) -> Self {
    var copy = self
    copy.locale = locale
    return copy
  }
  /// The same, shorter or longer.
  public func date(_ length: Date.FormatStyle.DateStyle) -> Self {
    var copy = self
    copy.length = length
    return copy
  }

  /// The day as a text.
  public func format(_ value: Day) -> String {
    value.date(in: .greenwich).formatted(
      Date.FormatStyle(
        date: length, time: .omitted, locale: locale, calendar: .greenwich, timeZone: .greenwich))
  }
}

/// Shows months as people of a locale write them: `February 2026`.
public struct MonthFormatStyle: FormatStyle {
  /// How long the month's name is.
  public enum Width: String, Hashable, Sendable, Codable {
    /// February.
    case wide
    /// Feb.
    case abbreviated
    /// F.
    case narrow
  }

  /// The locale; that of the user where none is given.
  public var locale: Locale
  private var width = Width.wide
  private var hasYear = true

  /// A style of a locale.
  public init(locale: Locale = .autoupdatingCurrent) { self.locale = locale }

  /// The same in another locale.
  public func locale(_ locale: Locale) -> Self {
    var copy = self
    copy.locale = locale
    return copy
  }
  /// The same with the month's name shorter or longer, and with or without the year: for charts.
  public func month(_ width: Width, year hasYear: Bool = true) -> Self {
    var copy = self
    copy.width = width
    copy.hasYear = hasYear
    return copy
  }

  /// The month as a text.
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
  /// Days as people write them.
  public static var day: Self { Self() }
}
extension FormatStyle where Self == MonthFormatStyle {
  /// Months as people write them.
  public static var month: Self { Self() }
}

extension Day {
  /// The day in a style.
  public func formatted<Style: FormatStyle>(_ style: Style) -> Style.FormatOutput
  where Style.FormatInput == Day {
    style.format(self)
  }
  /// The day as the user's locale writes it.
  public func formatted() -> String { DayFormatStyle().format(self) }
}

extension Month {
  /// The month in a style.
  public func formatted<Style: FormatStyle>(_ style: Style) -> Style.FormatOutput
  where Style.FormatInput == Month {
    style.format(self)
  }
  /// The month as the user's locale writes it.
  public func formatted() -> String { MonthFormatStyle().format(self) }
}

extension TimeZone {
  /// Where days begin when they are shown: a day has no time zone of its own.
  fileprivate static var greenwich: TimeZone { .gmt }
}

extension Calendar {
  fileprivate static var greenwich: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .greenwich
    return calendar
  }
}
