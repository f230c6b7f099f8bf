import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook rate convert`: converts an amount and lists the rates used.
struct RateConvertCommand: PastReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Convert an amount, and show the rates used and their age.",
    discussion: """
      The day's rate or the nearest earlier one applies. Rates through another currency apply if \
      there is no direct rate, or if they are more than \
      \(ConversionPath.oldRateDayCount) days newer.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var today: TodayOptions
  @OptionGroup var output: ReportOptions

  @Argument(help: "The amount, such as 100 or \"100 USD\" (default: the base currency).")
  var amount: String

  @Argument(help: ArgumentHelp("The currency to convert to.", valueName: "to"))
  var target: String

  @Option(help: ArgumentHelp("The day (default: today).", valueName: "yyyy-mm-dd"))
  var on: DayArgument?

  private struct Content: Encodable, Sendable {
    var day: Day
    var amount: Money
    var converted: Money
    var rates: [ExchangeRate]
    var oldestDay: Day?
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let day = on?.day(today: today.day) ?? today.day
    let target = try Lookup.currency(target, in: snapshot)
    let money = try Amounts.money(amount, in: snapshot.settings().baseCurrency, snapshot)
    guard let path = try snapshot.conversionPath(from: money.currency, to: target, on: day),
      let converted = try snapshot.convert(money, to: target, on: day)
    else {
      throw CommandFailure.notFound(
        "Couldn't convert \(money): there is no rate between \(money.currency) and \(target) on or "
          + "before \(day).", remedy: "Add one with `daybook rate add`.")
    }
    var report = Report(
      [
        .fixed("day", "Day"), .fixed("currency", "Currency"), .figure("rate", "Rate"), .fixed("in"),
      ], ifEmpty: "",
      json: JSONAnswer(
        Content(
          day: day, amount: money, converted: converted, rates: path.rates,
          oldestDay: path.oldestDay)))
    report.above = [
      .text(
        "\(Figures.withCode(Total(money))) = \(Figures.withCode(Total(converted))) on \(day)")
    ]
    for rate in path.rates {
      report.add([
        .day(rate.day), .currency(rate.base), .init("\(rate.quote)"), .currency(rate.quoted),
      ])
    }
    report.remarks = OldRates.remarks(path.oldRates(on: day), on: day)
    return report
  }
}

/// Remarks about figures that depend on old rates.
enum OldRates {
  static func remarks(_ rates: [ExchangeRate], on day: Day) -> [String] {
    if rates.isEmpty { return [] }
    let list = rates.map {
      "1 \($0.base) = \($0.quote) \($0.quoted) of \($0.day) "
        + "(\(Figures.counted($0.day.distance(to: day), "day")) old)"
    }
    return [
      "Old rates: \(list.joined(separator: ", ")). Add newer ones with `daybook rate add` or "
        + "`daybook rate import`."
    ]
  }
}
