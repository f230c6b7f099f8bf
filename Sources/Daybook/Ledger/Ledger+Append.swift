internal import DaybookEngine

extension Ledger {
  /// Records commands as one atomic commit; if one is refused, none is recorded.
  ///
  /// The method returns when the commit is durable. Each command sees the effects of the previous
  /// commands. Any number of tasks may append concurrently; their commits share a flush.
  ///
  /// - Parameters:
  ///   - commands: The commands to record, in order; at most `Limits.commandCountMax`.
  ///   - author: The commit's author; the ledger's author if `nil`.
  ///   - token: If given, records only if this is still the newest commit (optimistic concurrency).
  ///   - key: Makes the append idempotent. Repeating the append with the same key returns the first
  ///     receipt and records nothing; using the key for other commands is an error. The key is
  ///     checked before `token`. Refused commands don't use up the key. Once the commit has been
  ///     purged, a repeated request's receipt has no outcomes and an expired token.
  /// - Returns: The commit's token and the outcome of each command. If the commands change nothing
  ///   and there is no key, nothing is committed, and the token is the newest commit's.
  /// - Throws: ``DaybookError`` with the codes `refused`, `conflict`, `invalidToken`,
  ///   `expiredToken`, `keyReused`, `limitExceeded`, `readOnly`, `closed`, `notReady`, `full`,
  ///   `outcomeUnknown` or `system`. Unless the code is `outcomeUnknown`, nothing was recorded.
  /// - Complexity: O(postings), plus a shared flush; independent of the ledger's size.
  @discardableResult
  public func append(
    _ commands: [Command], author: String? = nil, expecting token: Token? = nil,
    key: String? = nil
  ) async throws(DaybookError) -> Receipt {
    let author = author ?? self.author
    try check(commands, author, key)
    // With `map`, the type of the thrown error would be lost.
    let digest: Hash256? = key == nil ? nil : try RequestDigest.digest(of: commands)
    let options = AppendOptions(
      author: author, expecting: token, idempotencyKey: key.map { Array($0.utf8) },
      requestDigest: digest)
    do {
      let appended = try await store.append(options) { context in
        try Ledger.decide(commands, on: context)
      }
      if let outcomes = appended.result {
        return Receipt(token: appended.token, outcomes: outcomes, isRepeat: false)
      }
      return try repeated(commands, appended.token)
    } catch {
      throw .wrapping(error)
    }
  }

  /// Records one or more commands as one atomic commit; see ``append(_:author:expecting:key:)``.
  ///
  /// - Throws: ``DaybookError``, as for ``append(_:author:expecting:key:)``.
  @discardableResult
  public func append(
    _ first: Command, _ others: Command..., author: String? = nil,
    expecting token: Token? = nil, key: String? = nil
  ) async throws(DaybookError) -> Receipt {
    try await append([first] + others, author: author, expecting: token, key: key)
  }

  static func decide(_ commands: [Command], on context: DecisionContext) throws
    -> [Outcome]
  {
    var state = try LedgerState(context)
    var outcomes: [Outcome] = []
    outcomes.reserveCapacity(commands.count)
    state.expect(changeCount: commands.count)
    for (index, command) in commands.enumerated() {
      do {
        outcomes.append(try DaybookBookkeeping.decide(command, on: &state))
      } catch let refusal {
        throw DaybookError(refusal, command: index, of: commands.count)
      }
    }
    return outcomes
  }

  /// Returns the receipt of a request that has already been recorded, with the outcomes of its
  /// commit.
  func repeated(_ commands: [Command], _ token: Token) throws -> Receipt {
    // The outcomes of a purged commit can no longer be read.
    let isKept = try store.history().after < token.sequence
    let outcomes =
      isKept ? try RepeatedOutcomes.read(commands, from: store.commit(at: token.sequence)) : []
    return Receipt(token: token, outcomes: outcomes, isRepeat: true)
  }

  private func check(_ commands: [Command], _ author: String, _ key: String?)
    throws(DaybookError)
  {
    try check(commands.count, Limits.commandCountMax, "The number of commands in one append")
    try check(author.utf8.count, LedgerLimits.authorByteCountMax, "The byte count of the author")
    if let key { try check(key: key) }
  }

  /// Throws if the key is empty or too long.
  func check(key: String) throws(DaybookError) {
    try check(key.utf8.count, LedgerLimits.keyByteCountMax, "The byte count of the key")
    guard !key.isEmpty else {
      throw DaybookError(
        code: .limitExceeded, message: "The idempotency key is empty.",
        remedy: "Pass a key of at least one byte, or none.")
    }
  }

  private func check(_ count: Int, _ limit: Int, _ what: String) throws(DaybookError) {
    guard count > limit else { return }
    throw DaybookError(
      code: .limitExceeded, message: "\(what) is \(count), more than \(limit).",
      remedy: "Nothing was recorded. Send less at a time.")
  }
}
