public import DaybookJournal

/// A commit, and the token after it.
public struct RecordedCommit: Hashable, Sendable {
  /// The token after the commit, at which reading can continue later.
  public let token: Token
  /// The commit; if `changeCountMax` is set, it contains only the first changes.
  public let commit: Commit

  /// Creates a commit with its token.
  public init(token: Token, commit: Commit) {
    self.token = token
    self.commit = commit
  }
}

/// The commits of a store, past and future, in order and without gaps.
///
/// See ``EventStore/changes(after:changeCountMax:)``.
public struct CommitSequence: AsyncSequence, Sendable {
  /// A commit, and the token after it.
  public typealias Element = RecordedCommit
  /// An error of the journal or the store.
  public typealias Failure = any Error

  let store: EventStore
  let start: Token?
  /// The maximum number of changes read per commit.
  let changeCountMax: Int

  /// Returns an iterator that begins after the token, independently of other iterators.
  public func makeAsyncIterator() -> Iterator {
    Iterator(store, after: start, changeCountMax: changeCountMax)
  }

  /// An iterator over commits.
  public struct Iterator: AsyncIteratorProtocol {
    private let store: EventStore
    private let changeCountMax: Int
    private var position: Token?
    private var listener: Listener?
    private var isFinished = false

    init(_ store: EventStore, after start: Token?, changeCountMax: Int) {
      self.store = store
      self.changeCountMax = changeCountMax
      position = start
    }

    /// Returns the next commit, waiting for it if there is none yet.
    ///
    /// - Returns: `nil` if the task is cancelled or the store is closed, and after an error.
    /// - Throws: `JournalError` with `token` if the token or the current position is not part of
    ///   this history or has been purged; ``ProjectingError`` or `LMDBError` if the store cannot be
    ///   read.
    /// - Complexity: O(bytes of the commit), in one short read transaction.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> RecordedCommit? {
      while !isFinished, !Task.isCancelled {
        let failure: any Error
        do {
          listener = try listener ?? Listener(store)
          let count = store.bell.count
          if let found = try await store.commit(after: position, changeCountMax) {
            position = found.token
            return found
          }
          guard await store.bell.wait(after: count) else { break }
          continue
        } catch {
          failure = error
        }
        if await store.isResumed(after: failure) { continue }
        finish()
        if store.isClosed { return nil }
        throw failure
      }
      finish()
      return nil
    }

    private mutating func finish() {
      isFinished = true
      listener = nil
    }
  }
}
