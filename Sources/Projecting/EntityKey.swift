package import Entities

/// An entity's kind and id, as a key of dictionaries in memory.
package struct EntityKey: Hashable, Sendable {
  package let kind: EntityKind
  package let id: EntityID

  @inlinable
  package init(_ kind: EntityKind, _ id: EntityID) {
    self.kind = kind
    self.id = id
  }

  // Ids are spread well already (by time or by chance), so a seeded hash of all 17 bytes buys
  // nothing: one seeded word is enough to keep the dictionary sound.
  @inlinable
  package func hash(into hasher: inout Hasher) {
    hasher.combine(id.low ^ (id.high &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(kind.rawValue) << 56)
  }
}

/// Remembers recording numbers, which never change once given.
///
/// Not `Sendable`: each thread that projects has its own.
final class NumberCache {
  private var numbers: [EntityKey: UInt64] = [:]

  /// The most numbers that are remembered; past it the cache starts afresh.
  static let countMax = 200_000

  @inline(__always)
  func number(
    of id: EntityID, kind: EntityKind, orElse find: () throws -> UInt64?
  ) rethrows -> UInt64? {
    let key = EntityKey(kind, id)
    if let number = numbers[key] { return number }
    guard let number = try find() else { return nil }
    if numbers.count >= NumberCache.countMax { numbers.removeAll(keepingCapacity: true) }
    numbers[key] = number
    return number
  }
}
