import Daybook

/// The page of one envelope in a month: what it consists of, and the forms that change it.
struct EnvelopePage {
  /// A refused form, and the action that it was sent to.
  struct Refused: Sendable {
    var action: String
    var form: SentForm
  }

  let context: PageContext
  let names: NameBook
  let month: Month
  let refused: Refused?

  /// Returns the page of a category's envelope, or of a card's payment.
  static func page(
    _ id: EntityID, _ refused: Refused?, _ context: PageContext, _ snapshot: borrowing Snapshot
  ) throws -> Page {
    guard let base = try snapshot.settings().baseCurrency else { throw PageError.notFound }
    let asked = (refused?.form.optional("month") ?? context.query("month")).flatMap { Month($0) }
    let month = asked.flatMap { $0.isUsual ? $0 : nil } ?? context.today.monthOf
    let page = EnvelopePage(
      context: context, names: try NameBook(snapshot), month: month, refused: refused)
    let months = try snapshot.envelopes(
      over: month.adding(-1)..<month.adding(1), today: context.today)
    if let account = try snapshot.account(AccountID(id)) {
      return page.page(of: account, months)
    }
    guard let category = try snapshot.category(CategoryID(id)), category.kind == .expense else {
      throw PageError.notFound
    }
    return try page.page(of: category, months, base, snapshot)
  }

  // MARK: A category

