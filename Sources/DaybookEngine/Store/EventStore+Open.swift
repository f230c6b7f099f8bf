internal import DaybookEntities
public import DaybookJournal
internal import DaybookLMDB
internal import DaybookPlatform

extension EventStore {
  /// Opens the store in a folder, creating it if it is missing and the options allow it.
  ///
  /// When this method returns, the store is consistent, even if a process died while using it.
  /// Views that were behind are up to date, views that cannot be trusted are rebuilt, and new
  /// projections are built.
  ///
  /// New projections are built in new views, so that other processes can continue to use the live
  /// ones. If ``EventStoreOptions/waitsForProjections`` is false, this process does not wait
  /// either, and queries of these projections throw ``ProjectingError`` until they are built.
  /// History that the retention policy no longer keeps is purged later, in short slices, while the
  /// store is in use.
  ///
  /// Views whose State has an older format are discarded and rebuilt before this method returns,
  /// like views that cannot be trusted or whose files are damaged (see ``viewsDamage``). Until
  /// then, readers in other processes see empty views.
  ///
  /// A store of an older format is migrated. If the migration fails, the store is opened read-only,
  /// and writing throws ``ProjectingError`` with `readOnly` and the reason.
  ///
  /// A store on read-only media or in a folder without write permission is also opened read-only.
  /// If its views are behind or cannot be trusted, or if its journal must be recovered, the journal
  /// is copied to a temporary folder and new views are built there. Such a store shows the ledger
  /// as of the time when it was opened.
  ///
  /// - Throws: `JournalError` if there is no store, or if it is something else, damaged, or of a
  ///   newer format; `LMDBError` if files cannot be opened; ``ProjectingError``.
  public static func open(
    at path: String, schema: Schema, projections: [any Projection.Type] = [],
    options: EventStoreOptions = EventStoreOptions()
  ) async throws -> EventStore {
    let found = try folder(at: path, options)
    if try found.isSnapshotCopy() {
      return try openSnapshotCopy(found, schema, projections, options)
    }
    if !options.isEphemeral, let refusal = try found.writingRefusal() {
      return try await openUnwritable(found, refusal, schema, projections, options)
    }
    if !options.isReadOnly { try found.recoverJournal(bootIdentity: options.bootIdentity) }
    let fault = try migrationFault(found, schema, options)
    var options = options
    if fault != nil { options.isReadOnly = true }
    let store = try make(found, schema, projections, options, fault)
    if options.isReadOnly { return store }
    try await store.prepare()
    return store
  }

  /// Opens a store in a private temporary folder, without flushes; closing the store deletes it.
  public static func ephemeral(
    schema: Schema, projections: [any Projection.Type] = [],
    options: EventStoreOptions = EventStoreOptions()
  ) async throws -> EventStore {
    var options = options
    options.isEphemeral = true
    // Tests and previews open many stores at once, so they must reserve less address space.
    if options.mapByteCount == nil {
      options.mapByteCount = max(EnvironmentOptions.mapByteCountDefault / 16, 1 << 28)
    }
    let place = try TemporaryFolder()
    let store = try await open(
      at: place.path + "/ledger", schema: schema, projections: projections, options: options)
    store.place.withLock { $0 = place }
    return store
  }

  private static func folder(
    at path: String, _ options: EventStoreOptions
  ) throws -> StoreFolder {
    do {
      return try StoreFolder.open(
        at: path, isFlushed: !options.isEphemeral, supporting: options.formats,
        disk: options.disk)
    } catch {
      guard error.code == .missing || (error.code == .notALedger && isEmptyFolder(path)),
        options.createsIfMissing, !options.isReadOnly
      else { throw error }
    }
    do {
      return try StoreFolder.create(
        at: path, isFlushed: !options.isEphemeral, supporting: options.formats,
        disk: options.disk)
    } catch {
      // Another process may have created it first.
      guard error.code == .alreadyExists else { throw error }
      return try StoreFolder.open(
        at: path, isFlushed: !options.isEphemeral, supporting: options.formats,
        disk: options.disk)
    }
  }

