package import DaybookBookkeeping
package import DaybookEngine
import DaybookEntities

extension Transactions {
  /// Calls `body` with the places of the transactions that have postings to an account or category.
  ///
  /// The tables are read as of before the current batch.
  ///
  /// - Parameter day: The only day to visit, or `nil` for all days.
  package static func forEachRow(
    ofAccount account: UInt32? = nil, ofCategory category: UInt32? = nil, on day: Day? = nil,
    in tables: CommittedTables, _ handle: ProjectionHandle, _ body: (RowKey) throws -> Void
  ) throws {
    guard let number = account ?? category else { return }
    let table = handle[account == nil ? byCategory : byAccount]
    let from = day.map { RowKey.first(of: $0).position }
    let to = day.map { RowKey.first(of: $0.adding(days: 1)).position }
    try tables.forEachPlace(in: table, head: IndexKey.number(number), from: from, to: to) {
      try body(RowKey($0))
    }
  }
}
