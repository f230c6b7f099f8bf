import Bookkeeping
import Entities
import Projecting
import ProjectionSupport

/// The list that a selection is read from, and the buckets that count it.
struct Drive {
  /// Where the keys are.
  enum Source {
    /// State itself: all transactions.
    case all
    /// Lists of one table of keys.
    case lists(table: Int, prefixes: [TableKey])
  }

  let source: Source
  /// What the buckets begin with; their counts are added.
  var buckets: [TableKey] = []
  /// The categories whose buckets are added instead: there are some for years and months only.
  var categories: [UInt32] = []
  /// The currency of the buckets' day rows, where their keys don't end in one.
  var currency: Currency?
  /// The lists of `splits` where a row may be in several buckets.
  var splits: [TableKey] = []
  /// Whether there are buckets for days.
  var hasDays: Bool { !buckets.isEmpty }
  /// Whether the rows must be tested for the other conditions.
  var isTested = false

  static let all = Drive(source: .all, buckets: [BucketKey.all])

  /// The drive of a selection: its only condition, or the one that leaves the fewest rows.
  static func choose(
    for selection: Selection, _ handle: ProjectionHandle, _ view: borrowing View
  ) throws -> Drive {
    var drives: [Drive] = []
    var isTested = selection.matches != nil
    if let account = selection.account {
      if account.number <= 3 { isTested = true } else { drives.append(.account(account.number)) }
    }
    if let categories = selection.categories {
      drives.append(.categories(categories.map(\.number)))
    }
    switch (selection.type, selection.currency) {
    case (let type?, let currency?): drives.append(.type(type, currency))
    case (let type?, nil): drives.append(try .type(type, handle, view))
    case (nil, let currency?): drives.append(.currency(currency))
    default: break
    }
    guard var best = drives.first else {
      var drive = Drive.all
      drive.isTested = isTested
      return drive
    }
    if drives.count > 1 {
      var least = Int.max
      for drive in drives {
        let count = try RowCounter(drive, handle).estimate(selection.days, view)
        if count < least { (least, best) = (count, drive) }
      }
      isTested = true
    }
    best.isTested = isTested
    return best
  }

  private static func account(_ number: UInt32) -> Drive {
    Drive(
      source: .lists(table: Transactions.byAccount, prefixes: [IndexKey.number(number)]),
      buckets: [BucketKey.account(number)])
  }

  private static func categories(_ numbers: [UInt32]) -> Drive {
    let prefixes = numbers.map(IndexKey.number)
    return Drive(
      source: .lists(table: Transactions.byCategory, prefixes: prefixes),
      categories: numbers, splits: prefixes.count > 1 ? prefixes : [])
  }

  private static func type(_ type: TransactionType, _ currency: Currency) -> Drive {
    Drive(
      source: .lists(table: Transactions.byType, prefixes: [IndexKey.type(type, currency)]),
      buckets: [BucketKey.type(type, currency)], currency: currency)
  }

  private static func currency(_ currency: Currency) -> Drive {
    Drive(
      source: .lists(
        table: Transactions.byType,
        prefixes: TransactionType.allCases.map { IndexKey.type($0, currency) }),
      buckets: TransactionType.allCases.map { BucketKey.type($0, currency) }, currency: currency)
  }

  // A type's rows are in one list for each currency there is.
  private static func type(
    _ type: TransactionType, _ handle: ProjectionHandle, _ view: borrowing View
  ) throws -> Drive {
    var prefixes: [TableKey] = []
    var from = TableKey()
    from.append(u8: type.rawValue)
    let end = from.afterPrefix ?? from
    var isAtEnd = false
    while !isAtEnd {
      isAtEnd = true
      var found: TableKey?
      try view.forEachRow(in: handle[Transactions.byType], from: from, to: end) { key, _ in
        var reader = ByteReader(key)
        _ = try reader.u8()
        found = IndexKey.type(type, try reader.keyCurrency())
        return false
      }
      if let found, let next = found.afterPrefix {
        prefixes.append(found)
        from = next
        isAtEnd = false
      }
    }
    return Drive(
      source: .lists(table: Transactions.byType, prefixes: prefixes),
      buckets: [BucketKey.type(type)])
  }

