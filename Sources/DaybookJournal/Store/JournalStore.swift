import DaybookEntities
package import DaybookLMDB
import Synchronization

/// An open generation of a ledger's journal, which is the source of truth.
///
/// Reading is safe on any thread. `beginWrite` must be called on one thread, with the folder's
/// `WRITER` lock held.
package final class JournalStore: Sendable {
  /// The ledger's folder.
  package let folder: StoreFolder
  /// The number of the generation.
  package let generation: UInt32
  /// The lineage in `CURRENT` at the time of opening.
  package let lineage: UInt64
  /// The version of the journal's format.
  package let format: UInt32
  /// The kinds of entities that this process supports.
  package let schema: Schema
  /// The limits of new commits.
  package let limits: JournalLimits
  /// Whether the journal is open for reading only.
  package let isReadOnly: Bool
  /// The LMDB environment.
  package let environment: Environment

  /// The environment's databases.
  package let tables: JournalTables
  /// The redo log, which makes small commits durable.
  let redo: RedoLog
  private let unknown = Mutex<JournalError?>(nil)
  /// The buffers of the last writer, for reuse by the next one.
  let spareEncoder = Mutex<CommitEncoder?>(nil)

  private init(
    folder: StoreFolder, current: Current, schema: Schema, limits: JournalLimits,
    isReadOnly: Bool, environment: Environment, tables: JournalTables, redo: RedoLog
  ) {
    self.folder = folder
    self.generation = current.journal
    self.lineage = current.lineage
    self.format = current.format
    self.schema = schema
    self.limits = limits
    self.isReadOnly = isReadOnly
    self.environment = environment
    self.tables = tables
    self.redo = redo
  }

  /// The folder of the generation.
  package var path: String { environment.path }

  /// The reason why the journal can't be written, or `nil` if it can.
  ///
  /// The journal contains kinds, or versions of kinds, that this process doesn't support.
  package var readOnlyReason: JournalError? { unknown.withLock { $0 } }

  /// Creates an empty journal.
  static func create(
    in folder: StoreFolder, generation: UInt32, format: UInt32
  ) throws(JournalError) {
    let path = folder.journalPath(generation)
    var options = EnvironmentOptions()
    options.durability = folder.isFlushed ? .durable : .deferred
    options.disk = folder.disk
    do {
      let environment = try Environment.open(path: path, options: options)
      defer { try? environment.close() }
      var transaction = try environment.beginWrite()
      let meta = try transaction.openMainDatabase()
      for name in JournalTables.names {
        _ = try transaction.openDatabase(named: name, create: true)
      }
      let first = JournalTables.firstLink(store: folder.identity)
      let head = Head(sequence: 0, link: first, hlc: 0, wallMicroseconds: 0)
      var replica = ByteWriter(reserving: 8)
      replica.u64be(randomNumber())
      let mark = GenerationMark(.journal, generation, of: folder, format: format)
      try transaction.put(GenerationMark.key, mark.bytes, in: meta)
      let floor = Floor(sequence: 0, link: first)
      for (key, row) in [
        (JournalTables.headKey, head.bytes), (JournalTables.floorKey, floor.bytes),
        (JournalTables.replicaKey, replica.bytes),
      ] { try transaction.put(key, sealed(row, under: key), in: meta) }
      try transaction.commit()
    } catch {
      throw storageError(error, "Creating the journal", path)
    }
    if folder.isFlushed { try Files.flushFolder(path) }
  }

  /// Gives a journal a new replica number; the journal must not be open.
  static func renewReplica(at path: String) throws {
    var options = EnvironmentOptions()
    options.createIfMissing = false
    let environment = try Environment.open(path: path, options: options)
    defer { try? environment.close() }
    let meta = try environment.mainDatabase()
    var replica = ByteWriter(reserving: 8)
    replica.u64be(randomNumber())
    try environment.write { transaction in
      let key = JournalTables.replicaKey
      try transaction.put(key, sealed(replica.bytes, under: key), in: meta)
    }
  }

  /// Opens the journal that `current` names.
  ///
  /// If the journal contains kinds that this process doesn't support, it is opened with a
  /// `readOnlyReason`.
  ///
  /// - Parameters:
  ///   - isFlushed: Whether commits are flushed; `false` only in tests of data loss.
  ///   - redoing: The policy for using the redo log.
  ///   - bootIdentity: The boot identity to use instead of the operating system's, for tests.
  ///   - recovering: Whether the journal is opened for recovery, after it has been restored to a
  ///     flushed commit.
  ///   - sharedLockPath: The file to lock while reading (`StoreFolder.writerPath`), if the ledger
  ///     can't be written.
  /// - Throws: `JournalError` with `superseded` if the generation no longer exists (read `CURRENT`
  ///   again), `unrecovered`, `foreignGeneration`, `damagedCommit` or `storage`.
  package static func open(
    _ folder: StoreFolder, _ current: Current, schema: Schema, readOnly: Bool = false,
    limits: JournalLimits = .standard, isFlushed: Bool = true,
    redoing: RedoPolicy = .standard, bootIdentity: String? = nil, recovering: Bool = false,
    sharedLockPath: String? = nil, isUnchanging: Bool = false,
    mapByteCount: Int = EnvironmentOptions.mapByteCountDefault
  ) throws(JournalError) -> JournalStore {
    let path = folder.journalPath(current.journal)
    guard try Files.identity(path + "/data.mdb") != nil else {
      throw try missing(path, folder, current)
    }
    if !recovering { try JournalRecovery.requireNone(path: path, bootIdentity: bootIdentity) }
    var options = EnvironmentOptions(mapByteCount: mapByteCount)
    options.createIfMissing = false
    options.readOnly = readOnly
    options.sharedLockPath = sharedLockPath
    options.sharedLockQueuePath = folder.nextPath
    options.isUnchanging = isUnchanging
    options.durability = folder.isFlushed && isFlushed ? .durable : .deferred
    options.disk = folder.disk
    do {
      let environment = try Environment.open(path: path, options: options)
      let redo = RedoLog(environment, policy: redoing, bootIdentity: bootIdentity)
      return try read(environment, folder, current, schema, limits, readOnly, redo)
    } catch let error as JournalError {
      throw error
    } catch {
      throw storageError(error, "Opening the journal", path)
    }
  }

  private static func missing(
    _ path: String, _ folder: StoreFolder, _ current: Current
  ) throws(JournalError) -> JournalError {
    if try folder.current().journal != current.journal {
      return JournalError(
        .superseded, "“\(path)” was replaced by a newer generation: read CURRENT again.", path: path
      )
    }
    return JournalError(
      .damagedFolder,
      "“\(path)”, the live journal, is missing or has no data.mdb: restore the "
        + "ledger from a backup.",
      path: path)
  }

  private static func read(
    _ environment: Environment, _ folder: StoreFolder, _ current: Current, _ schema: Schema,
    _ limits: JournalLimits, _ readOnly: Bool, _ redo: RedoLog
  ) throws -> JournalStore {
    let mark = GenerationMark(.journal, current.journal, of: folder, format: current.format)
    let tables: JournalTables
    do {
      tables = JournalTables(
        meta: try environment.mainDatabase(),
        commits: try environment.database(named: JournalTables.names[0]),
        keys: try environment.database(named: JournalTables.names[1]),
        baseline: try environment.database(named: JournalTables.names[2]),
        consumers: try environment.database(named: JournalTables.names[3]))
    } catch {
      guard error.kind == .notFound else { throw error }
      try mark.check(nil, path: environment.path)
      throw error
    }
    let transaction = try environment.beginRead()
    let view = transaction.view
    try mark.check(
      try view.bytes(for: GenerationMark.key, in: tables.meta), path: environment.path)
    let store = JournalStore(
      folder: folder, current: current, schema: schema, limits: limits, isReadOnly: readOnly,
      environment: environment, tables: tables, redo: redo)
    _ = try store.replica(view)
    _ = try store.head(view)
    _ = try store.floor(view)
    _ = try store.kindRows(view)
    return store
  }

  private static func metaBytes(
    _ key: [UInt8], _ view: TransactionView, _ tables: JournalTables, _ path: String
  ) throws -> [UInt8] {
    guard let row = try view.get(key.span.bytes, in: tables.meta) else {
      let name = String(decoding: key.dropFirst(), as: UTF8.self)
      throw JournalError(
        .damagedFolder,
        "The journal “\(path)” has no entry “\(name)” in its main database: restore the ledger "
          + "from a backup.", path: path)
    }
    return try unsealed(row, under: key.span.bytes, path: path).copied()
  }

  /// Closes the journal; does nothing if it is closed.
  package func close() throws(JournalError) {
    do {
      try environment.close()
    } catch {
      throw storageError(error, "Closing the journal", path)
    }
    redo.release()
  }

  /// Whether the journal is closed.
  package var isClosed: Bool { environment.isClosed }

  /// Returns the replica number of this copy of the ledger.
  func replica(_ view: TransactionView) throws -> UInt64 {
    let bytes = try JournalStore.metaBytes(JournalTables.replicaKey, view, tables, path)
    var reader = ByteReader(bytes.span.bytes)
    return try reader.u64be()
  }

  func head(_ view: TransactionView) throws -> Head {
    let bytes = try JournalStore.metaBytes(JournalTables.headKey, view, tables, path)
    do {
      return try Head(bytes.span.bytes)
    } catch {
      throw JournalError(
        .damagedFolder, "The head of the journal is damaged: restore the ledger from a backup.",
        path: path, cause: error)
    }
  }

  /// Returns the floor, at which the retained history begins.
  func floor(_ view: TransactionView) throws -> Floor {
    let bytes = try JournalStore.metaBytes(JournalTables.floorKey, view, tables, path)
    do {
      return try Floor(bytes.span.bytes)
    } catch {
      throw JournalError(
        .damagedFolder, "The floor of the journal is damaged: restore the ledger from a backup.",
        path: path, cause: error)
    }
  }

  /// Reads the kinds in the journal; a kind that this process doesn't support makes the journal
  /// read-only.
  func kindRows(_ view: TransactionView) throws -> [UInt8: KindRow] {
    var rows: [UInt8: KindRow] = [:]
    let prefix = JournalTables.kindPrefix
    try view.forEach(in: tables.meta, prefix: prefix.span.bytes) { key, value in
      var reader = ByteReader(key)
      _ = try reader.skip(prefix.count)
      let kind = try reader.u8()
      let row = try KindRow(unsealed(value, under: key, path: path))
      rows[kind] = row
      if let known = schema[EntityKind(rawValue: kind)]?.newestVersion {
        if row.version > known { noteUnknown(newerKind(kind, row.version, schema, row.sequence)) }
      } else {
        noteUnknown(unknownKind(kind, name: row.name, row.sequence))
      }
      return true
    }
    return rows
  }

  private func noteUnknown(_ error: JournalError) {
    unknown.withLock { known in
      if known == nil { known = error }
    }
  }
}
