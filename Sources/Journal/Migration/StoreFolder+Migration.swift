import LMDB

// A format that is older than the program's is brought up like everything else that replaces a generation:
// a copy is made beside the live journal, changed, proven, and goes live in one step.
//
// Two files say which format it is. `FORMAT` is what a program must understand to open the folder; it is
// raised first, so from then on older programs refuse. `CURRENT` says in which format the live journal is;
// replacing it is the step. Whoever dies in between leaves a folder whose `FORMAT` is newer than its journal:
// the next open begins again.
extension StoreFolder {
  /// Brings the live journal up to the format that this program writes, if it is older.
  ///
  /// `WRITER` is held, and nobody in this process has the journal open.
  ///
  /// - Parameter trace: called at named points: for tests that kill the process just there.
  /// - Returns: The folder as it is now.
  /// - Throws: `JournalError` with `migrationFailed`, and why as its cause: everything is as it was.
  /// - Complexity: O(journal), and room for it beside the old one.
  package func migrated(
    holding lock: WriterLock, schema: Schema, trace: (@Sendable (String) -> Void)? = nil
  ) throws(JournalError) -> StoreFolder {
    let live = try current()
    do {
      // Another process may have been quicker.
      if live.format < support.version { try migrate(live, lock, schema, trace) }
    } catch {
      throw JournalError(
        .migrationFailed,
        "The ledger at “\(path)” has format \(live.format) and could not be brought up to "
          + "\(support.version); its files are as they were. Do away with the cause and open it again.",
        path: path,
        cause: error is LMDBError ? storageError(error, "Copying the journal of", path) : error)
    }
    return StoreFolder(
      path: path, identity: identity, version: support.version, isFlushed: isFlushed,
      support: support, disk: disk)
  }

  private func migrate(
    _ live: Current, _ lock: WriterLock, _ schema: Schema, _ trace: (@Sendable (String) -> Void)?
  ) throws {
    let steps = try support.steps(from: live.format, path: path)
    try removeUnfinished(holding: lock)
    let next = Generation(kind: .journal, number: try reserveGeneration(holding: lock))
    let building = try beginBuilding(next)
    trace?("migration reserved")
    do {
      try copy(live, to: next)
      trace?("migration copied")
      try bringUp(next, steps, trace)
      try prove(next, live, schema)
      try flush(next)
      trace?("migration proven")
      try raiseFormat(to: support.version)
      trace?("migration format raised")
      var flipped = try current()
      flipped.journal = next.number
      flipped.format = support.version
      try setCurrent(flipped, holding: lock)
    } catch {
      building.release()
      // Older programs may go on using what they can read.
      try? raiseFormat(to: version)
      try? remove(next, holding: lock)
      throw error
    }
    trace?("migration flipped")
    building.release()
    // What cannot be removed now is at the next open.
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

  private func bringUp(
    _ next: Generation, _ steps: [FormatStep], _ trace: (@Sendable (String) -> Void)?
  ) throws {
    var options = EnvironmentOptions()
    options.createIfMissing = false
    options.durability = isFlushed ? .durable : .deferred
    options.disk = disk
    let copy = try Environment.open(path: journalPath(next.number), options: options)
    defer { try? copy.close() }
    for step in steps {
      try step.apply(copy)
      trace?("migration step")
    }
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

  /// Says in `FORMAT` which version a program must understand.
  private func raiseFormat(to version: UInt32) throws(JournalError) {
    try formatFile(version).write("FORMAT", in: path, flushing: isFlushed)
  }
}
