/// A difference that a projection's table can't store.
///
/// The projection that made the difference is quarantined.
public struct TableFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason for the failure.
  public enum Reason: Hashable, Sendable {
    /// The projection doesn't have this table; it has `count` tables.
    case noTable(count: Int)
    /// The table contains a different kind of rows.
    case otherKind
    /// A table of sums has a number of fields outside 1 to ``Sums/fieldCountMax``.
    case fieldCount(Int)
    /// A key has more than ``TableKey/byteCountMax`` bytes.
    case longKey
    /// A value has more bytes than a row can store.
    case longValue(byteCount: Int)
    /// In a table of places, a key doesn't end in a position or has a value.
    case noPlace
    /// A number is outside the range of a bitmap, or a tail has more than three bytes.
    case numberOutOfRange
    /// A total overflows 128 bits.
    case overflow
  }

  /// The table, counted as in ``Projection/tables``, if known.
  public internal(set) var table: Int?
  /// The reason for the failure.
  public let reason: Reason

  init(_ reason: Reason, table: Int? = nil) {
    self.reason = reason
    self.table = table
  }

  /// The table and the reason.
  public var description: String {
    guard let table else { return what }
    return "table \(table): \(what)"
  }

  private var what: String {
    switch reason {
    case .noTable(let count): "there is no such table; the projection has \(count)"
    case .otherKind: "its rows are of a different kind than the value written"
    case .fieldCount(let count):
      "a table of sums has 1 to \(Sums.fieldCountMax) fields, but this one has \(count)"
    case .longKey:
      "a key has more than \(TableKey.byteCountMax) bytes; store a long text as its TextHash"
    case .longValue(let byteCount):
      "a value has \(byteCount) bytes; the maximum is \(TableBuffer.valueByteCountMax)"
    case .noPlace: "a key does not end in a place, or there is a value"
    case .numberOutOfRange:
      "a bitmap has numbers from 0 to \(Bitmap.bitCount - 1), and tails of three bytes"
    case .overflow: "a total is beyond 128 bits"
    }
  }

  /// Returns this fault with a table, unless it already has one.
  func of(table: Int) -> TableFault { TableFault(reason, table: self.table ?? table) }
}

extension TableKey {
  /// Throws if a key is too long to read with, because the truncated key would find other rows.
  @inline(__always)
  func check() throws(ProjectingError) {
    if isTooLong { throw TableKey.tooLong }
  }

  private static var tooLong: ProjectingError {
    ProjectingError(
      .limit,
      "A key can have at most \(byteCountMax) bytes. Store long text as its TextHash."
    )
  }
}
