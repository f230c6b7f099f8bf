import Entities

/// One change of one entity while it is merged into what stands.
struct ChangeMerge {
  let change: EntityChange
  let author: Author
  let map: RegisterMap
  /// Who writes what this change writes.
  let writer: Writer
  /// The entity before the change.
  let before: EntityState
  /// The values that stood before the change.
  let stood: RegisterValues
  /// The values of the change's `after`.
  let after: RegisterValues
  /// The values as they are merged so far.
  var values: RegisterValues
  /// The entity as it is merged so far; its record is that of `values` only in the end.
  var state: EntityState
  /// What became of each register, in ascending order.
  var outcomes: [RegisterOutcome] = []
  /// What the rule of existence has to tell.
  var stands: [LostValue] = []
  /// Which side is locked.
  private(set) var side: LockSide?
  /// What a lock has to tell of existence.
  var beaten: [LostValue] = []

  /// - Throws: `DecodingFault` where a record is damaged.
  init(
    _ change: EntityChange, by author: Author, of entity: EntityState?, map: RegisterMap
  ) throws(DecodingFault) {
    self.change = change
    self.author = author
    self.map = map
    writer = author.writer(of: change)
    before = entity ?? EntityState()
    stood = try map.values(of: before.record)
    after = try map.values(of: change.after ?? Record())
    values = stood
    state = before
  }

  /// Whether the change brings an entity into being, or back.
  var isRevival: Bool { change.before == nil && change.after != nil }

  /// Merges existence and every register except the parent, which is returned where it would be taken: it
  /// has to wait until the whole commit is merged.
  ///
  /// - Throws: `DecodingFault` where a record is damaged.
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

  /// What the change writes, register by register.
  private func written() throws(DecodingFault) -> [RegisterValue] {
    if change.after == nil { return [] }
    if let known = change.before ?? change.tombstone {
      let values = try map.values(of: known)
      // If the log has no insertion, because that is held, undeleting the entity inserts it.
      if change.before != nil || before.isInserted { return values.differences(in: after) }
    }
    // It begins anew: what its author had seen and does not give is absent from now on.
    let cleared = stood.list.filter {
      after[$0.register].isEmpty && !map.rules.immutable.contains($0.register)
        && author.hasSeen(before.writer(of: $0.register))
    }
    let written = after.list + cleared.map { RegisterValue($0.register, []) }
    return written.sorted { $0.register < $1.register }
  }

  /// Which of two values of a register holds.
  private func decided(
    _ value: RegisterValue, _ policy: MergePolicy, _ extent: (([UInt8]) -> Int64)?
  ) -> RegisterOutcome {
    let standing = before.writer(of: value.register)
    let isSeen = author.hasSeen(standing)
    let isFixed = isFixed(value.register)
    let wins =
      extent.map { $0(value.bytes) > $0(stood[value.register]) } ?? wins(over: standing, policy)
    return RegisterOutcome(
      register: value.register, stood: Contender(stood[value.register], by: standing),
      wanted: Contender(value.bytes, by: writer), isWritten: true, isSeen: isSeen,
      holds: !isFixed && (isSeen || wins),
      asks: policy == .firstAndTell && !isFixed && extent == nil)
  }

  /// Whether a register has its value for ever.
  private func isFixed(_ register: Register) -> Bool {
    map.rules.immutable.contains(register) && !(isRevival && !before.isInserted)
  }

  /// Whether the change's value holds against one that its author had not seen.
  func wins(over standing: Writer?, _ policy: MergePolicy) -> Bool {
    guard let standing, !writer.isMade else { return false }
    return standing.isMade || (policy == .last && writer.time > standing.time)
  }

  /// Makes the values what an outcome says.
  mutating func apply(_ outcome: RegisterOutcome) {
    let side = outcome.holds ? outcome.wanted : outcome.stood
    values[outcome.register] = side.bytes
    state.setWriter(side.writer, of: outcome.register)
  }
}
