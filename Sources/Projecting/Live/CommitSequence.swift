public import Journal

/// A commit, and the place in history after it.
public struct RecordedCommit: Hashable, Sendable {
  /// The place after the commit, from which to follow on later.
  public let token: Token
  /// The commit: whole, or its beginning where no more was asked for.
  public let commit: Commit

  /// A commit with its token.
  public init(token: Token, commit: Commit) {
    self.token = token
    self.commit = commit
  }
}

/// The commits of a store, in order and without gaps, those to come included; see
/// ``EventStore/changes(after:changeCountMax:)``.
public struct CommitSequence: AsyncSequence, Sendable {
  /// A commit, and the token after it.
  public typealias Element = RecordedCommit
  /// An error of the journal or the store.
  public typealias Failure = any Error

  let store: EventStore
  let start: Token?
  /// How many changes of a commit are read at most.
  let changeCountMax: Int

  /// Begins after the token; each iterator goes its own way.
  public func makeAsyncIterator() -> Iterator {
    Iterator(store, after: start, changeCountMax: changeCountMax)
  }

  /// Goes from commit to commit.
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

    /// The next commit, waited for where there is none yet.
    ///
    /// - Returns: `nil` when the task is cancelled or the store closed, and after an error.
    /// - Throws: `JournalError` with `token` where the token, or the place reached, is not one of
    ///   this history, or has been purged; ``ProjectingError`` or `LMDBError` where the store
    ///   cannot be read.
    /// - Complexity: O(bytes of the commit), in one short read transaction.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> RecordedCommit? {
      do {
        while !isFinished, !Task.isCancelled {
          listener = try listener ?? Listener(store)
          let count = store.bell.count
          if let found = try await store.commit(after: position, changeCountMax) {
            position = found.token
            return found
          }
          guard await store.bell.wait(after: count) else { break }
        }
        finish()
        return nil
      } catch {
        finish()
        if store.isClosed { return nil }
        throw error
      }
    }

    private mutating func finish() {
      isFinished = true
      listener = nil
    }
  }
}
