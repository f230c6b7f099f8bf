import DaybookEntities

extension RuleTable {
  /// Splits a change into the part that touches registers that can be closed, together with
  /// everything that isn't valid without these registers, and the rest.
  ///
  /// - Throws: `DecodingFault` if a record is damaged.
  func cut(
    _ change: EntityChange, _ rule: ClosingRule
  ) throws(DecodingFault) -> (rest: EntityChange, part: EntityChange) {
    let map = map(of: change.key.kind)
    let before = try map.values(of: change.before ?? Record())
    var registers = rule.kinds[change.key.kind]?.registers ?? []
    var rest = change
    for _ in 0..<2 {
      var after = try map.values(of: change.after ?? Record())
      for register in registers { after[register] = before[register] }
      rest.after = try map.record(of: after) ?? change.after
      let invalid = map.rules.check(change.key.id, rest.after ?? Record())
      if invalid.isSubset(of: registers) { break }
      registers.formUnion(invalid)
    }
    var part = change
    part.before = try only(registers, of: change.before, map)
    part.after = try only(registers, of: change.after, map)
    return (rest, part)
  }

  /// Returns a record with only some of its registers.
  private func only(
    _ registers: Set<Register>, of record: Record?, _ map: RegisterMap
  ) throws(DecodingFault) -> Record {
    var values = try map.values(of: record ?? Record())
    values.list.removeAll { !registers.contains($0.register) }
    return try map.record(of: values) ?? Record()
  }
}
