import DaybookEntities

/// One change of one entity, while it is merged into the current state.
struct ChangeMerge {
  let change: EntityChange
  let author: Author
  let map: RegisterMap
  /// The writer of this change's values.
  let writer: Writer
  /// The entity before the change.
  let before: EntityState
  /// The current values, as of before the change.
  let current: RegisterValues
  /// The values of the record after the change, according to its author.
  let after: RegisterValues
  /// The values as merged so far.
  var values: RegisterValues
  /// The entity as merged so far; its record is updated to match `values` only at the end.
  var state: EntityState
  /// The outcome of each register, in ascending order.
  var outcomes: [RegisterOutcome] = []
  /// The lost values to report as ``FindingRule/deletionStands``.
  var stands: [LostValue] = []
  /// The side that set a lock that the other side hadn't seen, if there is one.
  private(set) var side: LockSide?
  /// The losses of existence to report as ``FindingRule/locked``.
  var beaten: [LostValue] = []

  /// - Throws: `DecodingFault` if a record is damaged.
  init(
    _ change: EntityChange, by author: Author, of entity: EntityState?, map: RegisterMap
  ) throws(DecodingFault) {
    self.change = change
    self.author = author
    self.map = map
    writer = author.writer(of: change)
    before = entity ?? EntityState()
    current = try map.values(of: before.record)
    after = try map.values(of: change.after ?? Record())
    values = current
    state = before
  }

  /// Whether the change inserts or undeletes an entity.
  var isRevival: Bool { change.before == nil && change.after != nil }

  /// Merges existence and every register except the parent.
  ///
  /// - Returns: The outcome of the parent if the change's parent would win. The parent can be set
  ///   only when the whole commit has been merged.
  /// - Throws: `DecodingFault` if a record is damaged.
  mutating func merge(
    by rules: RuleTable, _ standing: MergePolicy
  ) throws(DecodingFault) -> RegisterOutcome? {
    let key = change.key
    let policy = { (register: Register) in rules.policy(standing, for: register, of: key) }
    var parent: RegisterOutcome?
    let erased = erasedRegisters
    let written = try written().filter { !erased.contains($0.register) }
    side = lockSide(written)
    for value in written {
      let outcome = locked(
        decided(value, policy(value.register), rules.extent(for: value.register, of: key)))
      if outcome.holds, value.register == map.rules.parent?.register {
        parent = outcome
      } else {
        apply(outcome)
        outcomes.append(outcome)
      }
    }
    takeWhatIsLocked()
    try settleClashes(policy)
    try settleBalance(policy)
    mergeExistence()
    if change.isErasure { try erase() }
    return parent
  }

  /// Returns the values that the change writes, one for each register.
  private func written() throws(DecodingFault) -> [RegisterValue] {
    if change.after == nil { return [] }
    if let known = change.before ?? change.tombstone {
      let values = try map.values(of: known)
      // If the log lacks the insertion, because it was deferred, an undeletion inserts the entity.
      if change.before != nil || before.isInserted { return values.differences(in: after) }
    }
    // An insertion starts from an empty record: a value that its author had seen and left out
    // becomes absent.
    let cleared = current.list.filter {
      after[$0.register].isEmpty && !map.rules.immutable.contains($0.register)
        && author.hasSeen(before.writer(of: $0.register))
    }
    let written = after.list + cleared.map { RegisterValue($0.register, []) }
    return written.sorted { $0.register < $1.register }
  }

  /// Returns the outcome of a register, by deciding which of two values wins.
  private func decided(
    _ value: RegisterValue, _ policy: MergePolicy, _ extent: (([UInt8]) -> Int64)?
  ) -> RegisterOutcome {
    let standing = before.writer(of: value.register)
    let isSeen = author.hasSeen(standing)
    let isFixed = isFixed(value.register)
    let wins =
      extent.map { $0(value.bytes) > $0(current[value.register]) } ?? wins(over: standing, policy)
    return RegisterOutcome(
      register: value.register, current: Contender(current[value.register], by: standing),
      wanted: Contender(value.bytes, by: writer), isWritten: true, isSeen: isSeen,
      holds: !isFixed && (isSeen || wins),
      asks: policy == .firstAndTell && !isFixed && extent == nil)
  }

  /// Returns whether the value of a register can never change.
  private func isFixed(_ register: Register) -> Bool {
    map.rules.immutable.contains(register) && !(isRevival && !before.isInserted)
  }

  /// Returns whether the change's value wins over a value that its author hadn't seen.
  func wins(over standing: Writer?, _ policy: MergePolicy) -> Bool {
    guard let standing, !writer.isMade else { return false }
    return standing.isMade || (policy == .last && writer.time > standing.time)
  }

  /// Applies an outcome to the merged values.
  mutating func apply(_ outcome: RegisterOutcome) {
    let side = outcome.holds ? outcome.wanted : outcome.current
    values[outcome.register] = side.bytes
    state.setWriter(side.writer, of: outcome.register)
  }
}
