package import DaybookEntities

/// A mark inside each generation that identifies the ledger and the generation.
///
/// It reveals whether a folder is incomplete or belongs to another ledger.
package struct GenerationMark: Hashable, Sendable {
  /// The ledger's identity.
  package var store: EntityID
  /// The generation.
  package var generation: Generation
  /// The version of the journal's format, or of State's format in the views.
  package var format: UInt32

  package init(store: EntityID, generation: Generation, format: UInt32 = 1) {
    self.store = store
    self.generation = generation
    self.format = format
  }

  /// Creates the mark of a generation in a folder.
  package init(
    _ kind: GenerationKind, _ number: UInt32, of folder: StoreFolder, format: UInt32 = 1
  ) {
    self.init(
      store: folder.identity, generation: Generation(kind: kind, number: number), format: format)
  }

  /// The key of the mark in the main database.
  package static let key = JournalTables.metaKey("identity")

  /// The stored form of the mark.
  package var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 22)
    writer.u8(UInt8(truncatingIfNeeded: format))
    writer.u8(generation.kind.rawValue)
    writer.id(store)
    writer.u32be(generation.number)
    return writer.bytes
  }

  /// Compares this mark with a stored one.
  ///
  /// - Parameter oldest: The oldest acceptable format version; `nil` if only the version of this
  ///   mark is acceptable.
  /// - Returns: The format version in the stored mark.
  /// - Throws: `JournalError` with `foreignGeneration` if the marks differ, or with `newerFormat`
  ///   if the views have a newer format.
  @discardableResult
  package func check(
    _ found: [UInt8]?, path: String, oldest: UInt32? = nil
  ) throws(JournalError) -> UInt32 {
    if let found, let first = found.first, found.dropFirst() == bytes.dropFirst() {
      let version = UInt32(first)
      if version == format || version < format && version >= oldest ?? format { return version }
      if version > format, generation.kind == .views {
        throw JournalError(
          .newerFormat,
          "The views in “\(path)” have version \(version), written by a newer program; this one "
            + "supports version \(format). Update this program.", path: path)
      }
    }
    let what =
      found == nil ? "has no mark of its ledger: it is incomplete" : "belongs to another ledger"
    let remedy =
      switch generation.kind {
      case .journal: "Restore the ledger from a backup."
      case .views: "Run `daybook rebuild`, and the views are rebuilt from the journal."
      }
    throw JournalError(.foreignGeneration, "“\(path)” \(what). \(remedy)", path: path)
  }
}
