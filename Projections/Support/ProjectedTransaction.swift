public import DaybookBookkeeping
package import DaybookEngine
import DaybookEntities

/// The parts of a transaction that projections need: the day, type and lines, without texts.
///
/// Not copyable, because transactions are read into the same instance repeatedly.
@usableFromInline
package struct ProjectedTransaction: ~Copyable, Sendable {
  /// The transaction's day.
  @usableFromInline package private(set) var day = Day(rawValue: 0)
  /// The day on accounts other than the first one, if it is another one; see
  /// `Transaction.day(on:)`.
  @usableFromInline package private(set) var arrivalDay: Day?
  /// The number of the first account that isn't built in, if `arrivalDay` is set.
  private var source: UInt32 = 0
  /// The transaction's type.
  @usableFromInline package private(set) var type = TransactionType.expense
  /// Whether totals leave the transaction out, regardless of its accounts and categories.
  @usableFromInline package private(set) var isExcluded = false
  /// The transaction's lines.
  @usableFromInline package private(set) var lines = Lines()

  fileprivate init() {}

  /// Reads a transaction from its packed record.
  ///
  /// Usually, the transaction's type determines which categories are income categories: an expense
  /// has none, and if an income has only one category, that is one. Categories are looked up only
  /// for an income with several categories.
  ///
  /// - Throws: ``ProjectionFault`` if an account or category is missing in State, or
  ///   `DecodingFault` if the record is damaged.
  fileprivate mutating func read(
    _ record: Record, in projection: String, reading state: any StateReading
  ) throws {
    lines.removeAll()
    let bytes = record.bytes
    let figures = try TransactionFigures(bytes.span.bytes)
    day = figures.day
    let arrival = try figures.arrival(in: bytes.span.bytes)
    arrivalDay = arrival?.day
    source = 0
    type = figures.type
    isExcluded = try TransactionFigures.isExcludedFromTotals(bytes.span.bytes)
    let looksUp = type == .income ? try figures.hasManyCategoryPostings() : false
    var cursor = PostingCursor(figures.postings)
    while try cursor.advance() {
      let code = cursor.code
      var number = code.builtinNumber
      if number == 0 {
        number = try accountNumber(
          of: cursor.id, code == .account ? .account : .category, in: projection, reading: state)
        if code == .account, arrival?.source == cursor.id { source = number }
      }
      var kind = Line.Kind.account
      if code.isCategory {
        switch code {
        case .uncategorizedExpense: kind = .expense
        case .uncategorizedIncome: kind = .income
        default:
          kind = type == .income ? .income : .expense
          if looksUp {
            kind = try isIncome(cursor.id, in: projection, state) ? .income : .expense
          }
        }
      }
      lines.add(
        Line(kind: kind, number: number, currency: cursor.currency, units: cursor.units))
    }
  }

  /// The year, month and day of the transaction.
  @inlinable
  package var periods: TransactionPeriods { Self.periods(of: day) }

  /// The year, month and day of a day.
  @inlinable
  package static func periods(of day: Day) -> TransactionPeriods {
    let (year, month, _) = day.components
    return TransactionPeriods(
      year: Period(level: .year, index: Int32(truncatingIfNeeded: year)),
      month: Period(level: .month, index: Month(year: year, month: month).rawValue),
      day: Period.day(day))
  }

  /// Returns the day on which a line counts on its account or category.
  package func day(of line: Line) -> Day {
    guard let arrivalDay, !line.isCategory, !line.isBuiltInEquity, line.number != source else {
      return day
    }
    return arrivalDay
  }

  /// Returns whether two transactions have the same effect on every table.
  package func isEqual(to other: borrowing ProjectedTransaction) -> Bool {
    day == other.day && arrivalDay == other.arrivalDay && type == other.type
      && isExcluded == other.isExcluded && lines.isEqual(to: other.lines)
  }

  /// Calls `body` with the transaction before a change and the sign −1, and with the transaction
  /// after it and the sign 1.
  ///
  /// Does nothing if the change doesn't affect any figure. The transactions are read only once for
  /// all projections that receive the change.
  package static func forEachDifference(
    _ change: borrowing ProjectedChange, in projection: String, reading state: any StateReading,
    _ body: (borrowing ProjectedTransaction, _ sign: Int128) throws -> Void
  ) throws {
    guard let memo = change.memo else {
      return try TransactionReadings().forEachDifference(change, 1, projection, state, body)
    }
    try memo.object { TransactionReadings() }
      .forEachDifference(change, memo.ordinal, projection, state, body)
  }
}

