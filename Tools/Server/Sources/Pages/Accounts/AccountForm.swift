import Daybook

/// The form for an account.
enum AccountForm: EntityForm {
  static let path = "/accounts"
  static let view = MenuView.accounts
  static let title = Word.newAccount

  static func find(_ id: EntityID, _ snapshot: borrowing Snapshot) throws -> Account? {
    try snapshot.account(AccountID(id)).flatMap { $0.isDeleted ? nil : $0 }
  }

  static func name(_ entity: Account, _ names: NameBook, _ context: PageContext) -> String {
    entity.name
  }

  static func fields(
    _ entity: Account?, _ names: NameBook, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [FormField] {
    let kinds = AccountKind.allCases.map { ("\($0)", context[$0.word]) }
    var fields: [FormField] = [
      .text("name", .name, isRequired: true), .choice("kind", .kind, kinds),
    ]
    if entity == nil { fields.append(.text("currency", .currency, isRequired: true)) }
    fields += [
      .text("opening", .opening), .text("openingDay", .openingDay, type: "date"),
    ]
    guard entity != nil else { return fields }
    return fields + [
      .text("identifiers", .identifiers, hint: context[.several]), .text("note", .note),
      .flag("hidden", .hidden), .flag("closed", .closed),
      .flag("outsideBudget", .outsideBudget), .flag("excludedFromTotals", .excludedFromTotals),
    ]
  }

  static func values(_ entity: Account?, _ context: PageContext) -> SentForm {
    guard let entity else { return SentForm() }
    return SentForm([
      "name": entity.name, "kind": "\(entity.kind)",
      "opening": AmountText.typed(entity.opening, context.locale),
      "openingDay": entity.openingDay?.description ?? "",
      "identifiers": entity.identifiers.joined(separator: ", "), "note": entity.note,
      "hidden": entity.isHidden ? "on" : "", "closed": entity.isClosed ? "on" : "",
      "outsideBudget": entity.isOutsideBudget ? "on" : "",
      "excludedFromTotals": entity.isExcludedFromTotals ? "on" : "",
    ])
  }

  static func commands(
    _ form: inout SentForm, _ entity: Account?, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [Command] {
    let name = form.needed("name", context)
    let kind = form.choice("kind", as: AccountKind.self)
    if kind == nil { form.faults["kind"] = context[.needed] }
    let currency = try entity?.currency ?? form.currency("currency", context, snapshot)
    guard let currency, let kind else { return [] }
    let opening = form.money("opening", currency, context)
    let openingDay = form.day("openingDay", context)
    guard let entity else {
      return [
        .openAccount(
          NewAccount(
            name: name, kind: kind, currency: currency, opening: opening, openingDay: openingDay))
      ]
    }
    var change = AccountChange(seen: entity)
    if name != entity.name { change.name = name }
    if kind != entity.kind { change.kind = kind }
    if form.text("note") != entity.note { change.note = form.text("note") }
    if form.isOn("hidden") != entity.isHidden { change.isHidden = form.isOn("hidden") }
    let isOutside = form.isOn("outsideBudget")
    if isOutside != entity.isOutsideBudget { change.isOutsideBudget = isOutside }
    let isExcluded = form.isOn("excludedFromTotals")
    if isExcluded != entity.isExcludedFromTotals { change.isExcludedFromTotals = isExcluded }
    let identifiers = form.list("identifiers")
    if identifiers != entity.identifiers { change.identifiers = identifiers }
    var commands: [Command] = []
    if change != AccountChange(seen: entity) { commands.append(.amendAccount(entity.id, change)) }
    let isClosed = form.isOn("closed")
    if entity.isClosed, !isClosed { commands.append(.reopenAccount(entity.id)) }
    let zero = Money.zero(currency)
    if opening ?? zero != entity.opening || openingDay != entity.openingDay {
      commands.append(.setOpening(entity.id, opening ?? zero, openingDay))
    }
    if !entity.isClosed, isClosed { commands.append(.closeAccount(entity.id)) }
    return commands
  }

  static func deletions(
    _ entity: Account, _ names: NameBook, _ context: PageContext
  ) -> [Deletion] {
    let others = names.accounts.filter {
      $0.id != entity.id && $0.currency == entity.currency && !$0.isDeleted && !$0.isClosed
    }
    return [
      Deletion(
        value: "keep", text: context[.keepRows], command: .deleteAccount(entity.id, .keepRows)),
      Deletion(
        value: "with", text: context[.withRows], command: .deleteAccount(entity.id, .withRows)),
    ]
      + others.map { other in
        Deletion(
          value: "\(other.id)", text: "\(context[.moveRows]) \(other.name)",
          command: .deleteAccount(entity.id, .move(to: other.id)))
      }
  }
}
