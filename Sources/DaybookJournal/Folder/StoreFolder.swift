package import DaybookEntities
package import DaybookLMDB
import DaybookPlatform

/// The folder of a ledger.
///
/// It contains the ledger's identity (`FORMAT`), its live generations (`CURRENT`) and the writer's
/// lock (`WRITER`).
package final class StoreFolder: Sendable {
  /// The version of the folder's format that this version of Daybook writes.
  package static let formatVersion: UInt32 = 1

  /// The path, without a trailing slash.
  package let path: String
  /// The ledger's identity, which is assigned on creation and stays the same in all copies.
  package let identity: EntityID
  /// Whether files and folders are flushed, which isn't the case for an in-memory ledger.
  package let isFlushed: Bool
  /// The formats that this program can open.
  package let support: FormatSupport
  /// A disk that can be full or slow, for tests.
  package let disk: FaultyDisk?

  private static let formatTitle = "daybook ledger"

  init(
    path: String, identity: EntityID, isFlushed: Bool,
    support: FormatSupport = .current, disk: FaultyDisk? = nil
  ) {
    self.path = path
    self.identity = identity
    self.isFlushed = isFlushed
    self.support = support
    self.disk = disk
  }

  /// Opens the folder of a ledger.
  ///
  /// - Throws: `JournalError` with `missing`, `notALedger`, `damagedFolder` or `newerFormat`.
  package static func open(
    at path: String, isFlushed: Bool = true, supporting support: FormatSupport = .current,
    disk: FaultyDisk? = nil
  ) throws(JournalError) -> StoreFolder {
    let path = trimmed(path)
    guard let found = try Files.identity(path) else {
      throw JournalError(
        .missing, "There is no ledger at “\(path)”: create one, or check the path.", path: path)
    }
    guard found.isFolder else {
      throw JournalError(
        .notALedger, "“\(path)” is a file; a ledger is a folder. Check the path.", path: path)
    }
    let formatPath = path + "/FORMAT"
    guard try Files.identity(formatPath) != nil else {
      throw missingFormat(path)
    }
    let bytes = try Files.read(formatPath, upTo: TextFile.byteCountMax)
    guard let file = TextFile(bytes, title: formatTitle), let text = file["format"],
      let version = UInt32(text), let store = file["store"], let identity = EntityID(store)
    else {
      throw JournalError(
        .damagedFolder,
        "“\(formatPath)” is damaged: restore it, or the ledger, from a backup.", path: formatPath)
    }
    let folder = StoreFolder(
      path: path, identity: identity, isFlushed: isFlushed, support: support, disk: disk)
    try folder.check(format: version)
    return folder
  }

  /// Throws if a format is newer than this program supports.
  func check(format: UInt32) throws(JournalError) {
    guard format > support.version else { return }
    throw JournalError(
      .newerFormat,
      "The ledger at “\(path)” has format \(format), but this version of Daybook supports "
        + "only formats up to \(support.version). Use the newer version that wrote it.", path: path)
  }

  private static func missingFormat(_ path: String) -> JournalError {
    let names = (try? Files.names(in: path)) ?? []
    if names.contains("CURRENT") || names.contains(where: { Generation($0) != nil }) {
      return JournalError(
        .damagedFolder,
        "“\(path)” looks like a ledger, but its file FORMAT is missing: restore it from a backup.",
        path: path)
    }
    return JournalError(
      .notALedger, "“\(path)” is not a ledger: it has no file FORMAT. Check the path.", path: path)
  }

  /// Creates a ledger without commits.
  ///
  /// The folder is created next to its destination and then renamed, so it appears at its
  /// destination completely or not at all.
  ///
  /// - Throws: `JournalError` with `alreadyExists` if there is anything but an empty folder at the
  ///   destination.
  package static func create(
    at path: String, identity: EntityID? = nil, isFlushed: Bool = true,
    supporting support: FormatSupport = .current, disk: FaultyDisk? = nil
  ) throws(JournalError) -> StoreFolder {
    let path = trimmed(path)
    let store = identity ?? EntityID(high: randomNumber(), low: randomNumber())
    try makeAside(path) { aside throws(JournalError) in
      try StoreFolder(
        path: aside, identity: store, isFlushed: isFlushed, support: support, disk: disk
      ).furnish()
    }
    if isFlushed { try Files.flushFolder(parent(of: path)) }
    return StoreFolder(
      path: path, identity: store, isFlushed: isFlushed, support: support, disk: disk)
  }

  private func furnish() throws(JournalError) {
    try furnishFormat()
    let first = Current(
      journal: 1, views: 1, lineage: randomNumber(), highest: 1, format: support.version)
    try JournalStore.create(in: self, generation: first.journal, format: first.format)
    try writeCurrent(first)
  }

  /// Writes `FORMAT`, and creates the file `WRITER`, which is used for locking.
  func furnishFormat() throws(JournalError) {
    try TextFile(
      title: StoreFolder.formatTitle,
      lines: [("format", "\(StoreFolder.formatVersion)"), ("store", hexText(identity))]
    ).write("FORMAT", in: path, flushing: isFlushed)
    do {
      _ = try Files.open(path + "/WRITER", O_RDWR | O_CREAT)
    }
  }

  static func checkVacant(_ path: String) throws(JournalError) {
    guard let found = try Files.identity(path) else { return }
    if found.isFolder, try Files.names(in: path).isEmpty { return }
    throw occupied(path)
  }

  static func moveIntoPlace(_ aside: String, _ path: String) throws(JournalError) {
    switch Files.tryMove(aside, to: path) {
    case 0: return
    case ENOTEMPTY, EEXIST, ENOTDIR: throw occupied(path)
    case let code: throw Files.failure("Renaming “\(aside)” to", path, code)
    }
  }

  private static func occupied(_ path: String) -> JournalError {
    JournalError(
      .alreadyExists,
      "“\(path)” already exists and isn't an empty folder: open it, or choose another path.",
      path: path)
  }

  static func trimmed(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
