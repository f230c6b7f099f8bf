import DaybookEntities
import DaybookPlatform

/// The two kinds of LMDB environments in a ledger.
package enum GenerationKind: UInt8, Hashable, Sendable {
  /// The journal, the source of truth.
  case journal = 1
  /// The views, which contain all derived data.
  case views = 2

  var folderPrefix: String {
    switch self {
    case .journal: "journal-"
    case .views: "views-"
    }
  }
}

/// A generation; its folder has a name such as `journal-0001` or `views-0002`.
package struct Generation: Hashable, Sendable {
  /// The kind of environment.
  package var kind: GenerationKind
  /// The generation's number.
  package var number: UInt32

  package init(kind: GenerationKind, number: UInt32) {
    self.kind = kind
    self.number = number
  }

  /// Parses the name of a folder; returns `nil` if the folder isn't a generation's.
  package init?(_ name: String) {
    for kind in [GenerationKind.journal, .views] where name.hasPrefix(kind.folderPrefix) {
      guard let number = UInt32(name.dropFirst(kind.folderPrefix.count)), number > 0 else { break }
      self.init(kind: kind, number: number)
      if folderName == name { return }
    }
    return nil
  }

  /// The name of the generation's folder.
  package var folderName: String {
    let digits = String(number)
    return kind.folderPrefix + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension StoreFolder {
  /// Returns the path of a journal generation's folder.
  package func journalPath(_ number: UInt32) -> String {
    path + "/" + Generation(kind: .journal, number: number).folderName
  }

  /// Returns the path of a views generation's folder.
  package func viewsPath(_ number: UInt32) -> String {
    path + "/" + Generation(kind: .views, number: number).folderName
  }

  /// Returns all generations whose folders exist, whether live or not.
  package func generations() throws(JournalError) -> [Generation] {
    try Files.names(in: path).compactMap { Generation($0) }
  }

  /// Removes a generation that isn't live.
  ///
  /// Its folder is renamed first, so that a partially removed folder is never mistaken for a
  /// complete one.
  package func remove(_ generation: Generation, holding lock: WriterLock) throws(JournalError) {
    try require(lock)
    guard try !current().keeps(generation) else {
      throw JournalError(
        .refused, "\(generation.folderName) is live; only a superseded generation can be removed.",
        path: path)
    }
    let place = path + "/" + generation.folderName
    guard try Files.identity(place) != nil else { return }
    let away =
      path + "/" + StoreFolder.removedPrefix + generation.folderName + "-"
      + hexText(randomBytes(4))
    try Files.move(place, to: away)
    if isFlushed { try Files.flushFolder(path) }
    try Files.removeTree(away)
  }

  /// Discards the live views, so that new views can be built under another number.
  ///
  /// The folder of the live views is renamed and removed.
  ///
  /// - Parameter loss: The commits that the journal lacks according to the views, if any; the views
  ///   are then kept.
  /// - Returns: The new contents of `CURRENT`: the same journal, and a new number for views whose
  ///   folder doesn't exist yet.
  package func discardViews(
    noting loss: JournalLoss? = nil, holding lock: WriterLock
  ) throws(JournalError) -> Current {
    try require(lock)
    var next = try current()
    if let loss { next.loss = loss }
    let old = Generation(kind: .views, number: next.views)
    next.highest += 1
    next.views = next.highest
    try writeCurrent(next)
    if !next.keeps(old) { try remove(old, holding: lock) }
    return next
  }

  /// Removes the remains of an interrupted rebuild, compaction or removal.
  ///
  /// The remains are generations that are neither live nor being built, and folders that were
  /// renamed for removal.
  ///
  /// - Returns: The names of the removed folders.
  @discardableResult
  package func removeUnfinished(holding lock: WriterLock) throws(JournalError) -> [String] {
    try require(lock)
    let live = try current()
    var removed: [String] = []
    for name in try Files.names(in: path) {
      if name.hasPrefix(StoreFolder.removedPrefix) {
        try Files.removeTree(path + "/" + name)
        removed.append(name)
      } else if let generation = Generation(name) {
        guard !live.keeps(generation), try !isBeingBuilt(generation) else { continue }
        try remove(generation, holding: lock)
        removed.append(name)
      }
    }
    return removed
  }

  /// Removes every generation that isn't live.
  ///
  /// This includes generations that are being built from data that has since been erased. The
  /// processes building them notice this when they try to make a generation live.
  package func removeAllButLive(holding lock: WriterLock) throws(JournalError) {
    let live = try current()
    for generation in try generations() where !live.keeps(generation) {
      try remove(generation, holding: lock)
    }
  }

  private static let removedPrefix = "removed-"

  /// Marks a generation as being built for as long as the returned lock is held.
  ///
  /// In all processes, `removeUnfinished` skips a marked generation. The folder is created if it is
  /// missing.
  package func beginBuilding(_ generation: Generation) throws(JournalError) -> WriterLock {
    let place = path + "/" + generation.folderName
    if try Files.identity(place) == nil { try Files.makeFolder(place) }
    guard let lock = try WriterLock.take(place + "/BUILDER", for: place, waiting: false) else {
      throw JournalError(
        .refused, "“\(place)” is being built by another process; wait for it.", path: place)
    }
    return lock
  }

  /// Flushes a generation's folder and the folder's name; called before `CURRENT` names the
  /// generation.
  package func flush(_ generation: Generation) throws(JournalError) {
    guard isFlushed else { return }
    try Files.flushFolder(path + "/" + generation.folderName)
    try Files.flushFolder(path)
  }

  /// Flushes the names in the ledger's folder, including `CURRENT`.
  package func flushNames() throws(JournalError) {
    if isFlushed { try Files.flushFolder(path) }
  }

  private func isBeingBuilt(_ generation: Generation) throws(JournalError) -> Bool {
    let place = path + "/" + generation.folderName
    guard try Files.identity(place + "/BUILDER") != nil else { return false }
    return try WriterLock.take(place + "/BUILDER", for: place, waiting: false) == nil
  }
}
