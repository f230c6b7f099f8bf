import DaybookEntities

/// The contents of `CURRENT`: the live generations of a ledger's folder.
package struct Current: Hashable, Sendable {
  /// The number of the live journal generation.
  package var journal: UInt32
  /// The number of the live views generation.
  package var views: UInt32
  /// The lineage, which a restore replaces.
  package var lineage: UInt64
  /// The highest generation number issued so far, for journals and views together.
  package var highest: UInt32
  /// The version of the live journal's format.
  package var format: UInt32
  /// The acknowledged commits that the journal lacks; `nil` if it lacks none or the loss was
  /// accepted.
  package var loss: JournalLoss?

  package init(
    journal: UInt32, views: UInt32, lineage: UInt64, highest: UInt32,
    format: UInt32 = StoreFolder.formatVersion
  ) {
    self.journal = journal
    self.views = views
    self.lineage = lineage
    self.highest = highest
    self.format = format
  }

  /// Returns whether a generation is live, or contains views that were set aside because of a loss.
  package func keeps(_ generation: Generation) -> Bool {
    switch generation.kind {
    case .journal: generation.number == journal
    case .views: generation.number == views || generation.number == loss?.views
    }
  }
}

/// Identifies a version of the `CURRENT` file; later versions have greater stamps.
package struct CurrentStamp: Hashable, Comparable, Sendable {
  let inode: UInt64
  let seconds: Int64
  let nanoseconds: Int64

  package static func < (left: CurrentStamp, right: CurrentStamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}

extension StoreFolder {
  private static let currentTitle = "daybook current"

  /// Reads `CURRENT`.
  ///
  /// - Throws: `JournalError` with `damagedFolder` if `CURRENT` is missing or damaged.
  package func current() throws(JournalError) -> Current {
    let place = path + "/CURRENT"
    let bytes: [UInt8]
    do {
      bytes = try Files.read(place, upTo: TextFile.byteCountMax)
    } catch {
      guard error.code == .missing else { throw error }
      throw damaged(place, "is gone")
    }
    guard let file = TextFile(bytes, title: StoreFolder.currentTitle),
      let journal = file["journal"].flatMap({ UInt32($0) }),
      let views = file["views"].flatMap({ UInt32($0) }),
      let lineage = file["lineage"].flatMap({ UInt64($0, radix: 16) }),
      let highest = file["highest"].flatMap({ UInt32($0) }), journal > 0, views > 0
    else { throw damaged(place, "is damaged") }
    if let store = file["store"], store != hexText(identity) {
      throw JournalError(
        .foreignGeneration,
        "“\(place)” names the generations of another ledger (\(store); this one is "
          + "\(hexText(identity))): put back this ledger's own file, or restore a backup.",
        path: place)
    }
    // The first format doesn't store its version in `CURRENT`.
    guard let format = UInt32(file["format"] ?? "1"), format > 0 else {
      throw damaged(place, "is damaged")
    }
    try check(format: format)
    var current = Current(
      journal: journal, views: views, lineage: lineage, highest: highest, format: format)
    if let loss = file["missing"] {
      current.loss = JournalLoss(loss)
      if current.loss == nil { throw damaged(place, "is damaged") }
    }
    return current
  }

  private func damaged(_ place: String, _ what: String) -> JournalError {
    let names = ((try? Files.names(in: path)) ?? []).filter { Generation($0) != nil }
    let found = names.isEmpty ? "no generations" : names.joined(separator: ", ")
    return JournalError(
      .damagedFolder,
      "“\(place)”, which names the live generations, \(what) (the folder has \(found)): restore it,"
        + " or the ledger, from a backup.", path: place)
  }

  /// Returns a stamp of `CURRENT`; as long as the stamp is the same, `current()` returns the same
  /// value.
  ///
  /// - Complexity: One system call.
  package func currentStamp() throws(JournalError) -> CurrentStamp {
    let place = path + "/CURRENT"
    guard let found = try Files.identity(place) else { throw damaged(place, "is gone") }
    return CurrentStamp(
      inode: found.inode, seconds: found.modifiedSeconds, nanoseconds: found.modifiedNanoseconds)
  }

  /// Replaces `CURRENT` atomically, and flushes the file and its folder.
  package func setCurrent(_ current: Current, holding lock: WriterLock) throws(JournalError) {
    try require(lock)
    try writeCurrent(current)
  }

  /// Issues a new generation number and records it in `CURRENT`.
  package func reserveGeneration(holding lock: WriterLock) throws(JournalError) -> UInt32 {
    try require(lock)
    var next = try current()
    next.highest += 1
    try writeCurrent(next)
    return next.highest
  }

  func require(_ lock: WriterLock) throws(JournalError) {
    guard lock.isHeld(for: path) else {
      throw JournalError(
        .refused, "The lock WRITER of “\(path)” must be held for this; take it first.", path: path)
    }
  }

  func writeCurrent(_ current: Current) throws(JournalError) {
    var file = TextFile(
      title: StoreFolder.currentTitle,
      lines: [
        ("journal", "\(current.journal)"), ("views", "\(current.views)"),
        ("lineage", hexText(current.lineage, digits: 16)), ("highest", "\(current.highest)"),
        ("store", hexText(identity)),
      ])
    if current.format > 1 { file.lines.append(("format", "\(current.format)")) }
    if let loss = current.loss { file.lines.append(("missing", loss.text)) }
    try file.write("CURRENT", in: path, flushing: isFlushed)
  }
}
