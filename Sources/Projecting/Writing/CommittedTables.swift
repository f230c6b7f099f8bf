public import Entities
internal import LMDB

/// The tables of projections, lent to a decision: they lack its pending changes.
public struct CommittedTables {
  let snapshot: DecisionSnapshot

  /// Gives the rows from `from` on and before `to` to `body` until it returns false.
  public func forEachRow(
    in table: Table, from: TableKey, to: TableKey, reversed: Bool = false,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    try from.check()
    try to.check()
    try snapshot.withView { view in
      try from.withBytes { (from) throws in
        try to.withBytes { (to) throws in
          try view.forEach(in: table.database, from: from, to: to, reversed: reversed, body)
        }
      }
    }
  }

  /// The entity at a place of State, which lacks the pending changes, too.
  public func entity(_ kind: EntityKind, at position: StatePosition) throws -> StoredEntity? {
    try snapshot.withView { try snapshot.store.state.entity(kind, at: position, in: $0) }
  }
}
