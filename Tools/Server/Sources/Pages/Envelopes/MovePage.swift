import Daybook

/// The form that moves money from one envelope to another.
enum MovePage {
  static func page(
    _ sent: SentForm?, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> Page {
    guard context.canWrite, try snapshot.settings().baseCurrency != nil else {
      throw PageError.notFound
    }
    let names = try NameBook(snapshot)
    let asked = (sent?.optional("month") ?? context.query("month")).flatMap { Month($0) }
    let month = asked.flatMap { $0.isUsual ? $0 : nil } ?? context.today.monthOf
    let read = try snapshot.envelopes(over: month..<month.adding(1), today: context.today)
    guard let envelopes = read.first else { throw PageError.notFound }
    let isCover = context.query("cover") != nil
    let form = sent ?? prefilled(envelopes, month, context)
    let fields: [FormField] = [
      first(
        .choice("from", .moveFrom, choices(envelopes, names, context)),
        if: sent == nil && (isCover || context.query("from") == nil)),
      first(
        .choice("to", .moveTo, choices(envelopes, names, context, forReceiving: true)),
        if: sent == nil && !isCover && context.query("from") != nil
          && context.query("to") == nil),
      first(
        .text("amount", .amount, isRequired: true, hint: context[.amountHint]),
        if: sent == nil && context.query("from") != nil && context.query("to") != nil),
      .text("reason", .reason), .text("month", .month, type: "month", isRequired: true),
    ]
    let key = sent?.optional("key") ?? "page-\(TransactionID.random())"
    let back = EnvelopeRange.address(of: month, context).text
    return Page(
      context[isCover ? .coverOverspending : .moveMoney], .envelopes,
      body: """
        <section class="card">\(FormText.html("/envelopes/move", fields, form, context, cancel: back, more: "<input type=\"hidden\" name=\"key\" value=\"\(key)\">"))</section>
        """)
  }

  private static func first(_ field: FormField, if isFirst: Bool) -> FormField {
    var field = field
    field.isFirst = isFirst
    return field
  }

  /// Returns the values from the address; an overspent envelope is filled with what it lacks.
  private static func prefilled(
    _ envelopes: EnvelopeMonth, _ month: Month, _ context: PageContext
  ) -> SentForm {
    let to = context.query("cover") ?? context.query("to")
    var values = ["month": "\(month)", "from": context.query("from") ?? "", "to": to ?? ""]
    let target = envelopes.envelopes.first { "\($0.category.id)" == to }
    if let available = target?.available, available.units < 0 {
      let lacking = Total(units: -available.units, currency: available.currency)
      values["amount"] = AmountText.typed(lacking, context.locale)
    }
    return SentForm(values)
  }

  /// Returns the envelopes with what is available in each.
  private static func choices(
    _ month: EnvelopeMonth, _ names: NameBook, _ context: PageContext, forReceiving: Bool = false
  ) -> [(String, String)] {
    func choice(_ id: String, _ name: String, _ total: Total) -> (String, String) {
      (id, "\(name) · \(context.amount(total))")
    }
    let envelopes = month.envelopes.filter { !forReceiving || !$0.category.isDeleted }
      .map { envelope in
        let name = names.name(envelope.category.id, context)
        return choice("\(envelope.category.id)", name, envelope.available)
      }
      .sorted { $0.1 < $1.1 }
    return [choice("", context[.readyToAssign], month.readyToAssign)] + envelopes
  }
}
