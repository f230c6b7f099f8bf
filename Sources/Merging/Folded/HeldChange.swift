public import Entities

/// A change that was placed after a closing that its author had not seen, and that touches what is closed.
///
/// It is in no entity and in no figure: a person takes it, by recording it again, or lets it be. What its author
/// changed on top of it has joined it.
public struct HeldChange: Hashable, Sendable {
  /// The first commit that is held, and the entity; the rule is ``FindingRule/held``.
  public var id: FindingID
  /// What its author saw before: `nil` where there was nothing.
  ///
  /// Where only registers of the entity are held (``ClosingRule/Part/isWhole``), nothing but these.
  public var before: Record?
  /// What its author wanted in the end: `nil` where it was to be gone.
  public var after: Record?
  /// The closing that its author had not seen.
  public var closing: Writer
  /// The last commit that joined.
  public var last: Writer

  /// A change that is held.
  public init(id: FindingID, before: Record?, after: Record?, closing: Writer, last: Writer) {
    self.id = id
    self.before = before
    self.after = after
    self.closing = closing
    self.last = last
  }
}

extension MergeRules {
  /// A change that is held in the form of a finding: register by register what its author wants, as what lost, and
  /// what they saw before, as what won.
  ///
  /// Where the entity was to be gone, that is the register ``Register/existence``.
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
