package import Entities

/// What is written inside each generation, so that a half-deleted or foreign folder is noticed:
/// whose it is and which.
package struct GenerationMark: Hashable, Sendable {
  /// The identity of the ledger.
  package var store: EntityID
  /// Which generation it is.
  package var generation: Generation
  /// The version of the format that a journal is in, or that views keep State in.
  package var format: UInt32

  package init(store: EntityID, generation: Generation, format: UInt32 = 1) {
    self.store = store
    self.generation = generation
    self.format = format
  }

  /// The mark of one of a folder's generations.
  package init(
    _ kind: GenerationKind, _ number: UInt32, of folder: StoreFolder, format: UInt32 = 1
  ) {
    self.init(
      store: folder.identity, generation: Generation(kind: kind, number: number), format: format)
  }

  /// The key in the main database under which the mark lies.
  package static let key = JournalTables.metaKey("identity")

  /// The mark as it is stored.
  package var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 22)
    writer.u8(UInt8(truncatingIfNeeded: format))
    writer.u8(generation.kind.rawValue)
    writer.id(store)
    writer.u32be(generation.number)
    return writer.bytes
  }

  /// Compares the mark that should be there with the bytes that are.
  ///
  /// - Parameter oldest: the least version of the format that will do, where an older one than the mark's does.
  /// - Returns: the version of the format that is there.
  /// - Throws: `JournalError` with `foreignGeneration` where they differ, and with `newerFormat` where views are
  ///   of a newer format.
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
          "The views in “\(path)” are of version \(version), which a newer program wrote; this one knows "
            + "version \(format). Update this program.", path: path)
      }
    }
    let what = found == nil ? "has no mark of its ledger: it is incomplete" : "is not this ledger's"
    let remedy =
      switch generation.kind {
      case .journal: "Restore the ledger from a backup."
      case .views: "Delete it; the views are rebuilt from the journal."
      }
    throw JournalError(.foreignGeneration, "“\(path)” \(what). \(remedy)", path: path)
  }
}
