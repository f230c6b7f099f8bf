package import DaybookEntities
public import DaybookJournal
internal import DaybookLMDB
internal import Synchronization

/// A folder with a journal of changes, the current entities, and projections of them.
///
/// There is one object per folder and process. Any task or thread may append and read concurrently.
///
/// Appends run one after another on the store's own thread and share flushes. An append returns
/// when it is durable; a second thread then updates the views. Reads run on the caller's thread and
/// see every append that has returned. If the views are behind, a read waits a few milliseconds.
///
/// ```swift
/// let store = try EventStore.open(at: path, schema: schema, projections: [Streaks.self])
/// let entry = try await store.append { context in … }
/// let page = try store.read { view in … }
/// try await store.close()
/// ```
public final class EventStore: Sendable {
  /// The kinds of entities in the store.
  public let schema: Schema
  /// The projectors of the registered projections, in the order of registration.
  public let projectors: [Projector]
  /// The path of the store; for an ephemeral store, the path of its temporary folder.
  public let path: String
  let folder: StoreFolder
  let options: EventStoreOptions
  /// The reason why the store is read-only although it was opened for writing.
  private let writingFault: JournalError?
  let types: [any Projection.Type]
  let published: Published
  let bell = Bell()
  let watcher: Watcher
  let pipeline = Pipeline()
  let suspension = Suspension()
  let queue: JobQueue<WriterJob>
  /// Makes the journal's stage update the views if the projectors' stage has failed.
  let mend: @Sendable () -> Void
  private let ending = Lock(Ending())
  /// The temporary folder of an ephemeral store or read-only copy, deleted with the store.
  let place = Lock<TemporaryFolder?>(nil)

  /// The index of each entity's changes, created when an entity's history is first requested.
  let changeIndex = Lock<ChangeIndex?>(nil)

