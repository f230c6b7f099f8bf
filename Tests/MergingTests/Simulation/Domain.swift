import DaybookEntities
import DaybookMerging
import DaybookRandom

extension SeededGenerator {
  /// Whether something of this chance happens.
  mutating func happens(_ chance: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < chance
  }
}

/// A small ledger: few entities of few kinds, so that what replicas write meets often.
enum Domain {
  /// A plain thing: 1, 2 and 200 (a tag nobody knows) are registers, 3 and 4 form one, 7 is immutable.
  static let note = EntityKind(rawValue: 64)
  /// Something in a tree: 1 is its name, 2 its parent.
  static let folder = EntityKind(rawValue: 65)
  /// Lines of a split: 10, 11 and 12 form one register and sum to zero (bytes as signed numbers).
  static let split = EntityKind(rawValue: 66)
  /// From 20 to 21, which must differ; 22 says who.
  ///
  /// The check names both for odd ids, else one.
  static let transfer = EntityKind(rawValue: 67)
  /// What can be closed: 30 is its day, 31 and 32 are figures, 33 is a text; 34 locks day, 31 and itself.
  static let row = EntityKind(rawValue: 68)
  /// What opens with something: 41 of the day 42, one register; 40 is its name; 43 says that it is deleted.
  static let account = EntityKind(rawValue: 69)
  /// What takes in others of its kind: 50 is its content, 51 the one that it took in.
  static let purse = EntityKind(rawValue: 71)
  /// The policy: property 1 of the one entity of this kind; property 2 closes through a day.
  static let settings = EntityKey(EntityKind(rawValue: 70), EntityID(high: 0, low: 1))

  static let lines: [UInt8] = [10, 11, 12]

  static func rules(_ policy: PolicySource) -> MergeRules {
    let parent = Register(tag: 2)
    return MergeRules(
      kinds: [
        note: erasable(KindRules(groups: [[3, 4]], immutable: [Register(tag: 7)]), 1, [2, 200]),
        folder: erasable(
          KindRules(
            parent: .init(parent) { bytes in
              bytes.isEmpty ? nil : bytes.last.map { EntityID(high: 0, low: UInt64($0)) }
            }), 1),
        split: KindRules(groups: [lines]),
        transfer: erasable(
          KindRules { id, record in
            guard let from = record[20], from == record[21] else { return [] }
            return id.low % 2 == 1 ? [Register(tag: 20), Register(tag: 21)] : [Register(tag: 20)]
          }, nil, [22]),
        purse: absorbing(KindRules(), 51),
        account: erasable(flagged(KindRules(groups: [[41, 42]]), 43), 40),
        row: erasable(
          KindRules(
            lock: .init(
              Register(tag: 34), locks: { Record(bytes: $0)[34] == [2] },
              forbids: { register, _, _ in [30, 31, 34].contains(register.rawValue) })), nil, [33]),
      ], policy: policy, closing: closing)
  }

  /// Rules of a kind whose entities are deleted by a flag.
  private static func flagged(_ rules: KindRules, _ tag: UInt8) -> KindRules {
    var rules = rules
    rules.deletionFlag = .init(Register(tag: tag)) { !$0.isEmpty }
    return rules
  }

  /// Rules of a kind whose entities take in others.
  private static func absorbing(_ rules: KindRules, _ tag: UInt8) -> KindRules {
    var rules = rules
    rules.absorption = .init(Register(tag: tag)) { record in
      record[tag]?.first.map { EntityID(high: 0, low: UInt64($0)) }
    }
    return rules
  }

  /// Rules of a kind that has personal text: a name, in whose place a placeholder comes, and others, which go.
  private static func erasable(
    _ rules: KindRules, _ name: UInt8?, _ others: [UInt8] = []
  ) -> KindRules {
    var rules = rules
    let registers = (others + (name.map { [$0] } ?? [])).map { Register(tag: $0) }
    rules.erasure = KindRules.Erasure(Set(registers)) { _, record, isSettled in
      var left = properties(of: record)
      if let name, let text = left[name], !isSettled || text == [250] {
        left[name] = isSettled ? [251] : [250]
      }
      if !isSettled { for tag in others { left[tag] = nil } }
      return packed(left)
    }
    return rules
  }

  /// The rules of the kinds; the policy says nothing of them.
  private static let kinds = rules(.always(.last)).kinds

