import Daybook

/// The form for an exchange rate.
enum RateForm: EntityForm {
  static let path = "/rates"
  static let view = MenuView.rates
  static let title = Word.newRate

  static func find(_ id: EntityID, _ snapshot: borrowing Snapshot) throws -> ExchangeRate? {
    try snapshot.rates().first { $0.entityID == id }
  }

  static func name(_ entity: ExchangeRate, _ names: NameBook, _ context: PageContext) -> String {
    "\(entity.base.code) → \(entity.quoted.code), \(context.day(entity.day))"
  }

  static func fields(
    _ entity: ExchangeRate?, _ names: NameBook, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [FormField] {
    [
      .text("base", .base, isRequired: true), .text("rate", .rate, isRequired: true),
      .text("quoted", .quoted, isRequired: true),
      .text("day", .day, type: "date", isRequired: true),
    ]
  }

  static func values(_ entity: ExchangeRate?, _ context: PageContext) -> SentForm {
    guard let entity else { return SentForm(["day": "\(context.today)"]) }
    return SentForm([
      "base": entity.base.code, "quoted": entity.quoted.code, "day": "\(entity.day)",
      "rate": context.typed("\(entity.quote)"),
    ])
  }

  static func commands(
    _ form: inout SentForm, _ entity: ExchangeRate?, _ context: PageContext,
    _ snapshot: borrowing Snapshot
  ) throws -> [Command] {
    let base = try form.currency("base", context, snapshot)
    let quoted = try form.currency("quoted", context, snapshot)
    let day = form.day("day", context, isNeeded: true)
    let quote = try? Quote(form.text("rate").replacing(",", with: "."))
    if quote == nil { form.faults["rate"] = context[.wrongNumber] }
    guard let base, let quoted, let day, let quote else { return [] }
    let rate = ExchangeRate(base: base, quoted: quoted, day: day, quote: quote)
    // A rate is identified by its currencies and its day. If these change, it is a different rate.
    guard let entity, entity.id != rate.id else {
      return rate.quote == entity?.quote ? [] : [.setRate(rate)]
    }
    return [
      .removeRate(base: entity.base, quoted: entity.quoted, on: entity.day), .setRate(rate),
    ]
  }

  static func deletions(
    _ entity: ExchangeRate, _ names: NameBook, _ context: PageContext
  ) -> [Deletion] {
    [
      Deletion(
        value: "", text: "",
        command: .removeRate(base: entity.base, quoted: entity.quoted, on: entity.day))
    ]
  }
}
