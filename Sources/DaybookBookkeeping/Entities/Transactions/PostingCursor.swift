public import DaybookEntities

/// Iterates over the postings of a packed transaction without allocating.
public struct PostingCursor: ~Escapable {
  @usableFromInline
  var reader: ByteReader
  /// The kind of account or category; valid after `advance()` has returned `true`.
  public var code = PostingAccountCode.account
  /// The id of the account or category; its high half is 0 if it is built in.
  public var id = EntityID(high: 0, low: 0)
  /// The minor units; positive amounts go into the account or category.
  public var units: Int64 = 0
  /// The currency of the units.
  public var currency = Currency(packed: 0)

  /// Creates a cursor before the first posting of a packed list.
  @inlinable
  @_lifetime(copy span)
  public init(_ span: RawSpan) { reader = ByteReader(span) }

  /// Reads the next posting, or returns `false` at the end.
  ///
  /// - Throws: `DecodingFault` if the list is damaged.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func advance() throws(DecodingFault) -> Bool {
    if reader.isAtEnd { return false }
    let header = try reader.u8()
    guard header < 16, let code = PostingAccountCode(rawValue: header & 7) else {
      throw .invalidValue("header of a posting")
    }
    self.code = code
    id =
      header & 7 < 2
      ? try reader.id() : EntityID(high: 0, low: UInt64(code.builtinNumber))
    units = try reader.zigzag()
    if header & 8 == 0 {
      currency = try reader.currency()
    } else if currency.packed == 0 {
      throw .invalidValue("currency of the first posting")
    }
    return true
  }
}
