import ArgumentParser
import Daybook

/// The month in which money is assigned or moved.
struct EnvelopeMonthOptions: ParsableArguments {
  @OptionGroup var today: TodayOptions

  @Option(help: ArgumentHelp("The month (default: the current month).", valueName: "yyyy-mm"))
  var month: MonthArgument?

  var chosen: Month { month?.month ?? today.day.monthOf }
}

/// `daybook envelopes assign`: sets the amount that an envelope is assigned in a month.
struct EnvelopesAssignCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "assign", abstract: "Set the amount assigned to a category or a card in a month.",
    discussion: """
        daybook envelopes assign Food 400
        daybook envelopes assign Food 450 --month 2026-03
        daybook envelopes assign Visa 100

      The amount replaces the month's earlier one. To add or take away money later in the month, \
      use `daybook envelopes move`. Assign money to a card to pay debt that is older than the \
      envelopes, or that overspending left; purchases from envelopes with money are set aside \
      automatically.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var month: EnvelopeMonthOptions
  @OptionGroup var rehearsal: EnvelopeRehearsalOptions

  @Argument(
    help: "The category (a name, or a path such as Food:Groceries), or the card.",
    completion: LedgerCompletion.categories)
  var category: String

  @Argument(help: "The amount; 0 for none.")
  var amount: String

  func execute() async throws {
    var done = ""
    let commands: (borrowing Snapshot) throws -> [Command] = { snapshot in
      let money = try Amounts.money(amount, in: snapshot.settings().baseCurrency, snapshot)
      if let card = try Lookup.card(category, in: snapshot) {
        done =
          "Assigned \(Figures.withCode(Total(money))) to the payment of \(card.name) in "
          + "\(month.chosen)."
        return [.assignPayment(money, to: card.id, in: month.chosen)]
      }
      let found = try Lookup.category(category, kind: .expense, in: snapshot)
      let path = try Names(snapshot).path(of: found.id)
      done = "Assigned \(Figures.withCode(Total(money))) to \(path) in \(month.chosen)."
      return [.assign(money, to: found.id, in: month.chosen)]
    }
    if rehearsal.dryRun { return try await ledger.rehearseEnvelopes(month.today.day, commands) }
    try ledger.answer(try await ledger.record(commands), done)
  }
}

/// `daybook envelopes move`: moves money between envelopes.
struct EnvelopesMoveCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move money from one envelope to another.",
    discussion: """
        daybook envelopes move 50 --from Clothing --to Food
        daybook envelopes move 50 --to Food --note "birthday"

      Without --from, the money comes from what is ready to assign; without --to, it returns there.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var month: EnvelopeMonthOptions
  @OptionGroup var rehearsal: EnvelopeRehearsalOptions

  @Argument(help: "The amount.")
  var amount: String

  @Option(help: "The category that gives the money.", completion: LedgerCompletion.categories)
  var from: String?

  @Option(help: "The category that receives the money.", completion: LedgerCompletion.categories)
  var to: String?

  @Option(help: "A note, such as the reason.")
  var note: String = ""

  func validate() throws {
    if from == nil, to == nil { throw ValidationError("Use --from, --to or both.") }
  }

  func execute() async throws {
    var done = ""
    let commands: (borrowing Snapshot) throws -> [Command] = { snapshot in
      let source = try from.map { try Lookup.envelope($0, in: snapshot) }
      let target = try to.map { try Lookup.category($0, kind: .expense, in: snapshot).id }
      let money = try Amounts.size(
        amount, in: snapshot.settings().baseCurrency, snapshot, of: "a move",
        ifNegative: { "To move \($0) the other way, swap --from and --to." })
      let names = try Names(snapshot)
      done =
        "Moved \(Figures.withCode(Total(money)))"
        + (source.map { " from \(names.path(of: $0))" } ?? "")
        + (target.map { " to \(names.path(of: $0))" } ?? "") + " in \(month.chosen)."
      return [.moveMoney(money, from: source, to: target, in: month.chosen, note: note)]
    }
    if rehearsal.dryRun { return try await ledger.rehearseEnvelopes(month.today.day, commands) }
    try ledger.answer(try await ledger.record(commands), done)
  }
}

