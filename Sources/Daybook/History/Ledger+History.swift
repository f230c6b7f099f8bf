internal import DaybookEngine
internal import DaybookJournal

extension Ledger {
  /// Returns the commits after a token, oldest first, with the values before and after each change.
  ///
  /// Commits are read on demand, in constant memory, and don't block readers or writers. The
  /// sequence ends with the commit that is the newest at the time of the call.
  ///
  /// ```swift
  /// for try await entry in try ledger.history(after: lastSeen) {
  ///   for change in entry.changes { print(change) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - token: The token after which to begin; `nil` to begin with the oldest retained commit.
  ///   - filter: The commits and changes to include.
  /// - Throws: ``DaybookError`` with the codes `invalidToken`, `expiredToken` (read a full snapshot
  ///   and continue from its token), `closed` or `system`.
  public func history(
    after token: Token? = nil, matching filter: HistoryFilter = HistoryFilter()
  ) throws(DaybookError) -> LedgerHistory {
    do {
      return LedgerHistory(try store.history(after: token, matching: filter), store)
    } catch {
      throw .wrapping(error)
    }
  }

  /// Returns the commits up to and including a token's commit, newest first.
  ///
  /// - Parameters:
  ///   - token: The token of the first commit to return; `nil` for the newest commit.
  ///   - filter: The commits and changes to include.
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

  /// Returns the commits that changed one entity, oldest first.
  ///
  /// - Throws: ``DaybookError`` with the codes `damaged`, `closed` or `system`; iterating may throw
  ///   others, see ``LedgerHistory``.
  /// - Complexity: O(history) for the first call, which indexes the changes; then O(changes of the
  ///   entity + commits since the last call). For an entity that no longer exists, O(history), read
  ///   on demand.
  public func timeline(of entity: EntityID) throws(DaybookError) -> LedgerHistory {
    do { return LedgerHistory(try store.timeline(of: entity), store) } catch {
      throw .wrapping(error)
    }
  }

  /// Returns the token of the commit with the given sequence.
  ///
  /// - Throws: ``DaybookError`` with the code `invalidToken` if there is no such commit or it has
  ///   been purged.
  public func token(at sequence: UInt64) throws(DaybookError) -> Token {
    do { return try store.token(at: sequence) } catch { throw .wrapping(error) }
  }

  /// Reads the ledger as of a past commit.
  ///
  /// The ``Snapshot`` supports all queries: lists, balances, totals. Its views are built from the
  /// journal in a temporary folder for this call. The call blocks the calling thread until they are
  /// built, so don't use it on the main actor.
  ///
  /// - Throws: The errors of `body`; ``DaybookError`` with the codes `invalidToken`,
  ///   `expiredToken`, `full`, `closed` or `system`.
  /// - Complexity: O(commits up to the token) before `body` runs, in bounded memory.
  public func read<Result: ~Copyable>(
    asOf token: Token, _ body: (borrowing Snapshot) throws -> Result
  ) throws -> Result {
    try past(asOf: token).read(body)
  }

