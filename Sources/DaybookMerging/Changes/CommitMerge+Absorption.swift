import DaybookEntities

extension CommitMerge {
  /// Returns the changes that can be merged, without those by which an entity takes in another one
  /// (``KindRules/Absorption``) but a commit that the author hadn't seen stands against it; these
  /// are reported.
  ///
  /// - Throws: `DecodingFault` if a record is damaged.
  mutating func withoutRefusedAbsorptions(
    _ changes: [EntityChange]
  ) throws(FoldFault) -> [EntityChange] {
    var refused: Set<EntityKey> = []
    for absorption in rules.absorptions(in: changes) {
      guard let rival = rival(of: absorption) else { continue }
      refused.formUnion([absorption.change.key, absorption.deletion.key])
      do {
        try tell(absorption, rival)
      } catch {
        throw .damagedRecord(position: author.position, key: absorption.change.key)
      }
    }
    for key in refused { entities[key] = source.entity(key) ?? EntityState() }
    return refused.isEmpty ? changes : changes.filter { !refused.contains($0.key) }
  }

  /// Returns the writer of the value that stands against an absorption, if there is one.
  private func rival(of absorption: AbsorbingChange) -> Writer? {
    let own = source.entity(absorption.change.key)
    let other = source.entity(absorption.deletion.key)
    for state in [other, own] {
      if let state, state.isDeleted,
        let deletion = state.deletions.last(where: { !author.hasSeen($0) })
      {
        return deletion
      }
    }
    return own?.writer(of: absorption.register).flatMap { author.hasSeen($0) ? nil : $0 }
  }

  /// Reports the values of a refused change.
  private mutating func tell(
    _ absorption: AbsorbingChange, _ rival: Writer
  ) throws(DecodingFault) {
    let change = absorption.change
    let map = rules.map(of: change.key.kind)
    let state = source.entity(change.key) ?? EntityState()
    let standing = try map.values(of: state.record)
    let (before, after) = (
      try map.values(of: change.before ?? Record()), try map.values(of: change.after ?? Record())
    )
    let lost = before.differences(in: after).map { value in
      let writer =
        value.register == absorption.register ? rival : state.writer(of: value.register)
      return LostValue(
        value.register, lost: Contender(value.bytes, by: author.writer(of: change)),
        won: Contender(standing[value.register], by: writer))
    }
    put(lost, .notAbsorbed, change.key, false)
  }
}
