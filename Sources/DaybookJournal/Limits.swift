/// The limits of the journal.
///
/// Exceeding a limit throws a typed error, and nothing is written.
public struct JournalLimits: Hashable, Sendable {
  /// The maximum number of bytes of one value in the `commits` table.
  ///
  /// Two values of this size, with their 12-byte keys, fill a page of 4,096 bytes, so no value
  /// needs overflow pages.
  public var chunkByteCountMax = 2_016
  /// The maximum number of bytes of one encoded commit.
  ///
  /// The whole commit is in memory while it is written or read.
  public var commitByteCountMax = 1 << 30
  /// The maximum number of changes in one commit.
  public var commitChangeCountMax = 1 << 23
  /// The maximum number of bytes of an author's name in UTF-8.
  public var authorByteCountMax = 256
  /// The maximum number of bytes of a source's name in UTF-8.
  public var sourceByteCountMax = 256
  /// The maximum number of bytes of an idempotency key.
  public var idempotencyKeyByteCountMax = 256
  /// The maximum number of bytes of one entity's packed record.
  public var recordByteCountMax = 1 << 20

  /// The limits of every ledger.
  public static let standard = JournalLimits()

  package init() {}
}
