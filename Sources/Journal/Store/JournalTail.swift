import Entities
import LMDB

/// Brings a copy of a journal up to its source, byte for byte.
///
/// Commits and the keys they were given are added; consumers are copied whole; of the main database
/// every row is taken that is not a database's name, whatever it says. A purge moves the floor, folds
/// or removes commits: then the copy has to be made anew.
package struct JournalTail: Sendable {
  /// The journal that is written meanwhile.
  package let source: JournalStore
  /// The copy.
  package let target: JournalStore
  private let tableNames: Set<String>

  /// The bytes of commits that one transaction copies.
  package static let byteCountMax = 16 << 20

  package init(from source: JournalStore, to target: JournalStore) throws {
    self.source = source
    self.target = target
    tableNames = try source.read { view throws in try JournalTail.names(view, source.tables.meta) }
  }

  /// How many commits the copy lacks.
  package func missingCount() throws -> UInt64 {
    let reached = try target.head().sequence
    return try source.head().sequence - reached
  }

  /// Copies what the source has beyond the copy.
  ///
  /// - Parameter progress: Called now and then with the newest commit that was copied; what it
  ///   throws ends the work, and the copy is then of no use.
  /// - Returns: Whether the copy can be brought up; if not, it has to be made anew.
  /// - Throws: `JournalError` with `brokenChain` where the copy is of another history.
  /// - Complexity: O(bytes of the commits that are missing).
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
          "The copy “\(target.path)” of the journal holds another commit \(old.sequence) than the "
            + "journal itself: the old journal stays. Verify the ledger.", path: target.path,
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

  /// Compares the copy with its source, in constant time: the newest commit, its link as the commit
  /// itself says it, and the size of every table.
  ///
  /// - Throws: `JournalError` with `brokenChain` where they differ.
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
          // Everything has been purged: the floor says the link.
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
        "The copy “\(target.path)” of the journal is not equal to the journal: the old journal "
          + "stays. Verify the ledger.", path: target.path)
    }
  }

  private func count(_ store: JournalStore, _ view: TransactionView) throws -> [Int] {
    try [store.tables.commits, store.tables.keys].map { try view.count(of: $0) }
  }

  /// Whether nothing but appending has happened since the copy was made.
  private func isSameButLonger(_ view: TransactionView) throws -> Bool {
    guard try JournalTail.names(view, source.tables.meta) == tableNames else { return false }
    return try target.read { copy throws in
      // A purge folds commits, or removes what it has folded.
      for key in [JournalTables.floorKey, JournalTables.baselineKey] {
        guard
          try view.bytes(for: key, in: source.tables.meta)
            == copy.bytes(for: key, in: target.tables.meta)
        else { return false }
      }
      return try first(source, view) == first(target, copy)
    }
  }

  /// The first key of the commits.
  private func first(_ store: JournalStore, _ view: TransactionView) throws -> [UInt8]? {
    var cursor = try view.cursor(in: store.tables.commits)
    guard let entry = try cursor.first() else { return nil }
    return entry.key.copied()
  }

  /// Copies the consumers and what they remember: few rows.
  private func copyConsumers(
    _ view: TransactionView, _ transaction: inout WriteTransaction
  ) throws {
    try transaction.clear(target.tables.consumers)
    try view.forEach(in: source.tables.consumers) { key, value in
      try transaction.append(key, value, in: target.tables.consumers)
      return true
    }
  }

  /// The names of the databases: the keys of the main database that do not begin with 0.
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

  /// Copies the rows of the idempotency keys that these commits were given, or all of them where
  /// others have changed too.
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

  /// Makes the rows of the main database the same, but for the mark that says which generation it is.
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
