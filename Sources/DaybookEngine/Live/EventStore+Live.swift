package import DaybookEntities
public import DaybookJournal
internal import DaybookLMDB

extension EventStore {
  /// Returns the commits after a token, followed by future commits of all processes, in order and
  /// without gaps.
  ///
  /// A commit is delivered once the views contain it, so later reads see it. Each commit is read on
  /// demand, in its own short read transaction. Nothing is held or queued between two commits.
  ///
  /// - Parameters:
  ///   - token: The token after which to begin; `nil` to begin with the first retained commit.
  ///   - changeCountMax: The maximum number of changes to read per commit, beginning with the
  ///     first.
  public func changes(
    after token: Token? = nil, changeCountMax: Int = .max
  ) -> CommitSequence {
    CommitSequence(store: self, start: token, changeCountMax: changeCountMax)
  }

  /// Returns the current value of a closure over the views, and a new value whenever its data
  /// changes.
  ///
  /// Commits of any process count as changes. Changes are tracked per kind of State and per table,
  /// not per row: every change of a kind or table that the closure has read counts. A closure that
  /// reads the checkpoint or the token depends on everything. If several changes occur before the
  /// next value is requested, only the newest value is returned; values are never queued.
  ///
  /// - Parameter body: Runs off the caller's actor, in its own short read transaction.
  public func observe<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing View) throws -> Value
  ) -> ValueSequence<Value> {
    ValueSequence(self) { [self] in try evaluate(body, tracking: $0) }
  }

  /// Returns the current value of a closure over the views, and a new value whenever the value
  /// changes.
  ///
  /// This method works like the overload for other values, but omits a value that equals the
  /// previous one.
  public func observe<Value: Sendable & Equatable>(
    _ body: @escaping @Sendable (borrowing View) throws -> Value
  ) -> ValueSequence<Value> {
    ValueSequence(
      self, isSame: { $0 == $1 }, evaluate: { [self] in try evaluate(body, tracking: $0) })
  }

  private func evaluate<Value>(
    _ body: (borrowing View) throws -> Value, tracking tracker: ReadTracker
  ) throws -> Value {
    let view = try view(tracking: tracker)
    return try body(view)
  }

  /// Returns the checkpoint of the views.
  func checkpoint() throws -> Checkpoint { try presentView().head.checkpoint }

  /// Returns the first commit after a token, or `nil` if the views don't contain it yet; runs off
  /// the caller's actor.
  @concurrent
  func commit(after token: Token?, _ changeCountMax: Int) async throws -> RecordedCommit? {
    let view = try presentView()
    let journal = view.open.journal
    let token = try token ?? journal.oldestToken
    try journal.check(token)
    guard view.head.checkpoint.sequence > token.sequence else { return nil }
    let commit = try journal.beginning(
      of: token.sequence + 1, changeCountMax: changeCountMax, where: { _ in true })
    return commit.map { RecordedCommit(token: journal.token(after: $0.header), commit: $0) }
  }

  /// The number of listeners, the number of waiting listeners, and whether a thread watches for
  /// commits of other processes.
  package var liveness: (listenerCount: Int, waiterCount: Int, isWatching: Bool) {
    (watcher.listenerCount, bell.waiterCount, watcher.isRunning)
  }
}

extension View {
  /// The last commit that the view contains, read without informing the observer.
  ///
  /// Use it for values that are cached between views and whose dependencies the caller records
  /// itself.
  package var untrackedCheckpoint: Checkpoint { head.checkpoint }

  /// The generation of the views; a rebuild creates a new generation with the same commits.
  package var generation: UInt32 { store.generation }

  /// Returns the commit at which a projection was last built completely, or `nil` if it cannot be
  /// queried.
  package func buildSequence(of projection: any Projection.Type) throws -> UInt64? {
    guard let position = store.position(of: projection) else { return nil }
    let status = try store.status(of: store.registered[position], in: transaction.view)
    return status?.condition == .current ? status?.since : nil
  }

  /// The token of the last commit that the view contains, read without informing the observer.
  package var untrackedToken: Token {
    let store = open.journal.folder.identity
    let checkpoint = head.checkpoint
    // Empty views do not store the chain's first link.
    let link = checkpoint.sequence == 0 ? JournalTables.firstLink(store: store) : checkpoint.link
    return Token(
      store: store, lineage: open.journal.lineage, sequence: checkpoint.sequence,
      linkPrefix: link.prefix)
  }

  /// Returns the last commit that may have changed an entity of the given kinds, or `nil` if it is
  /// unknown.
  ///
  /// If two views of one generation give the same result, their entities of these kinds are equal.
  /// The observer is not informed of this read.
  ///
  /// - Complexity: O(kinds and tables that have stamps).
  package func lastChange(of kinds: [EntityKind]) throws -> UInt64? {
    guard let stamps = try store.stamps(in: transaction.view) else { return nil }
    return kinds.map { stamps.sequence(of: .kind($0)) }.max()
  }

  /// Informs the observer that entities of a kind were read.
  package func noteReading(_ kind: EntityKind) { tracker?.note(.kind(kind)) }

  /// Informs the observer that rows of a table were read.
  package func noteReading(_ table: Table) { tracker?.note(table.tag) }
}