  /// The background task that rebuilds and purges after opening, if there is one.
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
        // Errors are ignored here, because reading the views reports them.
        try? pipeline.wait(for: pipeline.announced.load(ordering: .acquiring), mend: mend)
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
    // The thread closes the files when its queue is empty.
    queue.stop()
  }

  // MARK: Appending

  /// Runs a decision on the current entities, and durably appends its changes.
  ///
  /// `decide` runs on the store's own thread, after all appends accepted before it. It should be
  /// quick and must not wait for another append. If it throws, nothing is written and its error is
  /// rethrown. When this method returns, the commit is durable, and every later read in this
  /// process sees it.
  ///
  /// - Throws: The errors of `decide`; ``ProjectingError``; `JournalError` if the journal could not
  ///   record the commit. In all of these cases nothing is recorded, unless the error is
  ///   `outcomeUnknown`.
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

  /// Runs exclusive work on the thread of the journal's stage, with complete views and `WRITER`
  /// unlocked.
  ///
  /// - Parameters:
  ///   - queueCountMax: The maximum number of requests that may be queued before it; `nil` for the
  ///     limit in the options.
  ///   - needsViews: Whether to throw without running `body` if the views cannot be updated.
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

  /// Runs work on the thread of the journal's stage, whatever the state of the store.
  func onWriter<Result: Sendable>(
    _ body: @escaping @Sendable (Writer) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let job = WriterJob.control { writer in
        continuation.resume(with: Swift.Result { try body(writer) })
      }
      if queue.enqueue(job) == .stopped { continuation.resume(throwing: closed) }
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

  /// The reason why the store cannot be written although it was opened for writing, or `nil`.
  ///
  /// Its format could not be migrated, its files are not writable, or it contains kinds of entities
  /// that this program does not know.
  package var readOnlyReason: JournalError? {
    writingFault ?? published.open?.journal.readOnlyReason
  }

  /// The damage of the views that this store replaced by views rebuilt from the journal, or `nil`.
  package var viewsDamage: ProjectingError? { published.viewsDamage.withLock { $0 } }

  var readOnly: ProjectingError {
    if let writingFault {
      return ProjectingError(.readOnly, writingFault.message, cause: writingFault)
    }
    return ProjectingError(
      .readOnly, "The ledger at \(path) is open for reading only. Open it for writing.")
  }

  // MARK: Reading

  /// Calls `body` with a view of the store as of one commit, on the caller's thread.
  ///
  /// The view contains every append that has returned in this process before the call. If the views
  /// are behind, the call waits until they are updated, which involves at most 2,000 changes and
  /// never a flush.
  ///
  /// - Throws: The errors of `body`; ``ProjectingError`` with `closed` if the store is closed, or
  ///   with `stateUnavailable` if the views could not be updated.
  public func read<Result: ~Copyable>(_ body: (borrowing View) throws -> Result) throws -> Result {
    let view = try view()
    return try body(view)
  }

  /// Returns the token of the newest commit that reads see.
  public func token() throws -> Token {
    try view().token
  }

  // MARK: Closing

  /// Whether closing has begun.
  var isClosed: Bool { ending.withLock { $0.isClosed } }

  /// Completes pending appends, updates and flushes the views, and closes the files.
  ///
  /// Observers' sequences end. Closing again has no effect. Active readers keep the files open, and
  /// this process cannot reopen the files until they end. This method waits at most one second for
  /// them.
  public func close() async throws {
    let isFirst = ending.withLock { ending in
      defer { ending.isClosed = true }
      return !ending.isClosed
    }
    guard isFirst else { return }
    defer {
      suspension.close()
      bell.close()
    }
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
        try await onWriter { try $0.close() }
      } catch {
        // The views stay marked as unflushed, but the files can still be closed.
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
  /// Returns a view that contains all commits acknowledged in this process.
  ///
  /// The caller must not let it outlive a closure.
  ///
  /// - Parameter tracker: Notified of the reads through the view.
  /// - Throws: ``ProjectingError`` with `stateUnavailable` if the views could not be updated.
  package func view(tracking tracker: ReadTracker? = nil) throws -> View {
    let announced = pipeline.announced.load(ordering: .acquiring)
    let view = try presentView(tracking: tracker)
    if view.head.checkpoint.sequence >= announced { return view }
    // If the view were kept, the pages that projectors free could not be reused.
    _ = consume view
    try pipeline.wait(for: announced, mend: mend)
    return try presentView(tracking: tracker)
  }

  /// Returns a `View` of the newest projected commit, without waiting for acknowledged commits.
  ///
  /// `CURRENT` is checked when the views say that they are about to be replaced. It is also checked
  /// periodically, in case the views were deleted while open.
  func presentView(tracking tracker: ReadTracker? = nil) throws -> View {
    if published.isTailLookDue() { lookForTail() }
    while true {
      if !options.isEphemeral, published.isLookDue() { try adoptCurrentGenerations() }
      let open = try presentStore()
      let view: View
      do { view = try View(open, tracker: tracker) } catch {
        // The files may have been closed in the meantime.
        if published.open === open { throw error }
        continue
      }
      if !view.head.isRetiring || options.isEphemeral { return view }
      if try folder.currentStamp() == open.stamp { return view }
      try adoptCurrentGenerations()
    }
  }

  /// Returns the store that readers use, after reopening it if another process has replaced a
  /// generation.
  func openStore() throws -> OpenStore {
    try adoptCurrentGenerations()
    let open = try presentStore()
    return open
  }

  /// Opens the generations that `CURRENT` names, if it has changed since it was read.
  private func adoptCurrentGenerations() throws {
    if options.isEphemeral { return }
    let open = try presentStore()
    if try folder.currentStamp() == open.stamp { return }
    try published.whileFlipping {
      guard let open = published.open, try folder.currentStamp() != open.stamp else { return }
      published.open = try EventStore.openStore(
        folder, schema: schema, types: types, options: options, replacing: open)
    }
  }

  /// If a killed process left commits in the journal that the views lack, adds them to the views.
  ///
  /// Does nothing if another process is adding them. Waits at most one second, so that a process
  /// that reads rarely does not get outdated results.
  private func lookForTail() {
    guard !options.isReadOnly, !options.isEphemeral, !pipeline.isBusy, let open = published.open
    else { return }
    do {
      let head = try open.journal.head().sequence
      let held = try open.views.environment.read { try open.views.head(in: $0.view).checkpoint }
      // A process that holds the lock is alive and will update the views itself.
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

  /// Returns the store that readers use.
  private func presentStore() throws -> OpenStore {
    while true {
      if let open = published.open { return open }
      if isClosed { throw closed }
      if isSuspended { throw suspended }
      // The store may have been resumed in the meantime.
      if published.open == nil { throw closed }
    }
  }

  var closed: ProjectingError {
    ProjectingError(.closed, "The ledger at \(path) is closed. Open it again.")
  }
}

extension EventStore {
  /// Returns the newest commit and its link, together with the identity of the store.
  package func newestLink() throws -> (store: EntityID, sequence: UInt64, link: Hash256) {
    let head = try openStore().journal.head()
    return (folder.identity, head.sequence, head.link)
  }

  /// Returns the link of a commit, or `nil` if it was purged.
  package func link(at sequence: UInt64) throws -> Hash256? {
    let journal = try openStore().journal
    return try sequence < journal.floor().sequence ? nil : journal.link(at: sequence)
  }

  /// Returns the token of a commit, given its header.
  package func token(after header: CommitHeader) throws -> Token {
    try openStore().journal.token(after: header)
  }

  /// Returns a whole commit.
  package func commit(at sequence: UInt64) throws -> Commit {
    try openStore().journal.commit(at: sequence)
  }

  /// Returns the row of an idempotency key, or `nil` if the key was never used.
  package func lookUp(key: [UInt8]) throws -> KeyRow? {
    try openStore().journal.lookUp(key: key)
  }

  /// Returns the token of the commit recorded for an idempotency key; the token is expired if the
  /// commit was purged.
  package func token(ofKept sequence: UInt64) throws -> Token {
    try openStore().journal.token(ofKept: sequence)
  }
}
