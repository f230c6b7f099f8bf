package import Entities
import LMDB

/// How the entities of one kind go on being numbered, where a shared log decides that.
package struct RecordingNumbers: Hashable, Sendable {
  /// The next recording number, which may be less than the journal's own; `nil` leaves that unchanged.
  package var next: UInt64?
  /// The least number that history may give to two entities; `nil` leaves that unchanged.
  package var reusedFrom: UInt64?

  /// Leaves everything unchanged.
  package init() {}
}

extension KindRow {
  /// Takes over how its kind is numbered.
  ///
  /// - Returns: whether that changed anything.
  mutating func take(_ numbers: RecordingNumbers) -> Bool {
    let old = self
    if let next = numbers.next { nextNumber = next }
    if let reused = numbers.reusedFrom { reusedFrom = min(reusedFrom ?? .max, reused) }
    return self != old
  }

  /// The row of a kind of which nothing was recorded yet.
  init(of definition: KindDefinition, after sequence: UInt64) {
    self.init(
      version: 0, nextNumber: definition.firstNumber, sequence: sequence, name: definition.name)
  }
}

extension JournalWriter {
  /// Has kinds go on being numbered as a shared log says, once the transaction commits.
  package func set(_ numbers: [EntityKind: RecordingNumbers]) {
    for (kind, numbers) in numbers {
      guard let definition = store.schema[kind] else { continue }
      var row = kinds[kind.rawValue] ?? KindRow(of: definition, after: head.sequence)
      if row.take(numbers) { put(row, of: kind) }
    }
  }

  /// The least recording number that history may give to two entities of a kind; `nil` where each has one of its own.
  package func reusedFrom(_ kind: EntityKind) -> UInt64? { kinds[kind.rawValue]?.reusedFrom }

  /// Whether there is a consumer of a name.
  package func hasConsumer(_ name: String) throws -> Bool {
    try using { transaction throws in try store.consumer(name, transaction.view) != nil }
  }

  /// The value that a consumer remembers under a key.
  package func value(_ key: [UInt8], of name: String) throws -> [UInt8]? {
    try using { transaction throws in try store.value(key, of: name, transaction.view) }
  }
}

extension JournalStore {
  /// Notes a consumer's progress, its values and the numbering of kinds, without a commit.
  ///
  /// - Throws: as ``acknowledge(_:by:putting:now:)``.
  package func acknowledge(
    _ token: Token, by name: String, putting values: [[UInt8]: [UInt8]?],
    numbering numbers: [EntityKind: RecordingNumbers], now: Int64
  ) throws {
    if numbers.isEmpty { return try acknowledge(token, by: name, putting: values, now: now) }
    try check(token)
    try writeAside { transaction in
      try acknowledge(token, by: name, putting: values, now: now, in: &transaction)
      let rows = try kindRows(transaction.view)
      let head = try head(transaction.view)
      for (kind, numbers) in numbers {
        guard let definition = schema[kind] else { continue }
        var row = rows[kind.rawValue] ?? KindRow(of: definition, after: head.sequence)
        guard row.take(numbers) else { continue }
        let key = JournalTables.kindPrefix + [kind.rawValue]
        try transaction.put(key, sealed(row.bytes, under: key), in: tables.meta)
      }
    }
  }
}
