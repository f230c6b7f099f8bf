// Goal: the fold depends on the log alone: not on how it is cut, saved and taken up again, nor on what is pending
// meanwhile. Method: seeded logs of a few replicas on few rows, with stale bases, wrong clocks and floors, folded at
// once and in every way of cutting them in two.

import DaybookEntities
import DaybookMerging
import DaybookRandom
import Testing

@Suite struct SliceTests {
  /// A log of random commits, that is sound but has no other sense.
  private func log(seed: UInt64) -> Scenario {
    var numbers = SeededGenerator(seed: seed)
    var log = Scenario(MergeRules(kinds: [thing: Sort.rules]))
    var floor: UInt64 = 0
    func some() -> Record {
      var writer = RecordWriter()
      for tag: UInt8 in [1, 3, 4, 5, 6, 200] where Bool.random(using: &numbers) {
        writer.put(tag) { $0.u8(UInt8.random(in: 1...3, using: &numbers)) }
      }
      return writer.record
    }
    for _ in 0..<40 {
      let head = UInt64(log.entries.count)
      if head > 0, Int.random(in: 0..<12, using: &numbers) == 0 {
        floor = UInt64.random(in: floor...head, using: &numbers)
        log.place(floor: floor)
        continue
      }
      var changes: [EntityChange] = []
      let rows = (1...3).map { key($0) }.shuffled(using: &numbers)
      for row in rows.prefix(Int.random(in: 1...3, using: &numbers)) {
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0: changes.append(.insert(row, some(), made: Bool.random(using: &numbers)))
        case 1: changes.append(.delete(row, some()))
        case 2: changes.append(.undelete(row, some(), as: some()))
        default: changes.append(.amend(row, some(), some()))
        }
      }
      let base = UInt64.random(in: floor...head, using: &numbers)
      let commit = log.next(
        UInt64.random(in: 1...4, using: &numbers), base: base,
        clock: Int64.random(in: 0...2_000, using: &numbers), changes)
      log.place(commit, received: Int64(head) * 40)
    }
    return log
  }

  @Test(arguments: 0..<10) func everySliceGivesTheSame(seed: UInt64) throws {
    let log = log(seed: seed)
    let whole = try log.folded()
    #expect(!whole.findings.isEmpty)
    #expect(try log.folded() == whole)
    for cut in 0...log.entries.count {
      var first = Fold(rules: log.rules)
      try first.fold(contentsOf: log.entries[..<cut])
      // Taken up again from what was saved.
      var second = Fold(rules: log.rules, from: first.folded)
      try second.fold(contentsOf: log.entries[cut...])
      #expect(second.folded == whole)
    }
  }

  @Test(arguments: 0..<10) func pendingCommitsOnAnyPrefixTouchNothing(seed: UInt64) throws {
    let log = log(seed: seed)
    for cut in 0...log.entries.count {
      var fold = Fold(rules: log.rules)
      try fold.fold(contentsOf: log.entries[..<cut])
      let confirmed = fold.folded
      // The next commits of one replica that do not know more than the prefix.
      let own = log.entries[cut...].compactMap { entry -> ReplicaCommit? in
        guard case .commit(let commit) = entry.content else { return nil }
        return commit.replica.rawValue == 1 ? commit : nil
      }.prefix { $0.base <= UInt64(cut) }
      let pending = try fold.pending(own)
      #expect(fold.folded == confirmed)
      let model = NaiveModel(rules: log.rules)
        .state(of: Array(log.entries[..<cut]), pending: Array(own))
      let shown = confirmed.entities.merging(pending.entities) { $1 }
      let told = confirmed.findings.merging(pending.findings) { $1 }
      let state = NaiveState(entities: shown, findings: told)
      #expect(state == model, "\(state.differences(from: model))")
      // What was folded meanwhile makes no difference to how the log goes on.
      try fold.fold(contentsOf: log.entries[cut...])
      #expect(try fold.folded == log.folded())
    }
  }
}