  // MARK: Rows

  /// Gives the places of the drive's rows to `body`, newest first, until it returns false.
  ///
  /// - Parameters:
  ///   - ascending: oldest first instead.
  ///   - chunk: how many rows are likely to be wanted.
  func forEachKey(
    in bounds: Range<RowKey>, ascending: Bool = false, chunk: Int, _ handle: ProjectionHandle,
    _ view: borrowing View, _ body: (RowKey) throws -> Bool
  ) throws {
    switch source {
    case .all:
      try view.forEachEntity(
        .transaction, from: bounds.lowerBound.position, to: bounds.upperBound.position,
        reversed: !ascending
      ) { position, _, _ in try body(RowKey(position)) }
    case .lists(let table, let prefixes):
      if prefixes.count == 1 {
        try KeyCursor.forEach(
          in: handle[table], prefixes[0], bounds, ascending: ascending, view, body)
      } else {
        let share = prefixes.isEmpty ? 0 : chunk / prefixes.count + 1
        try KeyCursor.merge(
          in: handle[table], prefixes, bounds, ascending: ascending, chunk: share, view
        ) { key, _ in try body(key) }
      }
    }
  }

  /// Gives the selected rows to `body`, newest first, or oldest first if `ascending`, until it returns
  /// false.
  func forEachRow(
    of selection: Selection, in bounds: Range<RowKey>, ascending: Bool = false, chunk: Int,
    _ handle: ProjectionHandle, _ view: borrowing View,
    _ body: (RowKey, EntityID, RawSpan) throws -> Bool
  ) throws {
    if bounds.isEmpty { return }
    if let candidates = selection.candidates, selection.otherCategories.count <= listCountMax {
      return try forEachCandidate(
        candidates, of: selection, in: bounds, ascending: ascending, chunk: chunk, handle, view,
        body)
    }
    let isTested = isTested
    try forEachStored(in: bounds, ascending: ascending, chunk: chunk, handle, view) {
      key, id, record in
      if isTested, try !selection.accepts(record) { return true }
      return try body(key, id, record)
    }
  }

  /// Gives the drive's rows to `body`, newest first, or oldest first if `ascending`, until it returns
  /// false.
  func forEachStored(
    in bounds: Range<RowKey>, ascending: Bool, chunk: Int, _ handle: ProjectionHandle,
    _ view: borrowing View, _ body: (RowKey, EntityID, RawSpan) throws -> Bool
  ) throws {
    if case .all = source {
      return try view.forEachEntity(
        .transaction, from: bounds.lowerBound.position, to: bounds.upperBound.position,
        reversed: !ascending
      ) { position, id, record in try body(RowKey(position), id, record) }
    }
    try forEachKey(in: bounds, ascending: ascending, chunk: chunk, handle, view) { key in
      try Drive.withRow(key, view) { try body(key, $0, $1) }
    }
  }

  /// Gives the row of a list's entry to `body`.
  static func withRow(
    _ key: RowKey, _ view: borrowing View, _ body: (EntityID, RawSpan) throws -> Bool
  ) throws -> Bool {
    let goesOn = try view.withEntity(.transaction, at: key.position, body)
    guard let goesOn else {
      throw ProjectionFault.damagedRow(
        in: Transactions.name,
        "the list entry \(key.day) \(key.number), which State does not have,")
    }
    return goesOn
  }
}

extension RowKey {
  var position: StatePosition { StatePosition(cluster: day.biased, number: number) }

  init(_ position: StatePosition) {
    self.init(day: Day(biased: position.cluster), number: position.number)
  }
}
