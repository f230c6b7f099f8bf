/// Goal: projections with a fault in them. Method: what the right projection would add for the
/// record before and the record after is computed apart, turned into a list of operations, and the
/// fault spoils the list. The faulty projection stands in for the right one: the ledger's queries
/// read its tables.
import Daybook
import DaybookEngine

/// One operation on a table.
enum Operation {
  case add(table: Int, TableKey, Sums)
  case put(table: Int, TableKey, [UInt8])
  case remove(table: Int, TableKey)
  case flip(table: Int, TableKey, Int)
}

/// What a change comes to for the tables.
struct Operations {
  /// What takes the old record away.
  var removing: [Operation]
  /// What adds the new one.
  var adding: [Operation]

  /// Leaves some out of both.
  mutating func removeAll(where isLeftOut: (Operation) -> Bool) {
    removing.removeAll(where: isLeftOut)
    adding.removeAll(where: isLeftOut)
  }
}

/// A mistake that a projection could have.
protocol Fault: Sendable {
  associatedtype Original: Projection
  /// What the projection takes the change for.
  static func seen(_ change: borrowing ProjectedChange) throws -> ProjectedChange
  /// Spoils what takes the old record away and what adds the new one.
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading) throws
}

extension Fault {
  static func seen(_ change: borrowing ProjectedChange) throws -> ProjectedChange {
    change.with(before: change.before, after: change.after)
  }
  static func spoil(
    _ work: inout Operations, _ change: borrowing ProjectedChange, _ state: any StateReading
  ) throws {}
}

/// The projection of a fault's original, with the fault.
struct Faulty<Mistake: Fault>: StandIn {
  static var standsFor: any Projection.Type { Mistake.Original.self }
  static var name: String { Mistake.Original.name }
  static var version: UInt32 { Mistake.Original.version }
  static var tables: [TableDefinition] { Mistake.Original.tables }

  func apply(
    _ change: borrowing ProjectedChange, reading state: any StateReading,
    to tables: inout ProjectionTables
  ) throws {
    let seen = try Mistake.seen(change)
    var work = Operations(
      removing: try operations(seen, seen.before, state, isRemoving: true),
      adding: try operations(seen, seen.after, state, isRemoving: false))
    try Mistake.spoil(&work, seen, state)
    for operation in work.removing + work.adding {
      switch operation {
      case .add(let table, let key, let sums): tables.add(table, key, sums)
      case .put(let table, let key, let value): tables.put(table, key, value)
      case .remove(let table, let key): tables.remove(table, key)
      case .flip(let table, let key, let number): tables.flip(table, key, number)
      }
    }
  }

  /// What a record adds to the tables, or what takes that away.
  private func operations(
    _ change: borrowing ProjectedChange, _ record: Record?, _ state: any StateReading,
    isRemoving: Bool
  ) throws -> [Operation] {
    guard let record else { return [] }
    var scratch = ProjectionTables(for: Faulty.tables)
    let insertion = change.with(before: nil, after: record)
    try Mistake.Original().apply(insertion, reading: state, to: &scratch)
    var operations: [Operation] = []
    for (index, table) in Faulty.tables.enumerated() {
      switch table.kind {
      case .rows, .places:
        for (key, value) in scratch.rows(index) {
          operations.append(
            isRemoving ? .remove(table: index, key) : .put(table: index, key, value))
        }
      case .sums:
        for (key, sums) in scratch.sums(index) {
          operations.append(.add(table: index, key, isRemoving ? -sums : sums))
        }
      case .bitmaps:
        for (key, bitmap) in scratch.bitmaps(index) {
          bitmap.forEachNumber { operations.append(.flip(table: index, key, $0)) }
        }
      }
    }
    return operations
  }
}

extension ProjectedChange {
  func with(before: Record?, after: Record?) -> ProjectedChange {
    ProjectedChange(kind: kind, id: id, number: number, before: before, after: after)
  }

  /// The transaction before or after, if it is one.
  func transaction(_ record: Record?) throws -> Transaction? {
    guard kind == .transaction, let record else { return nil }
    return try Transaction(record: record, id: id, number: number)
  }
}

extension TableKey {
  /// The four bytes from an offset on, as a number.
  func word(at offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(self[offset + $1]) }
  }

  /// The key with other four bytes from an offset on.
  func with(_ word: UInt32, at offset: Int) -> TableKey {
    var key = TableKey()
    for position in 0..<count {
      let isReplaced = (offset..<offset + 4).contains(position)
      let shift = UInt32(8 * (3 - (position - offset)) & 31)
      key.append(
        u8: isReplaced ? UInt8(truncatingIfNeeded: word >> shift) : self[position])
    }
    return key
  }
}