  /// Migrates a store of an older format.
  ///
  /// - Returns: The reason why the store is read-only if the migration failed, otherwise `nil`.
  static func migrationFault(
    _ folder: StoreFolder, _ schema: Schema, _ options: EventStoreOptions
  ) throws -> JournalError? {
    let format = try folder.current().format
    guard format < options.formats.version else { return nil }
    guard !options.isReadOnly else {
      return JournalError(
        .readOnly,
        "The ledger at “\(folder.path)” has format \(format): open it for writing once to "
          + "migrate it to \(options.formats.version).", path: folder.path)
    }
    do {
      try folder.withWriter { lock in
        try folder.migrate(holding: lock, schema: schema, trace: options.trace)
      }
      return nil
    } catch let error as JournalError {
      return error
    }
  }

  private static func isEmptyFolder(_ path: String) -> Bool {
    guard let folder = unsafe opendir(path) else { return false }
    defer { unsafe _ = closedir(folder) }
    var count = 0
    while unsafe readdir(folder) != nil { count += 1 }
    return count <= 2
  }

  static func make(
    _ folder: StoreFolder, _ schema: Schema, _ types: [any Projection.Type],
    _ options: EventStoreOptions, _ formatFault: JournalError?
  ) throws -> EventStore {
    var names: Set<String> = []
    for type in types {
      guard names.insert(type.name).inserted else {
        throw ProjectingError(
          .limit, "Two projections are named “\(type.name)”. Give one of them another name.")
      }
    }
    let open = try openAndJudge(folder, schema, types, options)
    return try made(of: open, folder, schema, types, options, formatFault)
  }

  /// Opens the live generations, after discarding views that can't be trusted.
  ///
  /// - Parameter old: An open store whose files that are still open are used again.
  static func openAndJudge(
    _ folder: StoreFolder, _ schema: Schema, _ types: [any Projection.Type],
    _ options: EventStoreOptions, replacing old: OpenStore? = nil
  ) throws -> OpenStore {
    if options.isReadOnly {
      let path = folder.viewsPath(try folder.current().views)
      if case .mismatch(let reason) = try folder.session(
        path, bootIdentity: options.bootIdentity)
      {
        throw ProjectingError(
          .notReady,
          "The views of \(folder.path) cannot be trusted (\(reason)). Open the ledger for writing "
            + "once, and they are rebuilt.")
      }
      return try openStore(
        folder, schema: schema, types: types, options: options, replacing: old)
    }
    return try folder.withWriter { lock in
      try judgeViews(folder, schema, lock, options)
      return try openStore(
        folder, schema: schema, types: types, options: options, replacing: old, holding: lock)
    }
  }

  /// Creates a store from opened files.
  ///
  /// - Parameter path: The path to report as the store's path, if the store is a copy.
  static func made(
    of open: OpenStore, _ folder: StoreFolder, _ schema: Schema, _ types: [any Projection.Type],
    _ options: EventStoreOptions, _ writingFault: JournalError?, path: String? = nil
  ) throws -> EventStore {
    let cores = types.map { ProjectorCore($0) }
    // In a writer, `prepare()` passes the statuses to the cores; readers don't call it.
    if options.isReadOnly { try open.views.tellStatuses(to: cores) }
    return try EventStore(
      folder: folder, schema: schema, types: types, options: options, open: open, cores: cores,
      writingFault: writingFault, path: path)
  }

  /// Discards views that were not flushed before the machine stopped, or that were copied while
  /// open.
  ///
  /// If they show that the journal lacks commits, this is noted and they are kept.
  static func judgeViews(
    _ folder: StoreFolder, _ schema: Schema, _ lock: WriterLock, _ options: EventStoreOptions
  ) throws {
    let path = folder.viewsPath(try folder.current().views)
    let session = try folder.session(path, bootIdentity: options.bootIdentity)
    guard case .mismatch = session else { return }
    let loss = try untrustedLoss(folder, schema, options)
    _ = try folder.discardViews(noting: loss, holding: lock)
  }

