import ArgumentParser
import Daybook

/// The account kinds that a user can create.
enum AccountKindArgument: String, ExpressibleByArgument, CaseIterable {
  case asset, liability, equity

  var kind: AccountKind {
    switch self {
    case .asset: .asset
    case .liability: .liability
    case .equity: .equity
    }
  }
}

/// `daybook accounts create`: creates an account.
struct AccountsCreateCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create an account.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The account's name.")
  var name: String

  @Option(help: "The account's currency (default: the base currency).")
  var currency: String?

  @Option(help: "asset (something you own), liability (something you owe) or equity.")
  var kind: AccountKindArgument = .asset

  @Option(
    parsing: .unconditional, help: "The opening balance; negative for a debt.")
  var opening: String?

  @Option(
    help: ArgumentHelp(
      "The first day of the opening balance (default: it is included on every day).",
      valueName: "yyyy-mm-dd"))
  var openingDay: DayArgument?

  @Option(
    help: "An IBAN or number by which imports find the account; repeatable.")
  var number: [String] = []

  @Option(help: "A note.")
  var note: String = ""

  @OptionGroup var totals: NewTotalsOptions

  func validate() throws {
    if openingDay != nil, opening == nil {
      throw ValidationError("--opening-day requires --opening.")
    }
  }

  func execute() async throws {
    var opened: NewAccount?
    let recorded = try await ledger.record { snapshot in
      let chosen = try currency.map { try Lookup.currency($0, in: snapshot) }
      guard let own = try chosen ?? snapshot.settings().baseCurrency else {
        throw CommandFailure.usage(
          "Couldn't create \(name): it has no currency, and the ledger has no base currency.",
          remedy: "Add --currency, such as --currency EUR.")
      }
      let held = try opening.map { try Amounts.money($0, in: own, snapshot) }
      guard held?.currency ?? own == own else {
        throw CommandFailure.usage(
          "Couldn't create \(name): its opening balance isn't in \(own), the account's currency.",
          remedy: "Write the amount without a currency.")
      }
      var account = NewAccount(
        name: name, kind: kind.kind, currency: own, opening: held,
        openingDay: openingDay?.day(today: today.day), note: note)
      account.identifiers = number
      account.isExcludedFromTotals = totals.excludeFromTotals
      opened = account
      return [.openAccount(account)]
    }
    try ledger.answer(
      recorded,
      "Created \(name) (\(kind.rawValue), \(opened?.currency.code ?? "")).")
  }
}
