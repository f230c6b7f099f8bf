internal import Projecting

extension Ledger {
  /// How much history is kept.
  ///
  /// - Throws: ``DaybookError`` with the codes `closed` or `system`.
  public func retention() throws(DaybookError) -> RetentionPolicy {
    do { return try store.retention() } catch { throw .wrapping(error) }
  }

  /// Says how much history is kept.
  ///
  /// Nothing is purged before a policy is set; then ``purge(_:progress:)`` does it.
  ///
  /// - Throws: ``DaybookError`` with the codes `readOnly`, `full`, `closed` or `system`.
  public func setRetention(_ policy: RetentionPolicy) async throws(DaybookError) {
    try check(policy)
    do { try await store.setRetention(policy) } catch { throw .wrapping(error) }
  }

  /// Lets go of old commits, as the policy says and no further than consumers have read.
  ///
  /// Every answer stays as it was: what the commits came to is kept. Who changed what when, and the
  /// values before, are forgotten. Done in short slices, between which others append and read; it can be
  /// interrupted at any time.
  ///
  /// - Parameters:
  ///   - options: Another policy, or a rehearsal.
  ///   - progress: Called now and then with the part that is done, from 0 to 1.
  /// - Returns: What went, or would go, and who holds back what.
  /// - Throws: ``DaybookError`` with the codes `conflict` where the clock cannot be right, `readOnly`,
  ///   `full`, `closed` or `system`.
  /// - Complexity: O(changes of the purged commits).
  @discardableResult
  public func purge(
    _ options: PurgeOptions = PurgeOptions(), progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(DaybookError) -> PurgeReport {
    if let policy = options.policy { try check(policy) }
    do { return try await store.purge(options, progress: progress) } catch {
      throw .wrapping(error)
    }
  }

  /// Registers a consumer of history: an exporter, a synchroniser, whoever has to see every commit.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - kind: Whether purging waits for it.
  ///   - token: Where a new one begins; without one, at the beginning of what is kept. One that is
  ///     known stays where it is.
  /// - Throws: ``DaybookError`` with the codes `limitExceeded`, `invalidToken`, `expiredToken`,
  ///   `readOnly`, `closed` or `system`.
  public func register(
    consumer name: String, _ kind: Consumer.Kind = .required, after token: Token? = nil
  ) async throws(DaybookError) {
    do { try await store.register(consumer: name, kind, after: token) } catch {
      throw .wrapping(error)
    }
  }

  /// Forgets a consumer and what it remembered; returns whether there was one.
  ///
  /// - Throws: ``DaybookError`` with the codes `readOnly`, `full`, `closed` or `system`.
  @discardableResult
  public func unregister(consumer name: String) async throws(DaybookError) -> Bool {
    do { return try await store.unregister(consumer: name) } catch { throw .wrapping(error) }
  }

  /// What a consumer has not acknowledged yet, oldest first.
  ///
  /// - Throws: ``DaybookError`` with the code `expiredToken` where a purge has passed it: it takes a
  ///   full snapshot, acknowledges the snapshot's token and follows from there.
  public func history(
    forConsumer name: String, matching filter: HistoryFilter = HistoryFilter()
  ) throws(DaybookError) -> LedgerHistory {
    do { return LedgerHistory(try store.history(forConsumer: name, matching: filter), store) } catch
    {
      throw .wrapping(error)
    }
  }

  /// Notes that a consumer has dealt with everything up to a token.
  ///
  /// What it wants to remember is written in the same step, so a consumer that keeps its results in
  /// its table here deals with each commit exactly once; one that keeps them elsewhere, at least once.
  ///
  /// - Parameters:
  ///   - token: The last commit it has dealt with.
  ///   - name: The consumer.
  ///   - values: Rows of its own table by key; `nil` removes one.
  /// - Throws: ``DaybookError`` with the codes `limitExceeded`, `invalidToken`, `expiredToken`,
  ///   `readOnly`, `closed` or `system`.
  public func acknowledge(
    _ token: Token, by name: String, putting values: [[UInt8]: [UInt8]?] = [:]
  ) async throws(DaybookError) {
    do { try await store.acknowledge(token, by: name, putting: values) } catch {
      throw .wrapping(error)
    }
  }

  /// The consumers, with how far each has come and when it was seen last.
  ///
  /// - Throws: ``DaybookError`` with the codes `closed` or `system`.
  public func consumers() throws(DaybookError) -> [Consumer] {
    do { return try store.consumers() } catch { throw .wrapping(error) }
  }

  /// What a consumer remembers under a key of its table.
  ///
  /// - Throws: ``DaybookError`` with the codes `closed` or `system`.
  public func value(_ key: [UInt8], ofConsumer name: String) throws(DaybookError) -> [UInt8]? {
    do { return try store.value(key, ofConsumer: name) } catch { throw .wrapping(error) }
  }

  /// Takes an entity's personal text out of everything the ledger's folder holds: journal, baseline,
  /// views and free pages.
  ///
  /// Description, payee, note, tags and import reference of a transaction go, or the name and note of an
  /// account or category, which is then called "Erased" and the end of its id; amounts, days and everything else
  /// stay. Authors and idempotency keys of the commits that named the entity go too. The chain still
  /// verifies, because digests stand in place of the text; history shows the values as erased, and
  /// taking such a commit back is refused. Appends wait meanwhile. A backup made before still has the
  /// text.
  ///
  /// - Parameters:
  ///   - kind: What sort of entity.
  ///   - entity: The entity, deleted or not.
  ///   - author: Who does it; the ledger's author where `nil`.
  /// - Returns: What was done, once the old files are removed.
  /// - Throws: ``DaybookError`` with the codes `refused` where the kind has no personal text, `readOnly`,
  ///   `full`, `closed` or `system`; what was begun is completed when the ledger is opened next.
  /// - Complexity: O(history).
  @discardableResult
  public func erase(
    _ kind: EntityKind, _ entity: EntityID, author: String? = nil
  ) async throws(DaybookError) -> ErasureReceipt {
    do {
      try checkKnown(kind, entity)
      return try await store.erase(
        kind, entity, AppendOptions(author: author ?? self.author),
        clear: { context in
          var state = try LedgerState(context)
          try Bookkeeping.erase(kind, entity, isSettled: false, on: &state)
        },
        settle: { context in
          var state = try LedgerState(context)
          try Bookkeeping.erase(kind, entity, isSettled: true, on: &state)
        })
    } catch let refusal as Refusal {
      throw DaybookError(refusal, command: nil)
    } catch {
      throw .wrapping(error)
    }
  }

  /// Refuses a policy of less than nothing, which would let go of everything.
  private func check(_ policy: RetentionPolicy) throws(DaybookError) {
    let kept: Int64 =
      switch policy {
      case .keepEverything: 0
      case .age(let seconds): seconds
      case .count(let count): Int64(count)
      case .bytes(let count): Int64(count)
      }
    guard kept < 0 else { return }
    throw DaybookError(
      code: .invalidQuery,
      message: "History can't be kept for less than nothing: \(kept) was given.",
      remedy: "Nothing was purged; give 0 or more.")
  }

  /// Refuses an entity that neither the ledger nor its history has.
  private func checkKnown(_ kind: EntityKind, _ entity: EntityID) throws {
    // What has no personal text is refused as that.
    guard let description = KindDescription.of(kind), !description.personalTags.isEmpty else {
      return
    }
    if try read({ snapshot in try snapshot.has(kind, entity) }) { return }
    var filter = HistoryFilter()
    filter.entities = [entity]
    filter.kinds = [kind]
    var cursor = try store.history(before: nil, matching: filter).cursor()
    if try cursor.next() != nil { return }
    if try store.sharedLogKnows(kind, entity) { return }
    throw Refusal(
      .missing,
      "neither the ledger nor its history has a \(kind.name) with the id \(entity); check the id",
      [entity])
  }
}
