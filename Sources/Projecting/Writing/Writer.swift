internal import Entities
internal import Journal
internal import LMDB

/// What the writer keeps between batches and lends to decisions.
final class WriterState {
  let ids: IDSource
  var memory: AnyObject?
  var memoryEpoch: UInt64 = 0

  init(clock: @escaping () -> Int64) { ids = IDSource(clock: clock) }
}

/// The first stage, the journal's: decides what has queued, makes it durable, and answers.
///
/// Everything else that is done with `WRITER` is done here, too; see `Docs/Notes/WritePath.md`.
///
/// Not `Sendable`: it is used on its own thread alone.
final class Writer {
  let folder: StoreFolder
  let schema: Schema
  let clusterTags: ClusterTags
  let types: [any Projection.Type]
  let options: EventStoreOptions
  /// What readers read; replaced when a generation is.
  let published: Published
  /// What lies between the two stages.
  let pipeline: Pipeline
  /// Writes the live views; used here while nothing waits in the pipeline.
  let views: ViewsWriter
  let state: WriterState
  var open: OpenStore
  /// The newest commit that was seen here: where the next lease finds another, another process has written.
  var lastSeen: Checkpoint?
  /// `WRITER`, while it is held.
  var currentLock: WriterLock?
  /// What decisions of this lease stand on.
  var context: DecisionContext?
  /// When others that wait for `WRITER` were let in last, in nanoseconds.
  var lastCourtesy: UInt64 = 0
  var isClosed = false
  /// What is thought of the journal that is open.
  var journalTrust = JournalTrust.sound
  /// How many batches were committed since dead readers were looked for.
  var batchCount = 0
  /// The mark of unflushed views, once it was judged or written here.
  var session: SessionStamp?
  /// Up to where the views were brought by this stage since the bell was rung last.
  var news: Checkpoint?
  /// Whether the projectors' stage runs.
  private var hasProjectorsStage = false
  private let mend: @Sendable () -> Void

  /// - Parameter mend: Has this stage bring the views up, when it comes to it.
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

  /// Does what has gathered or, where that is nothing, what is to be done in quiet; says whether all is at rest.
  func run(_ jobs: [WriterJob]) -> Bool {
    if jobs.isEmpty { return flushWhenIdle() }
    var requests: [AppendRequest] = []
    for job in jobs {
      switch job {
      case .append(let request):
        requests.append(request)
      case .exclusive(let body):
        append(requests)
        requests.removeAll()
        body(self)
      }
    }
    append(requests)
    return false
  }

  /// Appends requests with one flush and answers each.
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
          .failure(ProjectingError(.outcomeUnknown, "The request was not decided. Repeat it.")))
      }
    }
    if batchCount >= Writer.batchCountBetweenLooks { clearDeadReaders() }
  }

  enum Answer {
    /// With the batch; `isRepeated` where it repeats a request of the same batch.
    case committed(Token, isRepeated: Bool = false)
    case unchanged(Token)
    /// It was committed before the batch.
    case repeated(Token)
    case refused(any Error)

    /// Whether the answer holds even if the batch's commit fails.
    var standsAlone: Bool {
      switch self {
      case .committed, .unchanged: false
      case .repeated, .refused: true
      }
    }
  }

  private func commit(_ requests: [AppendRequest], _ answers: inout [Answer?]) throws {
    let context = try continueOrBeginLease()
    defer {
      currentLock = nil
      pipeline.pauseLease()
    }
    do {
      try commit(requests, &answers, on: context)
    } catch {
      // What was decided is cut off: the next lease begins with the views alone.
      endLease()
      forgetWhatWasRead()
      throw error
    }
  }

  /// A batch, with `WRITER` held.
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

  /// Begins to write the journal, of which the views hold everything that is not in the pipeline.
  ///
  /// Of a process that was killed at the end of its commit, readers see that commit only when somebody has
  /// written after it: LMDB tells them of it last. So it may come up now.
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

  /// Decides each request, and appends what it comes to, on a snapshot of the views of its own.
  ///
  /// - Returns: The commits, and whether they are so many changes that the views are rebuilt instead.
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

  /// A batch from which the views are rebuilt: it is answered when they are.
  private func commitAndRebuild(_ journal: JournalWriter, _ batch: CommitBatch) throws {
    pipeline.drain()
    options.trace?("before journal commit")
    try commitDurably(journal, batch)
    options.trace?("after journal commit")
    lastSeen = batch.head
    // From here on the answer is “recorded”, whatever becomes of the views: they can be had again.
    context = nil
    mendViews { try self.rebuildViews() }
    options.trace?("after views commit")
  }

  /// Has the second stage begin, when there is something for it to do.
  private func startProjectorsStage() throws {
    if hasProjectorsStage { return }
    let stage = ProjectorsStage(
      pipeline: pipeline, views: views, trace: options.trace, mend: mend)
    try startThread { stage.run() }
    hasProjectorsStage = true
  }

  /// Forgets what was read of State: another process, or a batch that failed, may have made it untrue.
  func forgetWhatWasRead() {
    state.memoryEpoch += 1
    views.numbers.forgetAll()
  }

  /// Makes a batch's commits durable: one step behind one function.
  ///
  /// - Throws: the journal's error where nothing was recorded, `outcomeUnknown` where that cannot
  ///   be told.
  func commitDurably(_ journal: JournalWriter, _ batch: CommitBatch) throws {
    do {
      try journal.commit()
      pipeline.didCommit(batch.head.sequence)
      pipeline.tell(batch.head.sequence)
    } catch {
      journal.abort()
      pipeline.takeBack()
      // Views are not to be replaced under the second stage.
      pipeline.drain()
      // What is on disk now is what the reopened file says.
      let isKnown = (error as? JournalError)?.code != .outcomeUnknown
      journalTrust = isKnown ? .shaken : .lost
      do {
        try reopenJournal()
        // What is found there may not have been flushed.
        try open.journal.settle()
        let found = Checkpoint(try open.journal.head())
        if found == batch.head {
          pipeline.tell(found.sequence)
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

  /// Whether so many changes are cheaper to rebuild from than to apply one by one.
  private func isBulk(_ changeCount: Int, _ snapshot: DecisionSnapshot) throws -> Bool {
    guard !options.isEphemeral, changeCount >= options.bulkChangeCountMin else { return false }
    return try Double(changeCount) > Double(snapshot.entityCount()) * options.bulkShare
  }

  /// After so many batches dead readers are looked for, if there was no quiet moment before.
  static let batchCountBetweenLooks = 1_000
}

extension Checkpoint {
  /// The newest commit of a journal.
  init(_ head: Head) { self.init(sequence: head.sequence, link: head.link) }
}

/// Hands a writer over to its thread.
///
/// Unchecked `Sendable`: whoever makes the writer lets go of it here, and from then on only the
/// writer's thread touches it.
final class WriterSlot: @unchecked Sendable {
  let writer: Writer

  init(writer: Writer) { self.writer = writer }
}
