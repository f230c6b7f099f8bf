import ArgumentParser
import Daybook

/// `daybook rate add`: records an exchange rate that applies from a day on.
struct RateAddCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an exchange rate from a day on.",
    discussion: "For example, `daybook rate add USD KZT 450.25 --on 2026-02-15`: one USD is 450.25 "
      + "KZT.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: ArgumentHelp("The currency of which one unit is quoted.", valueName: "currency"))
  var currency: String

  @Argument(help: ArgumentHelp("The currency in which it is quoted.", valueName: "in"))
  var quoted: String

  @Argument(help: "The rate, exactly as quoted.")
  var rate: String

  @Option(
    help: ArgumentHelp(
      "The first day of the rate (default: today).", valueName: "yyyy-mm-dd"))
  var on: DayArgument?

  func execute() async throws {
    let day = on?.day(today: today.day) ?? today.day
    let quote = try Quote(rate)
    try await ledger.recordRates(
      from: day,
      "Added rate from \(day): 1 \(currency.uppercased()) = \(quote) "
        + "\(quoted.uppercased())."
    ) { snapshot in
      let base = try Lookup.currency(currency, in: snapshot)
      let quoted = try Lookup.currency(quoted, in: snapshot)
      return [.setRate(ExchangeRate(base: base, quoted: quoted, day: day, quote: quote))]
    }
  }
}
