internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// A row of the views that differs from the same row rebuilt from the journal.
struct RowDifference {
  /// The location of the row, which determines how history is searched.
  enum Place {
    /// A row of State, which belongs to the entity with this id or number.
    case entity(EntityKind, id: EntityID?, number: UInt64?)
    /// A row in a table of a projection.
    case row(of: ViewsStore.Registered, table: Int, key: TableKey)
    /// A row in a table of a derived projection, which isn't written directly by changes.
    case derived
    /// A row with a key that no program can have written.
    case nowhere
  }

  /// The name of the table.
  let table: String
  /// The text after the table's name in a sentence that describes the difference.
  let what: String
  let place: Place
}

/// The tables of State.
enum StatePart: CaseIterable {
  case rows
  case ids
  case overflow

  var name: String {
    switch self {
    case .rows: "State"
    case .ids: "State ids"
    case .overflow: "State long records"
    }
  }

  func database(of state: StateTable) -> Database {
    switch self {
    case .rows: state.rows
    case .ids: state.ids
    case .overflow: state.overflow
    }
  }

  /// Returns the entity to which the row with the given key belongs.
  func place(of key: RawSpan) -> RowDifference.Place {
    do {
      var reader = ByteReader(key)
      let kind = EntityKind(rawValue: try reader.u8())
      switch self {
      case .rows:
        let position = try StateTable.position(&reader)
        return .entity(kind, id: nil, number: position.number)
      case .ids:
        return .entity(kind, id: try reader.id(), number: nil)
      case .overflow:
        let high = try reader.u8()
        return .entity(kind, id: nil, number: UInt64(high) << 32 | UInt64(try reader.u32be()))
      }
    } catch {
      return .nowhere
    }
  }
}
