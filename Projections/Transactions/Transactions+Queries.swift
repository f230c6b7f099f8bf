package import Bookkeeping
package import Entities
package import Projecting
package import ProjectionSupport

// Lists are newest day first, then newest recorded first.
extension Transactions {
  /// The selected transactions that come after a place in the list.
  ///
  /// - Parameter key: the last transaction of the page before, or `nil` for the first page; it need
  ///   not exist any more.
  /// - Complexity: O(limit), at any depth, where the selection has one condition (besides days).
  ///   Several are answered from the list that has the fewest rows: the others' lists leap to each of
  ///   them, or its row is read and tested.
  package static func page(
    _ selection: Selection, after key: RowKey? = nil, limit: Int, in view: borrowing View
  ) throws -> [Transaction] {
    var page = TransactionPage(reserving: limit)
    try forEach(selection, after: key, limit: limit, in: view) { row, id, record in
      try page.append(record, id: id, number: row.number)
    }
    return page.finish()
  }

  /// The selected transactions that come before a place in the list, those next to it, in the order of
  /// the list.
  ///
  /// - Parameter key: the oldest place that may be among them.
  /// - Complexity: as for those after a place.
  package static func page(
    _ selection: Selection, from key: RowKey, limit: Int, in view: borrowing View
  ) throws -> [Transaction] {
    if limit <= 0 { return [] }
    let handle = try view.tables(of: Transactions.self)
    let path = try AccessPath.choose(for: selection, handle, view)
    var page = TransactionPage(reserving: limit)
    try path.forEachRow(
      in: selection.bounds(from: key), ascending: true, handle, view
    ) { row, id, record in
      try page.append(record, id: id, number: row.number)
      return page.count < limit
    }
    return page.finish().reversed()
  }

  /// Whether rows are counted without looking at them.
  package static func isCounted(_ selection: Selection, in view: borrowing View) throws -> Bool {
    try AccessPath.choose(for: selection, try view.tables(of: Transactions.self), view).isCounted
  }

  /// The selected transactions from the one that has `offset` newer ones.
  ///
  /// - Complexity: as by key, and O(years + 12 months + 31 days + the rows of one day) for the
  ///   offset; of one month instead for categories. With several conditions or a text the rows before
  ///   the offset are looked at.
  package static func page(
    _ selection: Selection, offset: Int, limit: Int, in view: borrowing View
  ) throws -> [Transaction] {
    var page = TransactionPage(reserving: limit)
    try forEach(selection, offset: offset, limit: limit, in: view) { row, id, record in
      try page.append(record, id: id, number: row.number)
    }
    return page.finish()
  }

  /// Gives the packed records of a page by key to `body`.
  package static func forEach(
    _ selection: Selection, after key: RowKey? = nil, limit: Int, in view: borrowing View,
    _ body: (RowKey, EntityID, RawSpan) throws -> Void
  ) throws {
    if limit <= 0 { return }
    let handle = try view.tables(of: Transactions.self)
    let path = try AccessPath.choose(for: selection, handle, view)
    var rest = limit
    try path.forEachRow(in: selection.bounds(after: key), handle, view) { row, id, record in
      try body(row, id, record)
      rest -= 1
      return rest > 0
    }
  }

  /// Gives the packed records of a page by offset to `body`.
  package static func forEach(
    _ selection: Selection, offset: Int, limit: Int, in view: borrowing View,
    _ body: (RowKey, EntityID, RawSpan) throws -> Void
  ) throws {
    if limit <= 0 { return }
    let handle = try view.tables(of: Transactions.self)
    let path = try AccessPath.choose(for: selection, handle, view)
    var bounds = selection.bounds(after: nil)
    var skipped = max(offset, 0)
    if path.isCounted, skipped > 0 {
      let counter = RowCounter(path, handle)
      guard let place = try counter.place(atOffset: skipped, in: selection.days, view) else {
        return
      }
      let below = max(bounds.lowerBound, place.part.upperBound)
      bounds = bounds.clamped(to: bounds.lowerBound..<below)
      skipped = place.newerCount
      if place.restCount < skipped,
        let key = try path.key(at: place.restCount, fromOldestIn: place.part, handle, view)
      {
        bounds = bounds.lowerBound..<key.successor
        skipped = 0
      }
    }
    if !path.isTested, skipped > 0 {
      // Keys are stepped over without their rows.
      try path.forEachKey(in: bounds, handle, view) { key in
        try selection.checkCancellation()
        bounds = bounds.lowerBound..<key
        skipped -= 1
        return skipped > 0
      }
      if skipped > 0 { return }
    }
    var rest = limit
    try path.forEachRow(in: bounds, handle, view) { row, id, record in
      if skipped > 0 {
        skipped -= 1
        return true
      }
      try body(row, id, record)
      rest -= 1
      return rest > 0
    }
  }

