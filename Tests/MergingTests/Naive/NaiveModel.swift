import DaybookEntities
import DaybookMerging

/// Says what a log means, from the whole log each time, as plainly as it can be said.
///
/// It shares with the room `DaybookMerging` the types that go in and come out, and nothing else. It keeps every
/// writer for ever and looks up again, for each commit, what its author had seen. Only when all is folded
/// does it leave out what the floor covers.
///
/// Where the plan leaves a rule open, it takes what keeps the promise that nothing recorded is lost
/// without a word:
/// - Whoever undeletes must have seen every deletion in force, not just the last.
/// - Who deletes without having seen one of several undeletings makes a finding, though the last of them
///   was seen.
/// - An amendment that meets a deletion it had not seen is kept with the tombstone, and is a finding,
///   whichever of the two was placed first.
/// - What a program made never beats what a person wrote, and two that were made alike are not a finding.
/// - What is pending erases its entity, and the text of what is told and held once it is in the log.
/// - A value that was refused is a finding under every policy; the policy says who wins, and who is asked.
/// - The first insertion of an entity that is merged, in the order of the log and of a commit's changes, gives it the
///   next number of its kind. It keeps that number, deleted or not.
struct NaiveModel: Sendable {
  /// What the ledger says of its kinds.
  var rules: MergeRules
  /// Rules to get wrong.
  var faults: Set<NaiveFault> = []

  /// Whether a rule is to be got wrong.
  func has(_ fault: NaiveFault) -> Bool { faults.contains(fault) }

  /// What follows from a log and then from a replica's own commits that are not in it.
  func state(of log: [LogEntry], pending: [ReplicaCommit] = []) -> NaiveState {
    var run = NaiveRun(model: self)
    let own = pending.enumerated().map { index, commit in
      Placed(commit: commit, position: UInt64(log.count + index) + 1, received: .max)
    }
    if has(.pendingBeforeHead) { for placed in own { run.foldOrHold(placed) } }
    for entry in log {
      switch entry.content {
      case .floor(let position): run.floor = position
      case .nothing: break
      case .commit(let commit):
        run.foldOrHold(Placed(commit: commit, position: entry.position, received: entry.received))
        run.eraseWhatIsTold(commit)
      }
    }
    if !has(.pendingBeforeHead) { for placed in own { run.foldOrHold(placed) } }
    return NaiveState(
      entities: run.entities.mapValues { $0.state(above: run.floor) }, findings: run.findings,
      held: run.held)
  }
}

/// A commit at its place: of a pending one the place after the head, received at the end of time.
struct Placed {
  var commit: ReplicaCommit
  var position: UInt64
  var received: Int64
}

/// One entity while a log is gone through: every register with its value and who wrote it.
struct NaiveEntity {
  var values: [Register: Properties] = [:]
  var writers: [Register: Writer] = [:]
  var isInserted = false
  /// Its recording number; 0 before it was ever inserted.
  var number: UInt64 = 0
  var deletions: [Writer] = []
  var isDeleted = false
  var revivals: [Writer] = []
  var isErased = false
  var erasures: [Writer] = []

  /// All its properties.
  var record: Record { packed(values.values.reduce(into: [:]) { $0.merge($1) { $1 } }) }

  /// The entity in the form of the fold under test: without what lies at or below the floor.
  func state(above floor: UInt64) -> EntityState {
    var state = EntityState()
    state.record = record
    state.isInserted = isInserted
    state.number = number
    state.isDeleted = isDeleted
    state.revivals = revivals.filter { $0.position > floor }
    state.deletions = deletions.filter { $0.position > floor }
    state.isErased = isErased
    state.erasures = erasures.filter { $0.position > floor }
    state.writers = writers.filter { $0.value.position > floor }
      .map { RegisterWriter($0.key, $0.value) }.sorted { $0.register < $1.register }
    return state
  }
}
