package import DaybookBookkeeping
package import DaybookEngine
import DaybookEntities

/// The use of a payee or tag: the number of its transactions, and the newest of them.
package struct PayeeOrTagUse: Sendable {
  /// The number of transactions with the payee or tag.
  package let count: Int
  /// The newest transaction up to a given day or, if all transactions are later, the newest one.
  package let newest: Transaction
}

extension PayeesAndTags {
  /// Returns the payees with a prefix, most used first; equally used payees are ordered by most
  /// recent use.
  ///
  /// - Parameters:
  ///   - prefix: The folded prefix; empty for all payees.
  ///   - today: The last day whose transactions can be the newest.
  /// - Complexity: O(payees with the prefix + limit · log rows).
  package static func payees(
    prefix: String, limit: Int, today: Day, in view: borrowing View
  ) throws -> [PayeeOrTagUse] {
    let handle = try view.tables(of: PayeesAndTags.self)
    let wanted = FoldedPayee.bytes(prefix)
    let from = FoldedPayee.prefix(wanted)
    var found: [(count: Int, hash: TextHash)] = []
    try forEach(in: handle[payees], prefix: from, view) { key, sums in
      let hash = try TextHash(key, at: key.byteCount - 16)
      found.append((try checkedCount(sums[0], in: name, "a payee"), hash))
      return true
    }
    found.sort { $0.count > $1.count }
    var uses: [PayeeOrTagUse] = []
    // Payees with the same count are ordered by their newest transactions, so all of them are read,
    // up to a limit.
    var last: Int?
    for (count, hash) in found {
      if uses.count >= limit, last != count || uses.count >= limit + tieMax { break }
      let newest = try newest(hash, in: handle[payeeRows], today: today, view) {
        TextHash(FoldedPayee.bytes($0.payee)) == hash
      }
      last = count
      // The key contains only the first bytes of the payee, so the whole prefix is compared here.
      guard FoldedPayee.bytes(newest.payee).starts(with: wanted) else { continue }
      uses.append(PayeeOrTagUse(count: count, newest: newest))
    }
    return Array(uses.sorted(by: isBefore).prefix(max(limit, 0)))
  }

  /// The maximum number of equally used payees that are read beyond the limit to find the most
  /// recently used.
  private static let tieMax = 256

  /// Calls `body` with the transactions of a payee, newest first, until it returns `false`.
  ///
  /// - Parameter payee: The payee; one that is empty when folded has no transactions.
  /// - Complexity: O(log rows) for each transaction.
  package static func forEachTransaction(
    ofPayee payee: String, in view: borrowing View, _ body: (Transaction) throws -> Bool
  ) throws {
    let wanted = FoldedPayee.bytes(payee)
    if wanted.isEmpty { return }
    let handle = try view.tables(of: PayeesAndTags.self)
    let start = TextHash(wanted).key
    guard let end = start.afterPrefix else { throw missing() }
    try forEachTransaction(in: handle[payeeRows], from: start, to: end, view) { transaction in
      guard FoldedPayee.bytes(transaction.payee) == wanted else { return true }
      return try body(transaction)
    }
  }

  /// Returns the tags in use, most used first; equally used tags are ordered by most recent use.
  ///
  /// - Complexity: O(tags · log rows).
  package static func tags(today: Day, in view: borrowing View) throws -> [(
    tag: String, use: PayeeOrTagUse
  )] {
    let handle = try view.tables(of: PayeesAndTags.self)
    var found: [(count: Int, hash: TextHash)] = []
    try forEach(in: handle[tags], prefix: TableKey(), view) { key, sums in
      found.append((try checkedCount(sums[0], in: name, "a tag"), try TextHash(key, at: 0)))
      return true
    }
    var uses: [(tag: String, use: PayeeOrTagUse)] = []
    for (count, hash) in found {
      var tag = ""
      let newest = try newest(hash, in: handle[tagRows], today: today, view) { transaction in
        guard let own = transaction.tags.first(where: { TextHash($0.utf8) == hash }) else {
          return false
        }
        tag = own
        return true
      }
      uses.append((tag, PayeeOrTagUse(count: count, newest: newest)))
    }
    return uses.sorted { isBefore($0.use, $1.use) }
  }

  private static func isBefore(_ left: PayeeOrTagUse, _ right: PayeeOrTagUse) -> Bool {
    if left.count != right.count { return left.count > right.count }
    if left.newest.day != right.newest.day { return left.newest.day > right.newest.day }
    return left.newest.number > right.newest.number
  }

  private static func forEach(
    in table: Table, prefix: TableKey, _ view: borrowing View,
    _ body: (RawSpan, Sums) throws -> Bool
  ) throws {
    // Every key is less than 31 bytes of 0xff, because payee keys begin with UTF-8 or 0, and tag
    // keys have 16 bytes.
    var end = TableKey()
    for _ in 0..<TableKey.byteCountMax { end.append(u8: 0xff) }
    try view.forEachSum(in: table, from: prefix, to: prefix.afterPrefix ?? end, body)
  }

  /// Returns the newest transaction for a hash up to today or, if all transactions are later, the
  /// newest one.
  private static func newest(
    _ hash: TextHash, in table: Table, today: Day, _ view: borrowing View,
    where isRight: (Transaction) -> Bool
  ) throws -> Transaction {
    var middle = hash.key
    middle.append(RowKey.first(of: today.adding(days: 1)))
    let start = hash.key
    guard let end = start.afterPrefix else { throw missing() }
    for (from, to) in [(start, middle), (middle, end)] {
      var newest: Transaction?
      try forEachTransaction(in: table, from: from, to: to, view) { transaction in
        if isRight(transaction) { newest = transaction }
        return newest == nil
      }
      if let newest { return newest }
    }
    throw missing()
  }

  /// Calls `body` with the transactions in part of a list of rows, newest first.
  private static func forEachTransaction(
    in table: Table, from: TableKey, to: TableKey, _ view: borrowing View,
    _ body: (Transaction) throws -> Bool
  ) throws {
    try view.forEachRow(in: table, from: from, to: to, reversed: true) { key, _ in
      var reader = ByteReader(key)
      reader.offset = 16
      let row = try reader.rowKey()
      let stored = try view.entity(.transaction, cluster: row.day.biased, number: row.number)
      guard let stored else { throw missing() }
      return try body(
        Transaction(record: stored.record, id: stored.id, number: stored.number))
    }
  }

  private static func missing() -> ProjectionFault {
    ProjectionFault.damagedRow(in: name, "the rows of a payee or tag, which State does not have,")
  }
}
