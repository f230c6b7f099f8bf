package import Entities
public import Journal
internal import LMDB

extension EventStore {
  /// The commits after a token, in order and without gaps, and then those to come, of this process or
  /// another.
  ///
  /// A commit is given once the views hold it, so whoever reads then sees it. Each is read when it
  /// is asked for, in a short read transaction of its own; between two nothing is held or queued.
  ///
  /// - Parameters:
  ///   - token: the place to begin after; the beginning of what is kept where `nil`.
  ///   - changeCountMax: how many changes of a commit are read at most, its first.
  public func changes(
    after token: Token? = nil, changeCountMax: Int = .max
  ) -> CommitSequence {
    CommitSequence(store: self, start: token, changeCountMax: changeCountMax)
  }

  /// What a closure makes of the views: at once, and then whenever what it read has changed, by a
  /// commit of this process or another.
  ///
  /// What counts is which kinds of State and which tables of projections the closure asked for, not
  /// which rows. Asking for the checkpoint or token counts as reading everything. Values that nobody
  /// asked for in time are passed over, never queued.
  ///
  /// - Parameter body: runs off the caller's actor, in a short read transaction of its own.
  public func observe<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing View) throws -> Value
  ) -> ValueSequence<Value> {
    ValueSequence(self) { [self] in try evaluate(body, tracking: $0) }
  }

  /// What a closure makes of the views, as above; a value equal to the one before is left out.
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

  /// Up to where the views are.
  func checkpoint() throws -> Checkpoint { try presentView().head.checkpoint }

  /// The commit after a token, if the views hold it; off the caller's actor.
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

  /// How many listen, how many of them wait, and whether a thread watches for other processes.
  package var liveness: (listenerCount: Int, waiterCount: Int, isWatching: Bool) {
    (watcher.listenerCount, bell.waiterCount, watcher.isRunning)
  }
}

extension View {
  /// The last commit that the view holds, without its counting as read where somebody observes: for
  /// what keeps something between views and takes down by itself what that was made from.
  package var untrackedCheckpoint: Checkpoint { head.checkpoint }

  /// Which views these are: others begin with every rebuild, of the same commits.
  package var generation: UInt32 { store.generation }

  /// The commit at which a projection was built last, all of it; `nil` where it does not answer.
  package func buildSequence(of projection: any Projection.Type) throws -> UInt64? {
    guard let position = store.position(of: projection) else { return nil }
    let status = try store.status(of: store.registered[position], in: transaction.view)
    return status?.condition == .current ? status?.since : nil
  }

  /// Identifies that commit, likewise.
  package var untrackedToken: Token {
    let store = open.journal.folder.identity
    let checkpoint = head.checkpoint
    // Empty views do not know the chain's first link.
    let link = checkpoint.sequence == 0 ? JournalTables.firstLink(store: store) : checkpoint.link
    return Token(
      store: store, lineage: open.journal.lineage, sequence: checkpoint.sequence,
      linkPrefix: link.prefix)
  }

  /// The last commit that may have changed an entity of some kinds; `nil` where the views cannot tell.
  ///
  /// Two views of one generation for which it is the same have the same entities of these kinds, whichever is
  /// the older one. Does not count as read.
  ///
  /// - Complexity: O(kinds and tables that have stamps).
  package func lastChange(of kinds: [EntityKind]) throws -> UInt64? {
    guard let stamps = try store.stamps(in: transaction.view) else { return nil }
    return kinds.map { stamps.sequence(of: .kind($0)) }.max()
  }

  /// Takes down that something was made from the entities of a kind, where somebody observes.
  package func noteReading(_ kind: EntityKind) { tracker?.note(.kind(kind)) }

  /// Takes down that something was made from the rows of a table, likewise.
  package func noteReading(_ table: Table) { tracker?.note(table.tag) }
}
