import ArgumentParser
import Daybook

/// The policies for overspending.
enum OverspendingArgument: String, ExpressibleByArgument, CaseIterable {
  case cover, carry
}

/// `daybook envelopes overspending`: chooses what happens to an envelope's overspending.
struct EnvelopesOverspendingCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "overspending", abstract: "Choose what happens to a category's overspending.",
    discussion: """
        daybook envelopes overspending Reimbursed carry

      With cover, the default, the next month covers it: the envelope starts at zero, and less \
      money is ready to assign. With carry, the envelope starts the next month with the negative \
      amount. The choice applies to all months.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The category.", completion: LedgerCompletion.categories)
  var category: String

  @Argument(help: "cover or carry.")
  var policy: OverspendingArgument

  func execute() async throws {
    var path = category
    let recorded = try await ledger.record { snapshot in
      let found = try Lookup.category(category, kind: .expense, in: snapshot)
      path = try Names(snapshot).path(of: found.id)
      var change = CategoryChange()
      change.carriesOverspending = policy == .carry
      return [.amendCategory(found.id, change)]
    }
    try ledger.answer(
      recorded,
      policy == .carry
        ? "\(path) carries overspending over to the next month."
        : "Overspending of \(path) is covered from the next month's money to assign.")
  }
}

/// `daybook envelopes exclude`: leaves an account's money out of the envelopes.
struct EnvelopesExcludeCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "exclude", abstract: "Leave an account's money out of what can be assigned.",
    discussion: """
        daybook envelopes exclude Mortgage

      What only this account pays isn't spent from envelopes. A transfer to it takes money out of \
      what is ready to assign.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The account.", completion: LedgerCompletion.accounts)
  var account: String

  func execute() async throws {
    let (recorded, name) = try await ledger.setOutsideBudget(account, true)
    try ledger.answer(recorded, "\(name) is outside the budget.")
  }
}

/// `daybook envelopes include`: counts an account's money as money that can be assigned.
struct EnvelopesIncludeCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "include", abstract: "Count an account's money as money that can be assigned.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The account.", completion: LedgerCompletion.accounts)
  var account: String

  func execute() async throws {
    let (recorded, name) = try await ledger.setOutsideBudget(account, false)
    try ledger.answer(recorded, "\(name) is in the budget.")
  }
}

extension LedgerOptions {
  fileprivate func setOutsideBudget(
    _ account: String, _ isOutside: Bool
  ) async throws -> (Recorded, name: String) {
    var change = AccountChange()
    change.isOutsideBudget = isOutside
    return try await record(on: account) { [change] in .amendAccount($0, change) }
  }
}
