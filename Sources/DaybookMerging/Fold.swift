/// Folds a log into entities: a pure, total and deterministic function.
///
/// `Docs/Notes/Merging.md` describes the rules. Folding the log in slices gives the same result as
/// folding it at once.
///
/// ```swift
/// var fold = Fold(rules: rules)
/// try fold.fold(contentsOf: entries)
/// let pending = try fold.pending(unsent)
/// let account = pending.entities[key] ?? fold.folded.entities[key]
/// ```
public struct Fold: Sendable {
  /// The version of these rules.
  ///
  /// A fold stops at the first commit that needs a newer version.
  public static let version: UInt32 = 2

  /// The ledger's rules for each kind.
  public var rules: MergeRules { table.rules }
  /// The result so far: the confirmed values.
  public private(set) var folded: Folded
  let table: RuleTable

  /// Creates a fold that continues from an earlier result that was computed with the same rules.
  public init(rules: MergeRules, from folded: Folded = Folded()) {
    table = RuleTable(rules)
    self.folded = folded
  }

  /// Folds the next entries of the log.
  ///
  /// - Throws: ``FoldFault`` at the first entry that can't be folded; the entries before it have
  ///   been folded.
  public mutating func fold(contentsOf entries: some Sequence<LogEntry>) throws(FoldFault) {
    for entry in entries { try fold(entry) }
  }

  /// Folds the next entry of the log.
  ///
  /// - Throws: ``FoldFault``; the fold is then unchanged.
  /// - Complexity: O(changes) for a commit, O(entities) for a floor.
  public mutating func fold(_ entry: LogEntry) throws(FoldFault) {
    let position = entry.position
    guard position == folded.head &+ 1 else {
      throw .gap(expected: folded.head &+ 1, found: position)
    }
    guard entry.received >= folded.received else { throw .receivedGoesBack(position: position) }
    switch entry.content {
    case .commit(let commit):
      guard commit.base >= folded.floor else {
        throw .baseBelowFloor(position: position, base: commit.base)
      }
      try merge(commit, at: position, received: entry.received)
    case .floor(let floor):
      guard floor >= folded.floor, floor < position else {
        throw .invalidFloor(position: position, floor: floor)
      }
      setFloor(floor)
    case .nothing: break
    }
    folded.head = position
    folded.received = entry.received
  }

  private mutating func merge(
    _ commit: ReplicaCommit, at position: UInt64, received: Int64
  ) throws(FoldFault) {
    try commit.validate(at: position, head: folded.head, among: folded.replicas)
    let effect = try commit.merged(
      at: position, received: received, among: folded.replicas, rules: table, on: folded)
    folded.replicas.note(commit)
    for (key, entity) in effect.entities { folded.entities[key] = entity }
    for (id, finding) in effect.findings { folded.findings[id] = finding }
    for (key, list) in effect.held { folded.held[key] = list.isEmpty ? nil : list }
    for (kind, next) in effect.nextNumbers { folded.nextNumbers[kind] = next }
    let erased = Set(commit.changes.lazy.filter(\.isErasure).map(\.key))
    if erased.isEmpty { return }
    for key in erased {
      guard let list = folded.held[key]?.compactMap({ rules.erased($0) }) else { continue }
      folded.held[key] = list.isEmpty ? nil : list
    }
    for (id, finding) in folded.findings where erased.contains(id.key) {
      folded.findings[id] = rules.erased(finding)
    }
  }

  private mutating func setFloor(_ floor: UInt64) {
    folded.floor = floor
    // Iterating over the dictionary itself would retain it, and changing it would then copy it.
    // Iterating by index avoids that.
    var index = folded.entities.startIndex
    while index < folded.entities.endIndex {
      folded.entities.values[index].forgetWriters(through: floor)
      folded.entities.formIndex(after: &index)
    }
  }
}

extension ReplicaCommit {
  /// Checks that a commit can come next in the log.
  ///
  /// - Parameter gaps: Whether earlier commits of its replica may be missing.
  /// - Throws: ``FoldFault``.
  func validate(
    at position: UInt64, head: UInt64, among replicas: [ReplicaID: ReplicaProgress],
    gaps: Bool = false
  ) throws(FoldFault) {
    if version > Fold.version { throw .newerFold(position: position, version: version) }
    if base > head { throw .baseBeyondHead(position: position, base: base) }
    let expected = (replicas[replica]?.last ?? 0) &+ 1
    guard number == expected || gaps && number > expected else {
      throw .numberGap(position: position, replica: replica, expected: expected, found: number)
    }
    guard let continues else { return }
    let last = replicas[continues.replica]?.last ?? 0
    guard number == 1, continues.number >= 1, gaps || continues.number <= last else {
      throw .invalidContinuation(position: position)
    }
  }

  /// Returns the commit's effect on the entities that it changes, and its findings.
  func merged(
    at position: UInt64, received: Int64, among replicas: [ReplicaID: ReplicaProgress],
    rules: RuleTable, on source: some EntitySource
  ) throws(FoldFault) -> Pending {
    let author = Author(self, position: position, received: received, among: replicas)
    var merge = CommitMerge(author, rules: rules, on: source)
    try merge.mergeOrHold()
    return Pending(
      entities: merge.entities, findings: merge.findings, held: merge.held,
      nextNumbers: merge.nextNumbers)
  }
}

extension [ReplicaID: ReplicaProgress] {
  /// Records that a commit was folded.
  mutating func note(_ commit: ReplicaCommit) {
    self[commit.replica] = ReplicaProgress(
      last: commit.number, continues: self[commit.replica]?.continues ?? commit.continues)
  }
}
