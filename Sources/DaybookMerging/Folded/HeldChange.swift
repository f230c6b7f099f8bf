public import DaybookEntities

/// A deferred change, which touches a closed part of the ledger and was placed after a closing that
/// its author hadn't seen.
///
/// It affects no entity and no total. A person can accept it by recording it again, or leave it
/// deferred. Later changes that its author made on top of it are merged into it.
public struct HeldChange: Hashable, Sendable {
  /// The id, which consists of the first deferred commit, the entity, and the rule
  /// ``FindingRule/held``.
  public var id: FindingID
  /// The record before the change, as its author saw it; `nil` if there was none.
  ///
  /// If only some registers of the entity are deferred (``ClosingRule/Part/isWhole``), the record
  /// contains only these registers.
  public var before: Record?
  /// The record that its author last wanted; `nil` for a deletion.
  public var after: Record?
  /// The closing that its author hadn't seen.
  public var closing: Writer
  /// The last commit that was merged into it.
  public var last: Writer

  /// Creates a deferred change.
  public init(id: FindingID, before: Record?, after: Record?, closing: Writer, last: Writer) {
    self.id = id
    self.before = before
    self.after = after
    self.closing = closing
    self.last = last
  }
}

extension MergeRules {
  /// Returns a deferred change in the form of a finding: for each register, `lost` is the value
  /// that the change's author wants, and `won` the value that the author saw before the change.
  ///
  /// A deletion is listed as the register ``Register/existence``.
  public func finding(of change: HeldChange) -> Finding {
    guard let after = change.after else {
      let gone = LostValue(
        .existence, lost: Contender([], by: change.last), won: Contender([], by: change.closing))
      return Finding(id: change.id, values: [gone])
    }
    let map = RegisterMap(kinds[change.id.key.kind] ?? KindRules())
    guard let before = try? map.values(of: change.before ?? Record()),
      let wanted = try? map.values(of: after)
    else { return Finding(id: change.id, values: []) }
    let values = before.differences(in: wanted).map { value in
      LostValue(
        value.register, lost: Contender(value.bytes, by: change.last),
        won: Contender(before[value.register], by: nil))
    }
    return Finding(id: change.id, values: values)
  }
}
