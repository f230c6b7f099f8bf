public import Journal

/// Commits of the past, read as they are asked for.
///
/// Nothing is held between two commits, neither a transaction nor what was passed over, so history
/// of any length is read in constant memory while writers go on. It ends with the commit that was
/// newest when it was asked for.
///
/// ```swift
/// for try await commit in try store.history() { … }
/// ```
public struct History: AsyncSequence, Sendable {
  let store: EventStore
  let filter: HistoryFilter
  let isReversed: Bool
  /// The commits after `after` and up to `through` are yet to be read.
  package let after: UInt64
  let through: UInt64
  /// The commits that there are, where they have been read.
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

  /// The same, of commits that have been read, oldest first.
  func holding(_ commits: [Commit]) -> History {
    var copy = self
    copy.held = commits
    return copy
  }

  /// A position in history that steps from commit to commit, without suspending.
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

    /// The next wanted commit, with the wanted changes only; `nil` at the end.
    ///
    /// - Throws: `JournalError` with `token(.expired)` where what comes next has been purged
    ///   meanwhile, or where a commit is damaged.
    public mutating func next() throws -> Commit? {
      while read.isEmpty {
        if after >= through { return nil }
        try readOn()
      }
      return read.removeLast()
    }

    /// Reads some more in one short transaction.
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
      ) { commit in
        looked += 1 + commit.changeCount / 64
        reached = commit.sequence
        if let part = try history.filter.part(of: commit) {
          read.append(part)
          kept += 1 + part.changes.count
        }
        return looked < Cursor.lookedCountMax && kept < Cursor.keptCountMax
      }
      if history.isReversed { through = reached - 1 } else { after = reached }
      read.reverse()
    }

    /// Reads the beginning of one commit.
    private mutating func readBeginning(_ changeCount: Int, _ journal: JournalStore) throws {
      let sequence = history.isReversed ? through : after + 1
      let commit = try journal.beginning(of: sequence, changeCountMax: changeCount) {
        try history.filter.accepts($0)
      }
      if history.isReversed { through = sequence - 1 } else { after = sequence }
      if let commit { read.append(commit) }
    }

    /// The commits that one transaction passes over, and the changes that are kept of it.
    private static let lookedCountMax = 20_000
    private static let keptCountMax = 256
  }

  /// Steps through history without suspending.
  public func cursor() -> Cursor { Cursor(self) }

  /// Steps through history.
  public struct Iterator: AsyncIteratorProtocol {
    private var cursor: Cursor

    init(_ cursor: Cursor) { self.cursor = cursor }

    /// The next wanted commit; `nil` at the end, and where the task is cancelled.
    public mutating func next() async throws -> Commit? {
      Task.isCancelled ? nil : try cursor.next()
    }
  }

  /// Steps through history.
  public func makeAsyncIterator() -> Iterator { Iterator(cursor()) }
}

extension EventStore {
  /// The commits after a token, oldest first.
  ///
  /// - Parameter token: Where to begin; without one, with the first commit that is kept.
  /// - Throws: `JournalError` with `token` where the token is of another ledger, from before a
  ///   restore, of a diverged copy, of the future, or older than what is kept.
  public func history(
    after token: Token? = nil, matching filter: HistoryFilter = HistoryFilter()
  ) throws -> History {
    let journal = try openStore().journal
    if let token { try journal.check(token) }
    return History(
      store: self, filter: filter, isReversed: false,
      after: try token?.sequence ?? journal.floor().sequence, through: try journal.head().sequence)
  }

  /// The commits before a token, that of the token included, newest first.
  ///
  /// - Parameter token: Where to begin; without one, with the newest commit.
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

  /// The token after a commit, by its sequence.
  ///
  /// - Throws: `JournalError` with `token`: `future` where there is no such commit yet, `expired`
  ///   where it has been purged.
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
        "Commit \(sequence) has been purged: what is kept begins after commit \(floor).",
        path: path, sequence: sequence)
    }
    return try journal.token(at: sequence)
  }
}
