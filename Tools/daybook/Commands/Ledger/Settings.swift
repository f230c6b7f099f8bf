import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook settings`: shows and changes the settings of the ledger.
struct SettingsCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings",
    abstract: "Show or change the base currency and the first day of the week.",
    discussion: "Changing the base currency affects only converted totals, not transactions or "
      + "balances.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var form: OutputOptions

  @Option(
    help: ArgumentHelp(
      "The base currency, to which totals are converted.", valueName: "currency"))
  var base: String?

  @Flag(help: "Remove the base currency.")
  var noBase = false

  @Option(help: "The first day of the week.")
  var firstWeekday: WeekdayArgument?

  func validate() throws {
    if noBase, base != nil { throw ValidationError("Use either --base or --no-base, not both.") }
  }

  func execute() async throws {
    if base != nil || noBase || firstWeekday != nil {
      try await ledger.record { snapshot in
        var change = SettingsChange(firstWeekday: firstWeekday?.number)
        if noBase { change.baseCurrency = .some(nil) }
        if let base { change.baseCurrency = .some(try Lookup.currency(base, in: snapshot)) }
        return [.setSettings(change)]
      }
    }
    let settings = try await ledger.read { snapshot in try snapshot.settings() }
    let weekday = WeekdayArgument.name(of: settings)
    var report = Report.facts(json: JSONAnswer(["settings": settings]))
    let code = settings.baseCurrency?.code
    let closed = settings.closedThrough.map { "\($0)" }
    report.addFact("base", "Base currency", .init(data: code ?? "", .init(code ?? "none")))
    report.addFact("firstWeekday", "First day of the week", .init(weekday))
    report.addFact(
      "closedThrough", "Closed through", .init(data: closed ?? "", .init(closed ?? "not closed")))
    try write(report)
  }
}
