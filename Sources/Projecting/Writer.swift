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

/// All writing of one open store, on the writer's thread: the write protocol of
/// `Docs/Architecture.md`, "Writing".
///
/// Not `Sendable`: it is made and used on the writer's thread alone.
final class Writer {
  let folder: StoreFolder
  let schema: Schema
  let clusterTags: ClusterTags
  let types: [any Projection.Type]
  let options: EventStoreOptions
  /// What readers read; replaced when a generation is.
  let published: Published
  let projectors: [ProjectorCore]
  let numbers = NumberCache()
  let state: WriterState
  var open: OpenStore
  /// The last commit of the batch before: where the next batch finds another, another process has
  /// written.
  var lastSeen: Checkpoint?
  /// `WRITER`, while it is held.
  var currentLock: WriterLock?
  var isClosed = false
  /// What is thought of the journal that is open.
  var journalTrust = JournalTrust.sound
  /// How many batches were committed since dead readers were looked for.
  var batchCount = 0
  /// The mark of unflushed views, once it was judged or written here.
  var session: SessionStamp?
  /// Whether the views hold commits that were not flushed.
  var hasUnflushedViews = false
  /// Up to where the views have come since the bell was rung last.
  var news: Checkpoint?
  let bell: Bell
  let doorbell: Doorbell?
  /// Brings views past what is decided, and prepares them while the writer's thread waits for the journal's
  /// flush; not used where there is none.
  let aside: AsideThread

  init(
    folder: StoreFolder, schema: Schema, types: [any Projection.Type],
    options: EventStoreOptions, open: OpenStore, published: Published,
    projectors: [ProjectorCore], bell: Bell
  ) {
    self.folder = folder
    self.schema = schema
    clusterTags = ClusterTags(schema)
    self.types = types
    self.options = options
    self.open = open
    self.published = published
    self.projectors = projectors
    self.bell = bell
    doorbell = options.isEphemeral ? nil : Doorbell(folder: folder.path)
    aside = AsideThread(isUsed: !options.isEphemeral)
    state = WriterState(clock: options.clock)
  }

  /// Does what has gathered in the queue; nothing means that it has been empty for a while.
  func run(_ jobs: [WriterJob]) {
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
  }

  /// Appends requests with one flush and answers each.
  private func append(_ requests: [AppendRequest]) {
    guard !requests.isEmpty else { return }
    var answers = [Answer?](repeating: nil, count: requests.count)
    do {
      try commit(requests, &answers)
    } catch {
      forgetWhatWasRead()
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
    try withLock { try commitLocked(requests, &answers) }
  }

  private func commitLocked(_ requests: [AppendRequest], _ answers: inout [Answer?]) throws {
    try adoptCurrentGenerations()
    try markSession()
    let journal = try open.journal.beginWrite()
    let previous = Checkpoint(sequence: journal.head.sequence, link: journal.head.link)
    if lastSeen != previous { forgetWhatWasRead() }
    let batch = try caughtUpBatch(to: previous)

    let ahead = ChangesAhead(
      batch, after: previous, with: aside, countMax: options.bulkChangeCountMin)
    defer { ahead.cancel() }
    let context = DecisionContext(batch: batch, host: state, ahead: ahead) {
      journal.nextNumber($0)
    }
    context.expect(changeCount: requests.count)
    for (index, request) in requests.enumerated() {
      answers[index] = try decide(request, context, journal)
    }
    let changes = context.pendingChanges
    guard journal.head.sequence != previous.sequence else {
      journal.abort()
      lastSeen = previous
      return
    }
    let head = Checkpoint(sequence: journal.head.sequence, link: journal.head.link)
    let isBulk = try isBulk(changes.count, batch)
    if isBulk {
      ahead.cancel()
    } else if try !ahead.finish(changes) {
      for change in changes { try batch.apply(change) }
    }
    options.trace?("before journal commit")
    // The views are made ready while the journal is flushed, and committed after it.
    var prepared = Result<Void, any Error>.success(())
    if ahead.isRunning {
      try commitDurably(journal, head)
      prepared = Result { try ahead.write(upTo: head) }
    } else {
      prepared = try aside.run {
        if !isBulk { try batch.prepare(at: head, after: previous) }
      } beside: {
        try commitDurably(journal, head)
      }
    }
    options.trace?("after journal commit")
    lastSeen = head
    batchCount += 1
    if batchCount >= Writer.batchCountBetweenLooks { clearDeadReaders() }

    // From here on the answer is “recorded”, whatever becomes of the views: they can be had again.
    do {
      if isBulk {
        drop(batch)
        try rebuildViews()
      } else {
        try prepared.get()
        try finish(batch, at: head)
      }
    } catch {
      lastSeen = nil
      options.trace?("views failed: \(error)")
    }
    options.trace?("after views commit")
  }

  /// Forgets what was read of State: another process, or a batch that failed, may have made it untrue.
  private func forgetWhatWasRead() {
    state.memoryEpoch += 1
    numbers.forgetAll()
  }

  /// Makes a batch's commits durable: one step behind one function.
  ///
  /// - Throws: the journal's error where nothing was recorded, `outcomeUnknown` where that cannot
  ///   be told.
  private func commitDurably(_ journal: JournalWriter, _ head: Checkpoint) throws {
    do {
      try journal.commit()
    } catch {
      journal.abort()
      // What is on disk now is what the reopened file says.
      let isKnown = (error as? JournalError)?.code != .outcomeUnknown
      journalTrust = isKnown ? .shaken : .lost
      do {
        try reopenJournal()
        // What is found there may not have been flushed.
        try open.journal.settle()
        let found = try open.journal.head()
        if found.sequence == head.sequence, found.link == head.link { return }
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
  private func isBulk(_ changeCount: Int, _ batch: ViewsBatch) throws -> Bool {
    guard !options.isEphemeral, changeCount >= options.bulkChangeCountMin else { return false }
    return try Double(changeCount) > Double(batch.entityCount()) * options.bulkShare
  }

  /// After so many batches dead readers are looked for, if there was no quiet moment before.
  static let batchCountBetweenLooks = 1_000
}

/// Hands a writer over to its thread.
///
/// Unchecked `Sendable`: whoever makes the writer lets go of it here, and from then on only the
/// writer's thread touches it.
final class WriterSlot: @unchecked Sendable {
  let writer: Writer

  init(writer: Writer) { self.writer = writer }
}
