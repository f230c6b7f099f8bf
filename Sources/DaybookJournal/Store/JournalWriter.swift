package import DaybookEntities
import DaybookLMDB
import Synchronization

extension JournalStore {
  /// Begins a write transaction, waiting for LMDB's write lock.
  ///
  /// The caller must hold the folder's `WRITER` lock.
  ///
  /// - Throws: `JournalError` with `readOnly` or `unknownKind`.
  package func beginWrite() throws -> JournalWriter {
    guard !isReadOnly else {
      throw JournalError(
        .readOnly, "The ledger “\(folder.path)” was opened for reading only.", path: folder.path)
    }
    do {
      try redo.prepare()
      let writer = try JournalWriter(self, try environment.beginWrite())
      if let readOnlyReason { throw readOnlyReason }
      return writer
    } catch {
      throw storageError(error, "Writing the journal", path)
    }
  }
}

/// The write transaction of a journal; there is at most one at a time.
///
/// It belongs to the thread that began it, and ends with `commit` or `abort`. If it is deallocated
/// before that, it rolls back.
package final class JournalWriter {
  /// The journal being written.
  package let store: JournalStore
  /// The newest commit, which may be a commit of this transaction.
  package private(set) var head: Head

  /// The replica number of this copy of the ledger.
  package internal(set) var replica: UInt64

  private var transaction: WriteTransaction?
  /// The rows put by this transaction, for the redo log.
  private var record: RedoRecord?
  private var encoder: CommitEncoder
  private var clock: HybridClock
  private(set) var kinds: [UInt8: KindRow]
  private var touchedKinds: Set<UInt8> = []
  private let headAtBeginning: Head
  /// The links of this transaction's commits.
  private var links: [Hash256] = []

  fileprivate init(_ store: JournalStore, _ transaction: consuming WriteTransaction) throws {
    self.store = store
    head = try store.head(transaction.view)
    replica = try store.replica(transaction.view)
    kinds = try store.kindRows(transaction.view)
    headAtBeginning = head
    record = store.redo.record(after: head.sequence)
    clock = HybridClock(last: head.hlc)
    encoder =
      store.spareEncoder.withLock { $0.take() }
      ?? CommitEncoder(schema: store.schema, limits: store.limits)
    self.transaction = consume transaction
  }

  deinit {
    let encoder = self.encoder
    if !encoder.isLarge { store.spareEncoder.withLock { $0 = encoder } }
  }

  /// Returns the next recording number of a kind: one more than the highest number ever inserted.
  package func nextNumber(_ kind: EntityKind) -> UInt64 {
    kinds[kind.rawValue]?.nextNumber ?? store.schema[kind]?.firstNumber ?? 1
  }

  /// Appends a commit, which becomes visible and durable with `commit()`.
  ///
  /// If the draft is refused, the transaction is unchanged. After any other error, the transaction
  /// must be aborted.
  ///
  /// - Complexity: O(bytes of the changes).
  package func append(_ draft: CommitDraft) throws -> CommitHeader {
    var clock = self.clock
    let sequence = head.sequence + 1
    let hlc = clock.tick(wallMicroseconds: draft.wallMicroseconds)
    let origin = CommitEncoder.Origin(
      hlc: hlc, replica: draft.origin?.replica ?? replica,
      sequence: draft.origin?.sequence ?? sequence)
    let isLarge = draft.changes.count > JournalWriter.blockChangeCount
    let link: Hash256
    do {
      link =
        isLarge
        ? try putLarge(draft, origin: origin, sequence)
        : try putSmall(draft, origin: origin, sequence)
      try putKey(draft, sequence)
    } catch {
      throw storageError(error, "Appending to the journal", store.path)
    }
    for change in draft.changes { note(change, sequence) }
    self.clock = clock
    links.append(link)
    head = Head(
      sequence: sequence, link: link, hlc: hlc, wallMicroseconds: draft.wallMicroseconds)
    return CommitHeader(
      sequence: sequence, wallMicroseconds: draft.wallMicroseconds, hlc: hlc,
      author: draft.author.isEmpty ? nil : draft.author, source: draft.source,
      replica: origin.replica, originSequence: origin.sequence,
      idempotencyKey: draft.idempotencyKey,
      requestDigest: draft.idempotencyKey == nil ? nil : draft.requestDigest, isErased: false,
      changeCount: draft.changes.count, link: link)
  }

  /// Returns the row of an idempotency key, or `nil` if the key was never used.
  package func lookUp(key: [UInt8]) throws -> KeyRow? {
    try using { transaction throws in try store.lookUp(key: key, transaction.view) }
  }

  /// Returns the token of a commit in this transaction, or `nil` if the commit is an earlier one.
  package func token(ofUncommitted sequence: UInt64) -> Token? {
    guard sequence > headAtBeginning.sequence, sequence <= head.sequence else { return nil }
    let link = links[Int(sequence - headAtBeginning.sequence) - 1]
    return store.token(sequence: sequence, link: link)
  }

  /// Returns the commit of an earlier request with the same idempotency key and content.
  ///
  /// - Returns: `nil` if the key was never used.
  /// - Throws: `JournalError` with `idempotencyConflict` if the key was used for a different
  ///   request.
  package func previous(key: [UInt8], requestDigest: Hash256) throws -> UInt64? {
    guard let row = try lookUp(key: key) else { return nil }
    guard row.requestDigest == requestDigest else {
      throw JournalError(
        .idempotencyConflict,
        "The idempotency key was used for another request, recorded as commit \(row.sequence): use "
          + "a new key for a new request.", sequence: row.sequence)
    }
    return row.sequence
  }

  /// Checks a token against the journal, including the commits of this transaction.
  package func check(_ token: Token) throws {
    let head = self.head
    try using { transaction throws in
      try store.check(token, head: head, transaction.view)
    }
  }

  /// Makes the commits durable and visible.
  ///
  /// - Throws: `JournalError` with `diskFull` or `storage` if nothing was recorded, or with
  ///   `outcomeUnknown` if it isn't known whether anything was. In that case, reopen the journal
  ///   and look up the commit.
  package func commit() throws {
    if head != headAtBeginning { try putTables() }
    guard let ending = transaction.take() else { throw JournalWriter.ended }
    // Without commits, dropping the transaction rolls it back.
    guard head != headAtBeginning else { return }
    let record = self.record.take() ?? RedoRecord(after: head.sequence, byteCountMax: 0)
    do {
      try store.redo.commit(ending, record, from: headAtBeginning, to: head)
    } catch let error as RedoLog.UnknownOutcome {
      throw unknownOutcome(error.cause)
    } catch {
      let kind = (error as? LMDBError)?.kind
      if kind == .io || kind == .panic { throw unknownOutcome(error) }
      throw storageError(error, "Committing to the journal", store.path)
    }
  }

  private func unknownOutcome(_ cause: any Error) -> JournalError {
    JournalError(
      .outcomeUnknown,
      "Flushing the journal “\(store.path)” failed; commits \(headAtBeginning.sequence + 1) to "
        + "\(head.sequence) may or may not be recorded. Reopen the ledger and look them up.",
      path: store.path, sequence: head.sequence, cause: cause)
  }

  /// Rolls back everything since `beginWrite`.
  package func abort() {
    transaction = nil
  }

  private static let ended = JournalError(
    .refused, "The write transaction of the journal has ended; begin another one.")

  func using<Result>(_ body: (inout WriteTransaction) throws -> Result) throws -> Result {
    guard var open = transaction.take() else { throw JournalWriter.ended }
    let result: Result
    do {
      result = try body(&open)
    } catch {
      transaction = consume open
      throw error
    }
    transaction = consume open
    return result
  }

  /// Puts the chunks of a draft, and returns its link.
  private func putSmall(
    _ draft: CommitDraft, origin: CommitEncoder.Origin, _ sequence: UInt64
  ) throws -> Hash256 {
    let digest = try encoder.encode(draft, origin: origin)
    let link = JournalTables.link(after: head.link, sequence, digest)
    encoder.finish(link: link)
    let encoder = self.encoder
    try ChunkWriter.cut(
      encoder.stored.bytes.span.bytes, byteCountMax: store.limits.chunkByteCountMax
    ) { try putChunk(sequence, $0, $1) }
    return link
  }

  /// Appends a chunk.
  func putChunk(_ sequence: UInt64, _ number: UInt32, _ bytes: RawSpan) throws {
    let key = JournalTables.chunkKey(sequence, number)
    let table = store.tables.commits
    try using { transaction throws in
      try transaction.append(key.span.bytes, bytes, in: table)
      record?.put(.commits, key.span.bytes, bytes)
    }
  }

  /// Excludes this transaction from the redo log, which can't record that chunks are replaced or
  /// removed.
  func leaveRedoLog() { record?.giveUp() }

  /// Replaces a chunk with another one of the same size.
  func replaceChunk(_ sequence: UInt64, _ number: UInt32, _ bytes: RawSpan) throws {
    let key = JournalTables.chunkKey(sequence, number)
    let table = store.tables.commits
    try using { transaction throws in try transaction.put(key.span.bytes, bytes, in: table) }
  }

  /// Removes the chunks of a refused commit.
  func removeChunks(_ sequence: UInt64) throws {
    let start = JournalTables.chunkKey(sequence, 0)
    let table = store.tables.commits
    try using { transaction throws in
      _ = try transaction.deleteRange(from: start.span.bytes, to: nil, in: table)
    }
  }

  private func putKey(_ draft: CommitDraft, _ sequence: UInt64) throws {
    guard let key = draft.idempotencyKey, let digest = draft.requestDigest else { return }
    let place = JournalTables.idempotencyKey(key, store: store.folder.identity)
    let row = KeyRow(
      sequence: sequence, requestDigest: digest, wallMicroseconds: draft.wallMicroseconds)
    let table = store.tables.keys
    try using { transaction throws in
      let value = sealed(row.bytes, under: place)
      try transaction.put(place, value, in: table)
      record?.put(.keys, place.span.bytes, value.span.bytes)
    }
  }

  private func note(_ change: Change, _ sequence: UInt64) {
    let kind = change.kind.rawValue
    guard let definition = store.schema[change.kind] else { return }
    if let row = kinds[kind], row.version >= definition.newestVersion,
      row.nextNumber > change.number
    {
      return
    }
    var row = kinds[kind] ?? KindRow(of: definition, after: sequence)
    if row.version < definition.newestVersion {
      row.version = definition.newestVersion
      row.sequence = sequence
    }
    row.nextNumber = max(row.nextNumber, change.number + 1)
    put(row, of: change.kind)
  }

  /// Schedules a kind's row to be written with the commits.
  func put(_ row: KindRow, of kind: EntityKind) {
    kinds[kind.rawValue] = row
    touchedKinds.insert(kind.rawValue)
  }

  private func putTables() throws {
    let tables = store.tables
    var rows = [(JournalTables.headKey, head.bytes)]
    rows += touchedKinds.sorted().map { (JournalTables.kindPrefix + [$0], kinds[$0]?.bytes ?? []) }
    do {
      try using { transaction throws in
        for (key, row) in rows {
          let value = sealed(row, under: key)
          try transaction.put(key, value, in: tables.meta)
          record?.put(.meta, key.span.bytes, value.span.bytes)
        }
      }
    } catch {
      throw storageError(error, "Committing to the journal", store.path)
    }
  }
}
