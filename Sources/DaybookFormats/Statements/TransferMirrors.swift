import DaybookBookkeeping

/// A detector of transfers that appear in the statements of both accounts in one file.
///
/// A transfer is recorded once, and the second row of each pair is skipped. If one side is part of
/// a split, that side is recorded and the plain row of the other account is skipped.
package struct TransferMirrors {
  private struct Transfer: Hashable {
    var day: Day
    var source: String
    var target: String
    var units: UInt64
  }

  private struct Count {
    var out = 0
    var into = 0
  }

  private var waiting: [Transfer: Count] = [:]

  /// Creates a detector without transfers.
  package init() {}

  /// Registers the transfers among the parts of split rows.
  ///
  /// Call this for all statements before you call ``hasOther(_:of:)``.
  package mutating func expect(_ rows: [StatementRow], of account: String) {
    for row in rows where !row.parts.isEmpty {
      for part in row.parts {
        guard let other = part.target else { continue }
        add(transfer(row.day, part.amount, of: account, with: other), part.amount)
      }
    }
  }

  /// Returns whether the other account's statement already contained this transfer.
  ///
  /// If not, registers the row so that its counterpart will be skipped.
  package mutating func hasOther(_ row: StatementRow, of account: String) -> Bool {
    guard let other = row.target, row.parts.isEmpty else { return false }
    let transfer = transfer(row.day, row.amount, of: account, with: other)
    let isOut = row.amount.minorUnits < 0
    if isOut, let count = waiting[transfer], count.into > 0 {
      waiting[transfer]?.into -= 1
      return true
    }
    if !isOut, let count = waiting[transfer], count.out > 0 {
      waiting[transfer]?.out -= 1
      return true
    }
    add(transfer, row.amount)
    return false
  }

  private mutating func add(_ transfer: Transfer, _ amount: Money) {
    if amount.minorUnits < 0 {
      waiting[transfer, default: Count()].out += 1
    } else {
      waiting[transfer, default: Count()].into += 1
    }
  }

  private func transfer(
    _ day: Day, _ amount: Money, of account: String, with other: String
  ) -> Transfer {
    let (mine, others) = (Folding.key(account), Folding.key(other))
    let isOut = amount.minorUnits < 0
    return Transfer(
      day: day, source: isOut ? mine : others, target: isOut ? others : mine,
      units: amount.minorUnits.magnitude)
  }
}
