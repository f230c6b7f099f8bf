import ArgumentParser
import Daybook
import Terminal

/// `daybook settings`: shows and changes the settings of the ledger.
struct SettingsCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings", abstract: "Show or change the base currency and the week's first day.",
    discussion: "Another base currency changes no row and no balance: only what is converted.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var form: OutputOptions

  @Option(help: ArgumentHelp("The currency figures are converted to.", valueName: "currency"))
  var base: String?

  @Flag(help: "Have no base currency.")
  var noBase = false

  @Option(help: "The day a week begins with.")
  var firstWeekday: WeekdayArgument?

  func validate() throws {
    if noBase, base != nil { throw ValidationError("Give either --base or --no-base.") }
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
    report.addFact("firstWeekday", "Weeks begin on", .init(weekday))
    report.addFact(
      "closedThrough", "Closed through", .init(data: closed ?? "", .init(closed ?? "nothing")))
    try write(report)
  }
}
