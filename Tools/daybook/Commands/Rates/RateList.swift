import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook rate list`: lists the recorded exchange rates.
struct RateListCommand: ReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List exchange rates, newest first.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var output: ReportOptions

  @Argument(help: ArgumentHelp("Only rates of this currency.", valueName: "currency"))
  var currency: String?

  @Argument(help: ArgumentHelp("Only rates quoted in this currency.", valueName: "in"))
  var quoted: String?

  @Option(help: "The number of rates to show.")
  var limit = 50

  func validate() throws {
    guard (1...100_000).contains(limit) else {
      throw ValidationError("--limit must be from 1 to 100000.")
    }
  }

  func report(_ snapshot: borrowing Snapshot) throws -> Report {
    let base = try currency.map { try Lookup.currency($0, in: snapshot) }
    let quote = try quoted.map { try Lookup.currency($0, in: snapshot) }
    // The snapshot returns the rates by pair, oldest first, but people look for the newest rates.
    let all = try snapshot.rates(base: base, quoted: quote).sorted { $0.day > $1.day }
    let rates = all.prefix(limit)
    var report = Report(
      [
        .fixed("day", "Day"), .fixed("currency", "Currency"), .figure("rate", "Rate"), .fixed("in"),
      ], ifEmpty: "No rates. Add some with `daybook rate add` or `daybook rate import`.",
      json: JSONAnswer(["rates": Array(rates)]))
    for rate in rates {
      report.add([
        .day(rate.day), .currency(rate.base), .init("\(rate.quote)"), .currency(rate.quoted),
      ])
    }
    if all.count > limit {
      report.remarks = [
        "Showing the newest \(Figures.count(limit)) of \(Figures.count(all.count)) rates. For "
          + "more, use --limit."
      ]
    }
    return report
  }
}
