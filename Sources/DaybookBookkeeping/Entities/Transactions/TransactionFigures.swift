public import DaybookEntities

/// The figures of a packed transaction that projections need, read without texts, arrays or
/// allocations.
public struct TransactionFigures: ~Escapable {
  /// The calendar day.
  public let day: Day
  /// The type.
  public let type: TransactionType
  /// The extent to which the transaction has been checked.
  public let status: Status
  /// The packed postings; see `PostingCursor`.
  public let postings: RawSpan

  /// Reads the day, type, status and postings of a packed record.
  ///
  /// - Throws: `DecodingFault` if the record is damaged. The postings are checked when they are
  ///   read.
  /// - Complexity: O(1), because these properties come first in a record.
  @inlinable
  @_lifetime(copy bytes)
  public init(_ bytes: RawSpan) throws(DecodingFault) {
    var reader = ByteReader(bytes)
    // The day is never absent: it is the first property, and has four bytes.
    guard try reader.u8() == Tag.Transaction.day, try reader.u8() == 4 else {
      throw .invalidValue("transaction without day")
    }
    day = Day(biased: try reader.u32be())
    var type = TransactionType.expense
    var status = Status.cleared
    var tag = try reader.u8()
    if tag == Tag.Transaction.type {
      guard try reader.u8() == 1, let read = TransactionType(rawValue: try reader.u8()) else {
        throw .invalidValue("type")
      }
      type = read
      tag = try reader.u8()
    }
    if tag == Tag.Transaction.status {
      guard try reader.u8() == 1, let read = Status(rawValue: try reader.u8()) else {
        throw .invalidValue("status")
      }
      status = read
      tag = try reader.u8()
    }
    guard tag == Tag.Transaction.postings else {
      throw .invalidValue("transaction without postings")
    }
    self.type = type
    self.status = status
    let count = try reader.count()
    postings = try reader.raw(count)
  }

  /// Returns the first of several accounts, and the day that counts on the others; `nil` if the
  /// transaction's day counts on all of its accounts.
  ///
  /// Built-in accounts are ignored. See ``Transaction/day(on:)``.
  ///
  /// - Parameter bytes: The record that the figures were read from.
  /// - Throws: `DecodingFault` if the record is damaged.
  /// - Complexity: O(postings) for one account, otherwise O(properties).
  public func arrival(
    in bytes: RawSpan
  ) throws(DecodingFault) -> (source: EntityID, day: Day)? {
    var source: EntityID?
    var hasOther = false
    var cursor = PostingCursor(postings)
    while try cursor.advance() {
      guard cursor.code == .account else { continue }
      if let source, source != cursor.id { hasOther = true }
      source = source ?? cursor.id
    }
    guard hasOther, let source else { return nil }
    var reader = RecordReader(bytes)
    while let property = try reader.next() {
      guard property.tag == Tag.Transaction.valueDay else { continue }
      var value = ByteReader(property.value)
      let arrival = Day(biased: try value.u32be())
      return arrival == day ? nil : (source, arrival)
    }
    return nil
  }

  /// Returns whether totals leave the transaction out; see
  /// ``TransactionDetails/isExcludedFromTotals``.
  ///
  /// - Parameter bytes: The record that the figures were read from.
  /// - Throws: `DecodingFault` if the record is damaged.
  /// - Complexity: O(properties).
  public static func isExcludedFromTotals(_ bytes: RawSpan) throws(DecodingFault) -> Bool {
    var reader = RecordReader(bytes)
    while let property = try reader.next() {
      if property.tag == Tag.Transaction.isExcludedFromTotals { return true }
    }
    return false
  }

  /// Calls `body` with the account or category, id, minor units and currency of each posting.
  ///
  /// If the account or category is built in, the high half of the id is 0 and the low half is
  /// `PostingAccountCode.builtinNumber`.
  ///
  /// - Throws: `DecodingFault` if the postings are damaged, and any error that `body` throws.
  @inlinable
  public func forEachPosting(
    _ body: (PostingAccountCode, EntityID, Int64, Currency) throws -> Void
  ) throws {
    var cursor = PostingCursor(postings)
    while try cursor.advance() {
      try body(cursor.code, cursor.id, cursor.units, cursor.currency)
    }
  }
}
