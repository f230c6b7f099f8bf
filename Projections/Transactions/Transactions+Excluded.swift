import DaybookBookkeeping
package import DaybookEngine
import DaybookEntities

extension Transactions {
  /// Informs observers that a query depends on what is excluded.
  package static func noteReadingExcluded(in view: borrowing View) throws {
    let tables = try view.tables(of: Transactions.self)
    for table in [excluded, exclusions] { view.noteReading(tables[table]) }
  }

  /// Returns whether any account, category or transaction is excluded.
  ///
  /// - Complexity: O(log rows).
  package static func hasExcluded(in view: borrowing View) throws -> Bool {
    let tables = try view.tables(of: Transactions.self)
    var isThere = false
    for table in [excluded, exclusions] where !isThere {
      try view.forEachRow(in: tables[table], from: TableKey(), to: end) { _, _ in
        isThere = true
        return false
      }
    }
    return isThere
  }

  // After all keys of both tables.
  private static var end: TableKey {
    var end = TableKey()
    for _ in 0..<10 { end.append(u8: 0xff) }
    return end
  }

  static func addExclusion(
    _ change: borrowing ProjectedChange, to tables: inout ProjectionTables
  ) throws {
    let (id, number, isAccount) = (change.id, change.number, change.kind == .account)
    func isExcluded(_ record: Record?) throws -> Bool {
      guard let record else { return false }
      return try isAccount
        ? Account(record: record, id: id, number: number).isExcludedFromTotals
        : Category(record: record, id: id, number: number).isExcludedFromTotals
    }
    let (before, after) = (try isExcluded(change.before), try isExcluded(change.after))
    if before == after { return }
    var key = TableKey()
    key.append(u8: isAccount ? 0 : 1)
    key.append(number: try keyNumber(number, in: name))
    if after { tables.put(exclusions, key) } else { tables.remove(exclusions, key) }
  }

  /// Calls `body` with the places of the transactions that are excluded by their own property,
  /// oldest first.
  ///
  /// - Complexity: O(log rows + such transactions).
  package static func forEachExcluded(
    in view: borrowing View, _ body: (RowKey) throws -> Void
  ) throws {
    let table = try view.tables(of: Transactions.self)[excluded]
    try view.forEachRow(in: table, from: TableKey(), to: end) { key, _ in
      var reader = ByteReader(key)
      try body(try reader.rowKey())
      return true
    }
  }
}

/// The places of the transactions that totals leave out in whole or in part, in ascending order.
package final class ExcludedPlaces: CandidateRows, Sendable {
  private let places: [RowKey]

  /// Creates candidates from ascending places.
  package init(_ places: [RowKey]) { self.places = places }

  package func contain(_ keys: [RowKey], in view: borrowing View) throws -> [Bool] {
    keys.map { key in
      let index = firstIndex(from: key)
      return index < places.count && places[index] == key
    }
  }

  package func estimatedCount(in view: borrowing View) throws -> Int { places.count }

  package func forEach(
    in bounds: Range<RowKey>, ascending: Bool, _ view: borrowing View,
    _ body: (RowKey) throws -> Bool
  ) throws {
    let found = places[firstIndex(from: bounds.lowerBound)..<firstIndex(from: bounds.upperBound)]
    if ascending {
      for key in found where try !body(key) { return }
    } else {
      for key in found.reversed() where try !body(key) { return }
    }
  }

  // Returns the index of the first place that isn't before a key.
  private func firstIndex(from key: RowKey) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
