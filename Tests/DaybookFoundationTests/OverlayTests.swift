// Goal: what an app needs between Daybook and Foundation is exact, follows a locale, and never traps.
// Method: the ends of each type; days across time zones, seasons and calendars against Foundation's own;
// texts of several locales; errors read as alerts read them.

import Daybook
import DaybookFoundation
import Foundation
import Testing

@Suite struct OverlayTests {
  private static func day(_ text: String) throws -> Day { try #require(Day(text)) }
  private static func calendar(
    _ zone: String, _ identifier: Calendar.Identifier = .gregorian
  ) throws -> Calendar {
    var calendar = Calendar(identifier: identifier)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    return calendar
  }

  @Test func decimalsAreExact() throws {
    for (units, currency, text) in [
      (Int64(12_50), Currency.eur, "12.5"), (0, .eur, "0"), (-5, .eur, "-0.05"),
      (.max, .eur, "92233720368547758.07"), (.min, .eur, "-92233720368547758.08"),
      (.max, .jpy, "9223372036854775807"), (7, Currency(packed: 18), "0.000000000000000007"),
    ] {
      let decimal = try #require(Decimal(string: text))
      #expect(try Money(decimal: decimal, currency) == Money(units, currency))
      #expect(Money(units, currency).decimal == decimal)
    }
    #expect(try Money(decimal: 12, .eur) == Money(12_00, .eur))
    #expect(
      Total(units: .max, currency: .eur).decimal
        == Decimal(string: "1701411834604692317316873037158841057.27"))
    #expect(
      "\(Total(units: .min, currency: .jpy).decimal)" == "-170141183460469231731687303715884105728")
    #expect(Total.zero(.eur).decimal == 0)
  }

  @Test func whatIsNoAmountIsRefused() throws {
    for (text, words) in [
      ("1.234", "more than the 2 decimals"), ("92233720368547758.08", "too large"),
      ("1e100", "too large"),
    ] {
      let decimal = try #require(Decimal(string: text))
      let error = #expect(throws: MoneyError.self) { try Money(decimal: decimal, .eur) }
      #expect(error?.localizedDescription.contains(words) == true, "\(String(describing: error))")
    }
    #expect(throws: MoneyError.self) { try Money(decimal: .nan, .eur) }
  }

  @Test(arguments: [
    "UTC", "Europe/Berlin", "America/Los_Angeles", "Pacific/Kiritimati", "America/Sao_Paulo",
    "Asia/Kathmandu",
  ])
  func daysAreThoseOfTheClock(zone: String) throws {
    for identifier in [Calendar.Identifier.gregorian, .buddhist, .hebrew] {
      let calendar = try Self.calendar(zone, identifier)
      for text in [
        "2026-02-14", "2026-03-29", "2026-10-25", "2018-11-04", "2024-02-29", "1970-01-01",
        "1969-12-31", "2099-12-31",
      ] {
        let day = try Self.day(text)
        let start = day.date(in: calendar)
        #expect(Day(start, in: calendar) == day, "\(text) \(zone)")
        #expect(Day(start.addingTimeInterval(-1), in: calendar) == day.adding(days: -1))
        let end = day.adding(days: 1).date(in: calendar)
        #expect(Day(end.addingTimeInterval(-1), in: calendar) == day)
        #expect(calendar.startOfDay(for: start) == start)
      }
    }
  }

  @Test func datesBeyondAllDaysAreTheLast() throws {
    let calendar = try Self.calendar("UTC")
    for seconds in [Double.infinity, 1e300, .nan] {
      #expect(Day(Date(timeIntervalSince1970: seconds), in: calendar).rawValue >= Int32.min)
    }
    #expect(Day(Date(timeIntervalSince1970: 1e300), in: calendar).rawValue == .max)
    #expect(Day(Date(timeIntervalSince1970: -1e300), in: calendar).rawValue == .min)
    #expect(Day(Day.min.date(in: calendar), in: calendar) == .min)
    #expect(Day(Day.max.date(in: calendar), in: calendar) == .max)
  }

  @Test func amountsFollowALocale() throws {
    let german = Locale(identifier: "de_DE")
    let american = Locale(identifier: "en_US")
    #expect(Money(-1_234_50, .eur).formatted(.money.locale(german)) == "-1.234,50\u{A0}€")
    #expect(Money(1_234_50, .usd).formatted(.money.locale(american)) == "$1,234.50")
    #expect(Total(Money(5, .jpy)).formatted(.total.locale(american)) == "¥5")
    #expect(
      Money(1_234_50, .usd).formatted(.money.locale(american).presentation(.isoCode))
        == "USD\u{A0}1,234.50")
    #expect(
      Money(5, .usd).formatted(.money.locale(american).sign(strategy: .always())) == "+$0.05")
    let points = try #require(Currency(code: "POINTS", digits: 1))
    #expect(Money(1_234_5, points).formatted(.money.locale(german)) == "1.234,5\u{A0}POINTS")
  }

  @Test func daysAndMonthsFollowALocale() throws {
    let day = try Self.day("2026-02-14")
    let british = Locale(identifier: "en_GB")
    #expect(day.formatted(.day.locale(british)) == "14 Feb 2026")
    #expect(
      day.formatted(.day.date(.long).locale(Locale(identifier: "de_DE"))) == "14. Februar 2026")
    #expect(day.monthOf.formatted(.month.locale(british)) == "February 2026")
    #expect(
      day.monthOf.formatted(.month.month(.abbreviated, year: false).locale(british)) == "Feb")
  }

  @Test func errorsTellAlertsWhatToSay() async throws {
    let ledger = try await Ledger.inMemory()
    let error = try #require(
      await #expect(throws: DaybookError.self) {
        try await ledger.append(.openAccount(NewAccount(name: "", currency: .eur)))
      })
    #expect(error.localizedDescription == "The name of the account is empty; enter a name.")
    #expect(error.recoverySuggestion == "Nothing was recorded." && error.failureReason == nil)
    #expect(error.errorCode == 10 && DaybookError.errorDomain == "Daybook")
    let refusal = try #require(error.refusal)
    #expect(refusal.localizedDescription == error.localizedDescription && refusal.errorCode == 8)
    let bridged = error as NSError
    #expect(bridged.domain == "Daybook" && bridged.code == 10)
    #expect(bridged.localizedDescription == error.message)
    #expect(bridged.userInfo[NSUnderlyingErrorKey] is Refusal)
    try await ledger.close()
    let closed = #expect(throws: DaybookError.self) { try ledger.token }
    #expect(closed?.errorCode == 7 && closed?.errorDescription == closed?.message)
  }

  @Test func codesHaveNumbersOfTheirOwn() {
    let codes = DaybookError.Code.allCases.map {
      DaybookError(code: $0, message: "", remedy: "").errorCode
    }
    #expect(Set(codes).count == codes.count && !codes.contains(0))
    let refusals = Refusal.Code.allCases.map { Refusal($0, "").errorCode }
    #expect(Set(refusals).count == refusals.count && !refusals.contains(0))
  }
}
