public import DaybookEntities

/// Records changes again, on top of values that their author hasn't seen and whose writers are no
/// longer known.
///
/// If the floor has passed the base of a returning device, the device's changes can no longer be
/// compared with the writers of values. A register therefore takes a change's value only if it
/// still has the value from before the change. Otherwise it keeps its value, and the change's value
/// is reported.
public struct Rebase: Sendable {
  let table: RuleTable

  /// Creates a rebase with the rules of a ledger.
  public init(rules: MergeRules) { table = RuleTable(rules) }

  /// The outcome of a change.
  public struct Outcome: Hashable, Sendable {
    /// The change as it is recorded again; `nil` if nothing is left to record.
    public var change: EntityChange?
    /// The values that were not recorded, in ascending order of registers.
    public var lost: [LostValue]
    /// The values that are kept although the entity is deleted by its flag, because one side hadn't
    /// seen the other, in ascending order of registers: ``FindingRule/deletionStands``.
    public var stands: [LostValue] = []
  }

  /// Records a change again.
  ///
  /// - Parameters:
  ///   - change: The change, as its author made it.
  ///   - stands: The current record of the entity; `nil` if the entity doesn't exist.
  ///   - isKnown: Whether the log contains the entity or its tombstone.
  ///   - isErased: Whether the entity's personal text has been erased since the change. If so, the
  ///     change restores no text.
  ///   - writer: The author of the change.
  /// - Throws: `DecodingFault` if a record is damaged.
  public func outcome(
    of change: EntityChange, on stands: Record?, isKnown: Bool, isErased: Bool = false,
    by writer: Writer
  ) throws(DecodingFault) -> Outcome {
    let erasure = isErased ? table.map(of: change.key.kind).rules.erasure : nil
    var change = change
    if let after = change.after, let erasure {
      change.after = try keptText(of: stands, in: after, change.key, erasure)
    }
    var outcome = try outcome(of: change, on: stands, isKnown: isKnown, by: writer)
    outcome.lost.removeAll { erasure?.registers.contains($0.register) == true }
    outcome.stands.removeAll { erasure?.registers.contains($0.register) == true }
    return outcome
  }

  /// Returns a record with its text replaced by the current text.
  private func keptText(
    of stands: Record?, in record: Record, _ key: EntityKey, _ erasure: KindRules.Erasure
  ) throws(DecodingFault) -> Record {
    let map = table.map(of: key.kind)
    guard let stands else { return erasure.settled(key.id, record) }
    let old = try map.values(of: stands)
    var values = try map.values(of: record)
    for register in erasure.registers { values[register] = old[register] }
    return try map.record(of: values) ?? erasure.settled(key.id, record)
  }

  private func outcome(
    of change: EntityChange, on stands: Record?, isKnown: Bool, by writer: Writer
  ) throws(DecodingFault) -> Outcome {
    if change.isErasure { return Outcome(change: erasure(change, on: stands), lost: []) }
    if change.isMade, isKnown, !isReinsertion(change, on: stands) {
      return Outcome(change: nil, lost: [])
    }
    guard let after = change.after else { return deletion(change, on: stands, by: writer) }
    guard let stands else {
      // An insertion or undeletion is recorded unchanged; an amendment has no record to amend.
      if change.before == nil { return Outcome(change: change, lost: []) }
      return Outcome(change: nil, lost: try lost(change, to: Record(), by: writer))
    }
    let map = table.map(of: change.key.kind)
    let before = try map.values(of: change.before ?? Record())
    let old = try map.values(of: stands)
    var values = old
    var lost: [LostValue] = []
    for wanted in before.differences(in: try map.values(of: after)) {
      let standing = old[wanted.register]
      if standing == wanted.bytes { continue }
      let isUntouched = standing == before[wanted.register]
      if isUntouched, change.before == nil || !map.rules.immutable.contains(wanted.register) {
        values[wanted.register] = wanted.bytes
      } else {
        lost.append(Self.loss(wanted, to: standing, by: writer))
      }
    }
    guard let record = try map.record(of: values), map.rules.check(change.key.id, record).isEmpty
    else {
      // If the values are invalid together, none of them is recorded.
      return Outcome(change: nil, lost: try self.lost(change, to: stands, by: writer))
    }
    var rebased = change
    (rebased.before, rebased.after, rebased.tombstone) = (stands, record, nil)
    return Outcome(
      change: record == stands ? nil : rebased, lost: lost,
      stands: try met(change, before: before, old: old, values, by: writer))
  }

