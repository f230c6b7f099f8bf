internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// State that the writer keeps between batches and lends to decisions.
final class WriterState {
  let ids: IDSource
  var memory: AnyObject?
  var memoryEpoch: UInt64 = 0

  init(clock: @escaping () -> Int64) { ids = IDSource(clock: clock) }
}

/// The first stage, the journal's stage: runs queued decisions, makes them durable, and answers
/// requests.
///
/// All other work that needs `WRITER` also runs here; see `Docs/Notes/WritePath.md`.
///
/// Not `Sendable`: it is used only on its own thread.
final class Writer {
  let folder: StoreFolder
  let schema: Schema
  let clusterTags: ClusterTags
  let types: [any Projection.Type]
  let options: EventStoreOptions
  /// The store that readers use; replaced whenever a generation is replaced.
  let published: Published
  /// The state shared by the two stages.
  let pipeline: Pipeline
  /// Writes the live views; this stage uses it only while no batch is waiting in the pipeline.
  let views: ViewsWriter
  let state: WriterState
  var open: OpenStore
  /// The newest commit that this writer has seen.
  ///
  /// If the next lease finds a different newest commit, another process has written.
  var lastSeen: Checkpoint?
  /// The `WRITER` lock, while it is held.
  var currentLock: WriterLock?
  /// The context of the current lease's decisions.
  var context: DecisionContext?
  /// The time at which this writer last yielded to processes waiting for `WRITER`, or checked for
  /// them, in nanoseconds.
  var lastYield: UInt64 = 0
  var isClosed = false
  /// Whether the files are closed until the store is resumed.
  var isSuspended = false
  /// Whether calls wait while the store is suspended, instead of failing.
  var parksCalls = false
  /// The calls that wait for the store to be resumed or closed.
  private var parked: [WriterJob] = []
  /// Whether the open journal can be used.
  var journalTrust = JournalTrust.sound
  /// The number of batches committed since dead readers were last cleared.
  var batchCount = 0
  /// The stamp of SESSION, once this writer has checked or written the file.
  var session: SessionStamp?
  /// The newest commit that this stage has written to the views without notifying observers yet.
  var news: Checkpoint?
  /// Whether the projectors' stage is running.
  private var hasProjectorsStage = false
  private let mend: @Sendable () -> Void

  /// Creates a writer.
  ///
  /// - Parameter mend: Queues a job that makes this stage update the views.
  init(
    folder: StoreFolder, schema: Schema, types: [any Projection.Type],
    options: EventStoreOptions, open: OpenStore, published: Published, pipeline: Pipeline,
    projectors: [ProjectorCore], bell: Bell, mend: @escaping @Sendable () -> Void
  ) {
    self.folder = folder
    self.schema = schema
    clusterTags = ClusterTags(schema)
    self.types = types
    self.options = options
    self.open = open
    self.published = published
    self.pipeline = pipeline
    self.mend = mend
    views = ViewsWriter(
      open.views, schema: schema, projectors: projectors, bell: bell,
      doorbell: options.isEphemeral ? nil : Doorbell(folder: folder.path), trace: options.trace)
    state = WriterState(clock: options.clock)
  }

  /// Returns the jobs that waited for the store to be resumed.
  private func unparked() -> [WriterJob] {
    defer { parked.removeAll() }
    return parked
  }

  /// Runs the queued jobs.
  ///
  /// If none are queued, it runs idle maintenance and returns whether the writer is idle.
  func run(_ jobs: [WriterJob]) -> Bool {
    if jobs.isEmpty { return flushWhenIdle() }
    var requests: [AppendRequest] = []
    for job in jobs {
      switch job {
      case .append, .exclusive:
        if isSuspended, parksCalls {
          parked.append(job)
          continue
        }
        if case .append(let request) = job { requests.append(request) }
        guard case .exclusive(let body) = job else { continue }
        append(requests)
        requests.removeAll()
        body(self)
      case .control(let body):
        append(requests)
        requests.removeAll()
        body(self)
        if !parked.isEmpty, !isSuspended || !parksCalls { _ = run(unparked()) }
      }
    }
    append(requests)
    return false
  }

