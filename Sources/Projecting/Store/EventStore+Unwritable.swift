internal import Journal
internal import LMDB

// Where nothing can be written, a store is opened for reading: as it lies there if that can be believed, and else a
// copy of its journal in a temporary folder.
extension EventStore {
  /// Opens a store in which nothing can be written, for reading only.
  ///
  /// Whoever writes all the same, from another mount or with other rights, waits while something is read here.
  ///
  /// - Parameters:
  ///   - refusal: Why nothing can be written.
  ///   - asked: How the store was to be opened.
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

  /// The store as it lies there, if its views hold every commit and all projections; else `nil`.
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

  /// A store of a copy of the journal, with views of its own; it is gone when it is closed.
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
      let open = try openStore(copy, schema: schema, types: types, options: options)
      let store = try made(of: open, copy, schema, types, options, refusal, path: folder.path)
      store.place.withLock { $0 = place }
      return store
    } catch let error as JournalError {
      // Nobody knows of the copy.
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
  /// Whether the views hold the journal's newest commit, and all projections answer or were set aside.
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
