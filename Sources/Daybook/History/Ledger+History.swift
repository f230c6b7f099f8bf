internal import Journal
internal import Projecting

extension Ledger {
  /// What was recorded after a token, oldest first, with the values before and after.
  ///
  /// Read as it is asked for, in constant memory, while readers and writers go on. It ends with the
  /// commit that is newest now.
  ///
  /// ```swift
  /// for try await entry in try ledger.history(after: lastSeen) {
  ///   for change in entry.changes { print(change) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - token: Where to begin; without one, with the first commit that is kept.
  ///   - filter: Which commits and changes are wanted.
  /// - Throws: ``DaybookError`` with the codes `invalidToken`, `expiredToken` (take a full snapshot
  ///   and follow from its token), `closed` or `system`.
  public func history(
    after token: Token? = nil, matching filter: HistoryFilter = HistoryFilter()
  ) throws(DaybookError) -> LedgerHistory {
    do {
      return LedgerHistory(try store.history(after: token, matching: filter), store)
    } catch {
      throw .wrapping(error)
    }
  }

  /// What was recorded up to a token, newest first.
  ///
  /// - Parameters:
  ///   - token: Where to begin, its own commit included; without one, with the newest commit.
  ///   - filter: Which commits and changes are wanted.
  /// - Throws: ``DaybookError`` as ``history(after:matching:)``.
  public func history(
    before token: Token?, matching filter: HistoryFilter = HistoryFilter()
  ) throws(DaybookError) -> LedgerHistory {
    do {
      return LedgerHistory(try store.history(before: token, matching: filter), store)
    } catch {
      throw .wrapping(error)
    }
  }

  /// Everything that happened to one entity, oldest first.
  ///
  /// - Throws: ``DaybookError`` with the codes `damaged`, `closed` or `system`; reading it may throw more, see
  ///   ``LedgerHistory``.
  /// - Complexity: O(history) the first time, to note where changes lie; then O(changes of the entity and of
  ///   what was recorded since). Of an entity that is gone O(history), read as it is asked for.
  public func timeline(of entity: EntityID) throws(DaybookError) -> LedgerHistory {
    do { return LedgerHistory(try store.timeline(of: entity), store) } catch {
      throw .wrapping(error)
    }
  }

  /// The token after a commit, by its sequence.
  ///
  /// - Throws: ``DaybookError`` with the code `invalidToken` where there is no such commit, or it has
  ///   been purged.
  public func token(at sequence: UInt64) throws(DaybookError) -> Token {
    do { return try store.token(at: sequence) } catch { throw .wrapping(error) }
  }

  /// Answers questions about the ledger as it was after a commit of the past.
  ///
  /// Every question a ``Snapshot`` answers now, it answers for then: lists, balances, totals. Its
  /// views are made from the journal for the occasion, in a temporary folder. Runs on the caller's
  /// thread, which it keeps for as long as that takes: not for a main actor.
  ///
  /// - Throws: What `body` throws; ``DaybookError`` with the codes `invalidToken`, `expiredToken`,
  ///   `full`, `closed` or `system`.
  /// - Complexity: O(commits up to the token) before `body` runs, in bounded memory.
  public func read<Result: ~Copyable>(
    asOf token: Token, _ body: (borrowing Snapshot) throws -> Result
  ) throws -> Result {
    try past(asOf: token).read(body)
  }

  /// Takes back a commit: appends its inverse, nothing is edited in place.
  ///
  /// - Parameters:
  ///   - sequence: Which commit.
  ///   - author: Who does it; the ledger's author where `nil`.
  ///   - token: Takes it back only where this is still the newest commit.
  ///   - key: Makes it repeatable, as for `append`; where nothing is left to be taken back it is not remembered.
  /// - Returns: The new commit.
  /// - Throws: ``DaybookError`` with the code `refused` and a ``Refusal`` that says why: a later
  ///   commit changed the same properties (`conflict`), something that has to go is used by now
  ///   (`inUse`), what comes back names something that is gone (`missing`, `currency`), a lock forbids it,
  ///   or values have been erased; `expiredToken` where the commit has been purged, `invalidToken` where
  ///   there is none; otherwise as `append`.
  /// - Complexity: O(changes of the commit); where it is refused, O(commits after it).
  @discardableResult
  public func undo(
    commit sequence: UInt64, author: String? = nil, expecting token: Token? = nil,
    key: String? = nil
  ) async throws(DaybookError) -> Receipt {
    // The token at 0 stands for the beginning, but no commit is there.
    guard sequence > 0 else {
      throw DaybookError(
        code: .invalidToken, message: "There is no commit 0: the first is 1.",
        remedy: "Look for it in the history.")
    }
    let commit: Commit
    do {
      _ = try store.token(at: sequence)
      commit = try store.commit(at: sequence)
    } catch {
      throw .wrapping(error)
    }
    let isRedo = Reversal(commit.header).map { !$0.isRedo } ?? false
    let reversal = Reversal(of: sequence, isRedo: isRedo)
    return try await revert(
      commit.changes, as: reversal, of: sequence, author: author, expecting: token,
      key: key.map { ($0, reversal.digest) })
  }

