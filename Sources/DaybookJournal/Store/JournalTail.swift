import DaybookEntities
import DaybookLMDB

/// Brings a copy of a journal up to date.
///
/// New commits and their idempotency keys are added. All consumers are copied again, and so are all
/// rows of the main database except the names of databases. If a purge has moved the floor, or has
/// folded or removed commits, the journal must be copied from scratch.
package struct JournalTail: Sendable {
  /// The journal, which may be written at the same time.
  package let source: JournalStore
  /// The copy.
  package let target: JournalStore
  private let tableNames: Set<String>

  /// The maximum number of bytes of commits copied in one transaction.
  package static let byteCountMax = 16 << 20

  package init(from source: JournalStore, to target: JournalStore) throws {
    self.source = source
    self.target = target
    tableNames = try source.read { view throws in try JournalTail.names(view, source.tables.meta) }
  }

  /// Returns the number of commits missing from the copy.
  package func missingCount() throws -> UInt64 {
    let reached = try target.head().sequence
    return try source.head().sequence - reached
  }

  /// Copies all data missing from the copy.
  ///
  /// - Parameter progress: Called occasionally with the newest copied commit. If it throws, the
  ///   work ends with that error, and the copy must be discarded.
  /// - Returns: Whether the copy was updated; if not, the journal must be copied again.
  /// - Throws: `JournalError` with `brokenChain` if the copy has another history.
  /// - Complexity: O(bytes of the missing commits).
  package func copy(progress: (UInt64) throws -> Void = { _ in }) throws -> Bool {
    let old = try target.head()
    return try source.read { view throws in
      let new = try source.head(view)
      guard try isSameButLonger(view) else { return false }
      guard old.sequence <= new.sequence,
        try source.link(of: old.sequence, head: new, view) == old.link
      else {
        throw JournalError(
          .brokenChain,
          "The copy “\(target.path)” of the journal contains a different commit "
            + "\(old.sequence), so the old journal is kept. Verify the ledger.", path: target.path,
          sequence: old.sequence)
      }
      var place = JournalTables.chunkKey(old.sequence, .max)
      while try copyChunks(after: &place, view) {
        var reader = ByteReader(place.span.bytes)
        try progress(try reader.u64be())
      }
      try target.environment.write { transaction in
        try copyKeys(after: old.sequence, through: new.sequence, view, &transaction)
        try copyConsumers(view, &transaction)
        try copyMeta(view, &transaction)
      }
      return true
    }
  }

  /// Compares the copy with its source in constant time.
  ///
  /// The newest commit, its stored link, and the sizes of the tables must be equal.
  ///
  /// - Throws: `JournalError` with `brokenChain` if they aren't.
  package func checkIsEqual() throws {
    let isEqual = try source.read { view throws in
      try target.read { copy throws in
        let head = try source.head(view)
        guard try target.head(copy) == head,
          try count(source, view) == count(target, copy)
        else { return false }
        if head.sequence == 0 { return true }
        let key = JournalTables.chunkKey(head.sequence, 0)
        guard let chunk = try copy.get(key.span.bytes, in: target.tables.commits) else {
          // If all commits have been purged, the floor contains the link.
          return try target.link(of: head.sequence, head: head, copy) == head.link
        }
        var reader = ByteReader(chunk)
        _ = try reader.u32be()
        return try reader.hash() == head.link
      }
    }
    guard isEqual else {
      throw JournalError(
        .brokenChain,
        "The copy “\(target.path)” of the journal differs from it, so the old journal is "
          + "kept. Verify the ledger.", path: target.path)
    }
  }

  private func count(_ store: JournalStore, _ view: TransactionView) throws -> [Int] {
    try [store.tables.commits, store.tables.keys].map { try view.count(of: $0) }
  }

  /// Returns whether the only difference is that commits have been appended since the journal was
  /// copied.
  private func isSameButLonger(_ view: TransactionView) throws -> Bool {
    guard try JournalTail.names(view, source.tables.meta) == tableNames else { return false }
    return try target.read { copy throws in
      // A purge first folds commits and only then removes them.
      for key in [JournalTables.floorKey, JournalTables.baselineKey] {
        guard
          try view.bytes(for: key, in: source.tables.meta)
            == copy.bytes(for: key, in: target.tables.meta)
        else { return false }
      }
      return try first(source, view) == first(target, copy)
    }
  }

  /// Returns the first key of the commits table.
  private func first(_ store: JournalStore, _ view: TransactionView) throws -> [UInt8]? {
    var cursor = try view.cursor(in: store.tables.commits)
    guard let entry = try cursor.first() else { return nil }
    return entry.key.copied()
  }

  /// Copies all consumers and their values, which take only a few rows.
  private func copyConsumers(
    _ view: TransactionView, _ transaction: inout WriteTransaction
  ) throws {
    try transaction.clear(target.tables.consumers)
    try view.forEach(in: source.tables.consumers) { key, value in
      try transaction.append(key, value, in: target.tables.consumers)
      return true
    }
  }

  /// Returns the names of the databases: the keys of the main database that don't begin with 0.
  private static func names(_ view: TransactionView, _ meta: Database) throws -> Set<String> {
    var names: Set<String> = []
    let first: [UInt8] = [1]
    try view.forEach(in: meta, from: first.span.bytes) { key, _ in
      names.insert(String(decoding: key.copied(), as: UTF8.self))
      return true
    }
    return names
  }

  /// Copies some chunks of commits; returns whether there were any.
  private func copyChunks(after place: inout [UInt8], _ view: TransactionView) throws -> Bool {
    var reached = place
    try target.environment.write { transaction in
      var byteCount = 0
      try view.forEach(in: source.tables.commits, from: place.span.bytes) { key, value in
        let bytes = key.copied()
        if bytes == reached { return true }
        try transaction.append(key, value, in: target.tables.commits)
        reached = bytes
        byteCount += value.byteCount
        return byteCount < JournalTail.byteCountMax
      }
    }
    defer { place = reached }
    return reached != place
  }

  /// Copies the idempotency keys of the copied commits, or all keys if other keys have changed too.
  private func copyKeys(
    after first: UInt64, through last: UInt64, _ view: TransactionView,
    _ transaction: inout WriteTransaction
  ) throws {
    let keys = source.tables.keys
    var places: [[UInt8]] = []
    try source.forEachCommit(
      after: first, through: last, reversed: false, checkingKinds: false, view
    ) { commit in
      if let key = try commit.header.idempotencyKey {
        places.append(JournalTables.idempotencyKey(key, store: source.folder.identity))
      }
      return true
    }
    for place in places {
      guard let row = try view.get(place.span.bytes, in: keys) else { continue }
      try transaction.put(place.span.bytes, row, in: target.tables.keys)
    }
    guard try view.count(of: keys) != transaction.count(of: target.tables.keys) else { return }
    try transaction.clear(target.tables.keys)
    try view.forEach(in: keys) { key, value in
      try transaction.append(key, value, in: target.tables.keys)
      return true
    }
  }

  /// Copies the rows of the main database, except for the mark of the generation.
  private func copyMeta(_ view: TransactionView, _ transaction: inout WriteTransaction) throws {
    let wanted = try JournalTail.rows(view, source.tables.meta)
    let found = try JournalTail.rows(transaction.view, target.tables.meta)
    for (key, value) in wanted where found[key] != value {
      try transaction.put(key, value, in: target.tables.meta)
    }
    for key in found.keys where wanted[key] == nil {
      try transaction.delete(key, in: target.tables.meta)
    }
  }

  private static func rows(_ view: TransactionView, _ meta: Database) throws -> [[UInt8]: [UInt8]] {
    var rows: [[UInt8]: [UInt8]] = [:]
    let prefix: [UInt8] = [0]
    try view.forEach(in: meta, prefix: prefix.span.bytes) { key, value in
      rows[key.copied()] = value.copied()
      return true
    }
    rows[GenerationMark.key] = nil
    return rows
  }
}
