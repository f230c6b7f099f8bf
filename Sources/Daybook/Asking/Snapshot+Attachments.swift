internal import DaybookEngine

extension Snapshot {
  /// Returns the transactions that have attachments, newest first.
  ///
  /// - Throws: ``DaybookError`` if the views can't be read; see ``Snapshot``.
  /// - Complexity: O(transactions); only those with attachments are decoded.
  public func transactionsWithAttachments() throws -> [Transaction] {
    var found: [Transaction] = []
    try view.forEachEntity(
      .transaction, from: StatePosition(cluster: 0, number: 0),
      to: StatePosition(cluster: .max, number: .max), reversed: true
    ) { position, id, record in
      var reader = RecordReader(record)
      while let property = try reader.next() {
        guard property.tag == Tag.Transaction.attachments else { continue }
        found.append(try Transaction(record, id: id, number: position.number))
      }
      return true
    }
    return found
  }
}
