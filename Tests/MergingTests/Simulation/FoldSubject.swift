import DaybookMerging

/// A fold under test, as a replica uses it: the log comes in slices, pending commits on top of it.
protocol FoldSubject: Sendable {
  /// Folds the next entries of the log.
  mutating func append(_ entries: [LogEntry])

  /// What follows from the log alone.
  func confirmed() -> NaiveState

  /// What follows from the log and then from `pending`: the entities that these touch in place of the
  /// confirmed ones, and the findings of both.
  func local(_ pending: [ReplicaCommit]) -> NaiveState
}

/// The fold of the room `DaybookMerging`.
struct RoomSubject: FoldSubject {
  private var fold: Fold
  /// What it refused; a log of honest replicas gives it no reason to.
  private var fault: String?

  init(_ rules: MergeRules) { fold = Fold(rules: rules) }

  mutating func append(_ entries: [LogEntry]) {
    guard fault == nil else { return }
    do { try fold.fold(contentsOf: entries) } catch { fault = "\(error)" }
  }

  func confirmed() -> NaiveState {
    state(fold.folded.entities, fold.folded.findings, fold.folded.held)
  }

  func local(_ pending: [ReplicaCommit]) -> NaiveState {
    do {
      let top = try fold.pending(pending)
      return state(
        fold.folded.entities.merging(top.entities) { $1 },
        fold.folded.findings.merging(top.findings) { $1 },
        fold.folded.held.merging(top.held) { $1 })
    } catch {
      return NaiveState(refusal: fault ?? "\(error)")
    }
  }

  private func state(
    _ entities: [EntityKey: EntityState], _ findings: [FindingID: Finding],
    _ held: [EntityKey: [HeldChange]]
  ) -> NaiveState {
    NaiveState(
      entities: entities, findings: findings, held: held.filter { !$0.value.isEmpty },
      refusal: fault)
  }
}

/// The naive model in the place of the fold under test, with faults in its rules.
struct FaultySubject: FoldSubject {
  private var model: NaiveModel
  private var log: [LogEntry] = []

  init(_ rules: MergeRules, _ faults: Set<NaiveFault>) {
    model = NaiveModel(rules: rules, faults: faults)
  }

  mutating func append(_ entries: [LogEntry]) { log += entries }

  func confirmed() -> NaiveState { model.state(of: log) }

  func local(_ pending: [ReplicaCommit]) -> NaiveState { model.state(of: log, pending: pending) }
}
