import ArgumentParser
import Daybook

/// `daybook edit`: changes some properties of one transaction.
struct EditCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a transaction; what is not given stays as it is.",
    discussion: """
      Another amount, account or day computes amounts in other currencies anew at the day's rate,
      unless they are given too; nothing else does.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "Its id, or its place such as 2026-02-14#123.")
  var transaction: String

  @Option(help: "How much, such as 12.50 or \"12.50 USD\".")
  var amount: String?

  @OptionGroup var target: TargetOptions

  @Option(help: "What arrives there, in its currency.")
  var toAmount: String?

  @Option(help: "What the account loses or gains, in its currency.")
  var accountAmount: String?

  @Option(help: ArgumentHelp("The day.", valueName: "yyyy-mm-dd"))
  var on: DayArgument?

  @OptionGroup var text: TextOptions

  @Flag(help: "Take all labels away.")
  var noTags = false

  func validate() throws {
    if noTags, !text.tag.isEmpty { throw ValidationError("Give either --tag or --no-tags.") }
    let given =
      [
        amount, target.account, target.category, target.to, toAmount, accountAmount, text.payee,
        text.description,
      ]
      .contains { $0 != nil }
    let others = on != nil || text.note != nil || text.status != nil
    guard given || others || noTags || !text.tag.isEmpty else {
      throw ValidationError("Say what to change, such as --amount 12.50 or --category Food.")
    }
  }

  func execute() async throws {
    try await ledger.recordAndShow("Changed") { snapshot in
      let row = try Lookup.transaction(transaction, in: snapshot)
      var amendment = Amendment(
        day: on?.day(today: today.day), description: text.description, payee: text.payee,
        note: text.note, tags: noTags ? [] : text.tag.isEmpty ? nil : text.tag,
        status: text.status?.status)
      let account = try target.account.map { try Lookup.account($0, in: snapshot) }
      amendment.account = account?.id
      let currencies = try Currencies(of: row, snapshot, movedTo: account)
      amendment.amount = try amount.map {
        try Amounts.money($0, in: currencies.amount, snapshot)
      }
      amendment.accountAmount = try accountAmount.map {
        try Amounts.money($0, in: currencies.account, snapshot)
      }
      if let category = target.category {
        let kind: CategoryKind? =
          switch row.type {
          case .income: .income
          case .expense: .expense
          case .transfer: nil
          }
        amendment.category = try Lookup.category(category, kind: kind, in: snapshot).id
      }
      let receiver = try target.to.map { try Lookup.account($0, in: snapshot) }
      amendment.otherAccount = receiver?.id
      amendment.targetAmount = try toAmount.map {
        try Amounts.money($0, in: receiver?.currency ?? currencies.target, snapshot)
      }
      return [.amend(row.id, amendment)]
    }
  }

  /// In which currencies the figures of a transaction are, where none is written.
  private struct Currencies {
    var amount: Currency?
    var account: Currency?
    var target: Currency?

    init(of row: Transaction, _ snapshot: borrowing Snapshot, movedTo other: Account?) throws {
      for posting in row.postings {
        switch posting.target {
        case .category: amount = amount ?? posting.amount.currency
        case .account(let id):
          guard try snapshot.account(id)?.kind != .equity else { continue }
          if row.type == .transfer, posting.amount.minorUnits > 0 {
            target = posting.amount.currency
          } else {
            account = posting.amount.currency
          }
        }
      }
      // What stood in the old account's currency stands in the new one's from now on.
      if let other, amount == account { amount = other.currency }
      account = other?.currency ?? account
      amount = amount ?? account
    }
  }
}
