import DaybookBookkeeping
public import DaybookEngine
import DaybookEntities

/// The payees and tags in use, each with its number of transactions and its newest transaction.
///
/// | table | key | value or count |
/// |---|---|---|
/// | `payees` | the first 14 bytes of the folded payee, 0, its hash (16) | its rows |
/// | `payee-rows` | the hash (16), day (4), recording number (5) | |
/// | `tags` | hash of the tag (16) | its rows |
/// | `tag-rows` | the hash (16), day (4), recording number (5) | |
///
/// Payees are equal if their texts, folded by ``SearchFolding``, are equal; tags are equal if their
/// bytes are equal. The tables don't contain the texts, which are read from the newest transaction.
/// Payee keys begin with the folded text, so that a scan finds all payees with a prefix.
public struct PayeesAndTags: Projection {
  /// The projection's name.
  public static let name = "payees-and-tags"
  /// The version of the projection's tables, which also changes if the folding of texts changes.
  public static let version: UInt32 = 1
  /// The projection's tables.
  public static let tables = [
    TableDefinition("payees", .sums(fields: 1)),
    TableDefinition("payee-rows", .rows),
    TableDefinition("tags", .sums(fields: 1)),
    TableDefinition("tag-rows", .rows),
  ]

  static let payees = 0
  static let payeeRows = 1
  static let tags = 2
  static let tagRows = 3

  /// `false`, because the projection doesn't read State.
  public static let readsState = false

  /// Creates the projection.
  public init() {}

  /// Adds the changes of a transaction's payee and tags to counts and lists.
  public func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    guard change.kind == .transaction else { return }
    let before = try change.before.flatMap { try PayeeAndTags($0, change.number) }
    let after = try change.after.flatMap { try PayeeAndTags($0, change.number) }
    if before == after { return }
    before?.write(-1, &tables)
    after?.write(1, &tables)
  }
}

/// The payee, the tags and the row of a transaction.
private struct PayeeAndTags: Equatable {
  let row: RowKey
  let payee: [UInt8]
  let tags: [TextHash]

  /// Reads the properties from a record.
  ///
  /// - Returns: `nil` if the transaction has neither a payee nor tags.
  init?(_ record: Record, _ number: UInt64) throws {
    var payee: [UInt8] = []
    var tags: [TextHash] = []
    var day = Day(rawValue: 0)
    var reader = RecordReader(record.bytes.span.bytes)
    while let property = try reader.next() {
      var value = ByteReader(property.value)
      switch property.tag {
      case Tag.Transaction.day: day = Day(biased: try value.u32be())
      case Tag.Transaction.payee:
        payee = FoldedPayee.bytes(try value.text(property.value.byteCount))
      case Tag.Transaction.tags:
        for _ in 0..<(try value.count()) {
          let hash = TextHash(try value.string().utf8)
          // A repeated tag counts once per transaction.
          if !tags.contains(hash) { tags.append(hash) }
        }
      default: continue
      }
    }
    if payee.isEmpty, tags.isEmpty { return nil }
    row = try RowKey.checked(day, number, in: PayeesAndTags.name)
    self.payee = payee
    self.tags = tags
  }

  func write(_ sign: Int128, _ tables: inout ProjectionTables) {
    if !payee.isEmpty {
      tables.add(PayeesAndTags.payees, FoldedPayee.key(payee), Sums(sign))
      set(PayeesAndTags.payeeRows, TextHash(payee), sign, &tables)
    }
    for tag in tags {
      tables.add(PayeesAndTags.tags, tag.key, Sums(sign))
      set(PayeesAndTags.tagRows, tag, sign, &tables)
    }
  }

  private func set(
    _ table: Int, _ hash: TextHash, _ sign: Int128, _ tables: inout ProjectionTables
  ) {
    var key = hash.key
    key.append(row)
    if sign > 0 { tables.put(table, key) } else { tables.remove(table, key) }
  }
}

/// A payee in the form that is used in keys.
enum FoldedPayee {
  /// The number of the payee's bytes at the start of a key.
  static let prefixCount = 14

  /// Returns the folded text in UTF-8.
  static func bytes(_ text: String) -> [UInt8] {
    var folding = SearchFolding()
    folding.fold(text)
    var folded = ""
    folded.unicodeScalars.append(
      contentsOf: folding.scalars.compactMap { Unicode.Scalar($0) })
    return Array(folded.utf8)
  }

  static func prefix(_ bytes: some Sequence<UInt8>) -> TableKey {
    var key = TableKey()
    for byte in bytes.prefix(prefixCount) { key.append(u8: byte) }
    return key
  }

  static func key(_ bytes: [UInt8]) -> TableKey {
    var key = prefix(bytes)
    key.append(u8: 0)
    TextHash(bytes).append(to: &key)
    return key
  }
}

extension TextHash {
  /// Reads a hash from a key at an offset.
  init(_ key: RawSpan, at offset: Int) throws {
    var reader = ByteReader(key)
    reader.offset = offset
    self.init(high: try reader.u64be(), low: try reader.u64be())
  }

  var key: TableKey {
    var key = TableKey()
    append(to: &key)
    return key
  }

  func append(to key: inout TableKey) {
    key.append(u64: high)
    key.append(u64: low)
  }
}
