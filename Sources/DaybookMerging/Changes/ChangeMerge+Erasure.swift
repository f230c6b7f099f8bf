public import DaybookEntities

extension ChangeMerge {
  /// The registers whose text is erased, either by this change or by an erasure that the change's
  /// author hadn't seen.
  var erasedRegisters: Set<Register> {
    guard let erasure = map.rules.erasure else { return [] }
    let isErased = change.isErasure || before.erasures.contains { !author.hasSeen($0) }
    return isErased ? erasure.registers : []
  }

  /// Removes the personal text from the merged values.
  ///
  /// - Throws: `DecodingFault` if a record is damaged.
  mutating func erase() throws(DecodingFault) {
    state.isErased = true
    state.erasures.append(writer)
    guard let erasure = map.rules.erasure else { return }
    stands.removeAll { erasure.registers.contains($0.register) }
    // An entity that was never inserted has no record to erase text from.
    guard state.isInserted, let record = try map.record(of: values) else { return }
    values = try map.values(of: erasure.settled(change.key.id, record))
    for register in erasure.registers {
      state.setWriter(values[register].isEmpty ? nil : writer, of: register)
    }
  }
}

extension Finding {
  /// Returns the finding without the values of some registers, or `nil` if no values are left.
  func erased(_ registers: Set<Register>) -> Finding? {
    var finding = self
    finding.values.removeAll { registers.contains($0.register) }
    return finding.values.isEmpty ? nil : finding
  }
}

extension MergeRules {
  /// Returns a finding without the personal text of its erased entity, or `nil` if nothing is left.
  public func erased(_ finding: Finding) -> Finding? {
    finding.erased(kinds[finding.id.key.kind]?.erasure?.registers ?? [])
  }

  /// Returns a deferred change without the personal text of its erased entity, or `nil` if nothing
  /// is left.
  public func erased(_ change: HeldChange) -> HeldChange? {
    var erased = change
    erased.before = change.before.map { settled(change.id.key, $0) }
    erased.after = change.after.map { settled(change.id.key, $0) }
    return erased.before == erased.after && erased.after != nil ? nil : erased
  }

  /// Returns an entity's record without personal text, as of a completed erasure.
  func settled(_ key: EntityKey, _ record: Record) -> Record {
    kinds[key.kind]?.erasure?.settled(key.id, record) ?? record
  }

  /// Returns an entity's record without personal text, as of an erasure that isn't completed.
  ///
  /// Returns `nil` if the entity's kind has no personal text.
  public func unsettled(_ key: EntityKey, _ record: Record) -> Record? {
    kinds[key.kind]?.erasure?.record(key.id, record, false)
  }
}
