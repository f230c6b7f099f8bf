internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

extension EventStore {
  /// Copies the journal and the views to another folder, from which other processes can read them
  /// without locks.
  ///
  /// The copy is opened like a store, but only for reading. Copying to the same folder again
  /// replaces the copy: a reader sees the old one or the new one. If nothing has changed, nothing is
  /// copied. Readers of this store continue in the meantime, and appends wait.
  ///
  /// - Returns: Whether anything was copied.
  /// - Throws: `JournalError` with `alreadyExists` if the folder contains anything but an earlier
  ///   copy of this store; ``ProjectingError`` if the views can't be updated; other `JournalError`s.
  /// - Complexity: O(journal + views).
  @discardableResult
  public func snapshotCopy(to path: String) async throws -> Bool {
    try await exclusively { try $0.snapshotCopy(to: path) }
  }

  /// Opens a snapshot copy.
  static func openSnapshotCopy(
    _ folder: StoreFolder, _ schema: Schema, _ types: [any Projection.Type],
    _ options: EventStoreOptions
  ) throws -> EventStore {
    var options = options
    options.isReadOnly = true
    options.isUnchanging = true
    return try make(folder, schema, types, options, try folder.writingRefusal())
  }
}

extension Writer {
  /// Makes a snapshot copy with views that contain every commit.
  fileprivate func snapshotCopy(to path: String) throws -> Bool {
    try withLock {
      try bringUp()
      let journal = open.journal
      let views = open.views
      let head = try views.environment.read { try views.head(in: $0.view) }
      let contents =
        "commit \(head.checkpoint.sequence) \(head.checkpoint.link) of "
        + "\(hexText(journal.lineage, digits: 16)), views \(StateTable.version) "
        + "\(hexText(head.currentDigest, digits: 16)) \(hexText(views.registeredDigest, digits: 16))"
      return try folder.makeSnapshotCopy(at: path, of: journal, contents: contents) {
        copy, number in
        for (environment, kind, format, place) in [
          (journal.environment, GenerationKind.journal, journal.format, copy.journalPath(number)),
          (views.environment, .views, StateTable.version, copy.viewsPath(number)),
        ] {
          try environment.copyCompacted(to: place)
          try Writer.mark(
            place, GenerationMark(kind, number, of: copy, format: format))
        }
      }
    }
  }

  /// Marks a copied environment as a generation of its new folder.
  private static func mark(_ path: String, _ mark: GenerationMark) throws {
    var options = EnvironmentOptions()
    options.createIfMissing = false
    let copy = try Environment.open(path: path, options: options)
    defer { try? copy.close() }
    let meta = try copy.mainDatabase()
    try copy.write { try $0.put(GenerationMark.key, mark.bytes, in: meta) }
  }
}
