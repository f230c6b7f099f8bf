internal import Entities
internal import LMDB

extension View {
  /// Gives the places of a list of a table of places to `body` until it returns false.
  ///
  /// - Parameters:
  ///   - table: a table of places.
  ///   - head: what the keys of the list begin with: all of them but the place.
  ///   - from: the first place, the least where `nil`.
  ///   - to: the place after the last, past the greatest where `nil`.
  ///   - reversed: from the greatest place downwards.
  /// - Throws: `DecodingFault` where what is stored is no list of places.
  /// - Complexity: O(log places) for the first, O(1) for each further place.
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
    // Where a piece has the first place, its key is not greater.
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
