package import DaybookBookkeeping
package import DaybookEngine
import DaybookEntities

/// The rows of one account that count there on a different day from their transaction's.
///
/// The list of the account shows them at that day. All other lists, and the lists that an
/// account's list is joined with, contain them at the transaction's day.
struct MovedRows {
  /// The number of the account.
  let account: UInt32
  /// The selection if it has other conditions, which are tested: the rows aren't found through
  /// joined lists.
  let test: Selection?

  /// The number of arriving rows that are read at a time.
  private static let chunkCount = 256

  /// Returns whether there are any such rows within bounds of the account's list.
  func exist(
    in bounds: Range<RowKey>, _ handle: ProjectionHandle, _ view: borrowing View
  ) throws -> Bool {
    if bounds.isEmpty { return false }
    for table in [Transactions.arrivals, Transactions.departures] {
      var exist = false
      try view.forEachRow(
        in: handle[table], from: key(bounds.lowerBound), to: key(bounds.upperBound)
      ) { _, _ in
        exist = true
        return false
      }
      if exist { return true }
    }
    return false
  }

  /// Returns the day on which a transaction counts on the account, if it isn't the transaction's
  /// day.
  func departs(
    _ place: RowKey, _ handle: ProjectionHandle, _ view: borrowing View
  ) throws -> Day? {
    try view.withRow(key(place), in: handle[Transactions.departures]) { value in
      try MovedRows.day(value)
    }
  }

  private func key(_ place: RowKey) -> TableKey {
    var key = IndexKey.number(account)
    key.append(place)
    return key
  }

  fileprivate static func day(_ value: RawSpan) throws -> Day {
    var reader = ByteReader(value)
    return Day(biased: try reader.u32be())
  }

  /// The arriving rows within bounds, read in chunks.
  struct Arrivals {
    private let rows: MovedRows
    private let ascending: Bool
    private var rest: Range<RowKey>
    private var chunk: [(key: RowKey, day: Day)] = []
    private var index = 0

    init(_ rows: MovedRows, _ bounds: Range<RowKey>, ascending: Bool) {
      self.rows = rows
      self.ascending = ascending
      rest = bounds
    }

    /// Calls `body` with the arriving rows that come before a place in the list, until it returns
    /// `false`.
    ///
    /// - Returns: Whether `body` never returned `false`.
    mutating func visit(
      before key: RowKey?, _ handle: ProjectionHandle, _ view: borrowing View,
      _ body: (RowKey, EntityID, RawSpan) throws -> Bool
    ) throws -> Bool {
      while true {
        if index == chunk.count, !rest.isEmpty { try read(handle, view) }
        guard index < chunk.count else { return true }
        let next = chunk[index]
        if let key, ascending ? next.key > key : next.key < key { return true }
        index += 1
        let stored = RowKey(day: next.day, number: next.key.number)
        let visited = try view.withEntity(.transaction, at: stored.position) { id, record in
          try rows.test?.accepts(record) ?? true ? body(next.key, id, record) : true
        }
        guard let visited else {
          throw ProjectionFault.damagedRow(
            in: Transactions.name,
            "the arrival \(next.key.day) \(next.key.number), which State does not have,")
        }
        if !visited { return false }
      }
    }

    private mutating func read(_ handle: ProjectionHandle, _ view: borrowing View) throws {
      var read: [(key: RowKey, day: Day)] = []
      try view.forEachRow(
        in: handle[Transactions.arrivals], from: rows.key(rest.lowerBound),
        to: rows.key(rest.upperBound), reversed: !ascending
      ) { key, value in
        var reader = ByteReader(key)
        _ = try reader.skip(4)
        read.append((try reader.rowKey(), try MovedRows.day(value)))
        return read.count < MovedRows.chunkCount
      }
      (chunk, index) = (read, 0)
      guard read.count == MovedRows.chunkCount, let last = read.last?.key else {
        rest = rest.lowerBound..<rest.lowerBound
        return
      }
      rest = ascending ? last.successor..<rest.upperBound : rest.lowerBound..<last
    }
  }
}

extension Transactions {
  /// Returns the place of a transaction in the list of a selection.
  ///
  /// It differs from the transaction's own place in the list of a single account, on which the
  /// transaction counts on another day. Any other place is returned unchanged.
  package static func place(
    _ key: RowKey, in selection: Selection, _ view: borrowing View
  ) throws -> RowKey {
    guard let moved = selection.moved else { return key }
    let handle = try view.tables(of: Transactions.self)
    let day = try moved.departs(key, handle, view)
    return day.map { RowKey(day: $0, number: key.number) } ?? key
  }
}

extension Selection {
  /// The rows that a single account's list shows on a different day from their transaction's.
  var moved: MovedRows? {
    guard let accounts, accounts.count == 1, accounts[0].number > 3 else { return nil }
    return MovedRows(
      account: accounts[0].number, test: without(.accounts).hasConditions ? self : nil)
  }

  /// Returns the day on which the selection's list shows a transaction.
  package func day(of record: RawSpan) throws -> Day {
    let figures = try TransactionFigures(record)
    guard let accounts, accounts.count == 1, accounts[0].number > 3,
      let arrival = try figures.arrival(in: record), accounts[0].id != arrival.source
    else { return figures.day }
    var cursor = PostingCursor(figures.postings)
    while try cursor.advance() {
      if cursor.code == .account, cursor.id == accounts[0].id { return arrival.day }
    }
    return figures.day
  }
}

extension Transactions {
  /// Returns the places of the transactions that count on an account on another side of a day's end
  /// than on their other accounts.
  ///
  /// - Parameter dayCountMax: The maximum number of days between the account's day and `day`.
  /// - Complexity: O(arrivals on the account in those days).
  package static func onTheWay(
    to account: UInt32, at day: Day, dayCountMax: Int, in view: borrowing View
  ) throws -> [RowKey] {
    let handle = try view.tables(of: Transactions.self)
    var from = IndexKey.number(account)
    from.append(RowKey.first(of: day.adding(days: -dayCountMax)))
    var to = IndexKey.number(account)
    to.append(RowKey.first(of: day.adding(days: dayCountMax + 1)))
    var places: [RowKey] = []
    try view.forEachRow(in: handle[arrivals], from: from, to: to) { key, value in
      var reader = ByteReader(key)
      _ = try reader.skip(4)
      let arrival = try reader.rowKey()
      let departure = try MovedRows.day(value)
      if (arrival.day > day) != (departure > day) {
        places.append(RowKey(day: departure, number: arrival.number))
      }
      return true
    }
    return places
  }
}