  /// Rows are closed by their day, accounts by that of their opening.
  private static let closing = ClosingRule(
    settings, Register(tag: 2),
    extent: { bytes in Record(bytes: bytes)[2]?.first.map { Int64($0) } ?? 0 },
    kinds: [
      row: .init(registers: Set([30, 31, 32].map { Register(tag: $0) }), isWhole: true) {
        _, record, extent in
        guard let day = record[30]?.first, day <= extent else { return nil }
        return [day, 0] + (record[31] ?? []) + [0] + (record[32] ?? [])
      },
      account: .init(registers: [Register(tag: 41)], isWhole: false) { _, record, extent in
        guard let units = record[41]?.first, units != 0, let day = record[42]?.first, day <= extent
        else { return nil }
        return [units, day]
      },
    ])

  /// Whether a command would refuse a change, because it touches what is closed.
  private static func isRefused(_ change: EntityChange, _ state: NaiveState) -> Bool {
    guard let part = closing.kinds[change.key.kind] else { return false }
    if change.before?[34] == [2] {
      // Who unlocks does nothing else at once.
      let tags: [UInt8] = change.after?[34] == [2] ? [30, 31] : [30, 31, 32, 33]
      let isFree = tags.allSatisfy { change.before?[$0] == change.after?[$0] }
      if change.after == nil || !isFree { return true }
    }
    let extent = Int64(state.entities[settings]?.record[2]?.first ?? 0)
    func closed(_ record: Record?) -> [UInt8]? {
      record.flatMap { part.closed(change.key.id, $0, extent) }
    }
    return closed(change.before) != closed(change.after)
  }

  /// The policy as a property says it.
  static func policy(_ bytes: [UInt8]?) -> MergePolicy {
    switch bytes?.first ?? 0 {
    case 2: .first
    case 3: .firstAndTell
    default: .last
    }
  }

  /// A random change as a replica may make it that sees `state`; `nil` where what was drawn makes no
  /// sense.
  static func change(
    _ state: NaiveState, _ numbers: inout SeededGenerator
  ) -> EntityChange? {
    guard let change = drawn(state, &numbers), !isRefused(change, state) else { return nil }
    return change
  }

  /// A purse that takes in another one, which is deleted; `nil` where there are no two.
  static func absorption(
    _ state: NaiveState, _ numbers: inout SeededGenerator
  ) -> [EntityChange]? {
    let purses = state.entities.filter { $0.key.kind == purse && $0.value.exists }.keys.sorted()
    guard purses.count > 1 else { return nil }
    let first = numbers.pick(purses)
    let other = numbers.pick(purses.filter { $0 != first })
    guard let before = state.entities[first]?.record, let gone = state.entities[other]?.record
    else {
      return nil
    }
    var after = properties(of: before)
    after[50] = [UInt8.random(in: 1...9, using: &numbers)]
    after[51] = [UInt8(other.id.low)]
    let changes = [
      EntityChange(first, before: before, after: packed(after)),
      EntityChange(other, before: gone, after: nil),
    ]
    return numbers.happens(0.5) ? changes : changes.reversed()
  }

  private static func drawn(
    _ state: NaiveState, _ numbers: inout SeededGenerator
  ) -> EntityChange? {
    let kind = numbers.pick(
      [
        note, note, folder, folder, split, transfer, transfer, transfer, row, row, row, account,
        purse, purse,
        settings.kind,
      ])
    let id = kind == settings.kind ? 1 : UInt64.random(in: 1...3, using: &numbers)
    let key = EntityKey(kind, EntityID(high: 0, low: id))
    let entity = state.entities[key]
    let stood = properties(of: entity?.record)
    if let entity, let erasure = kinds[kind]?.erasure, numbers.happens(0.08) {
      let after = entity.present.map { erasure.record(key.id, $0, false) }
      return EntityChange(key, before: entity.present, after: after, isErasure: true)
    }
    guard let entity, entity.exists else {
      if let entity, entity.isInserted, numbers.happens(0.5) {
        // Undeleted, now and then with another value at once.
        let after = numbers.happens(0.3) ? amended(kind, stood, &numbers) : stood
        guard isValid(kind, after) else { return nil }
        return EntityChange(
          key, before: nil, after: packed(after), tombstone: entity.record,
          isMade: numbers.happens(0.3))
      }
      if entity == nil, numbers.happens(0.1) { return EntityChange(key, before: nil, after: nil) }
      let isMade = numbers.happens(0.3)
      let start: Properties = kind == split ? [10: [0], 11: [0], 12: [0]] : [:]
      var after = isMade && kind != split ? [1: [9]] : amended(kind, start, &numbers)
      if kind == row { after[30] = [UInt8.random(in: 1...9, using: &numbers)] }
      if kind == note, numbers.happens(0.5) { after[7] = value(&numbers) }
      guard isValid(kind, after) else { return nil }
      return EntityChange(key, before: nil, after: packed(after), isMade: isMade)
    }
    if numbers.happens(0.2) { return EntityChange(key, before: entity.record, after: nil) }
    let after = amended(kind, stood, &numbers)
    guard after != stood, isValid(kind, after) else { return nil }
    return EntityChange(key, before: entity.record, after: packed(after))
  }

