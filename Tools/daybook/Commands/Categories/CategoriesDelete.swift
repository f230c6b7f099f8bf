import ArgumentParser
import Daybook

/// `daybook categories delete`: deletes a category.
struct CategoriesDeleteCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a category, and keep, delete or move its transactions.",
    discussion: "Without an option, a subcategory's transactions move to its parent.")

  @OptionGroup var ledger: LedgerOptions

  @Argument(
    help: "The category (a name, or a path such as Food:Groceries).",
    completion: LedgerCompletion.categories)
  var category: String

  @Option(help: "income or expense, if both have a category of this name.")
  var kind: CategoryKindArgument?

  @OptionGroup var deletion: DeletionOptions

  func execute() async throws {
    var path = category
    var users: [String] = []
    var heir: String?
    let recorded = try await ledger.record { snapshot in
      let found = try Lookup.category(
        category, kind: kind?.kind, tellingKindsApartBy: "--kind", in: snapshot)
      path = try CategoryTree(snapshot).path(of: found)
      let policy = try deletion.policy {
        try Lookup.category($0, kind: found.kind, in: snapshot).id
      }
      users = try snapshot.plans(using: found.id)
      switch policy {
      case .move(let other): heir = try Names(snapshot).path(of: other)
      case nil: heir = try found.parent.map { try Names(snapshot).path(of: $0) }
      case .keepRows, .withRows: heir = nil
      }
      if policy == nil, found.parent == nil { try refuseUnsaid(found, path, snapshot) }
      return [.deleteCategory(found.id, policy)]
    }
    let count = recorded.receipt.outcomes.changedRowCount
    try ledger.answer(
      recorded, "Deleted \(path)\(deletion.sentence(rows: count)).\(remark(on: users, heir))")
  }

  /// A sentence about the budgets, rules and recurring transactions that used the category.
  private func remark(on users: [String], _ heir: String?) -> String {
    guard !users.isEmpty else { return "" }
    let list = users.joined(separator: ", ")
    return heir.map { " Now using \($0): \(list)." }
      ?? " Still using it: \(list). Give \(users.count == 1 ? "it" : "them") another category."
  }

  /// Throws if the category has transactions, because a top-level category has no parent to which
  /// they could move.
  private func refuseUnsaid(
    _ found: Category, _ path: String, _ snapshot: borrowing Snapshot
  ) throws {
    var filter = TransactionFilter(category: found.id)
    filter.includesSubcategories = false
    let count = try snapshot.count(filter)
    guard count > 0 else { return }
    throw CommandFailure.usage(
      "Couldn't delete \(path): it has \(Figures.counted(count, "transaction")).",
      remedy: "Add --keep-rows, --with-rows or --move-to CATEGORY.")
  }
}

extension Snapshot {
  /// The budgets, rules and recurring transactions that use a category, such as “the rule Rides”.
  func plans(using id: CategoryID) throws -> [String] {
    try budgets().filter { $0.categories.contains(id) }.map { "the budget \($0.name)" }
      + rules().filter { $0.category == id }.map { "the rule \($0.name)" }
      + series().filter { $0.template.categories.contains(id) }
      .map { "the recurring transaction \($0.name)" }
  }
}
