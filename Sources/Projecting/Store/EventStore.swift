package import Entities
public import Journal
internal import LMDB
internal import Synchronization

/// A folder that keeps a journal of changes, the current entities, and projections of them.
///
/// One object per folder and process. Any task or thread may append and read at the same time;
/// appends of many are decided in turn on one thread of the store's own and share a flush. An append is
/// answered when it is durable; a second thread brings the views past it. Reads run on the caller's thread.
/// They see whatever was answered before, and wait a few milliseconds for the views where these lack it.
///
/// ```swift
/// let store = try EventStore.open(at: path, schema: schema, projections: [Streaks.self])
/// let entry = try await store.append { context in … }
/// let page = try store.read { view in … }
/// try await store.close()
/// ```
public final class EventStore: Sendable {
  /// What kinds of entities the store keeps.
  public let schema: Schema
  /// The projectors of the registered projections, in the order of registration.
  public let projectors: [Projector]
  /// Where the store is; a temporary place for an ephemeral one.
  public let path: String
  let folder: StoreFolder
  let options: EventStoreOptions
  /// Why it was opened for reading only although it was asked to be written.
  private let writingFault: JournalError?
  let types: [any Projection.Type]
  let published: Published
  let bell = Bell()
  let watcher: Watcher
  let pipeline = Pipeline()
  private let queue: JobQueue<WriterJob>
  /// Has the journal's stage bring the views up where the projectors' could not.
  let mend: @Sendable () -> Void
  private let ending = Lock(Ending())
  /// The temporary folder of an ephemeral store, or of a copy that is only read; removed with it.
  let place = Lock<TemporaryFolder?>(nil)

  /// Where the changes of entities lie, once somebody has asked what happened to one.
  let changeIndex = Lock<ChangeIndex?>(nil)

  /// The rebuild that goes on since the store was opened, if any.
  let background = Lock<Task<Void, any Error>?>(nil)

  private struct Ending {
    var isClosed = false
  }

  init(
    folder: StoreFolder, schema: Schema, types: [any Projection.Type],
    options: EventStoreOptions, open: OpenStore, cores: sending [ProjectorCore],
    writingFault: JournalError? = nil, path: String? = nil
  ) throws {
    self.folder = folder
    self.schema = schema
    self.types = types
    self.options = options
    self.writingFault = writingFault
    self.path = path ?? folder.path
    published = Published(open)
    watcher = Watcher(folder: folder.path, options: options, bell: bell)
    let queue = JobQueue<WriterJob>()
    self.queue = queue
    let mend: @Sendable () -> Void = { [weak queue] in
      _ = queue?.enqueue(.exclusive { writer in try? writer.alone(needsViews: false) {} })
    }
    self.mend = mend
    projectors = cores.map { [pipeline] in
      Projector(name: $0.name, version: $0.version, published: $0.published) {
        // Why the views could not be brought up is told by who reads them.
        try? pipeline.wait(for: pipeline.told.load(ordering: .acquiring), mend: mend)
      }
    }
    let writer = Writer(
      folder: folder, schema: schema, types: types, options: options, open: open,
      published: published, pipeline: pipeline, projectors: cores, bell: bell,
      mend: mend)
    let slot = WriterSlot(writer: writer)
    try queue.start(
      idleSeconds: options.idleSeconds,
      { jobs in slot.writer.run(jobs) },
      end: { slot.writer.end() })
  }

  deinit {
    // The thread closes the files by itself when its queue is empty.
    queue.stop()
  }

  // MARK: Appending

