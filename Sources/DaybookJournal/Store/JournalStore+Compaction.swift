import DaybookEntities
import DaybookLMDB

extension JournalStore {
  /// The number of bytes of all pages, whether used or free.
  package var byteCount: Int {
    get throws { try environment.info.usedByteCount }
  }

  /// Writes a copy without free pages, as another generation of the same ledger.
  ///
  /// Readers and writers continue. The copy contains the journal's state at the start, and is
  /// flushed.
  ///
  /// - Parameter number: The number of a generation that is being built; its folder exists and is
  ///   empty.
  /// - Throws: `JournalError` with `diskFull` or `storage`.
  /// - Complexity: O(bytes in use).
  package func copyCompacted(as number: UInt32) throws {
    let place = folder.journalPath(number)
    do { try environment.copyCompacted(to: place) } catch {
      throw storageError(error, "Copying the journal to", place)
    }
  }

  /// Compares a copy with the journal row by row, and opens it.
  ///
  /// - Parameters:
  ///   - number: The generation passed to ``copyCompacted(as:)``.
  ///   - progress: Called occasionally with the compared fraction, from 0 to 1; if it throws, the
  ///     work ends with that error.
  /// - Returns: The copy, or `nil` if the journal has been purged since it was copied, and must be
  ///   copied again.
  /// - Throws: `JournalError` with `brokenChain` if the copy differs, `diskFull` or `storage`.
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

  /// Writes the generation's mark into a copy.
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
