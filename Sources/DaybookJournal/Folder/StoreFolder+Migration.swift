package import DaybookLMDB

/// The format of journals that a program writes, and how it changes one of an older format into that.
///
/// A version of Daybook with another format says here how. Tests bring formats of their own.
package struct FormatSupport: Sendable {
  /// The version of the format that is written, and the newest that is understood.
  package let version: UInt32
  /// Changes a copy of a journal of an older version to `version`, in as many transactions as it likes.
  ///
  /// Nobody else has the copy open. Links of commits must stay what they are, so that tokens stay valid. What it
  /// throws leaves the ledger as it was.
  package let migrate: @Sendable (_ copy: Environment, _ version: UInt32) throws -> Void

  /// What this version of Daybook supports: format 1 is the first, so no ledger is older.
  package static let current = FormatSupport(version: StoreFolder.formatVersion) { _, _ in }

  package init(
    version: UInt32,
    migrate: @escaping @Sendable (_ copy: Environment, _ version: UInt32) throws -> Void
  ) {
    self.version = version
    self.migrate = migrate
  }
}

// A journal of an older format is migrated like anything that replaces a generation: a copy next to the live
// journal is changed and checked. It goes live in one step, when `CURRENT`, which names the journal and its
// format, is replaced.
extension StoreFolder {
  /// Changes the live journal to the format that this program writes, if it is older.
  ///
  /// `WRITER` is held, and nobody in this process has the journal open.
  ///
  /// - Parameter trace: called at named points: for tests that kill the process just there.
  /// - Throws: `JournalError` with `migrationFailed`, and why as its cause: everything is as it was.
  /// - Complexity: O(journal), and room for it next to the old one.
  package func migrate(
    holding lock: WriterLock, schema: Schema, trace: (@Sendable (String) -> Void)? = nil
  ) throws(JournalError) {
    let live = try current()
    do {
      // Another process may have migrated it already.
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
    // If it can't be removed now, the next open removes it.
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

  /// Opens what was made as any program will, and checks all of it.
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
        .damagedFolder, "The baseline is not what was purged into it: verify the ledger.",
        path: path)
    }
  }
}
