import Entities
public import Projecting

/// Tells whether any account or category is another than before, without reading them.
///
/// | table | key | totals |
/// |---|---|---|
/// | `stamps` | 0 (1 byte) | accounts, categories |
///
/// Each total is the sum of a 64-bit hash over id, number and record of every account, or category.
/// It is a function of the set of them, as the law asks. Whoever keeps decoded accounts and
/// categories compares stamps, and decodes again where they differ.
public struct Catalogue: Projection {
  /// The projection's name.
  public static let name = "catalogue"
  /// The version of its tables.
  public static let version: UInt32 = 1
  /// Its only table.
  public static let tables = [TableDefinition("stamps", .sums(fields: 2))]

  /// The kinds that have a stamp: accounts and categories.
  private static let account = EntityKind(rawValue: 2)
  private static let category = EntityKind(rawValue: 3)

  /// It does not.
  public static let readsState = false

  /// The projection.
  public init() {}

  /// Adds the difference that an account or category makes.
  public func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    let kind = change.kind
    guard kind == Catalogue.account || kind == Catalogue.category else { return }
    var difference: Int128 = 0
    if let before = change.before {
      difference -= Catalogue.hash(before, change.id, change.number)
    }
    if let after = change.after { difference += Catalogue.hash(after, change.id, change.number) }
    let isAccount = kind == Catalogue.account
    tables.add(
      0, Catalogue.key, isAccount ? Sums(difference, 0) : Sums(0, difference))
  }

  /// The stamps as of one commit.
  ///
  /// - Complexity: one look-up.
  package static func stamps(in view: borrowing View) throws -> Sums {
    let table = try view.tables(of: Catalogue.self)[0]
    return try view.sums(key, in: table) ?? Sums()
  }

  private static var key: TableKey {
    var key = TableKey()
    key.append(u8: 0)
    return key
  }

  // FNV-1a, then the finaliser of SplitMix64, so that sums do not meet by chance.
  private static func hash(_ record: Record, _ id: EntityID, _ number: UInt64) -> Int128 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    for word in [id.high, id.low, number] {
      for shift in stride(from: 56, through: 0, by: -8) {
        mix(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    for byte in record.bytes { mix(byte) }
    hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int128(hash ^ (hash >> 31))
  }
}
