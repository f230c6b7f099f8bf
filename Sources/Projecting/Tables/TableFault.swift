/// What a table of a projection cannot hold: the projection that put it there is set aside for it.
public struct TableFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is in the way.
  public enum Reason: Hashable, Sendable {
    /// The projection has fewer tables.
    case noTable(count: Int)
    /// The rows of the table are of another kind than what was put there.
    case otherKind
    /// A table of sums has another number of fields than 1 to ``Sums/fieldCountMax``.
    case fieldCount(Int)
    /// A key has more than ``TableKey/byteCountMax`` bytes.
    case longKey
    /// A value has more bytes than a row can have.
    case longValue(byteCount: Int)
    /// A key of a table of places does not end in one, or there is a value.
    case noPlace
    /// A number is beyond those of a bitmap, or a tail beyond three bytes.
    case numberOutOfRange
    /// A total is beyond 128 bits.
    case overflow
  }

  /// The table, counted as in ``Projection/tables``, where it is known.
  public internal(set) var table: Int?
  /// What is in the way.
  public let reason: Reason

  init(_ reason: Reason, table: Int? = nil) {
    self.reason = reason
    self.table = table
  }

  /// The table, the reason, and what to do about it.
  public var description: String {
    guard let table else { return what }
    return "table \(table): \(what)"
  }

  private var what: String {
    switch reason {
    case .noTable(let count): "there is no such table, the projection has \(count)"
    case .otherKind: "its rows are of another kind than what was put there"
    case .fieldCount(let count):
      "a table of sums has 1 to \(Sums.fieldCountMax) fields, and this one \(count)"
    case .longKey:
      "a key has more than \(TableKey.byteCountMax) bytes; put a long text in as its TextHash"
    case .longValue(let byteCount):
      "a value has \(byteCount) bytes, and may have \(TableBuffer.valueByteCountMax)"
    case .noPlace: "a key does not end in a place, or there is a value"
    case .numberOutOfRange:
      "a bitmap has numbers from 0 to \(Bitmap.bitCount - 1), and tails of three bytes"
    case .overflow: "a total is beyond 128 bits"
    }
  }

  /// The same of a table.
  func of(table: Int) -> TableFault { TableFault(reason, table: self.table ?? table) }
}

extension TableKey {
  /// Refuses a key to be read with that is too long: what it lacks would find other rows.
  @inline(__always)
  func check() throws(ProjectingError) {
    if isTooLong { throw TableKey.tooLong }
  }

  private static var tooLong: ProjectingError {
    ProjectingError(
      .limit,
      "A key of a projection's table has at most \(byteCountMax) bytes. Put a long text in as its TextHash."
    )
  }
}
