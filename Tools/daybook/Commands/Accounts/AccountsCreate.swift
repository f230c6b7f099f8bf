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

  @Argument(help: "Its name.")
  var name: String

  @Option(help: "Its only currency; the base currency if not given.")
  var currency: String?

  @Option(help: "asset (what one has), liability (what one owes) or equity.")
  var kind: AccountKindArgument = .asset

  @Option(
    parsing: .unconditional, help: "What is in it at first; negative for a debt.")
  var opening: String?

  @Option(
    help: ArgumentHelp(
      "The day from which the opening counts; on every day if not given.",
      valueName: "yyyy-mm-dd"))
  var openingDay: DayArgument?

  @Option(
    help: "Its IBAN or number, by which imports find it; may be repeated.")
  var number: [String] = []

  @Option(help: "A note.")
  var note: String = ""

  func validate() throws {
    if openingDay != nil, opening == nil {
      throw ValidationError("--opening-day says something about --opening only.")
    }
  }

  func execute() async throws {
    var opened: NewAccount?
    let recorded = try await ledger.record { snapshot in
      let chosen = try currency.map { try Lookup.currency($0, in: snapshot) }
      guard let own = try chosen ?? snapshot.settings().baseCurrency else {
        throw CommandFailure.usage(
          "It is not said which currency \(name) has.",
          remedy: "Give --currency, such as --currency EUR.")
      }
      let held = try opening.map { try Amounts.money($0, in: own, snapshot) }
      guard held?.currency ?? own == own else {
        throw CommandFailure.usage(
          "The opening is not in \(own), the currency of \(name).",
          remedy: "Write it without a currency.")
      }
      var account = NewAccount(
        name: name, kind: kind.kind, currency: own, opening: held,
        openingDay: openingDay?.day(today: today.day), note: note)
      account.identifiers = number
      opened = account
      return [.openAccount(account)]
    }
    try ledger.answer(
      recorded,
      "Created \(name) (\(kind.rawValue), \(opened?.currency.code ?? "")).")
  }
}