  /// Properties of which one to three differ.
  private static func amended(
    _ kind: EntityKind, _ stood: Properties, _ numbers: inout SeededGenerator
  ) -> Properties {
    var after = stood
    if kind == split {
      let from = numbers.pick(lines)
      let to = numbers.pick(lines)
      let amount = UInt8.random(in: 1...5, using: &numbers)
      after[from] = [(after[from]?.first ?? 0) &- amount]
      after[to] = [(after[to]?.first ?? 0) &+ amount]
      return after
    }
    for _ in 0..<Int.random(in: 1...3, using: &numbers) {
      switch kind {
      case folder:
        if numbers.happens(0.7) {
          after[2] = numbers.happens(0.1) ? nil : [UInt8.random(in: 1...3, using: &numbers)]
        } else {
          after[1] = value(&numbers)
        }
      case transfer:
        after[numbers.pick([20, 20, 21, 21, 22])] = [UInt8.random(in: 1...3, using: &numbers)]
      case row:
        let tag = numbers.pick([30, 31, 31, 32, 33, 34] as [UInt8])
        after[tag] = [UInt8.random(in: 1...(tag == 34 ? 3 : 9), using: &numbers)]
      case account:
        if numbers.happens(0.25) {
          after[43] = after[43] == nil ? [1] : nil
        } else {
          after[numbers.pick([40, 40, 41, 41, 42])] = [UInt8.random(in: 1...9, using: &numbers)]
        }
      case purse:
        if numbers.happens(0.2) {
          after[51] = nil
        } else {
          after[50] = [UInt8.random(in: 1...9, using: &numbers)]
        }
      case settings.kind:
        if numbers.happens(0.6) {
          after[2] = [UInt8.random(in: 1...7, using: &numbers)]
        } else {
          after[1] = [UInt8.random(in: 1...3, using: &numbers)]
        }
      default:
        let tag = numbers.pick([1, 1, 2, 3, 4, 7, 200] as [UInt8])
        after[tag] = numbers.happens(0.15) ? nil : value(&numbers)
      }
    }
    return after
  }

  /// Often one that somebody else may write too.
  private static func value(_ numbers: inout SeededGenerator) -> [UInt8] {
    numbers.happens(0.5)
      ? [UInt8.random(in: 1...2, using: &numbers)]
      : [UInt8.random(in: 0...255, using: &numbers), UInt8.random(in: 0...255, using: &numbers)]
  }

  /// Whether a command would accept the record.
  private static func isValid(_ kind: EntityKind, _ properties: Properties) -> Bool {
    kind != transfer || properties[20] == nil || properties[20] != properties[21]
  }

  /// Entities whose lines do not sum to zero.
  static func unbalanced(_ state: NaiveState) -> [EntityKey] {
    state.entities.filter { key, entity in
      let amounts = lines.map { entity.record[$0]?.first ?? 0 }
      return key.kind == split && amounts.reduce(0, &+) != 0
    }.keys.sorted()
  }

  /// Folders that are above themselves.
  static func cyclic(_ state: NaiveState) -> [EntityKey] {
    state.entities.keys.filter { key in
      var seen: Set<UInt8> = []
      var next = key.kind == folder ? state.entities[key]?.record[2]?.first : nil
      while let id = next {
        if !seen.insert(id).inserted { return true }
        let above = EntityKey(folder, EntityID(high: 0, low: UInt64(id)))
        next = state.entities[above]?.record[2]?.first
      }
      return false
    }.sorted()
  }
}
