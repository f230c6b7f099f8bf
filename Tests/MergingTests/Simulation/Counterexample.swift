import DaybookMerging

/// A log and a replica's pending commits, in which a fold differs from the naive model or loses
/// something.
struct Counterexample {
  var log: [LogEntry]
  var pending: [ReplicaCommit]

  /// How a fold differs from the model; empty where it doesn't.
  func differences(_ rules: MergeRules, _ subject: any FoldSubject) -> [String] {
    let model = NaiveModel(rules: rules)
    var whole = subject
    whole.append(log)
    var stepwise = subject
    for entry in log { stepwise.append([entry]) }
    let confirmed = model.state(of: log)
    let local = model.state(of: log, pending: pending)
    return [whole, stepwise].flatMap { fold in
      fold.confirmed().differences(from: confirmed) + fold.local(pending).differences(from: local)
    }
  }

  /// Whether a fold takes the log and the pending commits.
  private func isTaken(by subject: any FoldSubject) -> Bool {
    var fold = subject
    fold.append(log)
    return fold.local(pending).refusal == nil
  }

  /// What a fold loses without a word; nothing where the log speaks of what it never inserted.
  private func losses(_ rules: MergeRules, _ subject: any FoldSubject) -> [String] {
    var fold = subject
    fold.append(log)
    let state = fold.confirmed()
    let isWhole = commits.flatMap(\.changes).allSatisfy { change in
      change.before == nil || state.entities[change.key]?.isInserted == true
    }
    return isWhole ? unaccounted(log, state, rules) : []
  }

  /// The smallest example, by leaving out entries, commits and changes, in which the same is still wrong:
  /// a fold differs from the model, or, where it doesn't, loses something.
  ///
  /// It is this example where nothing is wrong with it by itself.
  func shrunk(_ rules: MergeRules, _ subject: any FoldSubject) -> Counterexample {
    let differs = !differences(rules, subject).isEmpty
    func fails(_ example: Counterexample) -> Bool {
      guard example.isTaken(by: subject) else { return false }
      return differs
        ? !example.differences(rules, subject).isEmpty : !example.losses(rules, subject).isEmpty
    }
    var best = self
    guard fails(best) else { return best }
    while let next = best.smaller().first(where: fails) { best = next }
    return best
  }

  /// The example and the differences, to be read by a person.
  func report(_ rules: MergeRules, _ subject: any FoldSubject) -> String {
    var lines = ["policy \(rules.policy)"]
    for entry in log {
      switch entry.content {
      case .floor(let position): lines.append("\(entry.position) floor \(position)")
      case .nothing: lines.append("\(entry.position) nothing")
      case .commit(let commit):
        lines.append("\(entry.position) received \(entry.received) " + brief(commit))
      }
    }
    lines += pending.map { "pending " + brief($0) }
    lines += ["differences (fold, model):"] + differences(rules, subject).map { "  " + $0 }
    lines += losses(rules, subject).map { "lost without a word: " + $0 }
    return lines.joined(separator: "\n")
  }

  private func brief(_ commit: ReplicaCommit) -> String {
    var line = "\(commit.replica.rawValue)#\(commit.number)"
    line +=
      " base \(commit.base) clock \(commit.clock)" + (commit.hasIndependentChanges ? " set" : "")
    if let origin = commit.continues {
      line += " continues \(origin.replica.rawValue)#\(origin.number)"
    }
    for change in commit.changes {
      line += "\n    \(MergingTests.brief(change.key)) \(MergingTests.brief(change.before))"
      line += " -> \(MergingTests.brief(change.after))"
      if change.tombstone != nil { line += " tombstone \(MergingTests.brief(change.tombstone))" }
      if change.isMade { line += " made" }
      if change.isErasure { line += " erases" }
    }
    return line
  }

  // MARK: Leaving out

  private func smaller() -> [Counterexample] {
    var candidates: [Counterexample] = []
    for index in pending.indices.reversed() { candidates.append(without(pending: index)) }
    for index in log.indices.reversed() { candidates.append(without(entry: index)) }
    for index in log.indices {
      guard case .commit(var commit) = log[index].content, commit.changes.count > 1
      else { continue }
      let changes = commit.changes
      for change in changes.indices {
        commit.changes = changes
        commit.changes.remove(at: change)
        var example = self
        example.log[index].content = .commit(commit)
        candidates.append(example)
      }
    }
    for index in pending.indices where pending[index].changes.count > 1 {
      for change in pending[index].changes.indices {
        var example = self
        example.pending[index].changes.remove(at: change)
        candidates.append(example)
      }
    }
    return candidates
  }

  private func without(pending index: Int) -> Counterexample {
    var example = self
    example.pending.remove(at: index)
    return example.renumbered(from: self)
  }

  private func without(entry index: Int) -> Counterexample {
    var example = self
    let gone = example.log.remove(at: index).position
    func moved(_ position: UInt64) -> UInt64 { position >= gone ? position - 1 : position }
    for index in example.log.indices {
      example.log[index].position = moved(example.log[index].position)
      switch example.log[index].content {
      case .floor(let position): example.log[index].content = .floor(moved(position))
      case .nothing: break
      case .commit(var commit):
        commit.base = moved(commit.base)
        example.log[index].content = .commit(commit)
      }
    }
    for index in example.pending.indices {
      example.pending[index].base = moved(example.pending[index].base)
    }
    return example.renumbered(from: self)
  }

  private var commits: [ReplicaCommit] {
    log.compactMap { entry in
      guard case .commit(let commit) = entry.content else { return nil }
      return commit
    } + pending
  }

  /// The commits of each replica numbered from 1 again, after some of `before` were left out.
  private func renumbered(from before: Counterexample) -> Counterexample {
    var origins: [ReplicaID: ReplicaCommit.Continuation] = [:]
    for commit in before.commits where commit.continues != nil {
      origins[commit.replica] = commit.continues
    }
    let left = commits
    func renumbered(_ commit: ReplicaCommit) -> ReplicaCommit {
      func place(_ replica: ReplicaID, _ number: UInt64) -> UInt64 {
        UInt64(left.count { $0.replica == replica && $0.number <= number })
      }
      var commit = commit
      commit.number = place(commit.replica, commit.number)
      commit.continues = nil
      guard commit.number == 1, var origin = origins[commit.replica] else { return commit }
      // Where nothing is left of the replica that is continued, it is the one that it continued.
      while place(origin.replica, origin.number) == 0 {
        guard let older = origins[origin.replica] else { return commit }
        origin = older
      }
      origin.number = place(origin.replica, origin.number)
      commit.continues = origin
      return commit
    }
    var example = self
    for index in log.indices {
      guard case .commit(let commit) = log[index].content else { continue }
      example.log[index].content = .commit(renumbered(commit))
    }
    example.pending = pending.map(renumbered)
    return example
  }
}
