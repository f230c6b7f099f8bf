internal import DaybookEntities
public import DaybookJournal
internal import DaybookLMDB

// Replaces views with which a store can't be opened, without reading them.
extension EventStore {
  /// Builds new views from the journal next to the old ones, and replaces the old ones whatever
  /// they contain.
  ///
  /// The old views are neither opened nor read, so this method works even if they are damaged. It
  /// also builds projections that a newer program maintains, which ``rebuild(comparing:progress:)``
  /// doesn't; that program builds them again when it next opens the store.
  ///
  /// Readers and writers in other processes continue. This process must not have the store open.
  ///
  /// - Parameters:
  ///   - comparing: Whether to compare the old views with the new ones first, row by row. Damaged
  ///     views aren't compared; their damage is reported as a finding.
  ///   - progress: Called from time to time, on a thread of its own.
  /// - Throws: `CancellationError`, or a ``ProjectingError``, `JournalError` or `LMDBError` if the
  ///   new views couldn't be built. The old views then stay live.
  /// - Complexity: O(commits + entities · log entities), in bounded memory.
  public static func rebuild(
    at path: String, schema: Schema, projections: [any Projection.Type] = [],
    options: EventStoreOptions = EventStoreOptions(), comparing: Bool = false,
    progress: (@Sendable (RebuildProgress) -> Void)? = nil
  ) async throws -> RebuildReport {
    let folder = try StoreFolder.open(
      at: path, supporting: options.formats, disk: options.disk)
    if let refusal = try folder.writingRefusal() { throw refusal }
    try folder.recoverJournal(bootIdentity: options.bootIdentity)
    if let fault = try migrationFault(folder, schema, options) { throw fault }
    var findings: [VerificationReport.Finding] = []
    if comparing {
      if let damage = try damageOfViews(in: folder) {
        findings = [damage]
      } else {
        let store = try await open(
          at: path, schema: schema, projections: projections, options: options)
        let report: RebuildReport
        do {
          report = try await store.rebuild(comparing: true, progress: progress)
        } catch {
          try? await store.close()
          throw error
        }
        try await store.close()
        return report
      }
    }
    var report = try await onOwnThread { cancellation in
      var attemptCount = 1
      while true {
        let successor = try ViewsSuccessor(
          folder, schema: schema, types: projections, options: options)
        do {
          return try replaceViews(of: folder, with: successor, options, cancellation, progress)
        } catch {
          successor.discard()
          guard error is Overtaken, attemptCount < rebuildCountMax else { throw error }
          attemptCount += 1
          options.trace?("rebuild begins again")
        }
      }
    }
    report.findings = findings
    return report
  }

  /// Returns the damage of the views' file, found without opening it, or `nil` if it can be opened.
  private static func damageOfViews(in folder: StoreFolder) throws -> VerificationReport.Finding? {
    let path = folder.viewsPath(try folder.current().views)
    let what: String
    do {
      guard let fault = try FileJudgement.examine(path: path) else { return nil }
      what = "\(fault)."
    } catch {
      if error.kind == .notFound || error.kind == .busy { return nil }
      guard error.tellsOfDamage else { throw error }
      what = error.cause
    }
    return VerificationReport.Finding(
      message: "The old views in “\(path)” were damaged: \(what) They were replaced.",
      sequence: nil)
  }

  private static func replaceViews(
    of folder: StoreFolder, with successor: ViewsSuccessor, _ options: EventStoreOptions,
    _ cancellation: Cancellation, _ progress: (@Sendable (RebuildProgress) -> Void)?
  ) throws -> RebuildReport {
    var journal = try options.openJournal(folder, folder.current(), successor.schema)
    defer { try? journal.close() }
    if let reason = journal.readOnlyReason { throw reason }
    try successor.build(
      from: journal, besides: nil, through: Checkpoint(journal.head()), cancellation, progress)
    options.trace?("rebuild built")
    // The first flush takes a long time. The steps after it are short, so they are reported in the
    // same phase.
    PhaseProgress(.flush, progress).at(0)
    try successor.target.environment.flush()
    try successor.catchUp(with: journal, to: journal.head(), cancellation, progress)
    try cancellation.check()
    return try folder.withWriter { lock in
      let current = try folder.current()
      if current.journal != journal.generation {
        try journal.close()
        journal = try options.openJournal(folder, current, successor.schema)
      }
      let head = try journal.head()
      try successor.catchUp(with: journal, to: head)
      if head.sequence > 0 { try successor.check(against: nil, head) }
      try successor.target.environment.flush()
      try successor.target.environment.close()
      try folder.flush(Generation(kind: .views, number: successor.target.generation))
      var next = try folder.current()
      let old = Generation(kind: .views, number: next.views)
      next.loss = try untrustedLoss(folder, next, journal)
      next.views = successor.target.generation
      try folder.setCurrent(next, holding: lock)
      options.trace?("after flip")
      successor.end()
      PhaseProgress(.flush, progress).at(1)
      if next.keeps(old) { return RebuildReport(sequence: head.sequence) }
      do {
        try folder.remove(old, holding: lock)
      } catch {
        // The next open removes the old views.
        options.trace?("old views cannot be removed: \(error)")
      }
      return RebuildReport(sequence: head.sequence)
    }
  }
}
