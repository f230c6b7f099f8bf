package import DaybookEntities

/// An entity's kind and id, as a key for dictionaries.
package struct EntityKey: Hashable, Sendable {
  package let kind: EntityKind
  package let id: EntityID

  @inlinable
  package init(_ kind: EntityKind, _ id: EntityID) {
    self.kind = kind
    self.id = id
  }

  // Only one word is hashed. Ids are well distributed already, because they are random or based on
  // the time, so hashing all 17 bytes would have no benefit.
  @inlinable
  package func hash(into hasher: inout Hasher) {
    hasher.combine(id.low ^ (id.high &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(kind.rawValue) << 56)
  }
}

/// A cache of recording numbers, which don't change as long as the entity exists.
///
/// A deleted id can be reused by an entity with another number. Call ``forget(_:kind:)`` after
/// deleting an entity from State, and ``forgetAll()`` if another process or thread may have changed
/// State.
///
/// Not `Sendable`: each thread that runs projections has its own cache.
final class NumberCache {
  private struct Slot {
    var key: EntityKey
    var number: UInt64
  }

  // One slot for each value of a 12-bit hash; a new key replaces the key in its slot. The number 0
  // is never assigned, so it marks an empty slot.
  private var slots = [Slot](
    repeating: Slot(
      key: EntityKey(EntityKind(rawValue: 0), EntityID(high: 0, low: 0)), number: 0),
    count: NumberCache.slotCount)

  /// The maximum number of cached numbers.
  static let slotCount = 1 << 12

  @inline(__always)
  func number(
    of id: EntityID, kind: EntityKind, orElse find: () throws -> UInt64?
  ) rethrows -> UInt64? {
    let key = EntityKey(kind, id)
    let place = NumberCache.place(of: key)
    let slot = slots[place]
    if slot.number != 0, slot.key == key { return slot.number }
    guard let number = try find() else { return nil }
    slots[place] = Slot(key: key, number: number)
    return number
  }

  /// Removes the number of a deleted entity.
  func forget(_ id: EntityID, kind: EntityKind) {
    let key = EntityKey(kind, id)
    let place = NumberCache.place(of: key)
    if slots[place].key == key { slots[place].number = 0 }
  }

  /// Removes all numbers.
  func forgetAll() {
    for place in slots.indices { slots[place].number = 0 }
  }

  @inline(__always)
  private static func place(of key: EntityKey) -> Int {
    let mixed = (key.id.low ^ key.id.high ^ UInt64(key.kind.rawValue)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 52)
  }
}
