public import Bookkeeping
import Entities
package import Projecting

/// What the projections need of a transaction: its day, type and lines, no text.
///
/// Not copied: it is read into again and again.
@usableFromInline
package struct ProjectedTransaction: ~Copyable, Sendable {
  /// Its day.
  @usableFromInline package private(set) var day = Day(rawValue: 0)
  /// Its type.
  @usableFromInline package private(set) var type = TransactionType.expense
  /// Its lines.
  @usableFromInline package private(set) var lines = Lines()

  fileprivate init() {}

  /// Reads a transaction out of its packed record.
  ///
  /// Whether a category is one of income follows from the transaction's type nearly always: an
  /// expense has no income category, and an income with one category has it there. Only of an income
  /// with several categories they are looked up.
  ///
  /// - Throws: ``ProjectionFault`` where an account or category is missing in State, or
  ///   `DecodingFault` where the record is damaged.
  fileprivate mutating func read(
    _ record: Record, in projection: String, reading state: any StateReading
  ) throws {
    lines.removeAll()
    let figures = try TransactionFigures(record.bytes.span.bytes)
    day = figures.day
    type = figures.type
    let looksUp = type == .income ? try figures.hasManyCategoryPostings() : false
    var cursor = PostingCursor(figures.postings)
    while try cursor.advance() {
      let code = cursor.code
      var number = code.builtinNumber
      if number == 0 {
        number = try accountNumber(
          of: cursor.id, code == .account ? .account : .category, in: projection, reading: state)
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
  package var periods: TransactionPeriods {
    let (year, month, _) = day.components
    return TransactionPeriods(
      year: Period(level: .year, index: Int32(truncatingIfNeeded: year)),
      month: Period(level: .month, index: Month(year: year, month: month).rawValue),
      day: Period.day(day))
  }

  /// Whether two transactions come to the same in every table.
  package func isEqual(to other: borrowing ProjectedTransaction) -> Bool {
    day == other.day && type == other.type && lines.isEqual(to: other.lines)
  }

  /// Gives the transaction before a change to `body` to be taken away, and the one after it to be
  /// added; neither where the change touches no figure.
  ///
  /// They are read once for all projections that are told of the change.
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

/// The periods that a transaction is counted in.
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

  /// Their places, from 0.
  @inlinable
  package var indices: Range<Int> { 0..<3 }

  /// The year, the month or the day.
  @inlinable
  package subscript(index: Int) -> Period { index == 0 ? year : index == 1 ? month : day }
}

/// The transactions before and after a change, kept for the projections that are told of it.
private final class TransactionReadings {
  private struct Pair: ~Copyable {
    /// Of which change they are; 0 for none.
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

  // By a pointer: access to an object's variables is checked for exclusivity each time, which costs as
  // much as reading a transaction.
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

/// A recording number as a key has it.
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
