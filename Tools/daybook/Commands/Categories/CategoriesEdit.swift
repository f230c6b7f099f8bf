import ArgumentParser
import Daybook

/// `daybook categories edit`: changes whether totals leave a category out.
struct CategoriesEditCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Exclude a category from totals, or include it again.",
    discussion: """
        daybook categories edit Reimbursed --exclude-from-totals

      The category and its subcategories are then neither income nor spending. `categories trend` \
      still shows the amounts of the category itself.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(
    help: "The category (a name, or a path such as Food:Groceries).",
    completion: LedgerCompletion.categories)
  var category: String

  @Option(help: "income or expense, if both have a category of this name.")
  var kind: CategoryKindArgument?

  @OptionGroup var totals: TotalsOptions

  func validate() throws { try totals.requireOne() }

  func execute() async throws {
    var path = category
    let isExcluded = totals.excludeFromTotals
    let recorded = try await ledger.record { snapshot in
      let found = try Lookup.category(
        category, kind: kind?.kind, tellingKindsApartBy: "--kind", in: snapshot)
      path = try Names(snapshot).path(of: found.id)
      var change = CategoryChange()
      change.isExcludedFromTotals = isExcluded
      return [.amendCategory(found.id, change)]
    }
    try ledger.answer(
      recorded, "\(path) is \(isExcluded ? "excluded from" : "included in") totals.")
  }
}