  /// Returns the kept values of one side if the other side deleted the entity by its flag.
  private func met(
    _ change: EntityChange, before: RegisterValues, old: RegisterValues, _ values: RegisterValues,
    by writer: Writer
  ) throws(DecodingFault) -> [LostValue] {
    let map = table.map(of: change.key.kind)
    guard let flag = map.rules.deletionFlag, change.before != nil,
      flag.isSet(values[flag.register]), !flag.isSet(before[flag.register])
    else { return [] }
    if flag.isSet(old[flag.register]) {
      return old.differences(in: values).map {
        LostValue(
          $0.register, lost: Contender($0.bytes, by: writer), won: Contender([], by: nil))
      }
    }
    return before.differences(in: old).filter { values[$0.register] == $0.bytes }.map {
      LostValue($0.register, lost: Contender($0.bytes, by: nil), won: Contender([], by: writer))
    }
  }

  /// Returns whether a change undeletes an entity that its author had deleted and that is still
  /// deleted.
  private func isReinsertion(_ change: EntityChange, on stands: Record?) -> Bool {
    change.tombstone != nil && stands == nil
  }

  /// Returns the outcomes of the changes by which an entity takes in another one
  /// (``KindRules/Absorption``) although either of them has changed since: nothing is recorded.
  ///
  /// - Parameters:
  ///   - changes: The changes of one commit, as its author made them.
  ///   - writer: The author.
  ///   - current: Returns the current record of an entity, or `nil` if it doesn't exist.
  /// - Throws: `DecodingFault` if a record is damaged.
  public func refusedAbsorptions(
    in changes: [EntityChange], by writer: Writer, current: (EntityKey) -> Record?
  ) throws(DecodingFault) -> [EntityKey: Outcome] {
    var refused: [EntityKey: Outcome] = [:]
    for absorption in table.absorptions(in: changes) {
      let (change, other) = (absorption.change, absorption.deletion)
      let stands = current(change.key)
      let map = table.map(of: change.key.kind)
      let before = try map.values(of: change.before ?? Record())
      let standing = try map.values(of: stands ?? Record())
      let isFree = stands != nil && standing[absorption.register] == before[absorption.register]
      if isFree, current(other.key) == other.before { continue }
      refused[change.key] = Outcome(
        change: nil, lost: try lost(change, to: stands ?? Record(), by: writer))
      refused[other.key] = Outcome(change: nil, lost: [])
    }
    return refused
  }

  private func erasure(_ change: EntityChange, on stands: Record?) -> EntityChange {
    let erasure = table.map(of: change.key.kind).rules.erasure
    var rebased = change
    rebased.before = stands
    rebased.after = stands.map { erasure?.settled(change.key.id, $0) ?? $0 }
    return rebased
  }

  private func deletion(
    _ change: EntityChange, on stands: Record?, by writer: Writer
  ) -> Outcome {
    guard let stands else { return Outcome(change: nil, lost: []) }
    if stands == change.before { return Outcome(change: change, lost: []) }
    let loss = LostValue(
      .existence, lost: Contender([], by: writer), won: Contender([], by: nil))
    return Outcome(change: nil, lost: [loss])
  }

  /// Returns all values of a change that differ from the current values.
  private func lost(
    _ change: EntityChange, to stands: Record, by writer: Writer
  ) throws(DecodingFault) -> [LostValue] {
    let map = table.map(of: change.key.kind)
    let (before, old) = (
      try map.values(of: change.before ?? Record()), try map.values(of: stands)
    )
    return before.differences(in: try map.values(of: change.after ?? Record()))
      .filter { old[$0.register] != $0.bytes }
      .map { Self.loss($0, to: old[$0.register], by: writer) }
  }

  private static func loss(
    _ wanted: RegisterValue, to standing: [UInt8], by writer: Writer
  ) -> LostValue {
    LostValue(
      wanted.register, lost: Contender(wanted.bytes, by: writer),
      won: Contender(standing, by: nil))
  }
}
