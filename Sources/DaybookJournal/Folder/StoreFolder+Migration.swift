package import DaybookLMDB

/// The journal format that a program writes, and the migration from older formats.
///
/// A version of Daybook that changes the format implements its migration here. Tests use other
/// formats.
package struct FormatSupport: Sendable {
  /// The format version that the program writes, which is also the newest version that it can read.
  package let version: UInt32
  /// Migrates a copy of a journal from an older version to `version`, in any number of
  /// transactions.
  ///
  /// Only the migration has the copy open. It must not change the links of commits, so that tokens
  /// stay valid. If it throws, the ledger stays unchanged.
  package let migrate: @Sendable (_ copy: Environment, _ version: UInt32) throws -> Void

  /// The format of this version of Daybook; it is the first format, so there is nothing to migrate
  /// from.
  package static let current = FormatSupport(version: StoreFolder.formatVersion) { _, _ in }

  package init(
    version: UInt32,
    migrate: @escaping @Sendable (_ copy: Environment, _ version: UInt32) throws -> Void
  ) {
    self.version = version
    self.migrate = migrate
  }
}

// A migration works like every replacement of a generation: a copy of the live journal is changed
// and checked. The copy becomes live in one step, when `CURRENT`, which contains the journal's
// generation and format, is replaced.
extension StoreFolder {
  /// Migrates the live journal to the format that this program writes, if the journal is older.
  ///
  /// The caller holds `WRITER`, and the journal isn't open in this process.
  ///
  /// - Parameter trace: Called at named points, for tests that kill the process there.
  /// - Throws: `JournalError` with `migrationFailed`, whose cause is the reason; the ledger is then
  ///   unchanged.
  /// - Complexity: O(journal), and as much disk space as the journal.
  package func migrate(
    holding lock: WriterLock, schema: Schema, trace: (@Sendable (String) -> Void)? = nil
  ) throws(JournalError) {
    let live = try current()
    do {
      // Another process may have migrated the journal already.
      if live.format < support.version { try migrate(live, lock, schema, trace) }
    } catch {
      throw JournalError(
        .migrationFailed,
        "The ledger at “\(path)” has format \(live.format) and could not be migrated to "
          + "\(support.version); its files are unchanged. Fix the cause and open it again.",
        path: path,
        cause: error is LMDBError ? storageError(error, "Copying the journal of", path) : error)
    }
  }

  private func migrate(
    _ live: Current, _ lock: WriterLock, _ schema: Schema, _ trace: (@Sendable (String) -> Void)?
  ) throws {
    try removeUnfinished(holding: lock)
    let next = Generation(kind: .journal, number: try reserveGeneration(holding: lock))
    let building = try beginBuilding(next)
    defer { building.release() }
    trace?("migration reserved")
    do {
      try copy(live, to: next)
      trace?("migration copied")
      try migrate(next, from: live.format)
      trace?("migration stepped")
      try prove(next, live, schema)
      try flush(next)
      trace?("migration proven")
      var flipped = try current()
      flipped.journal = next.number
      flipped.format = support.version
      try setCurrent(flipped, holding: lock)
    } catch {
      building.release()
      try? remove(next, holding: lock)
      throw error
    }
    trace?("migration flipped")
    // If this fails, the next open removes the old journal.
    try? remove(Generation(kind: .journal, number: live.journal), holding: lock)
    trace?("migration done")
  }

  private func copy(_ live: Current, to next: Generation) throws {
    var options = EnvironmentOptions()
    options.createIfMissing = false
    options.readOnly = true
    options.disk = disk
    let source = try Environment.open(path: journalPath(live.journal), options: options)
    defer { try? source.close() }
    try source.copyCompacted(to: journalPath(next.number))
  }

  private func migrate(_ next: Generation, from version: UInt32) throws {
    var options = EnvironmentOptions()
    options.createIfMissing = false
    options.durability = isFlushed ? .durable : .deferred
    options.disk = disk
    let copy = try Environment.open(path: journalPath(next.number), options: options)
    defer { try? copy.close() }
    try support.migrate(copy, version)
    let mark = GenerationMark(
      store: identity, generation: next, format: support.version)
    let meta = try copy.mainDatabase()
    try copy.write { try $0.put(GenerationMark.key, mark.bytes, in: meta) }
    try copy.flush()
  }

  /// Opens the migrated journal as any other program would, and verifies its whole history.
  private func prove(_ next: Generation, _ live: Current, _ schema: Schema) throws {
    let made = Current(
      journal: next.number, views: live.views, lineage: live.lineage, highest: next.number,
      format: support.version)
    let journal = try JournalStore.open(self, made, schema: schema)
    defer { try? journal.close() }
    _ = try journal.verifyChain()
    try journal.verifySeals()
    guard try journal.verifyBaseline() else {
      throw JournalError(
        .damagedFolder, "The baseline doesn't match the commits purged into it: verify the ledger.",
        path: path)
    }
  }
}
