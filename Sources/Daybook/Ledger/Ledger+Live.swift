internal import DaybookEngine

extension Ledger {
  /// Returns the commits after a token, followed by new commits as they happen, in order and
  /// without gaps.
  ///
  /// The sequence includes commits of other processes. Use it to keep an index, a server or another
  /// device in sync with the ledger. Store the token of the last processed commit, and continue
  /// from it next time.
  ///
  /// ```swift
  /// for try await entry in ledger.changes(after: token) {
  ///   for change in entry.changes { print(change.kind, change.operation, change.id) }
  ///   token = entry.token
  /// }
  /// ```
  ///
  /// A commit is delivered when it is visible to reads. The iterator reads each commit on demand,
  /// and ends its read transaction before it returns the commit. Nothing is queued, so a slow
  /// consumer doesn't block others or use memory. A sequence can have several iterators, each with
  /// its own position.
  ///
  /// The sequence ends when the task is cancelled or the ledger is closed, even if commits remain;
  /// continue later from the last token. Until then, it keeps the ledger open.
  ///
  /// - Parameter token: The token after which to begin; `nil` to begin with the oldest retained
  ///   commit.
  /// - Returns: A sequence that throws ``DaybookError``, and then ends, with the codes
  ///   `invalidToken` if the token belongs to another ledger, is from before a restore or
  ///   divergence, or is in the future; `expiredToken` if the commits after the token have been
  ///   purged (read a full snapshot and continue from its token); `newerFormat`, `damaged`,
  ///   `notReady`, `limitExceeded` or `system`.
  /// - Complexity: O(bytes of the commit) for each commit, independent of the number of commits.
  public func changes(after token: Token? = nil) -> Changes {
    Changes(base: store.changes(after: token))
  }

  /// Returns the commits after a token, each with at most a given number of changes.
  ///
  /// A commit's header contains the total number of changes. Use this method to notify clients
  /// without reading large commits, such as an import of a million rows, in full.
  ///
  /// - Parameters:
  ///   - token: The token after which to begin; `nil` to begin with the oldest retained commit.
  ///   - changeCountMax: The maximum number of changes to read per commit.
  /// - Complexity: O(bytes of the changes read) for each commit.
  public func changes(after token: Token?, changeCountMax: Int) -> Changes {
    Changes(base: store.changes(after: token, changeCountMax: changeCountMax))
  }

  /// Returns the current value of a closure over the ledger, and a new value after each change to
  /// the data it read.
  ///
  /// Commits of all processes are observed.
  ///
  /// ```swift
  /// for try await worth in ledger.observe({ try $0.netWorth(on: today) }) { show(worth) }
  /// ```
  ///
  /// `body` first runs when the first value is requested. It runs off the caller's actor, in its
  /// own read (see ``read(_:)``). The ledger tracks which kinds of entities and which tables `body`
  /// reads; a commit that changes none of them doesn't run it again. Only reads through the
  /// snapshot of the last run are tracked, so `body` should depend only on the snapshot and on
  /// constants. A snapshot's token changes with every commit, so a `body` that reads the token runs
  /// after every commit.
  ///
  /// A consumer that is slower than the commits receives the newest value; old values aren't
  /// queued. An idle observation holds no read transaction and uses no CPU time.
  ///
  /// The sequence ends when the task is cancelled or the ledger is closed. Until then, it keeps the
  /// ledger open.
  ///
  /// - Returns: A sequence that throws any error of `body`, or ``DaybookError`` with the codes
  ///   `notReady`, `projectionUnavailable`, `damaged`, `limitExceeded` or `system`, and then ends.
  /// - Complexity: O(tables read) for each commit, plus the cost of `body` if it runs.
  public func observe<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing Snapshot) throws -> Value
  ) -> Values<Value> {
    Values(base: ValueSequence(store, evaluate: evaluation(body)))
  }

  /// Returns the values of a closure over the ledger, omitting a value that equals the previous
  /// one.
  ///
  /// In all other respects, this works like `observe` for values that aren't `Equatable`.
  ///
  /// - Returns: A sequence that throws any error of `body`, or ``DaybookError`` with the codes
  ///   `notReady`, `projectionUnavailable`, `damaged`, `limitExceeded` or `system`, and then ends.
  /// - Complexity: O(tables read) for each commit, plus the cost of `body` and of the comparison if
  ///   it runs.
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
    /// A commit with its changes and its token.
    public typealias Element = HistoryEntry
    /// The module's error type.
    public typealias Failure = DaybookError

    let base: CommitSequence

    /// Creates an iterator that starts after the token.
    public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

    /// Iterates over commits; use it from one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
      var base: CommitSequence.Iterator

      /// Returns the next commit, waiting for it if necessary.
      ///
      /// - Returns: `nil` if the task is cancelled, if the ledger is closed, or after an error.
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

  /// The values of a closure over a ledger; see `Ledger.observe`.
  public struct Values<Value: Sendable>: AsyncSequence, Sendable {
    /// The closure's result.
    public typealias Element = Value
    /// The closure's error, or ``DaybookError``.
    public typealias Failure = any Error

    let base: ValueSequence<Value>

    /// Creates an iterator that starts with the current value.
    public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

    /// Iterates over values; use it from one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
      var base: ValueSequence<Value>.Iterator

      /// Returns the next value: the first one immediately, and each later one when the data read
      /// by the closure has changed.
      ///
      /// - Returns: `nil` if the task is cancelled, if the ledger is closed, or after an error.
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
  /// The number of active iterators, the number of iterators waiting for a commit, and whether a
  /// thread watches for commits of other processes; for tests.
  package var liveness: (listenerCount: Int, waiterCount: Int, isWatching: Bool) { store.liveness }
}
