public import DaybookEntities

/// A rule for closing part of a ledger, which an author who hasn't seen the closing then can't
/// change.
///
/// One register of one entity holds a number up to which the ledger is closed. A closing is an
/// ordinary log entry: it is checked against earlier entries, and later entries are checked against
/// it.
public struct ClosingRule: Sendable {
  /// The entity with the closing register.
  public var key: EntityKey
  /// The closing register.
  public var register: Register
  /// Returns the extent to which a value of the register closes the ledger.
  ///
  /// If neither author had seen the other's value, the greater value wins, whatever the policy is.
  /// An absent value closes nothing.
  public var extent: @Sendable ([UInt8]) -> Int64
  /// The kinds that can be closed.
  public var kinds: [EntityKind: Part]

  /// The part of a kind's records that can be closed.
  public struct Part: Sendable {
    /// The registers that determine whether an entity is closed, and that a closing protects.
    public var registers: Set<Register>
    /// Whether changes are deferred as a whole; otherwise only their values for these registers are
    /// deferred.
    public var isWhole: Bool
    /// Returns the part of a record that a closing up to an extent closes, or `nil` if it closes
    /// nothing.
    ///
    /// A change touches the closed part if the results for the records before and after the change
    /// differ.
    public var closed: @Sendable (EntityID, Record, Int64) -> [UInt8]?

    /// Creates the part of a kind's records that can be closed.
    public init(
      registers: Set<Register>, isWhole: Bool,
      closed: @escaping @Sendable (EntityID, Record, Int64) -> [UInt8]?
    ) {
      self.registers = registers
      self.isWhole = isWhole
      self.closed = closed
    }
  }

  /// Creates a closing rule.
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
  /// Returns whether a change can be merged without its closed part.
  func canBeCut(_ change: EntityChange) -> Bool {
    kinds[change.key.kind]?.isWhole == false && change.after != nil && change.tombstone == nil
  }

  /// Returns the part of a record that a closing up to an extent closes, or `nil` if it closes
  /// nothing or there is no record.
  func closed(_ record: Record?, of key: EntityKey, through extent: Int64) -> [UInt8]? {
    record.flatMap { kinds[key.kind]?.closed(key.id, $0, extent) }
  }

  /// Returns whether an author's closing up to an extent covers an entity with a value or a
  /// deletion that the author hadn't seen.
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
  /// Returns the extent to which a commit closes the ledger, or `nil` if its author saw the ledger
  /// closed that far already.
  ///
  /// - Throws: `DecodingFault` if a record is damaged.
  func closes(_ commit: ReplicaCommit) throws(DecodingFault) -> Int64? {
    guard let closing, let change = commit.changes.last(where: { $0.key == closing.key }),
      let after = change.after
    else { return nil }
    let map = RegisterMap(kinds[closing.key.kind] ?? KindRules())
    let extent = closing.extent(try map.values(of: after)[closing.register])
    let before = try map.values(of: change.before ?? Record())[closing.register]
    return extent > closing.extent(before) ? extent : nil
  }

  /// Returns whether one of these commits could close an entity with a value that its author hadn't
  /// seen.
  ///
  /// Folding a commit that closes a part of the ledger requires all entities for which this is
  /// `true`.
  public func isClosed(
    _ key: EntityKey, _ state: EntityState, by commits: some Sequence<ReplicaCommit>
  ) -> Bool {
    guard let closing, closing.kinds[key.kind] != nil else { return false }
    let last = max(
      state.writers.map(\.writer.position).max() ?? 0,
      (state.revivals + state.deletions).map(\.position).max() ?? 0)
    return commits.contains { $0.base < last }
  }

  /// Returns whether a commit closes more than its author saw closed.
  public func isClosing(_ commit: ReplicaCommit) -> Bool {
    do { return try closes(commit) != nil } catch { return false }
  }
}

extension CommitMerge {
  /// Reports the entities that a commit closes although its author hasn't seen all their values;
  /// the entities don't change.
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
