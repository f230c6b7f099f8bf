import ArgumentParser
import Daybook

/// `daybook rate remove`: removes the exchange rate of a day.
struct RateRemoveCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove an exchange rate.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: ArgumentHelp("The currency of which one unit is quoted.", valueName: "currency"))
  var currency: String

  @Argument(help: ArgumentHelp("The currency in which it is quoted.", valueName: "in"))
  var quoted: String

  @Option(help: ArgumentHelp("The rate's day.", valueName: "yyyy-mm-dd"))
  var on: DayArgument

  func execute() async throws {
    let day = on.day(today: today.day)
    let pair = "\(currency.uppercased()) in \(quoted.uppercased())"
    try await ledger.recordRates(from: day, "Removed the rate of \(pair) of \(day).") { snapshot in
      let base = try Lookup.currency(currency, in: snapshot)
      let quoted = try Lookup.currency(quoted, in: snapshot)
      return [.removeRate(base: base, quoted: quoted, on: day)]
    }
  }
}
