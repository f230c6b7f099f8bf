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

/// Remembers recording numbers, which an entity keeps as long as it is there.
///
/// An id that was deleted can be given again, to an entity with another number: whoever brings State past
/// a deletion forgets the number, and all of them where others may have changed State.
///
/// Not `Sendable`: each thread that projects has its own.
final class NumberCache {
  private struct Slot {
    var key: EntityKey
    var number: UInt64
  }

  // One place for each pattern of low bits; a later key takes the place of an earlier one. Number
  // 0 is given to nobody.
  private var slots = [Slot](
    repeating: Slot(
      key: EntityKey(EntityKind(rawValue: 0), EntityID(high: 0, low: 0)), number: 0),
    count: NumberCache.slotCount)

  /// How many numbers are remembered at the most.
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

  /// Forgets the number of an entity that is gone.
  func forget(_ id: EntityID, kind: EntityKind) {
    let key = EntityKey(kind, id)
    let place = NumberCache.place(of: key)
    if slots[place].key == key { slots[place].number = 0 }
  }

  /// Forgets all numbers.
  func forgetAll() {
    for place in slots.indices { slots[place].number = 0 }
  }

  @inline(__always)
  private static func place(of key: EntityKey) -> Int {
    let mixed = (key.id.low ^ key.id.high ^ UInt64(key.kind.rawValue)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 52)
  }
}
