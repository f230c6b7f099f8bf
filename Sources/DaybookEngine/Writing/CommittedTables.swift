public import DaybookEntities
internal import DaybookLMDB

/// The tables of projections, without pending changes.
public struct CommittedTables {
  let snapshot: DecisionSnapshot

  /// Calls `body` with each row whose key is in `from..<to`, until it returns `false`.
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

  /// Returns the entity at a position in State, ignoring pending changes.
  public func entity(_ kind: EntityKind, at position: StatePosition) throws -> StoredEntity? {
    try snapshot.withView { try snapshot.store.state.entity(kind, at: position, in: $0) }
  }
}

extension CommittedTables {
  /// Calls `body` with the entities of a kind in a range of State, ignoring pending changes.
  ///
  /// - Parameters:
  ///   - from: The first position to include; `nil` for the first entity.
  ///   - to: The position after the last to include; `nil` for the last entity.
  package func forEachEntity(
    _ kind: EntityKind, from: StatePosition? = nil, to: StatePosition? = nil,
    _ body: (StoredEntity) throws -> Void
  ) throws {
    let state = snapshot.store.state
    let lower = StateTable.rowKey(kind, from ?? StatePosition(cluster: 0, number: 0))
    var upper = TableKey()
    upper.append(u8: kind.rawValue)
    upper = upper.afterPrefix ?? StateTable.rowKey(kind, StatePosition.greatest)
    if let to { upper = StateTable.rowKey(kind, to) }
    try snapshot.withView { view in
      try lower.withBytes { (lower) throws in
        try upper.withBytes { (upper) throws in
          try view.forEach(in: state.rows, from: lower, to: upper) { key, value in
            let position = try StateTable.position(inRowKey: key)
            let stored = try state.withRecord(value, kind, position.number, in: view) {
              StoredEntity(id: $0, number: position.number, record: Record(bytes: $1.copied()))
            }
            try body(stored)
            return true
          }
        }
      }
    }
  }
}
