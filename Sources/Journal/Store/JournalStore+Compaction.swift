import Entities
import LMDB

extension JournalStore {
  /// How many bytes its pages take up, used and free ones.
  package var byteCount: Int {
    get throws { try environment.info.usedByteCount }
  }

  /// Writes a copy without free pages, as another generation of the same ledger.
  ///
  /// Others may read and write meanwhile: the copy is as of its beginning, and flushed.
  ///
  /// - Parameter number: A generation that is being built; its folder is there, and has no data.
  /// - Throws: `JournalError` with `diskFull` or `storage`.
  /// - Complexity: O(bytes in use).
  package func copyCompacted(as number: UInt32) throws {
    let place = folder.journalPath(number)
    do { try environment.copyCompacted(to: place) } catch {
      throw storageError(error, "Copying the journal to", place)
    }
  }

  /// Reads a copy back, compares it with the journal row by row, and opens it.
  ///
  /// - Parameters:
  ///   - number: What ``copyCompacted(as:)`` was given.
  ///   - progress: Called now and then with the share that is compared, 0 to 1; what it throws ends the work.
  /// - Returns: The copy, or `nil` where the journal was purged since: it has to be made anew.
  /// - Throws: `JournalError` with `brokenChain` where the copy is another, `diskFull` or `storage`.
  /// - Complexity: O(bytes of the copy).
  package func openCopy(
    as number: UInt32, mapByteCount: Int = EnvironmentOptions.mapByteCountDefault,
    progress: (Double) throws -> Void = { _ in }
  ) throws -> JournalStore? {
    let place = folder.journalPath(number)
    do {
      guard try CopyProof(source: self, path: place).run(progress: progress) else { return nil }
      try JournalStore.renewMark(
        GenerationMark(.journal, number, of: folder, format: format), at: place,
        isFlushed: folder.isFlushed, disk: folder.disk)
    } catch let error as LMDBError {
      throw storageError(error, "Copying the journal to", place)
    }
    return try JournalStore.open(
      folder,
      Current(
        journal: number, views: number, lineage: lineage, highest: number, format: format),
      schema: schema, limits: limits, mapByteCount: mapByteCount)
  }

  /// Says in a copy which generation it is.
  private static func renewMark(
    _ mark: GenerationMark, at path: String, isFlushed: Bool, disk: FaultyDisk?
  ) throws {
    var options = EnvironmentOptions()
    options.createIfMissing = false
    options.durability = isFlushed ? .durable : .deferred
    options.disk = disk
    let environment = try Environment.open(path: path, options: options)
    defer { try? environment.close() }
    let meta = try environment.mainDatabase()
    try environment.write { transaction in
      try transaction.put(GenerationMark.key, mark.bytes, in: meta)
    }
  }
}