/// The periods in which a transaction is counted.
@usableFromInline
@frozen
package struct TransactionPeriods {
  @usableFromInline let year: Period
  @usableFromInline let month: Period
  @usableFromInline let day: Period

  @inlinable
  init(year: Period, month: Period, day: Period) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The indices of the periods.
  @inlinable
  package var indices: Range<Int> { 0..<3 }

  /// The period at an index: the year, the month or the day.
  @inlinable
  package subscript(index: Int) -> Period { index == 0 ? year : index == 1 ? month : day }
}

/// The transactions before and after a change, cached for all projections that receive the change.
private final class TransactionReadings {
  private struct Pair: ~Copyable {
    /// The ordinal of the change, or 0 if there is none.
    var ordinal: UInt64 = 0
    var before = ProjectedTransaction()
    var after = ProjectedTransaction()
    var hasBefore = false
    var hasAfter = false
    var areEqual = false

    mutating func read(
      _ change: borrowing ProjectedChange, _ projection: String, _ state: any StateReading
    ) throws {
      hasBefore = change.before != nil
      hasAfter = change.after != nil
      if let record = change.before {
        try before.read(record, in: projection, reading: state)
      }
      if let record = change.after {
        try after.read(record, in: projection, reading: state)
      }
      areEqual = hasBefore && hasAfter && before.isEqual(to: after)
    }
  }

  // A pointer is used because each access to a stored property of a class is checked for
  // exclusivity, which takes as long as reading a transaction.
  private let pair: UnsafeMutablePointer<Pair>

  init() {
    unsafe pair = .allocate(capacity: 1)
    unsafe pair.initialize(to: Pair())
  }

  deinit {
    unsafe pair.deinitialize(count: 1)
    unsafe pair.deallocate()
  }

  func forEachDifference(
    _ change: borrowing ProjectedChange, _ ordinal: UInt64, _ projection: String,
    _ state: any StateReading,
    _ body: (borrowing ProjectedTransaction, _ sign: Int128) throws -> Void
  ) throws {
    if unsafe pair.pointee.ordinal != ordinal {
      unsafe pair.pointee.ordinal = 0
      try unsafe pair.pointee.read(change, projection, state)
      unsafe pair.pointee.ordinal = ordinal
    }
    if unsafe pair.pointee.areEqual { return }
    if unsafe pair.pointee.hasBefore { try unsafe body(pair.pointee.before, -1) }
    if unsafe pair.pointee.hasAfter { try unsafe body(pair.pointee.after, 1) }
  }
}

/// Converts a recording number to the integer type that keys use.
///
/// - Throws: ``ProjectionFault/Code/numberTooLarge`` if the number doesn't fit.
package func keyNumber(
  _ number: UInt64, in projection: String
) throws(ProjectionFault) -> UInt32 {
  guard let short = UInt32(exactly: number) else {
    throw .numberTooLarge(number, in: projection)
  }
  return short
}

extension TransactionFigures {
  fileprivate func hasManyCategoryPostings() throws(DecodingFault) -> Bool {
    var count = 0
    var cursor = PostingCursor(postings)
    while try cursor.advance() { count += cursor.code.isCategory ? 1 : 0 }
    return count > 1
  }
}

private func isIncome(
  _ id: EntityID, in projection: String, _ state: any StateReading
) throws -> Bool {
  guard let record = try state.record(of: id, kind: .category) else {
    throw ProjectionFault.missing(id, in: projection)
  }
  return record[Tag.Category.kind] == [CategoryKind.income.rawValue]
}

private func accountNumber(
  of id: EntityID, _ kind: EntityKind, in projection: String, reading state: any StateReading
) throws -> UInt32 {
  guard let number = try state.number(of: id, kind: kind) else {
    throw ProjectionFault.missing(id, in: projection)
  }
  return try keyNumber(number, in: projection)
}
