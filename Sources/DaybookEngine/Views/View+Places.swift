internal import DaybookEntities
internal import DaybookLMDB

extension View {
  /// Calls `body` with the positions of a list in a table of places, until it returns `false`.
  ///
  /// - Parameters:
  ///   - table: A table of places.
  ///   - head: The part of the list's keys before the position.
  ///   - from: The first position to include; `nil` for the start of the list.
  ///   - to: The position after the last; `nil` for the end of the list.
  ///   - reversed: Whether to iterate in descending order.
  /// - Throws: `DecodingFault` if the stored rows aren't a valid list of positions;
  ///   ``ProjectingError`` if the head is too long.
  /// - Complexity: O(log *n*) for the first of *n* positions, O(1) for each further one.
  public func forEachPlace(
    in table: Table, head: TableKey, from: StatePosition? = nil, to: StatePosition? = nil,
    reversed: Bool = false, _ body: (StatePosition) throws -> Bool
  ) throws {
    tracker?.note(table.tag)
    let lower = from ?? StatePosition(cluster: 0, number: 0)
    let first = head.with(reversed ? to ?? .greatest : lower)
    try first.check()
    var cursor = try transaction.view.cursor(in: table.database)
    var places: [StatePosition] = []
    // The row that contains the first position may have a smaller key.
    var goesOn = try first.withBytes { (first) throws -> Bool in
      if let row = try cursor.seek(atOrBefore: first), TableKey.isPlace(row.key, of: head) {
        _ = try PlacePiece(key: row.key, value: row.value, into: &places)
        return true
      }
      guard !reversed, let row = try cursor.seek(atOrAfter: first),
        TableKey.isPlace(row.key, of: head)
      else { return false }
      _ = try PlacePiece(key: row.key, value: row.value, into: &places)
      return true
    }
    while goesOn {
      if reversed { places.reverse() }
      for place in places {
        if reversed ? place < lower : to.map({ place >= $0 }) ?? false { return }
        if reversed ? to.map({ place >= $0 }) ?? false : place < lower { continue }
        if try !body(place) { return }
      }
      goesOn = false
      if let row = try reversed ? cursor.previous() : cursor.next(),
        TableKey.isPlace(row.key, of: head)
      {
        _ = try PlacePiece(key: row.key, value: row.value, into: &places)
        goesOn = true
      }
    }
  }
}
