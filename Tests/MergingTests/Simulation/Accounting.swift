import DaybookEntities
import DaybookMerging

/// One value that a person recorded.
private struct Recorded {
  var commit: Placed
  var key: EntityKey
  var register: Register
  /// Its packed properties; of existence `[1]` where the entity was to exist, else `[0]`.
  var bytes: [UInt8]
  /// Whether it stands for what an insertion says of every register it does not name.
  var clearsRest = false
}

/// Proves that nothing recorded was lost without a word.
///
/// Each value that a person recorded stands, or was overwritten by somebody who had seen it, or is in a
/// finding, or is held, or is text that was erased; or somebody else recorded the same, which was. Of something
/// deleted a value stands only where who deleted it had seen it, or a program made the same; else it is in a
/// finding too.
///
/// Gives those values for which none of this holds, in words.
func unaccounted(_ log: [LogEntry], _ state: NaiveState, _ rules: MergeRules) -> [String] {
  var accounting = Accounting(state: state, rules: rules)
  for entry in log {
    guard case .commit(let commit) = entry.content else { continue }
    accounting.enter(Placed(commit: commit, position: entry.position, received: entry.received))
  }
  return accounting.losses()
}

private struct Accounting {
  let state: NaiveState
  private let run: NaiveRun
  private let rules: MergeRules
  /// What is held.
  private let held: [HeldChange]
  private var origins: [ReplicaID: ReplicaCommit.Continuation] = [:]
  private var recorded: [Recorded] = []
  private var made: Set<Int> = []
  /// What was erased, and by which commit.
  private var erasures: [(key: EntityKey, commit: Placed)] = []

  init(state: NaiveState, rules: MergeRules) {
    self.state = state
    self.rules = rules
    held = Array(state.held.values.joined())
    run = NaiveRun(model: NaiveModel(rules: rules))
  }

  mutating func enter(_ placed: Placed) {
    if let origin = placed.commit.continues { origins[placed.commit.replica] = origin }
    for change in placed.commit.changes {
      if change.isErasure { erasures.append((change.key, placed)) }
      if change.isErasure, change.before == nil, change.after == nil { continue }
      func add(_ register: Register, _ bytes: [UInt8], clearsRest: Bool = false) {
        if change.isMade { made.insert(recorded.count) }
        recorded.append(
          Recorded(
            commit: placed, key: change.key, register: register, bytes: bytes,
            clearsRest: clearsRest))
      }
      let new = run.split(change.after, change.key.kind)
      let old = run.split(change.before ?? change.tombstone, change.key.kind)
      if change.after == nil {
        add(.existence, [0])
        continue
      }
      if change.before == nil {
        add(.existence, [1], clearsRest: change.tombstone == nil)
      }
      for register in Set(new.keys).union(old.keys) where new[register] != old[register] {
        // Who erases records no text.
        if change.isErasure, isText(register, change.key) { continue }
        add(register, packed(new[register] ?? [:]).bytes)
      }
    }
  }

  func losses() -> [String] {
    recorded.indices.filter { !made.contains($0) && !isAccounted($0) }.map { index in
      let value = recorded[index]
      return "\(brief(value.key)) register \(value.register.rawValue) \(value.bytes)"
        + " written at \(value.commit.position)"
    }
  }

  private func isAccounted(_ index: Int) -> Bool {
    if isAccountedByItself(index) || isClearedBesides(recorded[index])
      || takesBackWhatWasHeld(recorded[index])
    {
      return true
    }
    return recorded.indices.contains { other in
      let (left, right) = (recorded[index], recorded[other])
      guard other != index, left.key == right.key, left.register == right.register,
        left.bytes == right.bytes
      else { return false }
      // A tombstone has this very value from somebody else: whoever deleted had seen it, or a program made it, of which
      // nobody is told.
      if state.entities[left.key]?.exists == false, left.register != .existence,
        made.contains(other) ? isInRecord(right) : stands(right)
      {
        return true
      }
      let isSeen = saw(left.commit, right.commit) || saw(right.commit, left.commit)
      // Of a tombstone, to write again what stands changes nothing, and was told of before.
      return isSeen
        ? state.entities[left.key]?.exists == false && isToldOfDeletion(right)
          && isInFinding(right) && saw(left.commit, right.commit)
        : isAccountedByItself(other)
    }
  }

  /// Whether somebody else said the same by an insertion, which clears what it does not name, and that was overwritten
  /// by who had seen the insertion.
  private func isClearedBesides(_ value: Recorded) -> Bool {
    guard value.bytes.isEmpty, value.register != .existence else { return false }
    func isOf(_ other: Recorded, _ commit: Placed) -> Bool {
      other.key == value.key && other.register == value.register
        && other.commit.position == commit.position
    }
    return recorded.contains { insertion in
      insertion.clearsRest && insertion.key == value.key
        && !saw(insertion.commit, value.commit) && !saw(value.commit, insertion.commit)
        && !recorded.contains { isOf($0, insertion.commit) }
        && recorded.contains { later in
          isOf(later, later.commit) && !later.bytes.isEmpty
            && later.commit.position > value.commit.position
            && saw(later.commit, insertion.commit)
        }
    }
  }

