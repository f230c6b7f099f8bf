/// The named maxima of the journal.
///
/// Beyond each: a typed error, nothing written.
public struct JournalLimits: Hashable, Sendable {
  /// Bytes of one value in the `commits` table.
  ///
  /// With its 12-byte key two of these fill a page of 4,096 bytes, and nothing goes to overflow
  /// pages.
  public var chunkByteCountMax = 2_016
  /// Bytes of one commit, encoded.
  ///
  /// A commit is held in memory whole while it is written or read.
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

  /// The limits every ledger is held to.
  public static let standard = JournalLimits()

  package init() {}
}
