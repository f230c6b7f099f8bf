import DaybookEntities

extension ChangeMerge {
  /// Makes the merged record valid if no author has seen it in this form: takes registers that are
  /// invalid together from one side.
  ///
  /// - Throws: `DecodingFault` if a record is damaged.
  mutating func settleClashes(_ policy: (Register) -> MergePolicy) throws(DecodingFault) {
    // No check depends on personal text. A device with a pending erasure no longer has the text,
    // but must decide like the other devices.
    let text = map.rules.erasure?.registers ?? []
    guard change.after != nil, disputed.contains(where: { !text.contains($0.register) }) else {
      return
    }
    let named = try clash()
    if named.isEmpty { return }
    let merged = self
    if settle(named, policy), try clash().isEmpty { return }
    self = merged
    if settle(nil, policy), try clash().isEmpty { return }
    self = merged
    for register in own(nil) { giveUp(register) }
  }

  /// The author's values of all registers in which the merged record differs from the author's
  /// record, except the parent and immutable registers.
  private var disputed: [RegisterValue] {
    let erased = erasedRegisters
    return values.differences(in: after).filter {
      !isApart($0.register) && !erased.contains($0.register)
    }
  }

  func isApart(_ register: Register) -> Bool {
    register == map.rules.parent?.register || map.rules.immutable.contains(register)
  }

  /// Returns the registers that are invalid together in the merged record.
  private func clash() throws(DecodingFault) -> Set<Register> {
    guard let record = try map.record(of: values), try !mixesParts() else {
      return Set((values.list + after.list + current.list).map(\.register).filter(\.isPart))
    }
    return map.rules.check(change.key.id, record)
  }

  /// Returns whether the merged record mixes parts of the two sides that must not be mixed.
  private func mixesParts() throws(DecodingFault) -> Bool {
    guard let parts = map.rules.parts else { return false }
    func apart(_ values: RegisterValues) -> [RegisterValue] {
      values.list.filter(\.register.isPart)
    }
    let (own, others) = (apart(after), apart(current))
    guard apart(values) != own, apart(values) != others else { return false }
    let known = try map.values(of: change.before ?? change.tombstone ?? Record())
    return parts.areIncompatible(apart(known), own, others)
  }

  /// Adjusts one part so that the merged record keeps its total, and reports this part and every
  /// part that lost in one finding.
  ///
  /// - Throws: `DecodingFault` if a record is damaged.
  mutating func settleBalance(_ policy: (Register) -> MergePolicy) throws(DecodingFault) {
    guard let parts = map.rules.parts, let own = change.after,
      let record = try map.record(of: values), record != own, record != before.record
    else { return }
    let known = change.before ?? change.tombstone
    let sides = KindRules.Parts.Sides(
      merged: record, before: known, after: own, current: before.record,
      isAuthorAhead: try isAuthorAhead(of: known, policy))
    guard let value = parts.balance(sides) else { return }
    let standing = state.writer(of: value.register)
    let merged = self
    for index in outcomes.indices where outcomes[index].isLostPart {
      outcomes[index].rule = .balanced
    }
    // If both sides wrote the part, the finding lists only the value that lost to the other side.
    let contested = outcomes.firstIndex { $0.register == value.register && $0.rule == .balanced }
    let lost = contested.map { outcomes.remove(at: $0) }
      .map { $0.holds ? $0.current : $0.wanted }
    let outcome = RegisterOutcome(
      register: value.register, current: lost ?? Contender(values[value.register], by: standing),
      wanted: Contender(value.bytes, by: writer), isWritten: false,
      isSeen: author.hasSeen(standing), holds: true, asks: false, rule: .balanced)
    apply(outcome)
    outcomes.append(outcome)
    if try clash().isEmpty { return }
    self = merged
    for register in self.own(nil) { giveUp(register) }
  }

  /// Returns whether the author wins every part that the other side changed.
  private func isAuthorAhead(
    of known: Record?, _ policy: (Register) -> MergePolicy
  ) throws(DecodingFault) -> Bool {
    guard let known else { return false }
    return try map.values(of: known).differences(in: current).allSatisfy { other in
      let rival = before.writer(of: other.register)
      return !other.register.isPart || author.hasSeen(rival)
        || wins(over: rival, policy(other.register))
    }
  }

  /// Returns the registers whose values were replaced by the change's values.
  private func own(_ named: Set<Register>?) -> [Register] {
    outcomes.filter {
      $0.isChange && !isApart($0.register) && named?.contains($0.register) != false
    }
    .map(\.register)
  }

  /// Takes the named registers, or all registers if `named` is `nil`, from the winning side.
  ///
  /// - Returns: `false` if only one side changed the registers.
  private mutating func settle(
    _ named: Set<Register>?, _ policy: (Register) -> MergePolicy
  ) -> Bool {
    let own = own(named)
    let others = disputed.filter { named?.contains($0.register) != false }
    if own.isEmpty || others.isEmpty { return false }
    let isWon =
      switch side {
      case .standing: false
      case .change: true
      case nil:
        others.allSatisfy { other in
          let rival = before.writer(of: other.register)
          return author.hasSeen(rival) || wins(over: rival, policy(other.register))
        }
      }
    if isWon {
      for other in others { takeWhole(other) }
    } else {
      for register in own { giveUp(register) }
    }
    return true
  }

  /// Takes the author's value of a register for which the other side's value was kept.
  private mutating func takeWhole(_ value: RegisterValue) {
    let standing = before.writer(of: value.register)
    let outcome = RegisterOutcome(
      register: value.register, current: Contender(current[value.register], by: standing),
      wanted: Contender(value.bytes, by: writer),
      isWritten: outcomes.contains { $0.register == value.register },
      isSeen: author.hasSeen(standing), holds: true, asks: false, rule: .clash)
    outcomes.removeAll { $0.register == value.register }
    outcomes.append(outcome)
    apply(outcome)
  }

  /// Restores the value that a register had before the change wrote it.
  private mutating func giveUp(_ register: Register) {
    for index in outcomes.indices where outcomes[index].register == register {
      outcomes[index].holds = false
      outcomes[index].rule = .clash
      apply(outcomes[index])
    }
  }
}
