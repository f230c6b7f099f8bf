// Goal: whatever the order in which concurrent commits are placed, the fold is what the rules say. Method: every order
// of up to four commits that had not seen each other, over every pair of registers, on one row: against the naive
// model, and against what must not depend on the order.

import DaybookEntities
import DaybookMerging
import Testing

/// Registers of one row, of every sort.
enum Sort: UInt8, CaseIterable, Sendable {
  case plain = 1
  case group = 3
  case immutable = 5
  case parent = 6
  case unknown = 200

  /// Tags 3 and 4 are one register; tag 5 is immutable; tag 6 is the parent.
  static let rules = KindRules(
    groups: [[3, 4]], immutable: [Register(tag: 5)],
    parent: KindRules.Parent(Register(tag: 6)) { bytes in
      bytes.last.map { EntityID(high: 0, low: UInt64($0)) }
    })

  /// The same, with tags 1 and 200 as personal text, which goes when it is erased.
  static let textRules: KindRules = {
    var text = rules
    text.erasure = KindRules.Erasure([Register(tag: 1), Register(tag: 200)]) {
      _, record, isSettled in
      if isSettled { return record }
      var left = properties(of: record)
      left[1] = nil
      left[200] = nil
      return packed(left)
    }
    return text
  }()

  /// Every pair of two.
  static let pairs = allCases.flatMap { first in
    allCases.filter { $0.rawValue > first.rawValue }.map { [first, $0] }
  }
}

/// What a replica may do to the row: write registers, delete it, or erase its text.
private struct Action {
  var change: EntityChange
  var clock: Int64

  /// The row as everybody had seen it: each register has the value 0, but the parent has none.
  static let row = row([])

  static func row(_ writes: [(Sort, UInt8)]) -> Record {
    var values: [UInt8: UInt8] = [1: 0, 3: 0, 4: 9, 5: 0, 200: 0]
    for (sort, value) in writes { values[sort.rawValue] = value }
    var writer = RecordWriter()
    for (tag, value) in values.sorted(by: { $0.key < $1.key }) { writer.put(tag) { $0.u8(value) } }
    return writer.record
  }

  init(_ writes: [(Sort, UInt8)], clock: Int64) {
    change = .amend(key(9), Self.row, Self.row(writes))
    self.clock = clock
  }

  init(deletingAt clock: Int64) {
    change = .delete(key(9), Self.row)
    self.clock = clock
  }

  init(erasingAt clock: Int64) {
    let after = Sort.textRules.erasure?.record(key(9).id, Self.row, false)
    change = EntityChange(key(9), before: Self.row, after: after, isErasure: true)
    self.clock = clock
  }

  func entry(_ position: Int) -> LogEntry {
    let commit = ReplicaCommit(
      replica: ReplicaID(rawValue: UInt64(position)), number: 1, base: 1, clock: clock,
      changes: [change])
    return LogEntry(position: UInt64(position), received: 1_000, content: .commit(commit))
  }
}

/// A log in which the row was inserted, beside two that it may be put under.
private func begun() -> LogEntry {
  let changes: [EntityChange] = [
    .insert(key(9), Action.row), .insert(key(1), record([1: 1])), .insert(key(2), record([1: 1])),
  ]
  let commit = ReplicaCommit(
    replica: ReplicaID(rawValue: 1), number: 1, base: 0, clock: 50, changes: changes)
  return LogEntry(position: 1, received: 1_000, content: .commit(commit))
}

@Suite struct OrderTests {
  /// Folds every sequence of up to `length` different actions, and compares each with the naive model.
  private func compare(
    _ actions: [Action], _ rules: MergeRules, length: Int, _ log: [LogEntry], _ fold: Fold,
    _ count: inout Int
  ) throws {
    if length == 0 { return }
    for (index, action) in actions.enumerated() {
      let log = log + [action.entry(log.count + 1)]
      var next = fold
      try next.fold(log[log.count - 1])
      count += 1
      let model = NaiveModel(rules: rules).state(of: log)
      let state = NaiveState(entities: next.folded.entities, findings: next.folded.findings)
      if state != model {
        Issue.record("\(log.dropFirst().map(\.content)): \(state.differences(from: model))")
        return
      }
      var rest = actions
      rest.remove(at: index)
      try compare(rest, rules, length: length - 1, log, next, &count)
    }
  }

  private func compare(
    _ pair: [Sort], _ policy: MergePolicy, length: Int, _ kind: KindRules = Sort.rules,
    also more: [Action] = []
  ) throws -> Int {
    let rules = MergeRules(kinds: [thing: kind], policy: .always(policy))
    let writes: [[(Sort, UInt8)]] = [
      [(pair[0], 1)], [(pair[0], 2)], [(pair[1], 1)], [(pair[0], 2), (pair[1], 2)],
    ]
    let actions =
      more + [Action(deletingAt: 150)]
      + writes.flatMap { writes in [150, 250].map { Action(writes, clock: $0) } }
    var fold = Fold(rules: rules)
    try fold.fold(begun())
    var count = 0
    try compare(actions, rules, length: length, [begun()], fold, &count)
    return count
  }

  @Test(arguments: Sort.pairs)
  func everyOrderOfFourIsWhatTheNaiveModelSays(pair: [Sort]) throws {
    #expect(try compare(pair, .last, length: 4) == 9 + 72 + 504 + 3_024)
  }

  @Test(arguments: Sort.pairs)
  func everyOrderOfThreeAndAnErasure(pair: [Sort]) throws {
    let count = try compare(
      pair, .last, length: 3, Sort.textRules, also: [Action(erasingAt: 200)])
    #expect(count == 10 + 90 + 720)
  }

  @Test(arguments: [MergePolicy.first, .firstAndTell])
  func everyOrderOfThreeByTheOtherPolicies(policy: MergePolicy) throws {
    for pair in Sort.pairs {
      #expect(try compare(pair, policy, length: 3) == 9 + 72 + 504)
    }
  }

  @Test(arguments: Sort.pairs)
  func withClocksThatDifferTheOrderMakesNoDifference(pair: [Sort]) throws {
    let rules = MergeRules(kinds: [thing: Sort.rules])
    let actions = [
      Action([(pair[0], 1)], clock: 300), Action([(pair[1], 1)], clock: 400),
      Action([(pair[0], 2), (pair[1], 2)], clock: 350), Action(deletingAt: 100),
    ]
    for order in permutations(actions) {
      var fold = Fold(rules: rules)
      try fold.fold(begun())
      for (index, action) in order.enumerated() { try fold.fold(action.entry(index + 2)) }
      let state = try #require(fold.folded.entities[key(9)])
      // The later value of each register, but what is immutable is as it was.
      let values = [(pair[0], UInt8(2)), (pair[1], UInt8(1))].filter { $0.0 != .immutable }
      #expect(state.record == Action.row(values))
      #expect(!state.exists)
      // Each value that somebody wrote stands, or is told of.
      let told = fold.folded.findings.values.filter { $0.id.rule == .valueLost }
        .flatMap(\.values).map { [UInt8($0.register.rawValue), lastByte($0.lost.bytes)] }
      for action in order where action.change.after != nil {
        for (tag, value) in properties(of: action.change.after) where value[0] != 0 && tag != 4 {
          #expect(state.record[tag] == value || told.contains([tag, value[0]]))
        }
      }
    }
  }

  /// The value of a register of one property, or of the group: its first property.
  private func lastByte(_ bytes: [UInt8]) -> UInt8 { bytes.count > 2 ? bytes[2] : 0 }
}
