public import Entities

/// What closes part of a ledger, so that others do not change it without seeing that.
///
/// A register of one entity says up to where it is closed, as a number. Closing is an entry like others: it looks at
/// what was placed before it, and what is placed later looks at it.
public struct ClosingRule: Sendable {
  /// The entity that says it.
  public var key: EntityKey
  /// Its register that says it.
  public var register: Register
  /// How far a value of the register closes.
  ///
  /// Of two values that were written without one another the greater stands, whatever the policy. An absent value
  /// closes nothing.
  public var extent: @Sendable ([UInt8]) -> Int64
  /// The kinds of which something can be closed.
  public var kinds: [EntityKind: Part]

  /// What can be closed of a kind.
  public struct Part: Sendable {
    /// The registers that say it.
    public var registers: Set<Register>
    /// Whether a change is held as a whole; otherwise only what it writes of the registers is.
    public var isWhole: Bool
    /// What a closing that reaches so far closes of a record: `nil` where it closes nothing of it.
    ///
    /// A change touches what is closed where this differs before and after it.
    public var closed: @Sendable (EntityID, Record, Int64) -> [UInt8]?

    /// What can be closed of a kind.
    public init(
      registers: Set<Register>, isWhole: Bool,
      closed: @escaping @Sendable (EntityID, Record, Int64) -> [UInt8]?
    ) {
      self.registers = registers
      self.isWhole = isWhole
      self.closed = closed
    }
  }

  /// A register that closes.
  public init(
    _ key: EntityKey, _ register: Register, extent: @escaping @Sendable ([UInt8]) -> Int64,
    kinds: [EntityKind: Part]
  ) {
    self.key = key
    self.register = register
    self.extent = extent
    self.kinds = kinds
  }
}

extension ClosingRule {
  /// Whether the rest of a change can be taken without what is closed.
  func canBeCut(_ change: EntityChange) -> Bool {
    kinds[change.key.kind]?.isWhole == false && change.after != nil && change.tombstone == nil
  }

  /// What a closing that reaches so far closes of a record; `nil` for nothing, or no record.
  func closed(_ record: Record?, of key: EntityKey, through extent: Int64) -> [UInt8]? {
    record.flatMap { kinds[key.kind]?.closed(key.id, $0, extent) }
  }

  /// Whether a closing that reaches so far, by an author, takes in something of an entity that the author had not
  /// seen: what somebody wrote of it, or its deletion.
  func closesUnseen(
    _ state: EntityState, of key: EntityKey, through extent: Int64, by author: Author
  ) -> Bool {
    guard let part = kinds[key.kind], state.isInserted else { return false }
    let isUnseen =
      state.isDeleted
      ? state.deletions.contains { !author.hasSeen($0) }
      : state.revivals.contains { !author.hasSeen($0) }
        || state.writers.contains {
          part.registers.contains($0.register) && !author.hasSeen($0.writer)
        }
    return isUnseen && part.closed(key.id, state.record, extent) != nil
  }
}

extension MergeRules {
  /// How far a commit closes, where it closes more than its author saw closed; `nil` where it does not.
  func closes(_ commit: ReplicaCommit) throws(DecodingFault) -> Int64? {
    guard let closing, let change = commit.changes.last(where: { $0.key == closing.key }),
      let after = change.after
    else { return nil }
    let map = RegisterMap(kinds[closing.key.kind] ?? KindRules())
    let extent = closing.extent(try map.values(of: after)[closing.register])
    let before = try map.values(of: change.before ?? Record())[closing.register]
    return extent > closing.extent(before) ? extent : nil
  }

  /// Whether a commit of these has to look at an entity because it closes what its author may not have seen: folding
  /// needs all such.
  public func isClosed(
    _ key: EntityKey, _ state: EntityState, by commits: some Sequence<ReplicaCommit>
  ) -> Bool {
    guard let closing, closing.kinds[key.kind] != nil else { return false }
    let last = max(
      state.writers.map(\.writer.position).max() ?? 0,
      (state.revivals + state.deletions).map(\.position).max() ?? 0)
    return commits.contains { $0.base < last }
  }

  /// Whether a commit closes more than its author saw closed.
  public func isClosing(_ commit: ReplicaCommit) -> Bool {
    do { return try closes(commit) != nil } catch { return false }
  }
}

extension CommitMerge {
  /// Lists what a commit that closes had not seen of what it closes: it stays as it is, and is told.
  mutating func tellWhatIsClosedUnseen() throws(FoldFault) {
    guard let rule = rules.rules.closing else { return }
    let found: Int64?
    do { found = try rules.rules.closes(author.commit) } catch {
      throw .damagedRecord(position: author.position, key: rule.key)
    }
    guard let extent = found else { return }
    let merged = entities
    let author = author
    var unseen: [EntityKey] = []
    source.forEachEntity { key, state in
      let state = merged[key] ?? state
      if rule.closesUnseen(state, of: key, through: extent, by: author) { unseen.append(key) }
    }
    if unseen.isEmpty { return }
    let id = FindingID(
      replica: author.commit.replica, number: author.commit.number, key: rule.key,
      rule: .closedUnseen)
    findings[id] = Finding(id: id, values: [], entities: unseen.sorted())
  }
}
