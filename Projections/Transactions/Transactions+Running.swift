package import DaybookBookkeeping
package import DaybookEngine
import DaybookEntities

extension Transactions {
  /// Returns the balance of an account right after each of some places in its list on one day.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - keys: The places in the account's list, all on one day, newest first. They need not have
  ///     rows.
  ///   - end: The account's balance at the end of that day, in minor units.
  /// - Complexity: O(rows of the account on that day, down to the last place).
  package static func balances(
    of account: AccountID, after keys: [RowKey], end: Int128, in view: borrowing View
  ) throws -> [Int128] {
    guard let newest = keys.first else { return [] }
    let handle = try view.tables(of: Transactions.self)
    let selection = try Selection(
      accounts: [account], days: newest.day..<newest.day.adding(days: 1), in: view)
    let path = try AccessPath.choose(for: selection, handle, view)
    var balances: [Int128] = []
    balances.reserveCapacity(keys.count)
    var balance = end
    try path.forEachRow(in: selection.bounds(after: nil), handle, view) { row, _, record in
      while balances.count < keys.count, keys[balances.count] >= row { balances.append(balance) }
      if balances.count == keys.count { return false }
      let figures = try TransactionFigures(record)
      var cursor = PostingCursor(figures.postings)
      while try cursor.advance() {
        if !cursor.code.isCategory, cursor.id == account.rawValue {
          balance -= Int128(cursor.units)
        }
      }
      return true
    }
    while balances.count < keys.count { balances.append(balance) }
    return balances
  }
}
