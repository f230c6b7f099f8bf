public import Entities

extension Rebase {
  /// A change that is recorded anew, and what of it is not, because it would change what is closed.
  public struct Share: Hashable, Sendable {
    /// What is recorded; `nil` where nothing is left of it.
    public var rest: EntityChange?
    /// What is held; `nil` where nothing is.
    public var held: EntityChange?
  }

  /// Takes out of a commit that is recorded anew what would change what is closed by now: as the fold does of what
  /// is placed after a closing that its author had not seen.
  ///
  /// - Parameters:
  ///   - changes: what ``outcome(of:on:isKnown:isErased:by:)`` has left, on top of what stands.
  ///   - isSet: whether each stands for itself; otherwise those that are held as a whole are held together.
  ///   - closing: the record that says how far it is closed; what the commit itself opens is open.
  /// - Returns: one share for each change.
  /// - Throws: `DecodingFault` where a record is damaged.
  public func shares(
    of changes: [EntityChange], isSet: Bool, closedBy closing: Record?
  ) throws(DecodingFault) -> [Share] {
    var shares = changes.map { Share(rest: $0, held: nil) }
    guard let rule = table.rules.closing, let closing else { return shares }
    let map = table.map(of: rule.key.kind)
    var extent = rule.extent(try map.values(of: closing)[rule.register])
    if let own = changes.last(where: { $0.key == rule.key })?.after {
      extent = min(extent, rule.extent(try map.values(of: own)[rule.register]))
    }
    let touching = changes.indices.filter { index in
      let change = changes[index]
      return rule.closed(change.before, of: change.key, through: extent)
        != rule.closed(change.after, of: change.key, through: extent)
    }
    if touching.isEmpty { return shares }
    for (index, change) in changes.enumerated() {
      let isWhole = rule.kinds[change.key.kind]?.isWhole == true
      if touching.contains(index), rule.canBeCut(change) {
        let (rest, part) = try table.cut(change, rule)
        shares[index] = Share(rest: rest.after == rest.before ? nil : rest, held: part)
      } else if touching.contains(index) || isWhole && !isSet && !change.isErasure {
        shares[index] = Share(rest: nil, held: change)
      }
    }
    return shares
  }
}