  /// Returns what the journal lacks according to live views that can't be opened, or `nil`.
  private static func untrustedLoss(
    _ folder: StoreFolder, _ schema: Schema, _ options: EventStoreOptions,
    replacing old: OpenStore? = nil
  ) throws -> JournalLoss? {
    let current = try folder.current()
    if let journal = old?.journal, journal.generation == current.journal, !journal.isClosed {
      return try untrustedLoss(folder, current, journal)
    }
    let journal = try options.openJournal(folder, current, schema)
    defer { try? journal.close() }
    return try untrustedLoss(folder, current, journal)
  }

  /// Opens the generations that `CURRENT` names; starts again if one is replaced during the open.
  ///
  /// - Parameter lock: The `WRITER` lock, which allows views of an older version and damaged views to
  ///   be discarded; without it, they cause an error.
  static func openStore(
    _ folder: StoreFolder, schema: Schema, types: [any Projection.Type],
    options: EventStoreOptions, replacing old: OpenStore? = nil, holding lock: WriterLock? = nil
  ) throws -> OpenStore {
    var damage: ProjectingError?
    while true {
      let stamp = try folder.currentStamp()
      do {
        let opened = try openStore(
          folder, stamp, schema: schema, types: types, options: options, replacing: old,
          damage: damage)
        // A generation that was deleted while it was being opened may have looked empty.
        if try folder.currentStamp() == stamp { return opened }
      } catch is OlderViews {
        guard let lock else {
          if try folder.currentStamp() != stamp { continue }
          throw ProjectingError(
            .notReady,
            "The views of \(folder.path) have an older version. Append, or open the ledger for "
              + "writing again, and they are rebuilt.")
        }
        let loss = try untrustedLoss(folder, schema, options, replacing: old)
        _ = try folder.discardViews(noting: loss, holding: lock)
      } catch {
        guard try folder.currentStamp() == stamp else { continue }
        guard let lock, damage == nil, let found = error as? ProjectingError,
          found.code == .damaged
        else { throw error }
        damage = found
        let loss = try untrustedLoss(folder, schema, options, replacing: old)
        _ = try folder.discardViews(noting: loss, holding: lock)
      }
    }
  }

  private static func openStore(
    _ folder: StoreFolder, _ stamp: CurrentStamp, schema: Schema, types: [any Projection.Type],
    options: EventStoreOptions, replacing old: OpenStore?, damage: ProjectingError?
  ) throws -> OpenStore {
    let current = try folder.current()
    let journal: JournalStore
    if let old, old.journal.generation == current.journal, !old.journal.isClosed {
      journal = old.journal
    } else {
      journal = try options.openJournal(folder, current, schema)
    }
    let views: ViewsStore
    if let old, old.views.generation == current.views, !old.views.environment.isClosed {
      views = old.views
    } else {
      var environment = options.environmentOptions(.deferred)
      environment.readOnly = options.isReadOnly
      environment.sharedLockPath = options.sharedLockPath
      environment.sharedLockQueuePath = folder.nextPath
      environment.isUnchanging = options.isUnchanging
      let path = folder.viewsPath(current.views)
      do {
        views = try ViewsStore(
          path: path, generation: current.views, folder: folder, projections: types,
          options: environment)
      } catch let error as LMDBError where error.tellsOfDamage {
        throw ViewsStore.damage(at: path, cause: error)
      }
    }
    var loss = current.loss
    if options.isReadOnly, loss == nil { loss = try shownLoss(views, journal) }
    return OpenStore(
      journal: journal, views: views, stamp: options.isEphemeral ? nil : stamp,
      loss: loss, replacedDamage: damage)
  }
}

extension Error {
  /// Returns whether the error means that these views are damaged.
  func tellsOfDamage(in views: ViewsStore) -> Bool {
    switch self {
    case let error as LMDBError: error.tellsOfDamage && error.path.hasPrefix(views.path)
    case is DecodingFault: true
    case let error as ProjectingError:
      error.code == .damaged || error.cause?.tellsOfDamage(in: views) ?? false
    default: false
    }
  }
}

extension LMDBError {
  /// Whether the error means that the file is damaged rather than inaccessible.
  var tellsOfDamage: Bool {
    switch kind {
    case .corrupted, .truncated: true
    // This kind also includes EINVAL; only this code means that the file is not an LMDB file.
    case .invalid: code == -30_793
    default: false
    }
  }
}