  /// Appends the requests with one flush and answers each request.
  private func append(_ requests: [AppendRequest]) {
    guard !requests.isEmpty else { return }
    var answers = [Answer?](repeating: nil, count: requests.count)
    do {
      try commit(requests, &answers)
    } catch {
      for index in answers.indices where answers[index]?.standsAlone != true {
        answers[index] = .refused(error)
      }
    }
    for (request, answer) in zip(requests, answers) {
      switch answer {
      case .committed(let token, let isRepeated):
        request.answer(.success((token, isRepeated)))
      case .unchanged(let token):
        request.answer(.success((token, false)))
      case .repeated(let token):
        request.answer(.success((token, true)))
      case .refused(let error):
        request.answer(.failure(error))
      case nil:
        request.answer(
          .failure(ProjectingError(.outcomeUnknown, "The request was not processed. Repeat it.")))
      }
    }
    if batchCount >= Writer.batchCountBetweenLooks { clearDeadReaders() }
  }

  enum Answer {
    /// The request is committed with the batch; `isRepeated` if it repeats a request of the same
    /// batch.
    case committed(Token, isRepeated: Bool = false)
    case unchanged(Token)
    /// The request repeats one that was committed before the batch.
    case repeated(Token)
    case refused(any Error)

    /// Whether the answer stays valid if the batch's commit fails.
    var standsAlone: Bool {
      switch self {
      case .committed, .unchanged: false
      case .repeated, .refused: true
      }
    }
  }

  private func commit(_ requests: [AppendRequest], _ answers: inout [Answer?]) throws {
    if isSuspended { throw isClosed ? closed : suspended }
    let context = try continueOrBeginLease()
    defer {
      currentLock = nil
      pipeline.pauseLease()
    }
    do {
      try commit(requests, &answers, on: context)
    } catch {
      // The batch's decisions are lost, so the next lease must start from the views again.
      endLease()
      forgetWhatWasRead()
      throw error
    }
  }

  /// Commits a batch; the caller must hold `WRITER`.
  private func commit(
    _ requests: [AppendRequest], _ answers: inout [Answer?], on context: DecisionContext
  ) throws {
    let journal = try beginWrite()
    let previous = Checkpoint(journal.head)
    let (decided, isBulk) = try decide(requests, &answers, context, journal)
    guard !decided.isEmpty else { return journal.abort() }
    let batch = CommitBatch(decided, after: previous)
    if isBulk { return try commitAndRebuild(journal, batch) }
    try startProjectorsStage()
    pipeline.offer(batch)
    options.trace?("before journal commit")
    try commitDurably(journal, batch)
    options.trace?("after journal commit")
    lastSeen = batch.head
    batchCount += 1
    pipeline.waitForRoom()
  }

  /// Begins a write transaction of the journal.
  ///
  /// Before that, the method makes sure that every earlier commit is in the views or the pipeline.
  /// If a process was killed at the end of its commit, readers don't see that commit until the next
  /// one, because publishing it is LMDB's last step. A write transaction does see it.
  private func beginWrite() throws -> JournalWriter {
    let journal = try open.journal.beginWrite()
    if Checkpoint(journal.head) == lastSeen { return journal }
    journal.abort()
    pipeline.drain()
    forgetWhatWasRead()
    let head = Checkpoint(try open.journal.head())
    try catchUp(to: head)
    lastSeen = head
    pipeline.mended(at: head.sequence)
    return try open.journal.beginWrite()
  }

