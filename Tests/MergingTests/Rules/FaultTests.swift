// Goal: what cannot be in a log is refused by name, and changes nothing. Method: each fault by the entry behind a short
// log, and the fold before and after.

import DaybookEntities
import DaybookMerging
import Testing

@Suite struct FaultTests {
  private func begun() -> Scenario {
    var log = Scenario()
    log.place(1, base: 0, clock: 100, .insert(key(1), start))
    log.place(2, base: 1, clock: 200, .amend(key(1), start, record([1: 11, 2: 20])))
    return log
  }

  /// Expects that an entry is refused, and that the fold stays as it was.
  private func refused(
    _ fault: FoldFault, _ entry: LogEntry, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var fold = try begun().fold()
    let before = fold.folded
    #expect(throws: fault, sourceLocation: sourceLocation) { try fold.fold(entry) }
    #expect(fold.folded == before, sourceLocation: sourceLocation)
  }

  private func entry(
    _ position: UInt64 = 3, received: Int64 = 300, replica: UInt64 = 1, number: UInt64 = 2,
    base: UInt64 = 2, version: UInt32 = 1, continues: (replica: UInt64, number: UInt64)? = nil,
    changes: [EntityChange] = []
  ) -> LogEntry {
    let commit = ReplicaCommit(
      replica: ReplicaID(rawValue: replica), number: number, base: base, clock: 300,
      version: version,
      continues: continues.map {
        ReplicaCommit.Continuation(replica: ReplicaID(rawValue: $0.replica), number: $0.number)
      },
      changes: changes)
    return LogEntry(position: position, received: received, content: .commit(commit))
  }

  @Test func whatIsSoundIsFolded() throws {
    var fold = try begun().fold()
    try fold.fold(entry(replica: 9, number: 1, continues: (2, 1)))
    #expect(fold.folded.head == 3)
    #expect(fold.folded.replicas[ReplicaID(rawValue: 9)]?.continues?.number == 1)
  }

  @Test func positionsAndTimes() throws {
    try refused(.gap(expected: 3, found: 4), entry(4))
    try refused(.gap(expected: 3, found: 2), entry(2))
    try refused(.receivedGoesBack(position: 3), entry(received: 199))
    try refused(.baseBeyondHead(position: 3, base: 3), entry(base: 3))
  }

  @Test func numbersOfCommits() throws {
    let one = ReplicaID(rawValue: 1)
    try refused(.numberGap(position: 3, replica: one, expected: 2, found: 3), entry(number: 3))
    try refused(.numberGap(position: 3, replica: one, expected: 2, found: 1), entry(number: 1))
    let nine = ReplicaID(rawValue: 9)
    try refused(
      .numberGap(position: 3, replica: nine, expected: 1, found: 2), entry(replica: 9, number: 2))
  }

  @Test func continuations() throws {
    // Not the first; of one that the log does not know; after more than it has; after nothing; of itself.
    let fault = FoldFault.invalidContinuation(position: 3)
    try refused(fault, entry(continues: (2, 1)))
    try refused(fault, entry(replica: 9, number: 1, continues: (8, 1)))
    try refused(fault, entry(replica: 9, number: 1, continues: (2, 2)))
    try refused(fault, entry(replica: 9, number: 1, continues: (2, 0)))
    try refused(fault, entry(replica: 9, number: 1, continues: (9, 1)))
  }

  @Test func floors() throws {
    let floor = LogEntry(position: 3, received: 300, content: .floor(3))
    try refused(.invalidFloor(position: 3, floor: 3), floor)
    var fold = try begun().fold()
    try fold.fold(LogEntry(position: 3, received: 300, content: .floor(2)))
    #expect(throws: FoldFault.invalidFloor(position: 4, floor: 1)) {
      try fold.fold(LogEntry(position: 4, received: 300, content: .floor(1)))
    }
    #expect(throws: FoldFault.baseBelowFloor(position: 4, base: 1)) {
      try fold.fold(entry(4, base: 1))
    }
    #expect(fold.folded.head == 3)
  }

  @Test func aNewerFoldStopsByName() throws {
    let version = Fold.version + 1
    try refused(.newerFold(position: 3, version: version), entry(version: version))
    let fold = try begun().fold()
    guard case .commit(let commit) = entry(version: version).content else { return }
    #expect(throws: FoldFault.newerFold(position: 3, version: version)) {
      try fold.pending([commit])
    }
  }

  @Test func damagedRecordsOfEachSide() throws {
    let damaged = [
      Record(bytes: [1, 9, 0]), Record(bytes: [2, 0, 1, 0]), Record(bytes: [1, 0, 1, 0]),
    ]
    for record in damaged {
      let sound = EntityChange.amend(key(1), start, start)
      for change in [
        EntityChange.insert(key(2), record), .amend(key(2), record, start),
        .undelete(key(2), record, as: start),
      ] {
        try refused(.damagedRecord(position: 3, key: key(2)), entry(changes: [sound, change]))
      }
    }
  }
}
