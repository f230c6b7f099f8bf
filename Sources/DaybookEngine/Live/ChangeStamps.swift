package import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// Identifies a part of the views that changes independently: a kind of State, or a table.
package struct ChangeTag: Hashable, Sendable {
  package let rawValue: UInt64

  /// Returns the tag for the entities of a kind.
  package static func kind(_ kind: EntityKind) -> ChangeTag {
    ChangeTag(rawValue: UInt64(kind.rawValue))
  }

  /// The tag for the projections' statuses, such as current, quarantined or behind.
  static let statuses = ChangeTag(rawValue: 1 << 8)

  /// Returns the tag for a projection's table: the FNV-1a hash of its name, with one bit that
  /// distinguishes it from the tags of all kinds.
  package static func table(named name: String) -> ChangeTag {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return ChangeTag(rawValue: hash | 1 << 63)
  }

  private init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The last commit that changed each kind of State and each table of the projections.
///
/// The stamps are one small row in the same page as the views' checkpoint, which every commit
/// writes anyway. An observer compares the stamps of the parts that it has read, and reads the
/// parts again only if a stamp is newer.
///
/// The row contains the base (8 bytes), then the tag (8 bytes) and the last commit's sequence (8
/// bytes) of each changed part. Parts without an entry have not changed since the base.
package struct ChangeStamps: Equatable {
  private(set) var bytes: [UInt8]

  static let key = JournalTables.metaKey("changes")
  /// The maximum number of tags with their own stamps; all other tags share the base.
  package static let entryCountMax = 100

  private static let baseByteCount = 8
  private static let entryByteCount = 16

  /// Creates stamps for views in which nothing has changed since a commit.
  package init(base: UInt64) {
    var writer = ByteWriter(reserving: ChangeStamps.baseByteCount)
    writer.u64be(base)
    bytes = writer.bytes
  }

  init(_ span: RawSpan) throws {
    bytes = span.copied()
    let rest = bytes.count - ChangeStamps.baseByteCount
    guard rest >= 0, rest % ChangeStamps.entryByteCount == 0 else {
      throw ProjectingError(.damaged, "The stamps of the views cannot be read. Rebuild.")
    }
  }

  /// Records that a commit changed a part of the views.
  ///
  /// - Complexity: O(tags).
  package mutating func mark(_ tag: ChangeTag, at sequence: UInt64) {
    if let place = place(of: tag) {
      set(sequence, at: place + 8)
    } else if bytes.count < ChangeStamps.baseByteCount
      + ChangeStamps.entryCountMax * ChangeStamps.entryByteCount
    {
      let end = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: ChangeStamps.entryByteCount))
      set(tag.rawValue, at: end)
      set(sequence, at: end + 8)
    } else {
      set(sequence, at: 0)
    }
  }

  /// Returns the last commit that may have changed a part of the views.
  package func sequence(of tag: ChangeTag) -> UInt64 {
    guard let place = place(of: tag) else { return number(at: 0) }
    return number(at: place + 8)
  }

  private func place(of tag: ChangeTag) -> Int? {
    stride(from: ChangeStamps.baseByteCount, to: bytes.count, by: ChangeStamps.entryByteCount)
      .first { number(at: $0) == tag.rawValue }
  }

  private func number(at place: Int) -> UInt64 {
    UInt64(bigEndian: bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  private mutating func set(_ number: UInt64, at place: Int) {
    for index in 0..<8 {
      bytes[place + index] = UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * index))
    }
  }
}

extension ViewsStore {
  /// Returns the stamps, or `nil` if the views have none.
  func stamps(in view: TransactionView) throws -> ChangeStamps? {
    guard let value = try view.get(ChangeStamps.key.span.bytes, in: meta) else { return nil }
    return try ChangeStamps(value)
  }

  /// Updates the stamps after a batch.
  ///
  /// - Parameter previous: The commit that the views contained before.
  func mark(
    _ tags: some Sequence<ChangeTag>, at checkpoint: Checkpoint, after previous: Checkpoint,
    in transaction: inout WriteTransaction
  ) throws {
    // Without stamps, the time of earlier changes is unknown.
    var stamps = try stamps(in: transaction.view) ?? ChangeStamps(base: previous.sequence)
    for tag in tags { stamps.mark(tag, at: checkpoint.sequence) }
    try put(stamps, into: &transaction)
  }

  /// Stores the stamps.
  func put(_ stamps: ChangeStamps, into transaction: inout WriteTransaction) throws {
    try transaction.put(ChangeStamps.key, stamps.bytes, in: meta)
  }
}
