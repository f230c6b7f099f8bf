import Daybook

// The pages and forms of envelopes.
extension LedgerSite {
  /// Returns the table of envelopes, the form that moves money, or the page of one envelope.
  func envelopes(_ context: PageContext, _ part: String?) async throws -> Page {
    switch part {
    // These are also the paths of rejected forms that are now opened with GET.
    case nil, "assign", "fill", "goal", "remove":
      return try await read(context, EnvelopesPage.page)
    case "move": return try await read(context) { try MovePage.page(nil, $0, $1) }
    case let id?:
      guard let id = EntityID(id) else { throw PageError.notFound }
      return try await read(context) { try EnvelopePage.page(id, nil, $0, $1) }
    }
  }

  /// Returns the answer to a form that changes envelopes.
  func changeEnvelopes(_ context: PageContext, _ action: String) async throws -> PageAnswer {
    switch action {
    case "assign": return try await assign(context)
    case "fill": return try await fillEnvelopes(context)
    case "goal": return try await setGoal(context)
    case "move": return try await moveMoney(context)
    case "remove":
      guard let id = context.field("move").flatMap({ AllocationID($0) }) else {
        throw PageError.notFound
      }
      return try await record([.removeMove(id)], context)
    default: throw PageError.notFound
    }
  }

  /// Sets the amount of an envelope or of a card's payment; an empty field is zero.
  private func assign(_ context: PageContext) async throws -> PageAnswer {
    var sent = SentForm(context)
    let (id, month) = try target(&sent, context)
    let (base, isCard) = try ledger.read { snapshot in
      (try snapshot.settings().baseCurrency, try snapshot.account(AccountID(id)) != nil)
    }
    guard let base else { throw PageError.notFound }
    let amount = sent.money("amount", base, context) ?? .zero(base)
    if sent.faults.isEmpty {
      do {
        return try await record(
          [
            isCard
              ? .assignPayment(amount, to: AccountID(id), in: month)
              : .assign(amount, to: CategoryID(id), in: month)
          ], context)
      } catch let error as DaybookError {
        sent.refuse(error, ["amount"], context)
      }
    }
    return try refused(id, "assign", sent, context)
  }

  private func setGoal(_ context: PageContext) async throws -> PageAnswer {
    var sent = SentForm(context)
    let (id, _) = try target(&sent, context)
    let (base, category) = try ledger.read { snapshot in
      (try snapshot.settings().baseCurrency, try snapshot.category(CategoryID(id)))
    }
    guard let base, let category else { throw PageError.notFound }
    let command = GoalText.command(&sent, category, base, context)
    if sent.faults.isEmpty {
      do {
        return try await record(command.map { [$0] } ?? [], context)
      } catch let error as DaybookError {
        sent.refuse(error, [], context)
      }
    }
    return try refused(id, "goal", sent, context)
  }

  /// Assigns what goals need, or last month's amounts.
  private func fillEnvelopes(_ context: PageContext) async throws -> PageAnswer {
    let parts = (context.field("fill") ?? "").split(separator: ".").map(String.init)
    guard parts.count == 2, let month = Month(parts[1]), month.isUsual else {
      throw PageError.notFound
    }
    let months = try ledger.read { snapshot in
      try snapshot.envelopes(over: month.adding(-1)..<month.adding(1), today: context.today)
    }
    let commands: [Command]
    switch parts[0] {
    case "needed": commands = months[1].commandsForGoals()
    case "last": commands = months[1].commandsRepeating(months[0])
    default:
      guard let id = CategoryID(parts[0]) else { throw PageError.notFound }
      commands = months[1].commandsForGoals(of: id)
    }
    do {
      return try await record(commands, context)
    } catch let error as DaybookError {
      var again = context.showing(Self.back(context))
      var sent = SentForm()
      sent.faults[""] = context.text(error)
      again.sent = sent
      var page = try ledger.read { try EnvelopesPage.page(again, $0) }
      page.status = 422
      return try laidOut(page, again)
    }
  }

  private func moveMoney(_ context: PageContext) async throws -> PageAnswer {
    var sent = SentForm(context)
    let base = try ledger.read { try $0.settings().baseCurrency }
    guard let base else { throw PageError.notFound }
    let from: CategoryID? = sent.id("from", context)
    let to: CategoryID? = sent.id("to", context)
    if from == to { sent.faults["to"] = context[.sameEnvelope] }
    let month = Month(sent.text("month"))
    if month?.isUsual != true { sent.faults["month"] = context[.wrongMonth] }
    let amount = sent.money("amount", base, context, isNeeded: true)
    if let amount, amount.minorUnits <= 0 { sent.faults["amount"] = context[.amountAboveZero] }
    if sent.faults.isEmpty, let month, let amount {
      do {
        let receipt = try await append(
          [.moveMoney(amount, from: from, to: to, in: month, note: sent.text("reason"))], context,
          key: sent.optional("key"))
        return redirect(
          EnvelopeRange.address(of: month, context).setting("done", "saved")
            .setting("commit", "\(receipt.token.sequence)"))
      } catch {
        sent.refuse(error, ["amount"], context)
      }
    }
    let form = sent
    var page = try ledger.read { try MovePage.page(form, context, $0) }
    page.status = 422
    return try laidOut(page, context)
  }

  // MARK: Parts

  /// Returns the envelope and the month that a form is about.
  private func target(
    _ sent: inout SentForm, _ context: PageContext
  ) throws -> (EntityID, Month) {
    guard let id = EntityID(sent.text("id")), let month = Month(sent.text("month")), month.isUsual
    else { throw PageError.notFound }
    return (id, month)
  }

  /// Records commands, and shows the page that sent the form.
  private func record(_ commands: [Command], _ context: PageContext) async throws -> PageAnswer {
    let back = Self.back(context)
    guard !commands.isEmpty else { return redirect(back) }
    let receipt = try await append(commands, context)
    return redirect(
      back.setting("done", "saved").setting("commit", "\(receipt.token.sequence)"))
  }

  /// Returns the page of an envelope with a refused form.
  private func refused(
    _ id: EntityID, _ action: String, _ sent: SentForm, _ context: PageContext
  ) throws -> PageAnswer {
    let refused = EnvelopePage.Refused(action: action, form: sent)
    var page = try ledger.read { try EnvelopePage.page(id, refused, context, $0) }
    page.status = 422
    return try laidOut(page, context)
  }
}
