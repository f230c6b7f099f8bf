import Entities

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Which of a ledger's two environments a generation is of.
package enum GenerationKind: UInt8, Hashable, Sendable {
  /// The truth.
  case journal = 1
  /// Everything derived.
  case views = 2

  var folderPrefix: String {
    switch self {
    case .journal: "journal-"
    case .views: "views-"
    }
  }
}

/// One generation, as its folder is named: `journal-0001`, `views-0002`.
package struct Generation: Hashable, Sendable {
  /// Of which environment.
  package var kind: GenerationKind
  /// Its number.
  package var number: UInt32

  package init(kind: GenerationKind, number: UInt32) {
    self.kind = kind
    self.number = number
  }

  /// A generation from its folder's name, or `nil` where that is another's.
  package init?(_ name: String) {
    for kind in [GenerationKind.journal, .views] where name.hasPrefix(kind.folderPrefix) {
      guard let number = UInt32(name.dropFirst(kind.folderPrefix.count)), number > 0 else { break }
      self.init(kind: kind, number: number)
      if folderName == name { return }
    }
    return nil
  }

  /// The name of its folder.
  package var folderName: String {
    let digits = String(number)
    return kind.folderPrefix + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension StoreFolder {
  /// The folder of a journal generation.
  package func journalPath(_ number: UInt32) -> String {
    path + "/" + Generation(kind: .journal, number: number).folderName
  }

  /// The folder of a views generation.
  package func viewsPath(_ number: UInt32) -> String {
    path + "/" + Generation(kind: .views, number: number).folderName
  }

  /// The generations whose folders are there, live or not.
  package func generations() throws(JournalError) -> [Generation] {
    try Files.names(in: path).compactMap { Generation($0) }
  }

  /// Removes a generation that is not live: renamed away first, so that a half-deleted one is never
  /// taken for a whole one.
  package func remove(_ generation: Generation, holding lock: WriterLock) throws(JournalError) {
    try require(lock)
    let live = try current()
    let number = generation.kind == .journal ? live.journal : live.views
    guard generation.number != number else {
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

  /// Discards the live views: their folder is renamed away and removed, so that it can be made anew
  /// under another number.
  ///
  /// - Returns: what is live now: the journal as before, the views under a new number, whose folder
  ///   is yet to be made.
  package func discardViews(holding lock: WriterLock) throws(JournalError) -> Current {
    try require(lock)
    var next = try current()
    let old = Generation(kind: .views, number: next.views)
    next.highest += 1
    next.views = next.highest
    try writeCurrent(next)
    try remove(old, holding: lock)
    return next
  }

  /// Removes what an interrupted rebuild, compaction or removal left behind: generations that are
  /// not live and that nobody builds, and folders that were renamed away.
  ///
  /// - Returns: the names of the folders that were removed.
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
        let number = generation.kind == .journal ? live.journal : live.views
        guard generation.number != number, try !isBeingBuilt(generation) else { continue }
        try remove(generation, holding: lock)
        removed.append(name)
      }
    }
    return removed
  }

  /// Removes every generation that is not live, also those that somebody is building from what has been
  /// erased: they find out when they want to make it live.
  package func removeAllButLive(holding lock: WriterLock) throws(JournalError) {
    let live = try current()
    for generation in try generations() {
      let number = generation.kind == .journal ? live.journal : live.views
      if generation.number != number { try remove(generation, holding: lock) }
    }
  }

  private static let removedPrefix = "removed-"

  /// Marks a generation as being built, as long as the lock is held: `removeUnfinished` in any
  /// process leaves it alone.
  ///
  /// The folder is made where it is missing.
  package func beginBuilding(_ generation: Generation) throws(JournalError) -> WriterLock {
    let place = path + "/" + generation.folderName
    if try Files.identity(place) == nil { try Files.makeFolder(place) }
    guard let lock = try WriterLock.take(place + "/BUILDER", for: place, waiting: false) else {
      throw JournalError(
        .refused, "“\(place)” is being built by another process; wait for it.", path: place)
    }
    return lock
  }

  /// Flushes the folder of a generation, and its name, before `CURRENT` names it.
  package func flush(_ generation: Generation) throws(JournalError) {
    guard isFlushed else { return }
    try Files.flushFolder(path + "/" + generation.folderName)
    try Files.flushFolder(path)
  }

  /// Flushes the names in the ledger's folder, `CURRENT` among them.
  package func flushNames() throws(JournalError) {
    if isFlushed { try Files.flushFolder(path) }
  }

  private func isBeingBuilt(_ generation: Generation) throws(JournalError) -> Bool {
    let place = path + "/" + generation.folderName
    guard try Files.identity(place + "/BUILDER") != nil else { return false }
    return try WriterLock.take(place + "/BUILDER", for: place, waiting: false) == nil
  }
}
