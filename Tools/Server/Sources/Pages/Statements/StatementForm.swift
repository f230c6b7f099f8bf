import Daybook

/// The form for a balance assertion from a statement.
enum StatementForm: EntityForm {
  static let path = "/statements"
  static let view = MenuView.accounts
  static let title = Word.newStatement

  static func find(_ id: EntityID, _ snapshot: borrowing Snapshot) throws -> BalanceAssertion? {
    try snapshot.assertions().first { $0.entityID == id }
  }

  static func name(
    _ entity: BalanceAssertion, _ names: NameBook, _ context: PageContext
  ) -> String {
    "\(names.name(entity.account)), \(context.day(entity.day))"
  }

  static func fields(
    _ entity: BalanceAssertion?, _ names: NameBook, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [FormField] {
    [
      .choice("account", .account, TransactionFilterForm.accounts(names)),
      .text("day", .day, type: "date", isRequired: true),
      .text("balance", .balance, isRequired: true), .text("note", .note),
    ]
  }

  static func values(_ entity: BalanceAssertion?, _ context: PageContext) -> SentForm {
    guard let entity else {
      return SentForm(["day": "\(context.today)", "account": context.query("account") ?? ""])
    }
    return SentForm([
      "account": "\(entity.account)", "day": "\(entity.day)", "note": entity.note,
      "balance": AmountText.typed(entity.balance, context.locale),
    ])
  }

  static func commands(
    _ form: inout SentForm, _ entity: BalanceAssertion?, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [Command] {
    let id: AccountID? = form.id("account", context, isNeeded: true)
    let day = form.day("day", context, isNeeded: true)
    guard let account = try id.flatMap({ try snapshot.account($0) }),
      let balance = form.money("balance", account.currency, context, isNeeded: true), let day
    else { return [] }
    return [
      .assertBalance(
        account.id, balance, on: day, note: form.text("note"), id: entity?.id ?? .unassigned)
    ]
  }

  static func deletions(
    _ entity: BalanceAssertion, _ names: NameBook, _ context: PageContext
  ) -> [Deletion] {
    [Deletion(value: "", text: "", command: .removeAssertion(entity.id))]
  }
}
