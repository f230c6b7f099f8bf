public import DaybookJournal

/// Past commits, read on demand.
///
/// A history of any length is read in constant memory without blocking writers: between two
/// commits, the sequence holds no transaction. The sequence ends with the commit that was the
/// newest when the sequence was created.
///
/// ```swift
/// for try await commit in try store.history() { … }
/// ```
public struct History: AsyncSequence, Sendable {
  let store: EventStore
  let filter: HistoryFilter
  let isReversed: Bool
  /// The remaining commits are those after `after` and up to `through`.
  package let after: UInt64
  let through: UInt64
  /// The commits, oldest first, if they have already been read.
  private(set) var held: [Commit]?

  init(
    store: EventStore, filter: HistoryFilter, isReversed: Bool, after: UInt64, through: UInt64
  ) {
    self.store = store
    self.filter = filter
    self.isReversed = isReversed
    self.after = after
    self.through = through
  }

  /// Returns this history with commits that have already been read, ordered oldest first.
  func holding(_ commits: [Commit]) -> History {
    var copy = self
    copy.held = commits
    return copy
  }

  /// A position in a history; it moves from commit to commit without suspending.
  public struct Cursor {
    private let history: History
    private var after: UInt64
    private var through: UInt64
    private var read: [Commit] = []

    init(_ history: History) {
      self.history = history
      after = history.held == nil ? history.after : history.through
      through = history.through
      read = history.held?.reversed() ?? []
    }

    /// Returns the next matching commit with its matching changes, or `nil` at the end.
    ///
    /// - Throws: `JournalError` with `token(.expired)` if the next commits have been purged since
    ///   the last call, `brokenChain` if a commit was altered; another `JournalError` if a commit is
    ///   damaged.
    public mutating func next() throws -> Commit? {
      while read.isEmpty {
        if after >= through { return nil }
        try readOn()
      }
      return read.removeLast()
    }

    /// Reads more commits in one short transaction.
    private mutating func readOn() throws {
      var looked = 0
      var kept = 0
      let journal = try history.store.openStore().journal
      if let count = history.filter.changeCountMax, !history.filter.choosesChanges {
        return try readBeginning(count, journal)
      }
      var reached = history.isReversed ? through : after
      try journal.forEachCommit(
        after: after, through: through, reversed: history.isReversed
      ) { commit, check in
        looked += 1 + commit.changeCount / 64
        reached = commit.sequence
        if let part = try history.filter.part(of: commit) {
          try check()
          read.append(part)
          kept += 1 + part.changes.count
        }
        return looked < Cursor.lookedCountMax && kept < Cursor.keptCountMax
      }
      if history.isReversed { through = reached - 1 } else { after = reached }
      read.reverse()
    }

    /// Reads the first changes of one commit.
    private mutating func readBeginning(_ changeCount: Int, _ journal: JournalStore) throws {
      let sequence = history.isReversed ? through : after + 1
      let commit = try journal.beginning(of: sequence, changeCountMax: changeCount) {
        try history.filter.accepts($0)
      }
      if history.isReversed { through = sequence - 1 } else { after = sequence }
      if let commit { read.append(commit) }
    }

    /// The limits of one transaction: the number of scanned commits, and the number of collected
    /// commits and changes.
    ///
    /// Every 64 scanned changes count as one more commit.
    private static let lookedCountMax = 20_000
    private static let keptCountMax = 256
  }

  /// Returns a cursor for reading the history without suspending.
  public func cursor() -> Cursor { Cursor(self) }

  /// An iterator over history.
  public struct Iterator: AsyncIteratorProtocol {
    private var cursor: Cursor

    init(_ cursor: Cursor) { self.cursor = cursor }

    /// Returns the next matching commit, or `nil` at the end or if the task is cancelled.
    public mutating func next() async throws -> Commit? {
      Task.isCancelled ? nil : try cursor.next()
    }
  }

  /// Returns an iterator over history.
  public func makeAsyncIterator() -> Iterator { Iterator(cursor()) }
}

extension EventStore {
  /// Returns the commits after a token, oldest first.
  ///
  /// - Parameter token: The token after which to begin; `nil` to begin with the first retained
  ///   commit.
  /// - Throws: `JournalError` with `token` if the token is from another ledger, from before a
  ///   restore, from a diverged copy, from the future, or older than the retained history.
  public func history(
    after token: Token? = nil, matching filter: HistoryFilter = HistoryFilter()
  ) throws -> History {
    let journal = try openStore().journal
    if let token { try journal.check(token) }
    return History(
      store: self, filter: filter, isReversed: false,
      after: try token?.sequence ?? journal.floor().sequence, through: try journal.head().sequence)
  }

  /// Returns the commits up to and including a token's commit, newest first.
  ///
  /// - Parameter token: The token of the first commit to return; `nil` for the newest commit.
  /// - Throws: `JournalError` with `token`, as ``history(after:matching:)``.
  public func history(
    before token: Token?, matching filter: HistoryFilter = HistoryFilter()
  ) throws -> History {
    let journal = try openStore().journal
    if let token { try journal.check(token) }
    return History(
      store: self, filter: filter, isReversed: true, after: try journal.floor().sequence,
      through: try token?.sequence ?? journal.head().sequence)
  }

  /// Returns the token of the commit with the given sequence.
  ///
  /// - Throws: `JournalError` with `token`: `future` if there is no such commit yet, `expired` if
  ///   it has been purged.
  public func token(at sequence: UInt64) throws -> Token {
    let journal = try openStore().journal
    let (head, floor) = (try journal.head().sequence, try journal.floor().sequence)
    guard sequence <= head else {
      throw JournalError(
        .token(.future), "There is no commit \(sequence): the newest is \(head).",
        path: path, sequence: sequence)
    }
    guard sequence >= floor else {
      throw JournalError(
        .token(.expired(floor: floor)),
        "Commit \(sequence) has been purged: history begins after commit \(floor).",
        path: path, sequence: sequence)
    }
    return try journal.token(at: sequence)
  }
}