// A store that cannot be written is opened read-only: in place if its files can be trusted, and
// otherwise as a copy of its journal in a temporary folder.
extension EventStore {
  /// Opens a store that this process cannot write.
  ///
  /// While this process reads, processes that can write the store, from another mount or with other
  /// permissions, wait.
  ///
  /// - Parameters:
  ///   - refusal: The reason why the store cannot be written.
  ///   - asked: The options passed by the caller.
  static func openUnwritable(
    _ folder: StoreFolder, _ refusal: JournalError, _ schema: Schema,
    _ types: [any Projection.Type], _ asked: EventStoreOptions
  ) async throws -> EventStore {
    var options = asked
    options.isReadOnly = true
    options.sharedLockPath = folder.writerPath
    let lock = try folder.lockShared()
    defer { lock.release() }
    if try !folder.needsRecovery(bootIdentity: options.bootIdentity),
      try folder.current().format >= options.formats.version
    {
      if let store = try current(folder, schema, types, options, refusal) { return store }
    }
    return try await openCopy(folder, lock, schema, types, asked, refusal)
  }

  /// Opens the store in place, or returns `nil` unless its views contain every commit and all
  /// projections.
  private static func current(
    _ folder: StoreFolder, _ schema: Schema, _ types: [any Projection.Type],
    _ options: EventStoreOptions, _ refusal: JournalError
  ) throws -> EventStore? {
    let path = folder.viewsPath(try folder.current().views)
    if case .mismatch = try folder.session(path, bootIdentity: options.bootIdentity) { return nil }
    let open: OpenStore
    do {
      open = try openStore(folder, schema: schema, types: types, options: options)
    } catch let error as ProjectingError where error.code == .damaged || error.code == .notReady {
      return nil
    } catch let error as LMDBError where error.kind == .notFound {
      return nil
    } catch let error as JournalError where error.code == .foreignGeneration {
      return nil
    }
    guard try open.isCurrent(types) else {
      _ = open.closeIfIdle()
      return nil
    }
    return try made(of: open, folder, schema, types, options, refusal)
  }

  /// Opens a copy of the journal with new views; closing the store deletes the copy.
  private static func openCopy(
    _ folder: StoreFolder, _ lock: WriterLock, _ schema: Schema, _ types: [any Projection.Type],
    _ asked: EventStoreOptions, _ refusal: JournalError
  ) async throws -> EventStore {
    let place = try TemporaryFolder()
    let path = place.path + "/ledger"
    do {
      try folder.copyFiles(to: path, holding: lock)
      var options = asked
      options.isReadOnly = false
      options.createsIfMissing = false
      options.purgesOnOpen = false
      options.waitsForProjections = true
      try await open(at: path, schema: schema, projections: types, options: options).close()
      options.isReadOnly = true
      let copy = try StoreFolder.open(at: path, supporting: options.formats)
      var open = try openStore(copy, schema: schema, types: types, options: options)
      if let loss = try untrustedLoss(folder, folder.current(), open.journal) {
        open = OpenStore(
          journal: open.journal, views: open.views, stamp: open.stamp, loss: loss)
      }
      let store = try made(of: open, copy, schema, types, options, refusal, path: folder.path)
      store.place.withLock { $0 = place }
      return store
    } catch let error as JournalError {
      // Callers do not know the path of the copy.
      throw JournalError(
        error.code, error.message.replacing(path, with: folder.path), path: folder.path,
        sequence: error.sequence, cause: error.cause)
    } catch let error as ProjectingError {
      throw ProjectingError(
        error.code, error.message.replacing(path, with: folder.path), cause: error.cause)
    }
  }
}

extension OpenStore {
  /// Returns whether the views contain the newest commit, and every projection is current or
  /// quarantined.
  fileprivate func isCurrent(_ types: [any Projection.Type]) throws -> Bool {
    guard views.registered.count == types.count, !views.isOlder else { return false }
    let head = try journal.head()
    return try views.environment.read { transaction in
      let checkpoint = try views.head(in: transaction.view).checkpoint
      guard checkpoint.sequence == head.sequence,
        checkpoint.link == head.link || head.sequence == 0
      else { return false }
      return try views.missingProjections(in: transaction.view).missing.isEmpty
    }
  }
}