  /// Runs each decision on one snapshot of the views, and appends its changes.
  ///
  /// - Returns: The commits, and whether the views must be rebuilt because the commits contain many
  ///   changes.
  private func decide(
    _ requests: [AppendRequest], _ answers: inout [Answer?], _ context: DecisionContext,
    _ journal: JournalWriter
  ) throws -> (commits: [DecidedCommit], isBulk: Bool) {
    let snapshot = try DecisionSnapshot(open.views)
    context.begin(snapshot, on: journal)
    defer { context.end() }
    context.expect(changeCount: requests.count)
    var commits: [DecidedCommit] = []
    for (index, request) in requests.enumerated() {
      answers[index] = try decide(request, context, journal, &commits)
    }
    let changeCount = commits.reduce(0) { $0 + $1.changes.count }
    return (commits, try isBulk(changeCount, snapshot))
  }

  /// Commits a batch and then rebuilds the views; the batch is answered after that.
  private func commitAndRebuild(_ journal: JournalWriter, _ batch: CommitBatch) throws {
    pipeline.drain()
    options.trace?("before journal commit")
    try commitDurably(journal, batch)
    options.trace?("after journal commit")
    lastSeen = batch.head
    // The commits are already recorded, so the views can be rebuilt if updating them fails.
    context = nil
    mendViews { try self.rebuildViews() }
    options.trace?("after views commit")
  }

  /// Starts the projectors' stage when it is first needed.
  private func startProjectorsStage() throws {
    if hasProjectorsStage { return }
    let stage = ProjectorsStage(
      pipeline: pipeline, views: views, trace: options.trace, mend: mend)
    try startThread { stage.run() }
    hasProjectorsStage = true
  }

  /// Discards cached data of State.
  ///
  /// The data may be wrong after another process has written or a batch has failed.
  func forgetWhatWasRead() {
    state.memoryEpoch += 1
    views.numbers.forgetAll()
  }

  /// Makes a batch's commits durable.
  ///
  /// - Throws: The journal's error if nothing was recorded, or `outcomeUnknown` if that is not
  ///   known.
  func commitDurably(_ journal: JournalWriter, _ batch: CommitBatch) throws {
    do {
      try journal.commit()
      pipeline.didCommit(batch.head.sequence)
      pipeline.announce(batch.head.sequence)
    } catch {
      journal.abort()
      pipeline.takeBack()
      // The journal must not be reopened while the projectors' stage uses the views.
      pipeline.drain()
      // Only reopening the file shows whether the commit is on disk.
      let isKnown = (error as? JournalError)?.code != .outcomeUnknown
      journalTrust = isKnown ? .shaken : .lost
      do {
        try reopenJournal()
        // The commits found in the file may not have been flushed.
        try open.journal.settle()
        let found = Checkpoint(try open.journal.head())
        if found == batch.head {
          pipeline.announce(found.sequence)
          context = nil
          return mendViews { try self.catchUp(to: found) }
        }
      } catch let failure {
        if isKnown { throw error }
        throw ProjectingError(
          .outcomeUnknown,
          "The journal's flush failed and it could not be reopened, so it is not known whether "
            + "the commit was recorded. Open the ledger again and look for it.", cause: failure)
      }
      throw error
    }
  }

  /// Returns whether rebuilding the views is cheaper than applying a number of changes.
  private func isBulk(_ changeCount: Int, _ snapshot: DecisionSnapshot) throws -> Bool {
    guard !options.isEphemeral, changeCount >= options.bulkChangeCountMin else { return false }
    return try Double(changeCount) > Double(snapshot.entityCount()) * options.bulkShare
  }

  /// The number of batches after which dead readers are cleared even if the writer is never idle.
  static let batchCountBetweenLooks = 1_000
}

extension Checkpoint {
  /// Creates a checkpoint for the newest commit of a journal.
  init(_ head: Head) { self.init(sequence: head.sequence, link: head.link) }
}

/// A box that hands a writer over to its thread.
///
/// Unchecked `Sendable`: the creator of the writer gives up its reference, and from then on only
/// the writer's thread uses the writer.
final class WriterSlot: @unchecked Sendable {
  let writer: Writer

  init(writer: Writer) { self.writer = writer }
}
