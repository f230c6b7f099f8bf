/// The limits of the journal; exceeding one throws a typed error, and nothing is written.
public struct JournalLimits: Hashable, Sendable {
  /// Bytes of one value in the `commits` table.
  ///
  /// With their 12-byte keys, two such values fill a page of 4,096 bytes, and none goes to overflow
  /// pages.
  public var chunkByteCountMax = 2_016
  /// Bytes of one encoded commit.
  ///
  /// A commit is completely in memory while it is written or read.
  public var commitByteCountMax = 1 << 30
  /// Changes in one commit.
  public var commitChangeCountMax = 1 << 23
  /// Bytes of an author's name in UTF-8.
  public var authorByteCountMax = 256
  /// Bytes of a source's name in UTF-8.
  public var sourceByteCountMax = 256
  /// Bytes of an idempotency key.
  public var idempotencyKeyByteCountMax = 256
  /// Bytes of one entity's packed record.
  public var recordByteCountMax = 1 << 20

  /// The limits of every ledger.
  public static let standard = JournalLimits()

  package init() {}
}
