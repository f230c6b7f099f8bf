internal import Projecting

extension Ledger {
  /// The commits after a token, in order and without gaps, and then those to come: those of this
  /// process, and those of others.
  ///
  /// For whoever keeps something of its own in step with the ledger: an index, a server, another
  /// device. Keep the token of the last commit that was dealt with, and go on from there the next time.
  ///
  /// ```swift
  /// for try await entry in ledger.changes(after: token) {
  ///   for change in entry.changes { print(change.kind, change.operation, change.id) }
  ///   token = entry.token
  /// }
  /// ```
  ///
  /// A commit comes once reads show it. Each is read when it is asked for, in a read transaction
  /// that is over before it is handed out. Nothing is queued: a consumer may take as long as it
  /// likes, holds up nobody, and costs no memory. Several may go through the same sequence; each
  /// iterator goes its own way.
  ///
  /// The sequence ends when the task is cancelled or the ledger closed, whatever is still to come; the
  /// token leads on. Until then it keeps the ledger open.
  ///
  /// - Parameter token: After which commit to begin; with the oldest that is kept where `nil`.
  /// - Returns: A sequence that throws ``DaybookError``, and then ends, with the codes `invalidToken`
  ///   where the token is of another ledger, or from before a restore or divergence, or of the future;
  ///   `expiredToken` where what follows it has been purged: take a full snapshot, then follow from
  ///   its token; `newerFormat`, `damaged`, `notReady`, `limitExceeded` or `system`.
  /// - Complexity: O(bytes of the commit) for each, independent of how many there are.
  public func changes(after token: Token? = nil) -> Changes {
    Changes(base: store.changes(after: token))
  }

  /// The commits after a token, as above, each with its first changes alone: its header says how many it has.
  ///
  /// For whoever tells others that something happened, and has no use for an import of a million rows.
  ///
  /// - Parameters:
  ///   - token: After which commit to begin; with the oldest that is kept where `nil`.
  ///   - changeCountMax: How many changes of a commit are read at most.
  /// - Complexity: O(bytes of these changes) for each commit.
  public func changes(after token: Token?, changeCountMax: Int) -> Changes {
    Changes(base: store.changes(after: token, changeCountMax: changeCountMax))
  }

  /// What a closure makes of the ledger: at once, and again whenever what it read has changed, by a
  /// commit of this process or another.
  ///
  /// ```swift
  /// for try await worth in ledger.observe({ try $0.netWorth(on: today) }) { show(worth) }
  /// ```
  ///
  /// `body` runs off the caller's actor, in a read of its own (see ``read(_:)``), first when the first
  /// value is asked for. Which kinds of entities and which tables it asks for is taken down; a commit
  /// that changed none of them does not run it again. It counts what the last run asked of its
  /// snapshot, so `body` should be a function of the snapshot and of constants; another read inside
  /// it goes unnoticed. A snapshot's token changes with every commit, and so does whatever asks for it.
  ///
  /// A consumer that is slower than the commits gets the newest value, never a queue of old ones.
  /// While nothing happens no transaction is held, and no time used.
  ///
  /// The sequence ends when the task is cancelled or the ledger closed. Until then it keeps the
  /// ledger open.
  ///
  /// - Returns: A sequence that throws what `body` throws, or ``DaybookError`` with the codes
  ///   `notReady`, `projectionUnavailable`, `damaged`, `limitExceeded` or `system`, and then ends.
  /// - Complexity: For each commit O(tables read), besides what `body` does where it runs.
  public func observe<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing Snapshot) throws -> Value
  ) -> Values<Value> {
    Values(base: ValueSequence(store, evaluate: evaluation(body)))
  }

  /// What a closure makes of the ledger, as above, without values that are equal to the one before.
  ///
  /// - Returns: A sequence that throws what `body` throws, or ``DaybookError`` with the codes
  ///   `notReady`, `projectionUnavailable`, `damaged`, `limitExceeded` or `system`, and then ends.
  /// - Complexity: For each commit O(tables read), besides what `body` and comparing do where it runs.
  public func observe<Value: Sendable & Equatable>(
    _ body: @escaping @Sendable (borrowing Snapshot) throws -> Value
  ) -> Values<Value> {
    Values(base: ValueSequence(store, isSame: { $0 == $1 }, evaluate: evaluation(body)))
  }

  private func evaluation<Value>(
    _ body: @escaping @Sendable (borrowing Snapshot) throws -> Value
  ) -> @Sendable (ReadTracker) throws -> Value {
    { [store, cache] tracker in
      let snapshot = Snapshot(try store.view(tracking: tracker), cache: cache)
      return try body(snapshot)
    }
  }
}

extension Ledger {
  /// The commits of a ledger, in order; see ``Ledger/changes(after:)``.
  public struct Changes: AsyncSequence, Sendable {
    /// A commit with its changes, and the token after it.
    public typealias Element = HistoryEntry
    /// The one error type of this module.
    public typealias Failure = DaybookError

    let base: CommitSequence

    /// Begins after the token.
    public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

    /// Goes from commit to commit; used by one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
      var base: CommitSequence.Iterator

      /// The next commit, waited for where there is none yet.
      ///
      /// - Returns: `nil` when the task is cancelled or the ledger closed, and after an error.
      /// - Throws: See ``Ledger/changes(after:)``.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(DaybookError) -> HistoryEntry? {
        do {
          return try await base.next(isolation: actor).map { HistoryEntry($0.commit, $0.token) }
        } catch {
          throw .wrapping(error)
        }
      }
    }
  }

  /// The values of a closure over a ledger, the newest each time; see `Ledger.observe`.
  public struct Values<Value: Sendable>: AsyncSequence, Sendable {
    /// What the closure returns.
    public typealias Element = Value
    /// What the closure throws, or ``DaybookError``.
    public typealias Failure = any Error

    let base: ValueSequence<Value>

    /// Begins with the present value.
    public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

    /// Goes from value to value; used by one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
      var base: ValueSequence<Value>.Iterator

      /// The next value: the first at once, a later one when what was read has changed.
      ///
      /// - Returns: `nil` when the task is cancelled or the ledger closed, and after an error.
      /// - Throws: See `Ledger.observe`.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> Value? {
        do {
          return try await base.next(isolation: actor)
        } catch {
          throw DaybookError.translating(error)
        }
      }
    }
  }
}

extension Ledger {
  /// How many sequences are being gone through, how many of them wait for news, and whether a thread
  /// watches for other processes: for tests.
  package var liveness: (listenerCount: Int, waiterCount: Int, isWatching: Bool) { store.liveness }
}