  /// Whether its author, who had not seen a closing, came back to what they had said before and were told of, or to what
  /// a program had made there: what they took back is held no more.
  private func takesBackWhatWasHeld(_ value: Recorded) -> Bool {
    guard let closing = rules.closing, closing.kinds[value.key.kind] != nil else { return false }
    let isUnseen = recorded.contains {
      $0.key == closing.key && $0.register == closing.register
        && $0.commit.position < value.commit.position && !saw(value.commit, $0.commit)
    }
    guard isUnseen else { return false }
    let isAmended = !recorded.contains {
      $0.key == value.key && $0.register == .existence
        && $0.commit.position == value.commit.position
    }
    return recorded.indices.contains { index in
      let earlier = recorded[index]
      return earlier.key == value.key && earlier.register == value.register
        && earlier.bytes == value.bytes && earlier.commit.position < value.commit.position
        && earlier.commit.commit.replica == value.commit.commit.replica
        && (made.contains(index) && isAmended || isInFinding(earlier))
    }
  }

  private func isAccountedByItself(_ index: Int) -> Bool {
    let value = recorded[index]
    if isInFinding(value) || isHeld(value) || isErased(value) { return true }
    let overwritten = recorded.contains { later in
      later.commit.position > value.commit.position && later.key == value.key
        && saw(later.commit, value.commit)
        && (later.register == value.register && later.bytes != value.bytes
          || later.clearsRest && value.register != .existence)
    }
    return overwritten || stands(value) || wasDeletedWhileHeld(value)
  }

  private func isText(_ register: Register, _ key: EntityKey) -> Bool {
    rules.kinds[key.kind]?.erasure?.registers.contains(register) == true
  }

  /// Whether it is text that somebody erased, before its author knew of that.
  private func isErased(_ value: Recorded) -> Bool {
    isText(value.register, value.key)
      && erasures.contains { $0.key == value.key && !saw(value.commit, $0.commit) }
  }

  /// Whether it was of a row that was held, and deleted again by its author before they saw that.
  private func wasDeletedWhileHeld(_ value: Recorded) -> Bool {
    held.contains { $0.id.key == value.key && $0.after == nil }
      && recorded.contains { deletion in
        deletion.key == value.key && deletion.register == .existence && deletion.bytes == [0]
          && deletion.commit.position > value.commit.position && saw(deletion.commit, value.commit)
      }
  }

  /// Whether a change that is held says it.
  private func isHeld(_ value: Recorded) -> Bool {
    held.contains { change in
      guard change.id.key == value.key else { return false }
      let before = run.split(change.before, value.key.kind)
      let after = run.split(change.after, value.key.kind)
      if value.register == .existence { return (change.after != nil) == (value.bytes == [1]) }
      let wanted = after[value.register] ?? [:]
      guard packed(wanted).bytes == value.bytes else { return false }
      // Who deleted and began anew may have said what was there before.
      return wanted != before[value.register] ?? [:]
        || recorded.contains {
          $0.clearsRest && $0.key == value.key && $0.commit.position == value.commit.position
        }
    }
  }

  private func stands(_ value: Recorded) -> Bool {
    guard let entity = state.entities[value.key] else { return false }
    if value.register == .existence { return entity.exists == (value.bytes == [1]) }
    guard isInRecord(value) else { return false }
    // To clear what is not there anyway leaves nothing to tell of.
    return entity.exists || value.bytes.isEmpty || isToldOfDeletion(value)
      || recorded.contains { deletion in
        deletion.key == value.key && deletion.register == .existence && deletion.bytes == [0]
          && saw(deletion.commit, value.commit)
      }
  }

  private func isInRecord(_ value: Recorded) -> Bool {
    let record = state.entities[value.key]?.record
    return packed(run.split(record, value.key.kind)[value.register] ?? [:]).bytes == value.bytes
  }

  /// Whether a finding says of anything that the commit recorded of the entity that a deletion stands
  /// against it.
  private func isToldOfDeletion(_ value: Recorded) -> Bool {
    state.findings.values.contains { finding in
      finding.id.key == value.key && finding.id.rule == .deletionStands
        && finding.values.contains { $0.lost.writer?.position == value.commit.position }
    }
  }

  /// Whether a finding says of a deletion that a lock stands against it.
  private func isBeaten(_ value: Recorded) -> Bool {
    state.findings.values.contains { finding in
      finding.id.key == value.key && finding.id.rule == .locked
        && finding.values.contains {
          $0.register == .existence && $0.lost.writer?.position == value.commit.position
        }
    }
  }

  /// Whether a finding says that the entity was not taken in, and so not deleted.
  private func isTakenBack(_ value: Recorded) -> Bool {
    value.bytes == [0]
      && state.findings.values.contains { finding in
        finding.id.key.kind == value.key.kind && finding.id.rule == .notAbsorbed
          && finding.id.replica == value.commit.commit.replica
          && finding.id.number == value.commit.commit.number
      }
  }

  /// Whether a finding has the value.
  private func isInFinding(_ value: Recorded) -> Bool {
    if value.register == .existence
      && (isToldOfDeletion(value) || isBeaten(value) || isTakenBack(value))
    {
      return true
    }
    return state.findings.values.contains { finding in
      finding.id.key == value.key
        && finding.values.contains { lost in
          // Who wrote it is not named where that lay at or below the floor.
          let position = lost.lost.writer?.position ?? value.commit.position
          return position == value.commit.position && lost.register == value.register
            && lost.lost.bytes == value.bytes
        }
    }
  }

  private func saw(_ commit: Placed, _ other: Placed) -> Bool {
    if other.position <= commit.commit.base { return true }
    var name = commit.commit.replica
    var last = commit.commit.number
    while true {
      if other.commit.replica == name && other.commit.number <= last { return true }
      guard let origin = origins[name] else { return false }
      name = origin.replica
      last = origin.number
    }
  }
}
