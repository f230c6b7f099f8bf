import DaybookBookkeeping
public import DaybookEngine
import DaybookEntities

/// An index of the texts, statuses and amounts of transactions.
///
/// The texts are the description, payee, note, tags and notes of postings, folded by
/// ``SearchFolding``.
///
/// | table | key | bitmap |
/// |---|---|---|
/// | `grams` | chunk (4 bytes), gram or code (3) | the rows of the chunk that have it |
/// | `days` | recording number / 248 (4) | the day of each row, 32 bits for each number |
/// | `spans` | day / 16 (4), chunk (4) | the rows of the chunk on these days |
///
/// A *gram* is a hash of three neighbouring scalars of a text. A *code* stands for a status, or for
/// a class of nearly equal amounts. A *chunk* contains the rows with 4,096 consecutive recording
/// numbers. Recording numbers never change, so a row keeps its position in the bitmaps, and a
/// change only flips bits. Days are biased, as in other keys, so that no row's day is 0.
///
/// Names of categories aren't indexed. There are few categories, so a search scans their names, and
/// renaming a category doesn't change the index.
public struct Search: Projection {
  /// The projection's name.
  public static let name = "search"
  /// The version of the projection's tables, which also changes if the folding or hashing of texts
  /// changes.
  public static let version: UInt32 = 3
  /// The projection's tables.
  public static let tables = [
    TableDefinition("grams", .bitmaps),
    TableDefinition("days", .bitmaps),
    TableDefinition("spans", .bitmaps),
  ]

  static let grams = 0
  static let days = 1
  static let spans = 2

  /// `false`, because the projection doesn't read State.
  public static let readsState = false

  /// Creates the projection.
  public init() {}

  /// Flips the bits that differ between a transaction's texts, figures and day before the change
  /// and after it.
  public func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    guard change.kind == .transaction else { return }
    let number = change.number
    let before = try change.before.map { try Search.day(of: $0) }
    let after = try change.after.map { try Search.day(of: $0) }
    if before != after {
      if let before { try Search.flip(before, number, &tables) }
      if let after { try Search.flip(after, number, &tables) }
    }
    let flipped = try Search.flips(change.before, change.after)
    if flipped.isEmpty { return }
    tables.flip(
      Search.grams, SearchKey.grams(of: SearchKey.chunk(number)), tails: flipped,
      SearchKey.place(number))
  }

  /// Returns the grams and codes that only one of two records has.
  private static func flips(_ before: Record?, _ after: Record?) throws -> [UInt32] {
    guard let before, let after else {
      guard let only = before ?? after else { return [] }
      return try grams(of: only) + FigureCode.codes(of: only)
    }
    if before == after { return [] }
    let codes = try difference(FigureCode.codes(of: before), FigureCode.codes(of: after))
    if haveEqualTexts(before, after) { return codes }
    return try difference(grams(of: before).sorted(), grams(of: after).sorted()) + codes
  }

  private static func flip(
    _ day: Day, _ number: UInt64, _ tables: inout ProjectionTables
  ) throws {
    _ = try RowKey.checked(day, number, in: name)
    let place = Int(number % SearchKey.dayCount) * 32
    tables.flip(days, SearchKey.days(number), from: place, day.biased)
    tables.flip(
      spans, SearchKey.span(SearchKey.span(of: day), SearchKey.chunk(number)),
      SearchKey.place(number))
  }

  private static func day(of record: Record) throws -> Day {
    try TransactionFigures(record.bytes.span.bytes).day
  }

  /// Returns the distinct grams of a transaction.
  private static func grams(of record: Record) throws -> [UInt32] {
    var folding = SearchFolding()
    var grams: [UInt32] = []
    grams.reserveCapacity(64)
    try folding.forEachText(ofTransaction: record.bytes.span.bytes) { text in
      Gram.add(text.scalars, to: &grams)
      return true
    }
    Gram.removeRepeats(from: &grams)
    return grams
  }

  /// Returns the elements that only one of two ascending lists contains.
  private static func difference(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
    var difference: [UInt32] = []
    var (mine, other) = (0, 0)
    while mine < left.count, other < right.count {
      if left[mine] == right[other] {
        mine += 1
        other += 1
      } else if left[mine] < right[other] {
        difference.append(left[mine])
        mine += 1
      } else {
        difference.append(right[other])
        other += 1
      }
    }
    return difference + left[mine...] + right[other...]
  }

  private static let textTags: [UInt8] = [
    Tag.Transaction.description, Tag.Transaction.payee, Tag.Transaction.note, Tag.Transaction.tags,
    Tag.Transaction.postingNotes,
  ]

  private static func haveEqualTexts(_ before: Record, _ after: Record) -> Bool {
    textTags.allSatisfy { before[$0] == after[$0] }
  }
}
