public import Entities

extension ChangeMerge {
  /// The registers whose text is gone: an erasure takes them, and what its author had not seen brings none back.
  var erasedRegisters: Set<Register> {
    guard let erasure = map.rules.erasure else { return [] }
    let isErased = change.isErasure || before.erasures.contains { !author.hasSeen($0) }
    return isErased ? erasure.registers : []
  }

  /// Takes the text out of what was merged.
  ///
  /// - Throws: `DecodingFault` where a record is damaged.
  mutating func erase() throws(DecodingFault) {
    state.isErased = true
    state.erasures.append(writer)
    guard let erasure = map.rules.erasure else { return }
    stands.removeAll { erasure.registers.contains($0.register) }
    // What was never inserted has no record.
    guard state.isInserted, let record = try map.record(of: values) else { return }
    values = try map.values(of: erasure.settled(change.key.id, record))
    for register in erasure.registers {
      state.setWriter(values[register].isEmpty ? nil : writer, of: register)
    }
  }
}

extension Finding {
  /// The finding without the text of some registers; `nil` where nothing is left.
  func erased(_ registers: Set<Register>) -> Finding? {
    var finding = self
    finding.values.removeAll { registers.contains($0.register) }
    return finding.values.isEmpty ? nil : finding
  }
}

extension MergeRules {
  /// A finding without personal text, where its entity was erased; `nil` where nothing is left.
  public func erased(_ finding: Finding) -> Finding? {
    finding.erased(kinds[finding.id.key.kind]?.erasure?.registers ?? [])
  }

  /// A change that is held without personal text, where its entity was erased; `nil` where nothing is left.
  public func erased(_ change: HeldChange) -> HeldChange? {
    var erased = change
    erased.before = change.before.map { settled(change.id.key, $0) }
    erased.after = change.after.map { settled(change.id.key, $0) }
    return erased.before == erased.after && erased.after != nil ? nil : erased
  }

  /// The record of an entity without text.
  func settled(_ key: EntityKey, _ record: Record) -> Record {
    kinds[key.kind]?.erasure?.settled(key.id, record) ?? record
  }

  /// The record of an entity as it is in the middle of erasing: without text, and not settled.
  ///
  /// `nil` where its kind has no text.
  public func unsettled(_ key: EntityKey, _ record: Record) -> Record? {
    kinds[key.kind]?.erasure?.record(key.id, record, false)
  }
}