  /// Brings back an entity that was deleted, as it was, and nothing else of the same commit; an account
  /// or category of which only the rows were kept, too.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - author: Who does it; the ledger's author where `nil`.
  ///   - token: Brings it back only where this is still the newest commit.
  ///   - key: Makes it repeatable, as for `undo`.
  /// - Throws: ``DaybookError`` with the code `refused`: what it names is gone too (`missing`,
  ///   `closed`, `currency`), its name is taken (`duplicateName`), a period is closed, or its text was
  ///   erased; `invalidQuery` where history knows of no deletion of it.
  /// - Complexity: O(commits since the deletion).
  @discardableResult
  public func restore(
    entity: EntityID, author: String? = nil, expecting token: Token? = nil, key: String? = nil
  ) async throws(DaybookError) -> Receipt {
    // History knows of no deletion of what is back.
    let request = key.map { RequestKey($0, of: "restore \(entity)") }
    if let request, let known = try receipt(for: request) {
      return Receipt(token: known.token, outcomes: [], isRepeat: true)
    }
    let deletion = try self.deletion(of: entity)
    return try await revert(
      [deletion.change], changedWith: deletion.others, of: deletion.sequence, author: author,
      expecting: token, key: request.map { ($0.text, $0.digest) })
  }

  /// The change that took an entity away, what else the commit changed that can come back with it, and the
  /// commit.
  func deletion(of entity: EntityID) throws(DaybookError) -> (
    change: JournalChange, others: Set<EntityID>, sequence: UInt64
  ) {
    var filter = HistoryFilter()
    filter.entities = [entity]
    do {
      var cursor = try store.history(before: nil, matching: filter).cursor()
      var commit = try cursor.next()
      // The mark that nothing makes a row again has the row's id.
      func own(_ commit: Commit?) -> JournalChange? {
        commit?.changes.last { $0.kind != .fingerprint }
      }
      while let newer = commit, own(newer) == nil { commit = try cursor.next() }
      // Deleted by a flag, it can be changed later: renamed, or lifted when what is above it is deleted.
      while let newer = commit, own(newer)?.isDeletion == false, try isFlagged(entity) {
        commit = try cursor.next()
      }
      guard let commit, let change = own(commit), change.isDeletion else {
        throw DaybookError(
          code: .invalidQuery, message: "History knows of no deletion of \(entity), or it is back.",
          remedy: "Look for it in the history.")
      }
      let whole = try store.commit(at: commit.header.sequence)
      let others = whole.changes.filter { [.fingerprint, .series].contains($0.kind) }.map(\.id)
      return (change, Set(others), commit.header.sequence)
    } catch {
      throw .wrapping(error)
    }
  }

  /// Whether it is an account or category that is deleted.
  private func isFlagged(_ entity: EntityID) throws -> Bool {
    try read { snapshot in
      if let account = try snapshot.account(AccountID(entity)) { return account.isDeleted }
      return try snapshot.category(CategoryID(entity))?.isDeleted ?? false
    }
  }

  private func revert(
    _ changes: [JournalChange], changedWith others: Set<EntityID> = [],
    as reversal: Reversal? = nil, of sequence: UInt64, author: String?, expecting token: Token?,
    key: (text: String, request: Hash256)?
  ) async throws(DaybookError) -> Receipt {
    var options = AppendOptions(author: author ?? self.author, expecting: token)
    let newest = try self.token
    if let key {
      try check(key: key.text)
      options.idempotencyKey = Array(key.text.utf8)
      options.requestDigest = key.request
    } else if let reversal {
      let key = reversal.key(after: newest.sequence)
      options.idempotencyKey = key
      options.requestDigest = Hash256(hashing: key)
    }
    do {
      let appended = try await store.append(options) { context in
        var state = try LedgerState(context)
        let count = try Bookkeeping.revert(
          changes, changedWith: others, isRedo: reversal?.isRedo ?? false, on: &state)
        if count == 0 { throw NothingToTakeBack() }
      }
      return Receipt(token: appended.token, outcomes: [], isRepeat: appended.result == nil)
    } catch is NothingToTakeBack {
      return Receipt(token: newest, outcomes: [], isRepeat: false)
    } catch let refusal as Refusal where refusal.code == .conflict {
      throw DaybookError(try explained(refusal, after: sequence), command: nil)
    } catch let refusal as Refusal {
      throw DaybookError(refusal, command: nil)
    } catch {
      throw .wrapping(error)
    }
  }

  /// Names the commit that stands in the way.
  private func explained(_ refusal: Refusal, after sequence: UInt64) throws(DaybookError)
    -> Refusal
  {
    var filter = HistoryFilter()
    filter.entities = Set(refusal.subjects)
    var explained = refusal
    do {
      var cursor = try store.history(before: nil, matching: filter).cursor()
      guard let last = try cursor.next(), last.header.sequence > sequence else { return refusal }
      let by = last.header.author.map { " by \($0)" } ?? ""
      explained.message += " (the last one is commit \(last.header.sequence)\(by))"
    } catch {
      throw .wrapping(error)
    }
    return explained
  }
}

extension JournalChange {
  /// Whether it took an entity away, or set the flag of an account or category that says so.
  fileprivate var isDeletion: Bool {
    if operation == .delete { return true }
    let flag = KindDescription.of(kind)?.properties.first { $0.name == "isDeleted" }?.tag
    return properties.contains { $0.tag == flag && $0.after == [1] }
  }
}