  /// Decides on the current entities and appends what was decided, durably.
  ///
  /// `decide` runs on the store's own thread, after every append that was accepted before; it
  /// should be quick and must not wait for another append. If it throws, nothing is written and the
  /// error comes back. When this function returns, the commit is on disk, and every read that begins
  /// here later sees it.
  ///
  /// - Throws: what `decide` throws; ``ProjectingError``; `JournalError` where the journal could
  ///   not take the commit: nothing is recorded then, unless the error says `outcomeUnknown`.
  @discardableResult
  public func append<Result: Sendable>(
    _ options: AppendOptions = AppendOptions(),
    _ decide: @escaping @Sendable (DecisionContext) throws -> Result
  ) async throws -> Appended<Result> {
    let box = ResultBox<Result>()
    let (token, isRepeat) = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<(token: Token, isRepeat: Bool), any Error>) in
      let request = AppendRequest(
        options: options,
        decide: { box.value = try decide($0) },
        answer: { continuation.resume(with: $0) })
      if let refusal = enqueue(.append(request)) { continuation.resume(throwing: refusal) }
    }
    return Appended(token: token, result: isRepeat ? nil : box.value)
  }

  /// Runs something alone on the thread of the journal's stage: the views hold everything, and `WRITER` is free.
  ///
  /// - Parameters:
  ///   - queueCountMax: How many requests may wait before it; those of the options where `nil`.
  ///   - needsViews: Whether there is nothing to be done where the views can't be brought up.
  func exclusively<Result: Sendable>(
    queueCountMax: Int? = nil, needsViews: Bool = true,
    _ body: @escaping @Sendable (Writer) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let job = WriterJob.exclusive { writer in
        continuation.resume(
          with: Swift.Result { try writer.alone(needsViews: needsViews) { try body(writer) } })
      }
      if let refusal = enqueue(job, countMax: queueCountMax) {
        continuation.resume(throwing: refusal)
      }
    }
  }

  func enqueue(_ job: WriterJob, countMax: Int? = nil) -> ProjectingError? {
    if options.isReadOnly { return readOnly }
    switch queue.enqueue(job, countMax: countMax ?? options.queueCountMax) {
    case .accepted:
      return nil
    case .stopped:
      return closed
    case .full:
      return ProjectingError(
        .queueFull,
        "\(options.queueCountMax) requests are waiting for the writer. Await some of them before "
          + "sending more.")
    }
  }

  /// Why nothing can be written, where that is not what was asked for: the ledger's format could not be
  /// migrated, its files may not be written to, or it has kinds of entities that this program does not know.
  package var readOnlyReason: JournalError? {
    writingFault ?? published.open?.journal.readOnlyReason
  }

  var readOnly: ProjectingError {
    if let writingFault {
      return ProjectingError(.readOnly, writingFault.message, cause: writingFault)
    }
    return ProjectingError(
      .readOnly, "The ledger at \(path) is open for reading only. Open it for writing.")
  }

  // MARK: Reading

  /// Gives a view of everything as of one commit to `body`, on the caller's thread.
  ///
  /// It is at least as new as whatever was answered here before. Where the views lack that, this waits for the
  /// changes that wait, 2,000 at the most, and never for a flush.
  ///
  /// - Throws: what `body` throws; ``ProjectingError`` where the store is closed, and with `stateUnavailable`
  ///   where the views could not be brought up to what is recorded.
  public func read<Result: ~Copyable>(_ body: (borrowing View) throws -> Result) throws -> Result {
    let view = try view()
    return try body(view)
  }

  /// The newest commit that reads see.
  public func token() throws -> Token {
    try view().token
  }

  // MARK: Closing

  /// Whether closing has begun.
  var isClosed: Bool { ending.withLock { $0.isClosed } }

  /// Lets what was appended finish, has the views hold all of it, flushes, and closes the files.
  ///
  /// Closing again does nothing. What follows the store live ends. Readers that are still at work are
  /// waited for, a second at the most: they keep the files open until they are done, and a process
  /// cannot open them again before.
  public func close() async throws {
    let isFirst = ending.withLock { ending in
      defer { ending.isClosed = true }
      return !ending.isClosed
    }
    guard isFirst else { return }
    defer { bell.close() }
    if let building = background.withLock({ $0.take() }) {
      building.cancel()
      _ = await building.result
    }
    let open = published.open
    var outcome = Result<Void, any Error>.success(())
    if options.isReadOnly {
      published.open = nil
    } else {
      do {
        try await exclusively(queueCountMax: .max, needsViews: false) { try $0.close() }
      } catch {
        // The views could not be flushed, and stay marked so: no reason to keep the files open.
        outcome = .failure(error)
      }
    }
    queue.stop()
    for _ in 0..<EventStore.closingAttemptCountMax {
      guard let open, !open.closeIfIdle() else { break }
      try? await Task.sleep(for: .milliseconds(2))
    }
    place.withLock { $0 = nil }
    try outcome.get()
  }

  private static let closingAttemptCountMax = 500
}

