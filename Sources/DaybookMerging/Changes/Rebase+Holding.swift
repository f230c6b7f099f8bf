public import DaybookEntities

extension Rebase {
  /// The two parts of a change that is recorded again: the recorded part, and the part that is
  /// deferred because it touches a closed part of the ledger.
  public struct Share: Hashable, Sendable {
    /// The recorded part; `nil` if there is none.
    public var rest: EntityChange?
    /// The deferred part; `nil` if there is none.
    public var held: EntityChange?
  }

  /// Separates the parts of a rebased commit that touch a part of the ledger that has been closed
  /// in the meantime.
  ///
  /// The fold does the same with a commit that is placed after a closing that its author hadn't
  /// seen.
  ///
  /// - Parameters:
  ///   - changes: The changes that ``outcome(of:on:isKnown:isErased:by:)`` returned, based on the
  ///     current records.
  ///   - hasIndependentChanges: Whether the changes are independent. If not, all changes of kinds that are deferred
  ///     as a whole are deferred together.
  /// - closing: The record with the closing register. A part that the commit itself reopens counts
  ///   as open.
  /// - Returns: One share for each change.
  /// - Throws: `DecodingFault` if a record is damaged.
  public func shares(
    of changes: [EntityChange], hasIndependentChanges: Bool, closedBy closing: Record?
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
      } else if touching.contains(index) || isWhole && !hasIndependentChanges && !change.isErasure {
        shares[index] = Share(rest: nil, held: change)
      }
    }
    return shares
  }
}
