public import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// Acknowledged commits that the journal lacks.
///
/// The views only receive durable commits. If they contain a commit that the journal lacks, an
/// older copy of the journal was put back, or its newest commits were damaged.
public struct MissingCommits: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The journal's newest commit when the loss was noticed.
  public let newest: UInt64
  /// The newest commit that the views contained.
  public let seen: UInt64

  /// Creates a description of missing commits.
  public init(newest: UInt64, seen: UInt64) {
    self.newest = newest
    self.seen = seen
  }

  /// The sequences of the commits that are certainly missing.
  ///
  /// If commits were appended after an older copy was put back, their sequences are those of
  /// missing commits, and ``seen`` is the only one that is known.
  public var sequences: ClosedRange<UInt64> { seen > newest ? newest + 1...seen : seen...seen }

  /// The commits in words, such as “commits 61 to 80”.
  public var description: String {
    if seen <= newest { return "commit \(seen) (another commit has its number)" }
    return sequences.count == 1 ? "commit \(seen)" : "commits \(newest + 1) to \(seen)"
  }
}

extension ProjectingError {
  init(_ loss: JournalLoss) {
    let missing = MissingCommits(loss)
    let them = missing.sequences.count == 1 ? "it" : "them"
    self.init(
      .missingCommits,
      "The journal lacks \(missing) although the views contained \(them): an older copy of the "
        + "journal was put back, or its newest commits were damaged. Nothing can be recorded until "
        + "the loss is repaired or accepted.")
  }
}

extension MissingCommits {
  init(_ loss: JournalLoss) { self.init(newest: loss.newest, seen: loss.seen) }
}

extension EventStore {
  /// The acknowledged commits that the journal lacks, or `nil`.
  ///
  /// While there are any, appending throws ``ProjectingError`` with `missingCommits`, and reads
  /// show what the journal contains.
  public var missingCommits: MissingCommits? { published.open?.loss.map { MissingCommits($0) } }

  /// Returns the changes that the missing commits made, as far as the views that were set aside
  /// show them: for each entity, its record in the journal and in these views.
  ///
  /// Inserted entities come in the order of their recording numbers. The journal's own entities are
  /// left out.
  ///
  /// - Throws: ``ProjectingError`` with `damaged` if these views are damaged, `readOnly` if the
  ///   store is read-only.
  /// - Complexity: O(entities).
  public func missingChanges() throws -> [Change] {
    if options.isReadOnly { throw readOnly }
    let view = try view()
    guard let loss = view.open.loss else { return [] }
    let path = folder.viewsPath(loss.views)
    func damaged(_ cause: (any Error)?, _ reason: String) -> ProjectingError {
      ProjectingError(
        .damaged,
        "Couldn't read the changes of the missing commits from the views in “\(path)”: \(reason).",
        cause: cause)
    }
    do {
      if let fault = try FileJudgement.examine(path: path) { throw damaged(nil, "\(fault)") }
      var environment = options.environmentOptions(.deferred)
      environment.readOnly = true
      let kept = try ViewsStore(
        path: path, generation: loss.views, folder: folder, projections: [], options: environment)
      let old = try View(OpenStore(journal: view.open.journal, views: kept, stamp: nil))
      return try changes(from: view, to: old)
    } catch {
      // Another process may have accepted the loss in the meantime and removed these views.
      if try folder.current().loss != loss { return [] }
      throw error as? ProjectingError ?? damaged(error, "they are damaged")
    }
  }

  private func changes(from now: borrowing View, to old: borrowing View) throws -> [Change] {
    var changes: [Change] = []
    for kind in schema.kinds.map(\.kind) where kind.rawValue != 0 {
      var inserted: [Change] = []
      try old.forEachEntity(kind) { position, id, bytes in
        let found = try now.entity(kind, id)
        let record = Record(bytes: bytes.copied())
        if found?.record == record { return true }
        let change = Change(
          kind: kind, id: id, number: found?.number ?? position.number, before: found?.record,
          after: record)
        if found == nil { inserted.append(change) } else { changes.append(change) }
        return true
      }
      changes += inserted.sorted { $0.number < $1.number }
      try now.forEachEntity(kind) { position, id, bytes in
        if try old.entity(kind, id) != nil { return true }
        changes.append(
          Change(
            kind: kind, id: id, number: position.number, before: Record(bytes: bytes.copied()),
            after: nil))
        return true
      }
    }
    return changes
  }

  /// Accepts that the journal lacks commits, so that appending is possible again, and records that
  /// in history.
  ///
  /// The views that were set aside are removed. The store gets a new replica number, because other
  /// devices may have the missing commits under the present one.
  ///
  /// - Parameters:
  ///   - author: The author of the commit.
  ///   - recordingChanges: Whether to record the changes from ``missingChanges()`` again in the
  ///     same commit.
  /// - Returns: The accepted loss, or `nil` if the journal lacks nothing or another process has
  ///   accepted the loss.
  /// - Throws: As ``missingChanges()`` and ``append(_:_:)``; the loss is then not accepted.
  @discardableResult
  public func acceptLoss(
    author: String = "", recordingChanges: Bool = false
  ) async throws -> MissingCommits? {
    guard !options.isReadOnly else { throw readOnly }
    guard let missing = missingCommits else { return nil }
    // While commits are missing, only an acceptance uses a number of this kind.
    let number = try openStore().journal.nextNumber(PurgeRecord.kind)
    let changes = recordingChanges ? try missingChanges() : []
    try await renewReplica()
    var appending = AppendOptions(author: author)
    appending.acceptsLoss = true
    var isAccepted = true
    do {
      try await append(appending) { context in
        guard try context.nextNumber(PurgeRecord.kind) == number else { throw AlreadyAccepted() }
        try context.apply(
          Change(
            kind: PurgeRecord.kind, id: context.newID(), number: number, before: nil,
            after: LossRecord(newest: missing.newest, seen: missing.seen).record))
        for var change in changes {
          if change.before == nil {
            change.number = try context.number(ofInserted: change.kind, change.id, former: nil)
          }
          try context.apply(change)
        }
      }
    } catch is AlreadyAccepted {
      isAccepted = false
    }
    try await exclusively { try $0.withLock($0.forgetLoss) }
    return isAccepted ? missing : nil
  }

  /// Thrown by the decision to accept a loss that another process has accepted.
  private struct AlreadyAccepted: Error {}
}

extension EventStore {
  /// Returns what the journal lacks according to opened views, or `nil`.
  ///
  /// The views are read first, so commits that other processes append in the meantime don't matter.
  static func shownLoss(_ views: ViewsStore, _ journal: JournalStore) throws -> JournalLoss? {
    let seen = try views.environment.read { try views.intactCheckpoint(in: $0.view) }
    return try seen.flatMap { try loss(shownBy: $0, of: views.generation, journal) }
  }

  /// Returns what the journal lacks according to live views that can't be opened, or `nil`.
  static func untrustedLoss(
    _ folder: StoreFolder, _ current: Current, _ journal: JournalStore
  ) throws -> JournalLoss? {
    if let loss = current.loss { return loss }
    let path = folder.viewsPath(current.views)
    guard let seen = ViewsHead.untrustedCheckpoint(path: path) else { return nil }
    return try loss(shownBy: seen, of: current.views, journal)
  }

  private static func loss(
    shownBy seen: Checkpoint, of generation: UInt32, _ journal: JournalStore
  ) throws -> JournalLoss? {
    guard try journal.lacks(seen.sequence, link: seen.link) else { return nil }
    return JournalLoss(
      newest: try journal.head().sequence, seen: seen.sequence, link: seen.link,
      views: generation)
  }
}
