package import Bookkeeping
import Entities
package import Projecting
package import ProjectionSupport

extension Transactions {
  /// Gives the places of the transactions that touch an account or category, as of before a batch,
  /// to `body`; those of one day only, where it is given.
  package static func forEachRow(
    ofAccount account: UInt32? = nil, ofCategory category: UInt32? = nil, on day: Day? = nil,
    in tables: CommittedTables, _ handle: ProjectionHandle, _ body: (RowKey) throws -> Void
  ) throws {
    guard let number = account ?? category else { return }
    var from = IndexKey.number(number)
    if let day { from.append(u32: day.biased) }
    guard let to = from.afterPrefix else { return }
    let table = handle[account == nil ? byCategory : byAccount]
    try tables.forEachRow(in: table, from: from, to: to) { key, _ in
      var reader = ByteReader(key)
      _ = try reader.u32be()
      try body(try reader.rowKey())
      return true
    }
  }
}