extension EventStore {
  /// A view of everything as of one commit, to be kept inside of a closure's scope: at least as new as what
  /// anybody here was told of.
  ///
  /// - Parameter tracker: hears of what the view is asked for.
  /// - Throws: ``ProjectingError`` with `stateUnavailable` where the views can't be brought up to that.
  package func view(tracking tracker: ReadTracker? = nil) throws -> View {
    let told = pipeline.told.load(ordering: .acquiring)
    let view = try presentView(tracking: tracker)
    if view.head.checkpoint.sequence >= told { return view }
    // It would keep the pages that the projectors are about to free.
    _ = consume view
    try pipeline.wait(for: told, mend: mend)
    return try presentView(tracking: tracker)
  }

  /// A view of everything as of the newest commit that the views hold.
  ///
  /// Views that are about to be replaced say so, and `CURRENT` is looked at then; else only now and
  /// then, for the case that somebody removed the views while they were open.
  func presentView(tracking tracker: ReadTracker? = nil) throws -> View {
    if published.isTailLookDue() { lookForTail() }
    while true {
      if !options.isEphemeral, published.isLookDue() { try adoptCurrentGenerations() }
      guard let open = published.open else { throw closed }
      let view = try View(open, tracker: tracker)
      if !view.head.isRetiring || options.isEphemeral { return view }
      if try folder.currentStamp() == open.stamp { return view }
      try adoptCurrentGenerations()
    }
  }

  /// What readers read now, reopened where another process replaced a generation.
  func openStore() throws -> OpenStore {
    try adoptCurrentGenerations()
    guard let open = published.open else { throw closed }
    return open
  }

  /// Opens the generations that `CURRENT` names, where it has changed since it was read.
  private func adoptCurrentGenerations() throws {
    if options.isEphemeral { return }
    guard let open = published.open else { throw closed }
    if try folder.currentStamp() == open.stamp { return }
    try published.whileFlipping {
      guard let open = published.open, try folder.currentStamp() != open.stamp else { return }
      published.open = try EventStore.openStore(
        folder, schema: schema, types: types, options: options, replacing: open)
    }
  }

  /// Brings in what a process that was killed has left in the journal alone, where nobody else does.
  ///
  /// Waits for that, a second at the most: who looks seldom is not to be told of the past.
  private func lookForTail() {
    guard !options.isReadOnly, !options.isEphemeral, !pipeline.isBusy, let open = published.open
    else { return }
    do {
      let head = try open.journal.head().sequence
      let held = try open.views.environment.read { try open.views.head(in: $0.view).checkpoint }
      // Whoever holds the lock is alive and about to bring its commits in.
      guard head > held.sequence, let lock = try folder.tryLockWriter() else { return }
      lock.release()
      let done = Monitor()
      let isDone = Lock(false)
      let refusal = enqueue(
        .exclusive { writer in
          do { try writer.alone { try writer.withLock(writer.bringUp) } } catch {
            writer.options.trace?("the tail was not brought in: \(error)")
          }
          done.locked { isDone.withLock { $0 = true } }
          done.wakeAll(.progress)
        })
      if refusal != nil { return }
      done.locked {
        while !isDone.withLock({ $0 }),
          done.wait(for: .progress, nanoseconds: 1_000_000_000)
        {}
      }
    } catch { options.trace?("looking for a tail failed: \(error)") }
  }

  var closed: ProjectingError {
    ProjectingError(.closed, "The ledger at \(path) is closed. Open it again.")
  }
}

extension EventStore {
  /// The newest commit and its link, with the identity of the store.
  package func newestLink() throws -> (store: EntityID, sequence: UInt64, link: Hash256) {
    let head = try openStore().journal.head()
    return (folder.identity, head.sequence, head.link)
  }

  /// The link of a commit; `nil` where it has been purged.
  package func link(at sequence: UInt64) throws -> Hash256? {
    let journal = try openStore().journal
    return try sequence < journal.floor().sequence ? nil : journal.link(at: sequence)
  }

  /// The token after a commit whose header is known.
  package func token(after header: CommitHeader) throws -> Token {
    try openStore().journal.token(after: header)
  }

  /// One commit, whole.
  package func commit(at sequence: UInt64) throws -> Commit {
    try openStore().journal.commit(at: sequence)
  }

  /// What is remembered of an idempotency key; `nil` where it was never used.
  package func lookUp(key: [UInt8]) throws -> KeyRow? {
    try openStore().journal.lookUp(key: key)
  }

  /// The token after a commit of which a key is remembered; an expired one where it has been purged.
  package func token(ofKept sequence: UInt64) throws -> Token {
    try openStore().journal.token(ofKept: sequence)
  }
}
