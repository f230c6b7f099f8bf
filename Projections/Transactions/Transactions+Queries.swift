package import DaybookBookkeeping
package import DaybookEngine
package import DaybookEntities

// Lists are ordered by day, newest first, and within a day by recording number, newest first.
extension Transactions {
  /// Returns a page of the selected transactions after a place in the list.
  ///
  /// - Parameter key: The last transaction of the previous page, or `nil` for the first page. The
  ///   transaction may have been deleted.
  /// - Complexity: O(limit) at any depth if the selection has one condition besides the days. With
  ///   several conditions, the list with the fewest rows is read. For each of its rows, either the
  ///   other lists skip ahead to the row, or the row is read and tested.
  package static func page(
    _ selection: Selection, after key: RowKey? = nil, limit: Int, in view: borrowing View
  ) throws -> [Transaction] {
    var page = TransactionPage(reserving: limit)
    try forEach(selection, after: key, limit: limit, in: view) { row, id, record in
      try page.append(record, id: id, number: row.number)
    }
    return page.finish()
  }

  /// Returns the page of the selected transactions just before a place in the list, in list order.
  ///
  /// - Parameter key: The oldest place that the page may include.
  /// - Complexity: The same as for a page after a place.
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

  /// Returns whether the selected transactions can be counted without reading rows.
  package static func isCounted(_ selection: Selection, in view: borrowing View) throws -> Bool {
    try AccessPath.choose(for: selection, try view.tables(of: Transactions.self), view).isCounted
  }

  /// Returns the page of the selected transactions that begins after `offset` newer transactions.
  ///
  /// - Complexity: The cost of a page by key, plus O(years + 12 months + 31 days + rows of one day)
  ///   for the offset. With categories, it is the rows of one month instead of one day. With
  ///   several conditions or a text, all rows before the offset are read.
  package static func page(
    _ selection: Selection, offset: Int, limit: Int, in view: borrowing View
  ) throws -> [Transaction] {
    var page = TransactionPage(reserving: limit)
    try forEach(selection, offset: offset, limit: limit, in: view) { row, id, record in
      try page.append(record, id: id, number: row.number)
    }
    return page.finish()
  }

  /// Calls `body` with the packed records of a page by key.
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

  /// Calls `body` with the packed records of a page by offset.
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
      // Skip keys without reading their rows.
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

  /// Returns the number of selected transactions.
  ///
  /// - Complexity: O(years + months and days at the ends of the range) for one condition. With
  ///   several conditions or a text, the keys or rows of the shortest list are read.
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

  /// Returns the days with selected transactions, newest first, each with its count and sums.
  ///
  /// - Parameter day: The last day of the previous sections, or `nil` for the first sections.
  /// - Complexity: O(limit) without a condition, or with one condition on an account, a type or a
  ///   currency. Otherwise the rows of the sections are read.
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
      .subtracting(selection.leftOut, view)
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
      // The newest days of each bucket list are enough, because no other day can be among the
      // newest days of all lists.
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

extension [DaySums] {
  /// Returns the sections without the amounts that totals leave out.
  fileprivate func subtracting(_ leftOut: Selection?, _ view: borrowing View) throws -> [DaySums] {
    guard let leftOut, let newest = first?.day, let oldest = last?.day else { return self }
    let days = oldest..<newest.adding(days: 1)
    var sums: [Day: [Currency: Int128]] = [:]
    let page = leftOut.limited(to: days)
    try Transactions.forEach(page, limit: .max, in: view) { row, _, record in
      try leftOut.add(record, to: &sums[row.day, default: [:]])
    }
    return map { section in
      guard let excluded = sums[section.day] else { return section }
      var rest = excluded.mapValues { -$0 }
      for sum in section.sums { rest[sum.currency, default: 0] += sum.units }
      return DaySums(day: section.day, count: section.count, sums: rest)
    }
  }
}
