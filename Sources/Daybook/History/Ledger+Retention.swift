internal import DaybookEngine

extension Ledger {
  /// Returns the retention policy.
  ///
  /// - Throws: ``DaybookError`` with the codes `closed` or `system`.
  public func retention() throws(DaybookError) -> RetentionPolicy {
    do { return try store.retention() } catch { throw .wrapping(error) }
  }

  /// Sets the retention policy.
  ///
  /// Nothing is purged until a policy is set; ``purge(_:progress:)`` then applies it.
  ///
  /// - Throws: ``DaybookError`` with the codes `readOnly`, `full`, `closed` or `system`.
  public func setRetention(_ policy: RetentionPolicy) async throws(DaybookError) {
    try check(policy)
    do { try await store.setRetention(policy) } catch { throw .wrapping(error) }
  }

  /// Deletes old commits according to the retention policy, except commits that a consumer still
  /// needs.
  ///
  /// Query results don't change, because the baseline keeps the resulting entities. The deleted
  /// commits' authors, times and earlier values are lost. The purge runs in short slices, and
  /// others can append and read in between. It can be interrupted at any time.
  ///
  /// - Parameters:
  ///   - options: A different policy, or a dry run.
  ///   - progress: Called occasionally with the completed fraction, from 0 to 1.
  /// - Returns: The deleted commits, or those that would be deleted, and the consumers that prevent
  ///   deleting more.
  /// - Throws: ``DaybookError`` with the codes `conflict` if the clock seems to be wrong,
  ///   `readOnly`, `full`, `closed` or `system`.
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

  /// Registers a consumer of history, such as an exporter, that must see every commit.
  ///
  /// - Parameters:
  ///   - name: The consumer's name.
  ///   - kind: Whether purging waits for the consumer.
  ///   - token: The commit after which a new consumer starts; `nil` for the start of the retained
  ///     history. A registered consumer keeps its position.
  /// - Throws: ``DaybookError`` with the codes `limitExceeded`, `invalidToken`, `expiredToken`,
  ///   `readOnly`, `closed` or `system`.
  public func register(
    consumer name: String, _ kind: Consumer.Kind = .required, after token: Token? = nil
  ) async throws(DaybookError) {
    do { try await store.register(consumer: name, kind, after: token) } catch {
      throw .wrapping(error)
    }
  }

  /// Removes a consumer and its stored values, and returns whether it was registered.
  ///
  /// - Throws: ``DaybookError`` with the codes `readOnly`, `full`, `closed` or `system`.
  @discardableResult
  public func unregister(consumer name: String) async throws(DaybookError) -> Bool {
    do { return try await store.unregister(consumer: name) } catch { throw .wrapping(error) }
  }

  /// Returns the commits that a consumer hasn't acknowledged yet, oldest first.
  ///
  /// - Throws: ``DaybookError`` with the code `expiredToken` if some of these commits have been
  ///   purged. The consumer must then read a full snapshot, acknowledge the snapshot's token and
  ///   continue from there.
  public func history(
    forConsumer name: String, matching filter: HistoryFilter = HistoryFilter()
  ) throws(DaybookError) -> LedgerHistory {
    do { return LedgerHistory(try store.history(forConsumer: name, matching: filter), store) } catch
    {
      throw .wrapping(error)
    }
  }

  /// Records that a consumer has processed all commits up to a token, and stores its values.
  ///
  /// Both happen in one transaction. A consumer that keeps its results in these values processes
  /// each commit exactly once. A consumer that keeps its results elsewhere processes each commit at
  /// least once.
  ///
  /// - Parameters:
  ///   - token: The token of the last processed commit.
  ///   - name: The consumer's name.
  ///   - values: The values by key; `nil` deletes a value.
  /// - Throws: ``DaybookError`` with the codes `limitExceeded`, `invalidToken`, `expiredToken`,
  ///   `readOnly`, `closed` or `system`.
  public func acknowledge(
    _ token: Token, by name: String, putting values: [[UInt8]: [UInt8]?] = [:]
  ) async throws(DaybookError) {
    do { try await store.acknowledge(token, by: name, putting: values) } catch {
      throw .wrapping(error)
    }
  }

  /// Returns the consumers, each with its position and the time when it was last seen.
  ///
  /// - Throws: ``DaybookError`` with the codes `closed` or `system`.
  public func consumers() throws(DaybookError) -> [Consumer] {
    do { return try store.consumers() } catch { throw .wrapping(error) }
  }

  /// Returns the value stored for a consumer under the given key.
  ///
  /// - Throws: ``DaybookError`` with the codes `closed` or `system`.
  public func value(_ key: [UInt8], ofConsumer name: String) throws(DaybookError) -> [UInt8]? {
    do { return try store.value(key, ofConsumer: name) } catch { throw .wrapping(error) }
  }

  /// Erases an entity's personal text from the ledger's folder: the journal, baseline, views and
  /// free pages.
  ///
  /// For a transaction, this erases the description, payee, note, tags and import reference. For an
  /// account or category, it erases the name and note; the new name is "Erased" followed by the end
  /// of the id. Amounts, days and all other properties stay. The authors and idempotency keys of
  /// commits that changed the entity are erased too.
  ///
  /// The hash chain can still be verified, because digests replace the text. History shows the
  /// values as erased, and undoing such a commit is refused. Appends wait until the erasure is
  /// done. Earlier backups still contain the text.
  ///
  /// - Parameters:
  ///   - kind: The kind of entity.
  ///   - entity: The entity, which may be deleted.
  ///   - author: The author of the erasure's commit; the ledger's author if `nil`.
  /// - Returns: A receipt, once the old files have been deleted.
  /// - Throws: ``DaybookError`` with the codes `refused` if the kind has no personal text,
  ///   `readOnly`, `full`, `closed` or `system`. If the erasure had already begun, the next open
  ///   completes it.
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
          try DaybookBookkeeping.erase(kind, entity, isSettled: false, on: &state)
        },
        settle: { context in
          var state = try LedgerState(context)
          try DaybookBookkeeping.erase(kind, entity, isSettled: true, on: &state)
        })
    } catch let refusal as Refusal {
      throw DaybookError(refusal, command: nil)
    } catch {
      throw .wrapping(error)
    }
  }

  /// Throws if a policy contains a negative number, which would delete all history.
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
      message: "Couldn't use the retention policy: \(kept) is negative.",
      remedy: "Nothing was purged. Pass 0 or more.")
  }

  /// Throws if neither the ledger nor its history contains an entity.
  private func checkKnown(_ kind: EntityKind, _ entity: EntityID) throws {
    // Kinds without personal text are refused later, with a specific message.
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
      "the ledger and its history have no \(kind.noun) with the id \(entity); check the id",
      [entity])
  }
}
