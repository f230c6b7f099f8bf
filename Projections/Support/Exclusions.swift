import DaybookBookkeeping
package import DaybookEntities

/// The accounts and categories that totals leave out.
package struct Exclusions: Hashable, Sendable {
  /// The ids of the excluded accounts.
  package let accounts: Set<EntityID>
  /// The ids of the excluded categories, and of all categories below them.
  package let categories: Set<EntityID>

  /// Creates exclusions.
  package init(accounts: Set<EntityID>, categories: Set<EntityID>) {
    self.accounts = accounts
    self.categories = categories
  }

  /// How much of a transaction totals leave out.
  package enum Extent: Hashable, Sendable {
    /// Everything counts.
    case nothing
    /// Some parts have an excluded category.
    case part
    /// All parts have an excluded category.
    case allParts
    /// The transaction is excluded, or all of its accounts are.
    case whole
  }

  /// Returns how much of a transaction totals leave out.
  ///
  /// Built-in accounts don't matter.
  ///
  /// - Parameter isConsidered: Whether a part in a category is considered.
  package func extent(
    of record: RawSpan, where isConsidered: (EntityID) -> Bool = { _ in true }
  ) throws -> Extent {
    let figures = try TransactionFigures(record)
    var (hasAccount, hasCounted, partCount, excludedCount) = (false, false, 0, 0)
    var cursor = PostingCursor(figures.postings)
    while try cursor.advance() {
      let code = cursor.code
      if code == .account {
        hasAccount = true
        if !accounts.contains(cursor.id) { hasCounted = true }
      } else if code.isCategory, isConsidered(cursor.id) {
        partCount += 1
        if categories.contains(cursor.id) { excludedCount += 1 }
      }
    }
    if hasAccount, !hasCounted { return .whole }
    if try TransactionFigures.isExcludedFromTotals(record) { return .whole }
    if excludedCount == 0 { return .nothing }
    return excludedCount == partCount ? .allParts : .part
  }
}

/// The amounts of a transaction that are summed: those that count, or those that are left out.
struct SummedAmounts {
  private let exclusions: Exclusions?
  private let extent: Exclusions.Extent
  private let isExcluded: Bool

  /// - Parameter isExcluded: Whether to sum what is left out.
  init(of record: RawSpan, _ exclusions: Exclusions?, isExcluded: Bool) throws {
    self.exclusions = exclusions
    self.isExcluded = isExcluded
    extent = try exclusions?.extent(of: record) ?? .nothing
  }

  /// Whether postings to accounts are summed.
  ///
  /// A transaction that counts in part counts as a whole.
  var includesAccounts: Bool { isIncluded(extent == .whole || extent == .allParts) }
  /// Whether the amount of a transfer is summed.
  var includesTransfer: Bool { isIncluded(extent == .whole) }

  /// Returns whether a part in a category is summed.
  func includesPart(in category: EntityID) -> Bool {
    isIncluded(extent == .whole || exclusions?.categories.contains(category) ?? false)
  }

  private func isIncluded(_ isLeftOut: Bool) -> Bool {
    exclusions == nil || isLeftOut == isExcluded
  }
}