/// `daybook envelopes cover`: covers an envelope's overspending from another one.
struct EnvelopesCoverCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "cover", abstract: "Cover an envelope's overspending with money of another.",
    discussion: """
        daybook envelopes cover Food --from Clothing

      Moves exactly the overspent amount. Without --from, it comes from what is ready to assign.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var month: EnvelopeMonthOptions
  @OptionGroup var rehearsal: EnvelopeRehearsalOptions

  @Argument(help: "The overspent category.", completion: LedgerCompletion.categories)
  var category: String

  @Option(help: "The category that gives the money.", completion: LedgerCompletion.categories)
  var from: String?

  @Option(help: "A note, such as the reason.")
  var note: String = ""

  func execute() async throws {
    var done = ""
    let commands: (borrowing Snapshot) throws -> [Command] = { snapshot in
      let found = try Lookup.category(category, kind: .expense, in: snapshot)
      let source = try from.map { try Lookup.envelope($0, in: snapshot) }
      let names = try Names(snapshot)
      let path = names.path(of: found.id)
      let only = month.chosen..<month.chosen.adding(1)
      let envelopes = try snapshot.envelopes(over: only, today: month.today.day)[0].envelopes
      let available = envelopes.first { $0.category.id == found.id }?.available
      guard let available, available.units < 0 else {
        throw CommandFailure(
          .refused, code: "refused",
          "Couldn't cover \(path): it isn't overspent in \(month.chosen).",
          remedy: "See `daybook envelopes --month \(month.chosen)`.")
      }
      let money = Money(Int64(clamping: -available.units), available.currency)
      done =
        "Covered \(path) in \(month.chosen) with \(Figures.withCode(Total(money))) from "
        + (source.map { names.path(of: $0) } ?? "what is ready to assign") + "."
      return [.moveMoney(money, from: source, to: found.id, in: month.chosen, note: note)]
    }
    if rehearsal.dryRun { return try await ledger.rehearseEnvelopes(month.today.day, commands) }
    try ledger.answer(try await ledger.record(commands), done)
  }
}

/// `daybook envelopes remove`: removes a move between envelopes.
struct EnvelopesRemoveCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a move of money between envelopes.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The move's id; `daybook envelopes moves --json` shows ids.")
  var move: String

  func execute() async throws {
    var done = ""
    let recorded = try await ledger.record { snapshot in
      let all = try snapshot.allocations().filter { !$0.isAssignment }
      guard let found = all.first(where: { "\($0.id)" == move }) else {
        throw CommandFailure.notFound(
          "There is no move with the id “\(move)”.",
          remedy: "List them with `daybook envelopes moves --json`.")
      }
      done = "Removed the move of \(Figures.withCode(Total(found.amount))) in \(found.month)."
      return [.removeMove(found.id)]
    }
    try ledger.answer(recorded, done)
  }
}

extension Lookup {
  /// Finds a card by its full name, unless an expense category has the name too.
  static func card(_ text: String, in snapshot: borrowing Snapshot) throws -> Account? {
    let key = Folding.key(text)
    let names = try Names(snapshot)
    let categories = try snapshot.categories(.expense)
    guard
      !categories.contains(where: {
        Folding.key($0.name) == key || Folding.key(names.path(of: $0.id)) == key
      })
    else { return nil }
    return try snapshot.accounts().first { $0.kind == .liability && Folding.key($0.name) == key }
  }

  /// Finds an expense category, even if it is deleted, because its money can still be moved.
  ///
  /// - Throws: `CommandFailure` if no category or several categories match.
  static func envelope(_ text: String, in snapshot: borrowing Snapshot) throws -> CategoryID {
    let names = try Names(snapshot)
    let deleted = try snapshot.categories(.expense, includingDeleted: true).first {
      $0.isDeleted && Folding.key(names.path(of: $0.id)) == Folding.key(text)
    }
    do {
      return try category(text, kind: .expense, in: snapshot).id
    } catch {
      if let deleted { return deleted.id }
      throw error
    }
  }
}