  /// Undoes a commit by appending its inverse; history is not edited.
  ///
  /// - Parameters:
  ///   - sequence: The commit.
  ///   - author: The new commit's author; the ledger's author if `nil`.
  ///   - token: If given, undoes the commit only if this is still the newest commit.
  ///   - key: Makes the call idempotent, as for `append`; the key isn't stored if there is nothing
  ///     to undo.
  /// - Returns: The receipt of the new commit.
  /// - Throws: ``DaybookError`` with the code `refused` and a ``Refusal`` with the reason: a later
  ///   commit changed the same properties (`conflict`), an entity to be removed is in use
  ///   (`inUse`), a restored entity refers to one that no longer exists (`missing`, `currency`), a
  ///   lock forbids it, or values have been erased. `expiredToken` if the commit has been purged,
  ///   `invalidToken` if there is no such commit; otherwise as `append`.
  /// - Complexity: O(changes of the commit); if it is refused, O(commits after it).
  @discardableResult
  public func undo(
    commit sequence: UInt64, author: String? = nil, expecting token: Token? = nil,
    key: String? = nil
  ) async throws(DaybookError) -> Receipt {
    // The token at 0 marks the start of history; there is no commit 0.
    guard sequence > 0 else {
      throw DaybookError(
        code: .invalidToken, message: "There is no commit 0: the first is 1.",
        remedy: "Find the commit in the history.")
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

  /// Restores a deleted entity, but none of the other changes of the commit that deleted it.
  ///
  /// This also restores an account or category that was deleted but kept because of its
  /// transactions.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - author: The new commit's author; the ledger's author if `nil`.
  ///   - token: If given, restores the entity only if this is still the newest commit.
  ///   - key: Makes the call idempotent, as for `undo`.
  /// - Throws: ``DaybookError`` with the code `refused` if an entity that it refers to no longer
  ///   exists (`missing`, `closed`, `currency`), its name is taken (`duplicateName`), a period is
  ///   closed, or its text was erased; `invalidQuery` if history contains no deletion of it.
  /// - Complexity: O(commits since the deletion).
  @discardableResult
  public func restore(
    entity: EntityID, author: String? = nil, expecting token: Token? = nil, key: String? = nil
  ) async throws(DaybookError) -> Receipt {
    // Check the key first: if the entity has already been restored, its deletion can't be found.
    let request = key.map { RequestKey($0, of: "restore \(entity)") }
    if let request, let known = try receipt(for: request) {
      return Receipt(token: known.token, outcomes: [], isRepeat: true)
    }
    let deletion = try self.deletion(of: entity)
    return try await revert(
      [deletion.change], changedWith: deletion.others, of: deletion.sequence, author: author,
      expecting: token, key: request.map { ($0.text, $0.digest) })
  }

  /// Finds the commit that deleted an entity.
  ///
  /// Returns the change that deleted the entity, the commit's other changes that can be restored
  /// with it, and the commit.
  func deletion(of entity: EntityID) throws(DaybookError) -> (
    change: JournalChange, others: Set<EntityID>, sequence: UInt64
  ) {
    var filter = HistoryFilter()
    filter.entities = [entity]
    do {
      var cursor = try store.history(before: nil, matching: filter).cursor()
      var commit = try cursor.next()
      // The marker that prevents a transaction from being generated again has the same id as the
      // transaction.
      func own(_ commit: Commit?) -> JournalChange? {
        commit?.changes.last { $0.kind != .fingerprint }
      }
      while let newer = commit, own(newer) == nil { commit = try cursor.next() }
      // An entity deleted by a flag can still change: it can be renamed, or moved up when its
      // parent is deleted.
      while let newer = commit, own(newer)?.isDeletion == false, try isFlagged(entity) {
        commit = try cursor.next()
      }
      guard let commit, let change = own(commit), change.isDeletion else {
        throw DaybookError(
          code: .invalidQuery,
          message:
            "Couldn't restore \(entity): history has no deletion of it, or it was already "
            + "restored.",
          remedy: "Find the commit in the history.")
      }
      let whole = try store.commit(at: commit.header.sequence)
      let others = whole.changes.filter { $0.kind == .fingerprint }.map(\.id)
      return (change, Set(others), commit.header.sequence)
    } catch {
      throw .wrapping(error)
    }
  }

  /// Returns whether the entity is a deleted account or category.
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
        let count = try DaybookBookkeeping.revert(
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

  /// Adds the conflicting commit to the message of a refusal.
  private func explained(_ refusal: Refusal, after sequence: UInt64) throws(DaybookError)
    -> Refusal
  {
    var filter = HistoryFilter()
    filter.entities = Set(refusal.subjects)
    var explained = refusal
    do {
      var cursor = try store.history(before: nil, matching: filter).cursor()
      guard let last = try cursor.next(), last.header.sequence > sequence else { return refusal }
      let commit =
        "commit \(last.header.sequence)" + (last.header.author.map { " by \($0)" } ?? "")
      let deletion = last.changes.last { $0.kind != .fingerprint && $0.operation == .delete }
      let change = deletion?.titleOfDeleted.map { "\(commit) deleted \($0)" }
      explained.message += " (\(change ?? "the last change is \(commit)"))"
    } catch {
      throw .wrapping(error)
    }
    return explained
  }
}

extension JournalChange {
  /// Whether the change deleted an entity, or set the `isDeleted` flag of an account or category.
  fileprivate var isDeletion: Bool {
    if operation == .delete { return true }
    let flag = KindDescription.of(kind)?.properties.first { $0.name == "isDeleted" }?.tag
    return properties.contains { $0.tag == flag && $0.after == [1] }
  }
}
