import ArgumentParser
import Daybook

/// `daybook init`: creates an empty ledger.
struct InitCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Create an empty ledger.")

  @OptionGroup var ledger: LedgerOptions

  @Option(
    help: ArgumentHelp(
      "The base currency, to which totals are converted.", valueName: "currency"))
  var base: String?

  @Option(help: "The first day of the week.")
  var firstWeekday: WeekdayArgument = .monday

  private struct Content: Encodable, Sendable {
    var path: String
    var settings: LedgerSettings
  }

  func execute() async throws {
    let path = ledger.path
    guard !FileSystem.exists(path) else {
      throw CommandFailure(
        .cannotCreate, code: "exists", "Couldn't create \(path): it already exists.",
        remedy: "Choose another --ledger, or inspect it with `daybook info`.")
    }
    let currency = try base.map { code in
      guard let currency = Currency.iso(code.uppercased()) else {
        throw CommandFailure.usage(
          "Couldn't create the ledger: “\(code)” isn't a currency.",
          remedy: "Use an ISO 4217 code such as EUR.")
      }
      return currency
    }
    let opened = try await Ledger.open(at: path, options: ledger.options(creates: true))
    // With default settings, the ledger stays empty, so that an export can be restored into it.
    if currency != nil || firstWeekday != .monday {
      var change = SettingsChange(firstWeekday: firstWeekday.number)
      if let currency { change.baseCurrency = .some(currency) }
      try await opened.append(.setSettings(change))
    }
    let settings = try opened.read { snapshot in try snapshot.settings() }
    try await opened.close()
    if ledger.json {
      return try Output.json(JSONAnswer(Content(path: path, settings: settings)))
    }
    try Output.line("Created \(path)" + (currency.map { " with base currency \($0)." } ?? "."))
  }
}

/// A weekday, given by its English name.
enum WeekdayArgument: String, ExpressibleByArgument, CaseIterable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  /// The weekday's number, from 1 for Monday to 7 for Sunday.
  var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

  /// The name of the first weekday in a ledger's settings.
  static func name(of settings: LedgerSettings) -> String {
    allCases[settings.firstWeekday - 1].rawValue
  }
}
