import Entities
import Journal
import Merging
import Projecting

/// A replica's own commits that the log does not have yet, as the others are told of them.
///
/// What was found in the journal once stays right, because history does not change: commits that the log has leave
/// at the front, and new ones join behind.
struct PendingCommits: Sendable {
  /// One of them, and its place in the journal.
  struct Entry: Sendable {
    var sequence: UInt64
    /// Under which name it was recorded; under which one it is sent, the commit says.
    var name: ReplicaID
    var commit: ReplicaCommit

    /// Whether what it changes depends on more than what it and the log say of its entities: it says which copy
    /// continues which, or undeletes, which brings back what others changed.
    fileprivate var isAlwaysFolded: Bool {
      commit.continues != nil || commit.changes.contains { $0.tombstone != nil }
    }
  }

  /// An entity that they change.
  private struct Touched: Sendable {
    /// What stood before the first of them changed it: `nil` where there was nothing.
    var before: StoredEntity?
    /// Which of all that were ever in the list change it, ascending.
    var ordinals: [Int] = []
  }

  private let rules: MergeRules
  private var walked: WalkedJournal
  /// Those before `first` are in the log.
  private var list: [Entry] = []
  private var first = 0
  /// How many were taken out of the list.
  private var goneCount = 0
  private var touched: [Merging.EntityKey: Touched] = [:]
  /// Those that are folded again with whatever the log says, ascending: what they stand on is not in the journal.
  private var always: [Int] = []

  /// By kind, a lower bound of the recording numbers of entities that only these insert, if it is known; `UInt64.max`
  /// where there are none.
  var leastNumbers: [EntityKind: UInt64] = [:]

  /// Whether the journal still has all that was recorded: where something was erased, records come out differently
  /// from what was pushed.
  private(set) var isExact = true

  /// Reads them from the journal.
  init(_ side: SideValues<some MergeSource>, rules: MergeRules) throws {
    self.rules = rules
    walked = try WalkedJournal(side)
    walked.head = walked.acknowledged
    try extend(side)
  }

  /// Oldest first.
  var entries: ArraySlice<Entry> { list[first...] }
  /// Under which names they were recorded, and are sent.
  var names: OwnNames { walked.names }
  /// The last own commit that the log has; number 0 before the first.
  var lastPlaced: ReplicaCommit.Continuation { walked.last }
  /// Every entity that they change.
  var keys: some Sequence<Merging.EntityKey> { touched.keys }

  /// Whether any of them changes an entity.
  func change(_ key: Merging.EntityKey) -> Bool { touched[key] != nil }

  /// What stood before the first of them changed an entity; `nil` where none does.
  func before(_ key: Merging.EntityKey) -> StoredEntity?? { touched[key].map(\.before) }

  // MARK: Following the journal

  /// Takes what was recorded since.
  ///
  /// - Returns: whether that was possible: not where others have acknowledged something, or erased.
  mutating func follow(_ side: SideValues<some MergeSource>) throws -> Bool {
    guard try WalkedJournal(side).continues(walked) else { return false }
    try extend(side)
    return true
  }

  private mutating func extend(_ side: SideValues<some MergeSource>) throws {
    let head = try side.source.head
    if head == walked.head { return }
    let walk = try PendingWalk(side, names: walked.names, rules: rules, after: walked.head) {
      touched[$0] != nil
    }
    walked.head = head
    isExact = isExact && walk.isExact
    let start = list.count
    for entry in walk.found.reversed() {
      for change in entry.commit.changes where change.before == nil {
        // Later insertions have greater numbers than earlier ones.
        if leastNumbers[change.key.kind] == .max { leastNumbers[change.key.kind] = nil }
      }
      for key in Set(entry.commit.changes.map(\.key)) {
        touched[key, default: Touched(before: walk.before[key] ?? nil)].ordinals
          .append(goneCount + list.count)
      }
      list.append(entry)
    }
    number(from: start)
  }