  private func page(
    of category: Category, _ months: [EnvelopeMonth], _ base: Currency,
    _ snapshot: borrowing Snapshot
  ) throws -> Page {
    func envelope(_ place: Int) -> Envelope {
      months[place].envelopes.first { $0.category.id == category.id }
        ?? Envelope(
          category: category, carriedOver: .zero(base), assigned: .zero(base), moved: .zero(base),
          spent: .zero(base))
    }
    let envelope = envelope(1)
    let id = category.id
    let spending = EnvelopeSpending.link(
      month, [("category", "\(id)"), ("subcategories", "false")], context)
    var facts: [(Word, HTML)] = [
      (.carriedOver, context.figure(envelope.carriedOver, to: own(id.rawValue, month.adding(-1)))),
      (.assigned, context.figure(envelope.assigned, to: "#assign")),
      (.moved, context.figure(envelope.moved, to: "#moves", isSigned: true)),
      (.spent, context.figure(envelope.spent, to: spending)),
    ]
    if names.hasAccountsOutsideBudget,
      let listed = try EnvelopeSpending.listed(id, month, context, snapshot),
      listed.units != envelope.spent.units
    {
      let rest = Total(units: listed.units - envelope.spent.units, currency: base)
      facts.append((.paidOutside, context.figure(rest, to: spending)))
    }
    let isOverspent = envelope.available.units < 0
    let over: HTML? =
      isOverspent ? " <span class=\"status\">\(context[.overspent])</span>" : nil
    facts.append((.available, "\(context.figure(envelope.available, to: "#moves"))\(over)"))
    if let goal = category.goal {
      let needed = envelope.needed.map { needed -> HTML in
        let missing: HTML =
          needed.units == 0
          ? "\(context[.onTrack])"
          : "\(context.figure(needed, to: "#assign")) \(context[.missing])"
        return " · \(missing)"
      }
      facts.append(
        (.goal, "<a class=\"figure\" href=\"#goal\">\(GoalText.text(goal, context))</a>\(needed)"))
    }
    var body = "\(steps(id.rawValue))\(list(facts))" as HTML
    if context.canWrite {
      body += assignment(id.rawValue, envelope.assigned) { fill in
        var buttons: [HTML] = []
        if let needed = envelope.needed, needed.units > 0 {
          buttons.append(fill("\(id).\(month)", .assignMissing))
        }
        return buttons
      }
    }
    body += try moves(of: id, snapshot)
    body += below(category, months[1])
    if context.canWrite, !category.isDeleted, !id.isBuiltin { body += goal(of: category) }
    return Page(
      "\(names.name(id, context)), \(context.month(month))", .envelopes,
      actions: actions(id, isOverspent), body: body)
  }

  private func actions(_ id: CategoryID, _ isOverspent: Bool) -> HTML {
    guard context.canWrite else { return HTML() }
    let cover: HTML? =
      isOverspent
      ? "<a class=\"button main\" href=\"/envelopes/move?cover=\("\(id)")&amp;month=\("\(month)")\">\(context[.coverOverspending])</a>"
      : nil
    return """
      <div class="actions">\(cover)<a class="button" data-key="m" href="/envelopes/move?from=\("\(id)")&amp;month=\("\(month)")">\(context[.moveMoney])</a></div>
      """
  }

  private func moves(of id: CategoryID, _ snapshot: borrowing Snapshot) throws -> HTML {
    let moves = try snapshot.allocations().filter {
      !$0.isAssignment && $0.month == month && ($0.category == id || $0.source == id)
    }
    guard !moves.isEmpty else { return "<span id=\"moves\"></span>" }
    func name(_ id: CategoryID?) -> String {
      id.map { names.name($0, context) } ?? context[.readyToAssign]
    }
    let rows = moves.map { move -> HTML in
      let remove: HTML? =
        context.canWrite
        ? """
        <form method="post" action="/envelopes/remove"><input type="hidden" name="move" value="\("\(move.id)")">\
        <input type="hidden" name="back" value="\(own(id.rawValue, month))"><button>\(context[.delete])</button></form>
        """ : nil
      return """
        <tr><td>\(name(move.source))</td><td>\(name(move.category))</td><td>\(move.note)</td>\
        <td class="num">\(context.figure(move.amount, to: context.link("/why/\(move.id)")))</td><td>\(remove)</td></tr>
        """
    }
    return """
      <section class="card" id="moves"><h2>\(context[.moves])</h2><div class="scroll"><table class="figures"><thead><tr><th scope="col">\(context[.from])</th>\
      <th scope="col">\(context[.moveTo])</th><th scope="col">\(context[.reason])</th><th scope="col" class="num">\(context[.amount])</th><td></td></tr></thead><tbody>\(rows)</tbody></table></div></section>
      """
  }

  /// Returns the envelopes of the subcategories, and the total with the envelope itself.
  private func below(_ category: Category, _ month: EnvelopeMonth) -> HTML {
    let found = Dictionary(
      month.envelopes.map { ($0.category.id, $0) }, uniquingKeysWith: { $1 })
    let rows = CategoryOutline(names.categories) { found[$0.id] != nil }.rows
    guard let place = rows.firstIndex(where: { $0.category.id == category.id }),
      !rows[place].below.isEmpty
    else { return HTML() }
    func cells(_ envelopes: [Envelope], _ link: String) -> HTML {
      func sum(_ amount: KeyPath<Envelope, Total>) -> HTML {
        let units = envelopes.reduce(0) { $0 + $1[keyPath: amount].units }
        let total = Total(units: units, currency: month.readyToAssign.currency)
        return "<td class=\"num\">\(context.figure(total, to: link))</td>"
      }
      return "\(sum(\.assigned))\(sum(\.spent))\(sum(\.available))"
    }
    let all = ([category.id] + rows[place].below).compactMap { found[$0] }
    let lines = all.map { envelope -> HTML in
      let id = envelope.category.id
      let link = own(id.rawValue, month.month)
      let itself: HTML? = id == category.id ? " \(context[.itself])" : nil
      return """
        <tr><th scope="row"><a href="\(link)">\(envelope.category.name)\(itself)</a></th>\(cells([envelope], link))</tr>
        """
    }
    let titles = [Word.assigned, .spent, .available].map { word -> HTML in
      "<th scope=\"col\" class=\"num\">\(context[word])</th>"
    }
    return """
      <section class="card" id="below"><h2>\(context[.subcategories])</h2><div class="scroll"><table class="figures"><thead><tr><th scope="col">\(context[.category])</th>\(titles)</tr></thead>\
      <tbody>\(lines)<tr class="sum"><th scope="row">\(context[.total])</th>\(cells(all, "#below"))</tr></tbody></table></div></section>
      """
  }

  private func goal(of category: Category) -> HTML {
    let isBack = refused?.action == "goal"
    let form = isBack ? refused?.form ?? SentForm() : GoalText.values(category, context)
    return """
      <section class="card" id="goal"><h2>\(context[.goalAndOverspending])</h2>\(FormText.html("/envelopes/goal", GoalText.fields(context), form, context, more: hidden(category.entityID)))</section>
      """
  }

  // MARK: A card

  private func page(of account: Account, _ months: [EnvelopeMonth]) -> Page {
    let id = account.id
    guard let payment = months[1].payments.first(where: { $0.account.id == id }) else {
      return Page(
        "\(account.name), \(context.month(month))", .envelopes,
        body: "\(steps(id.rawValue))<p class=\"empty\">\(context[.nothingYet])</p>")
    }
    let rows = context.transactions(month.days, [("account", "\(id)")])
    let growth = Total(
      units: payment.setAside.units + payment.overspent.units, currency: payment.debt.currency)
    let over: HTML? =
      payment.available.units < 0
      ? " <span class=\"status\">\(context[.overspent])</span>" : nil
    let facts: [(Word, HTML)] = [
      (.carriedOver, context.figure(payment.carriedOver, to: own(id.rawValue, month.adding(-1)))),
      (.assigned, context.figure(payment.assigned, to: "#assign")),
      (.debtGrowth, context.figure(growth, to: rows, isSigned: true)),
      (.overspentOnCard, context.figure(payment.overspent, to: rows)),
      (.available, "\(context.figure(payment.available, to: "#facts"))\(over)"),
      (
        .cardDebt,
        context.figure(
          payment.debt, to: context.link("/transactions", [("account", "\(id)")]))
      ),
      (.uncoveredDebt, context.figure(payment.uncovered, to: "#assign")),
    ]
    let form = context.canWrite ? assignment(id.rawValue, payment.assigned) { _ in [] } : HTML()
    return Page(
      "\(account.name), \(context.month(month))", .envelopes,
      body: "\(steps(id.rawValue))\(list(facts))\(form)")
  }

  // MARK: Parts of both

  private func list(_ facts: [(Word, HTML)]) -> HTML {
    let rows = facts.map { word, value -> HTML in
      "<dt>\(context[word])</dt><dd>\(value)</dd>"
    }
    return "<dl class=\"facts card\" id=\"facts\">\(rows)</dl>"
  }

  /// Returns links to the months before and after, and to the table.
  private func steps(_ id: EntityID) -> HTML {
    let (before, after) = (month.adding(-1), month.adding(1))
    let table = context.link(EnvelopeRange.address(of: month, context))
    return """
      <nav class="steps" aria-label="\(context[.monthRange])"><a class="button" href="\(own(id, before))">‹ \(context.month(before))</a>\
      <a href="\(table)">\(context[.envelopes])</a><a class="button" href="\(own(id, after))">\(context.month(after)) ›</a></nav>
      """
  }

  /// Returns the form that assigns an amount.
  ///
  /// - Parameter more: Returns further buttons, which assign an amount with one click.
  private func assignment(
    _ id: EntityID, _ assigned: Total, more: ((String, Word) -> HTML) -> [HTML]
  ) -> HTML {
    let isBack = refused?.action == "assign"
    var form = isBack ? refused?.form ?? SentForm() : SentForm()
    if !isBack { form.values["amount"] = [AmountText.typed(assigned, context.locale)] }
    let buttons = more { value, word in
      """
      <form method="post" action="/envelopes/fill"><input type="hidden" name="back" value="\(own(id, month))"><button name="fill" value="\(value)">\(context[word])</button></form>
      """
    }
    let fields = [FormField.text("amount", .assigned, hint: context[.amountHint])]
    let row: HTML? = buttons.isEmpty ? nil : "<div class=\"actions\">\(buttons)</div>"
    return """
      <section class="card" id="assign"><h2>\(context[.assign])</h2>\(FormText.html("/envelopes/assign", fields, form, context, more: hidden(id)))\(row)</section>
      """
  }

  private func hidden(_ id: EntityID) -> HTML {
    """
    <input type="hidden" name="id" value="\("\(id)")"><input type="hidden" name="month" value="\("\(month)")">\
    <input type="hidden" name="back" value="\(own(id, month))">
    """
  }

  private func own(_ id: EntityID, _ month: Month) -> String {
    context.link("/envelopes/\(id)", [("month", "\(month)")])
  }
}