  /// How many transactions are selected.
  ///
  /// - Complexity: O(years + months and days at the ends of the range) for one condition; with several
  ///   or a text the keys or rows of the shortest list are looked at.
  package static func count(_ selection: Selection, in view: borrowing View) throws -> Int {
    let handle = try view.tables(of: Transactions.self)
    var path = try AccessPath.choose(for: selection, handle, view)
    path.readsAll = true
    if path.isCounted { return try RowCounter(path, handle).count(selection.days, view) }
    var count = 0
    let bounds = selection.bounds(after: nil)
    if !path.isTested {
      try path.forEachKey(in: bounds, handle, view) { _ in
        try selection.checkCancellation()
        count += 1
        return true
      }
      return count
    }
    try path.forEachRow(in: bounds, handle, view) {
      _, _, _ in
      count += 1
      return true
    }
    return count
  }

  /// The days that have selected transactions, newest first, each with its count and sums.
  ///
  /// - Parameter day: the last day of the sections before, or `nil` for the first ones.
  /// - Complexity: O(limit) where the condition is an account, a type or a currency, or there is none;
  ///   else the rows of the sections are looked at.
  package static func sections(
    _ selection: Selection, after day: Day? = nil, limit: Int, in view: borrowing View
  ) throws -> [DaySums] {
    if limit <= 0 { return [] }
    let handle = try view.tables(of: Transactions.self)
    let path = try AccessPath.choose(for: selection, handle, view)
    let bounds = selection.bounds(after: day.map(RowKey.first))
    if !path.isCounted || !path.hasDays {
      return try scannedSections(selection, path, bounds, limit, handle, view)
    }
    return try countedSections(path, bounds, limit, handle, view)
  }

  private static func scannedSections(
    _ selection: Selection, _ path: AccessPath, _ bounds: Range<RowKey>, _ limit: Int,
    _ handle: ProjectionHandle, _ view: borrowing View
  ) throws -> [DaySums] {
    var sections: [DaySums] = []
    var day: Day?
    var count = 0
    var sums: [Currency: Int128] = [:]
    try path.forEachRow(in: bounds, handle, view) { row, _, record in
      if let last = day, last != row.day {
        sections.append(DaySums(day: last, count: count, sums: sums))
        count = 0
        sums.removeAll(keepingCapacity: true)
        day = nil
        if sections.count == limit { return false }
      }
      day = row.day
      count += 1
      try selection.add(record, to: &sums)
      return true
    }
    if let day { sections.append(DaySums(day: day, count: count, sums: sums)) }
    return sections
  }

  private static func countedSections(
    _ path: AccessPath, _ bounds: Range<RowKey>, _ limit: Int, _ handle: ProjectionHandle,
    _ view: borrowing View
  ) throws -> [DaySums] {
    if bounds.isEmpty { return [] }
    let (first, end) = (bounds.lowerBound.day, bounds.upperBound.day)
    var days: [Int32: (count: Int, sums: [Currency: Int128])] = [:]
    for buckets in path.buckets {
      // The newest days of each are enough: no other can be among the newest of all.
      var dayCount = 0
      var last: Int32?
      try buckets.forEachDay(from: first, before: end, handle, view) { bucket in
        if bucket.day != last {
          if dayCount == limit { return false }
          dayCount += 1
          last = bucket.day
        }
        days[bucket.day, default: (0, [:])].count += bucket.count
        days[bucket.day, default: (0, [:])].sums[bucket.currency, default: 0] += bucket.sum
        return true
      }
    }
    return days.sorted { $0.key > $1.key }.prefix(limit).map {
      DaySums(day: Day(rawValue: $0.key), count: $0.value.count, sums: $0.value.sums)
    }
  }
}