  /// Says of each under which name it is sent, and as which of that one's commits.
  private mutating func number(from start: Int) {
    var last = walked.last
    if start > first {
      let before = list[start - 1].commit
      last = ReplicaCommit.Continuation(replica: before.replica, number: before.number)
    }
    always.removeAll { $0 >= goneCount + start }
    for index in start..<list.count {
      let name = walked.names.sendingName(of: list[index].name)
      let goesOn = name == last.replica
      list[index].commit.replica = name
      list[index].commit.number = goesOn ? last.number + 1 : 1
      list[index].commit.continues = goesOn || last.number == 0 ? nil : last
      last = ReplicaCommit.Continuation(replica: name, number: list[index].commit.number)
      if list[index].isAlwaysFolded { always.append(goneCount + index) }
    }
  }

  // MARK: Being found in the log

  /// What a commit of the log is to this copy.
  enum Placed {
    /// The first of these.
    case first
    /// Another's.
    case other
    /// One that has this copy's present name, and was not recorded here.
    case unknown
  }

  /// Says what a commit of the log is.
  ///
  /// Where it shows that another copy has recorded something else under a past name, what is left of these is sent
  /// under the next one.
  mutating func meaning(of placed: ReplicaCommit) -> Placed {
    if begins(with: placed) { return .first }
    if placed.replica == names.present { return .unknown }
    if entries.first?.commit.replica == placed.replica {
      walked.names.end(placed.replica)
      number(from: first)
    }
    return .other
  }

  /// Whether the first one is what the log has under its name.
  ///
  /// The number alone does not say: another copy has counted on with commits of its own. Clocks and
  /// attributes may have been corrected on the way.
  private func begins(with placed: ReplicaCommit) -> Bool {
    guard let first = entries.first?.commit, first.replica == placed.replica,
      first.number == placed.number, first.base == placed.base,
      first.changes.map(\.key) == placed.changes.map(\.key)
    else { return false }
    return !isExact || first.changes.map(\.after) == placed.changes.map(\.after)
  }

  /// Takes away the first one, which the log has.
  mutating func removeFirst() {
    let commit = list[first].commit
    walked.last = ReplicaCommit.Continuation(replica: commit.replica, number: commit.number)
    for key in Set(commit.changes.map(\.key)) {
      touched[key]?.ordinals.removeFirst()
      if touched[key]?.ordinals.isEmpty == true { touched[key] = nil }
    }
    if always.first == goneCount + first { always.removeFirst() }
    first += 1
    if first * 2 > list.count {
      list.removeFirst(first)
      goneCount += first
      first = 0
    }
  }

  /// Says what the consumer has acknowledged, once it is put down; nothing but the merge itself was appended since
  /// these were read.
  mutating func didMerge(head: UInt64, acknowledged: UInt64) {
    walked.head = head
    walked.acknowledged = acknowledged
  }
}

extension PendingCommits {
  /// Those that must be folded again where some entities have become different, oldest first.
  ///
  /// All that change any of them, or anything that another one of these changes; and those that always are.
  /// Of a kind whose entities lie in each other, one counts as all.
  func depending(on keys: some Sequence<Merging.EntityKey>) -> [Entry] {
    var found = Set(always)
    var seen: Set<Merging.EntityKey> = []
    var seenKinds: Set<EntityKind> = []
    var waiting = Array(keys) + always.flatMap { list[$0 - goneCount].commit.changes.map(\.key) }
    while let key = waiting.popLast() {
      guard seen.insert(key).inserted else { continue }
      if rules.kinds[key.kind]?.parent != nil, seenKinds.insert(key.kind).inserted {
        waiting += touched.keys.filter { $0.kind == key.kind }
      }
      for ordinal in touched[key]?.ordinals ?? [] where found.insert(ordinal).inserted {
        waiting += list[ordinal - goneCount].commit.changes.map(\.key)
      }
    }
    return found.sorted().map { list[$0 - goneCount] }
  }
}
