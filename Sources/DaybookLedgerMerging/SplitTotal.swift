import DaybookBookkeeping
import DaybookEntities
import DaybookMerging

/// Preserves the total of an imported or reconciled split when its lines are merged.
extension PostingParts {
  /// Returns the uncategorised line that makes merged lines add up to the transaction's total, or
  /// `nil` if they add up already or the transaction has no fixed total.
  ///
  /// An imported or reconciled transaction keeps its total. If one side changed the total, that
  /// side's total is kept. If both sides changed the total of an imported transaction, the total of
  /// the winning side is kept.
  static func balance(_ sides: KindRules.Parts.Sides) -> RegisterValue? {
    let id = EntityID(high: 0, low: 0)
    func row(_ record: Record) -> Transaction? {
      try? Transaction(record: record, id: id, number: 0)
    }
    guard let merged = row(sides.merged), merged.postings.count > 2,
      merged.importIdentity != nil || merged.status == .reconciled,
      let after = row(sides.after), let current = row(sides.current),
      // A side that was taken as a whole also has its own total.
      merged.postings != after.postings, merged.postings != current.postings,
      let now = splitTotal(merged), let own = splitTotal(after), let standing = splitTotal(current)
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

  /// Returns the amount of a split's account posting, or `nil` if the transaction isn't a split.
  private static func splitTotal(_ row: Transaction) -> Money? {
    guard let first = row.postings.first, case .account = first.account,
      row.postings.dropFirst().allSatisfy({ $0.amount.currency == first.amount.currency })
    else { return nil }
    return first.amount
  }

  /// Returns the uncategorised line that changes a transaction's total.
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
