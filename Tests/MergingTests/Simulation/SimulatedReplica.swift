import DaybookMerging

/// What a replica keeps: the log as far as it has it, its own commits that are not in it, and its name.
struct ReplicaState {
  /// The name it records under.
  var name: ReplicaID
  /// What the first commit under this name says, where it is a restored copy.
  var origin: ReplicaCommit.Continuation?
  /// The log up to where it was pulled.
  var log: [LogEntry] = []
  /// Its own commits that it has not found in the log.
  var pending: [ReplicaCommit] = []
  /// The number of its last commit that it has found in the log.
  var acknowledged: UInt64 = 0
  /// The fold under test, of `log`.
  var subject: any FoldSubject

  /// The position up to which it has seen the log.
  var head: UInt64 { UInt64(log.count) }

  /// The least base of what it may still push.
  var leastBase: UInt64 { min(head, pending.map(\.base).min() ?? head) }

  /// Records a commit.
  mutating func record(_ changes: [EntityChange], hasIndependentChanges: Bool, clock: Int64) {
    let number = acknowledged + UInt64(pending.count) + 1
    pending.append(
      ReplicaCommit(
        replica: name, number: number, base: head, clock: clock,
        continues: number == 1 ? origin : nil, hasIndependentChanges: hasIndependentChanges,
        changes: changes))
  }

  /// Takes what was pulled: entries that it has are passed over, a gap ends it.
  ///
  /// A commit under its own name that it has not recorded tells it that it is a copy that was restored,
  /// or that one was: it takes a new name, which `fresh` gives, and what it has not pushed goes with it.
  mutating func take(_ entries: [LogEntry], fresh: () -> ReplicaID) {
    var slice: [LogEntry] = []
    for entry in entries where entry.position > head {
      guard entry.position == head + 1 else { break }
      log.append(entry)
      slice.append(entry)
      guard case .commit(let commit) = entry.content, commit.replica == name else { continue }
      if commit == pending.first {
        pending.removeFirst()
        acknowledged = commit.number
      } else {
        rename(fresh())
      }
    }
    if !slice.isEmpty { subject.append(slice) }
  }

  private mutating func rename(_ new: ReplicaID) {
    if acknowledged > 0 { origin = .init(replica: name, number: acknowledged) }
    name = new
    acknowledged = 0
    for index in pending.indices {
      pending[index].replica = new
      pending[index].number = UInt64(index) + 1
      pending[index].continues = index == 0 ? origin : nil
    }
  }
}

/// One replica: what it has in memory, what is on its disk, and copies of its disk.
struct SimulatedReplica {
  /// What it works on.
  var memory: ReplicaState
  /// What a crash leaves.
  var disk: ReplicaState
  /// Copies of the disk that may be restored.
  var backups: [ReplicaState] = []
  /// By how much its clock is off, in microseconds.
  var clockError: Int64

  /// A replica that has seen nothing.
  init(name: ReplicaID, clockError: Int64, subject: any FoldSubject) {
    memory = ReplicaState(name: name, subject: subject)
    disk = memory
    self.clockError = clockError
  }

  /// Everything of it that may push one day.
  var states: [ReplicaState] { [memory, disk] + backups }
}
