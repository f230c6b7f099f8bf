public import DaybookBookkeeping
public import DaybookEntities

/// An entity that received a new recording number because devices of a shared ledger recorded
/// concurrently.
public struct RenumberedEntity: Hashable, Sendable, Codable {
  /// The kind of entity.
  public let kind: EntityKind
  /// The entity.
  public let id: EntityID
  /// The day of a transaction; `nil` for other kinds.
  public let day: Day?
  /// The former number.
  public let former: UInt64
  /// The new number.
  public let number: UInt64

  /// Returns the entities in the changes of a renumbering commit.
  static func all(in changes: [RecordedChange]) -> [RenumberedEntity] {
    struct Key: Hashable {
      let kind: EntityKind
      let id: EntityID
    }
    var former: [Key: UInt64] = [:]
    var list: [RenumberedEntity] = []
    for change in changes {
      let key = Key(kind: change.kind, id: change.id)
      if change.operation == .delete {
        former[key] = change.stored.number
      } else if let old = former[key], old != change.stored.number {
        list.append(
          RenumberedEntity(
            kind: change.kind, id: change.id, day: change.insertedTransaction?.day, former: old,
            number: change.stored.number))
      }
    }
    return list
  }
}
