import Bookkeeping
import Entities
import Merging

/// The total of an imported or reconciled split, which stays what it is however its lines are merged.
extension PostingParts {
  /// The uncategorised line that brings merged lines to the total of the row; `nil` where they add up to
  /// it, and where the row has no total to keep.
  ///
  /// A row keeps its total where it was imported or is reconciled. Where one side changed the total, it is
  /// that side's. Where both changed it, an imported row has the total of the side that wins.
  static func balance(_ sides: KindRules.Parts.Sides) -> RegisterValue? {
    let id = EntityID(high: 0, low: 0)
    func row(_ record: Record) -> Transaction? {
      try? Transaction(record: record, id: id, number: 0)
    }
    guard let merged = row(sides.merged), merged.postings.count > 2,
      merged.importIdentity != nil || merged.status == .reconciled,
      let after = row(sides.after), let stood = row(sides.stood),
      // A row that was taken whole has the total that its side gave it.
      merged.postings != after.postings, merged.postings != stood.postings,
      let now = splitTotal(merged), let own = splitTotal(after), let standing = splitTotal(stood)
    else { return nil }
    let known = sides.before.flatMap(row).flatMap(splitTotal)
    let total: Money
    if own == standing || own == known {
      total = standing
    } else if merged.importIdentity == nil {
      return nil
    } else if standing == known || sides.isAuthorAhead {
      total = own
    } else if known != nil {
      total = standing
    } else {
      return nil
    }
    return rest(of: merged, from: now, to: total)
  }

  /// What the account of a split moves by; `nil` for a row that is none.
  private static func splitTotal(_ row: Transaction) -> Money? {
    guard let first = row.postings.first, case .account = first.account,
      row.postings.dropFirst().allSatisfy({ $0.amount.currency == first.amount.currency })
    else { return nil }
    return first.amount
  }

  /// The uncategorised line with which a row moves its account by another total.
  private static func rest(
    of row: Transaction, from now: Money, to total: Money
  ) -> RegisterValue? {
    let missing = Int128(now.minorUnits) - Int128(total.minorUnits)
    if missing == 0 || now.currency != total.currency { return nil }
    let category = PostingAccount.category(
      row.type == .income ? .uncategorizedIncome : .uncategorizedExpense)
    guard let register = line(category) else { return nil }
    let known = row.postings.first { line($0.account) == register }
    guard let units = Int64(exactly: missing + Int128(known?.amount.minorUnits ?? 0))
    else { return nil }
    let rest = SplitRow.Line(category: category, units: units, note: known?.note ?? "")
    return RegisterValue(register, units == 0 ? [] : SplitRow.bytes(rest, now.currency))
  }
}
