import DaybookEngine
import DaybookEntities
import DaybookMerging

/// An entity that has left a position in State, which may now belong to another entity.
struct FormerPlace {
  /// The id of the entity.
  let id: EntityID
  /// The log position up to which this replica had pulled when the entity left its position in
  /// State.
  let position: UInt64

  init(_ id: EntityID, at position: UInt64) {
    self.id = id
    self.position = position
  }
}

extension SideValues where Source == MergeContext {
  /// The maximum number of entities remembered for one position; the entities that left last are
  /// kept.
  private static var countMax: Int { 8 }

  /// Remembers that an entity had a position in State.
  func put(_ former: FormerPlace, of kind: EntityKind, at place: StatePosition) throws {
    let key = EventStore.formerPlaceKey(kind, place)
    let known = try value(key).map { try EventStore.formerPlaces($0) } ?? []
    var list = known.filter { $0.id != former.id }.map { FormerPlace($0.id, at: $0.position) }
    list.append(former)
    try put(list.suffix(Self.countMax), under: key)
  }

  /// Forgets entities that left their positions at or before a floor.
  func forgetFormerPlaces(through floor: UInt64) throws {
    var kept: [(key: [UInt8], list: [FormerPlace])] = []
    try forEach(SideKey.formerPlaces) { key, value in
      let list = try EventStore.formerPlaces(value)
      let rest = list.filter { $0.position > floor }
      if rest.count < list.count {
        kept.append((key, rest.map { FormerPlace($0.id, at: $0.position) }))
      }
      return true
    }
    for (key, list) in kept { try put(list[...], under: key) }
  }

  private func put(_ list: ArraySlice<FormerPlace>, under key: [UInt8]) throws {
    var writer = ByteWriter(reserving: 20 * list.count)
    for one in list {
      writer.varint(one.position)
      writer.id(one.id)
    }
    try put(list.isEmpty ? nil : writer.bytes, under: key)
  }
}
