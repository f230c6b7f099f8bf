package import DaybookEntities
import DaybookLMDB

/// The recording numbers for new entities of a kind, as assigned by a shared log.
package struct RecordingNumbers: Hashable, Sendable {
  /// The next recording number, or `nil` to leave it unchanged; it may be less than the journal's
  /// own next number.
  package var next: UInt64?
  /// The least recording number that two entities in history may share, or `nil` to leave it
  /// unchanged.
  package var reusedFrom: UInt64?

  /// Creates a value that changes nothing.
  package init() {}
}

extension KindRow {
  /// Applies a shared log's numbers, and returns whether this changed anything.
  mutating func take(_ numbers: RecordingNumbers) -> Bool {
    let old = self
    if let next = numbers.next { nextNumber = next }
    if let reused = numbers.reusedFrom { reusedFrom = min(reusedFrom ?? .max, reused) }
    return self != old
  }

  /// Creates the row of a kind without any entities.
  init(of definition: KindDefinition, after sequence: UInt64) {
    self.init(
      version: 0, nextNumber: definition.firstNumber, sequence: sequence, name: definition.name)
  }
}

extension JournalWriter {
  /// Sets the shared log's numbers for some kinds; they take effect when the transaction commits.
  package func set(_ numbers: [EntityKind: RecordingNumbers]) {
    for (kind, numbers) in numbers {
      guard let definition = store.schema[kind] else { continue }
      var row = kinds[kind.rawValue] ?? KindRow(of: definition, after: head.sequence)
      if row.take(numbers) { put(row, of: kind) }
    }
  }

  /// Returns the least recording number that two entities of a kind in history may share, or `nil`
  /// if all numbers are unique.
  package func reusedFrom(_ kind: EntityKind) -> UInt64? { kinds[kind.rawValue]?.reusedFrom }

  /// Returns whether a consumer is registered.
  package func hasConsumer(_ name: String) throws -> Bool {
    try using { transaction throws in try store.consumer(name, transaction.view) != nil }
  }

  /// Returns the value that a consumer has stored under the given key.
  package func value(_ key: [UInt8], of name: String) throws -> [UInt8]? {
    try using { transaction throws in try store.value(key, of: name, transaction.view) }
  }
}

extension JournalStore {
  /// Records a consumer's progress and values, and the numbers of kinds, without a commit.
  ///
  /// - Throws: The errors of ``acknowledge(_:by:putting:now:)``.
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
