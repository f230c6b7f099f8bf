import DaybookEngine
import DaybookEntities
import DaybookJournal
import DaybookMerging

/// Assigns recording numbers to entities.
///
/// Entities in the log have the log's numbers. Entities that only pending commits insert get the
/// numbers after the log's numbers, in their previous order (`Docs/Notes/Replicas.md`, "Recording
/// numbers").
struct NumberMerge {
  private let context: MergeContext
  private let side: SideValues<MergeContext>
  private let rules: MergeRules
  /// The log's end, and the entities that differ from their side values.
  private let folded: Folded
  /// The entities that a slice changed.
  private let changed: [DaybookMerging.EntityKey]
  private(set) var pending: PendingCommits
  private var moves: [DaybookMerging.EntityKey: UInt64] = [:]
  /// For each renumbered kind, the number after the last assigned number.
  private var ends: [EntityKind: UInt64] = [:]

  /// The minimum number of moved entities for which a gap is left before these entities.
  ///
  /// The gap has as many numbers as there are moved entities, so that later slices rarely have to
  /// move the entities again.
  private static let spaciousCount = 256

  init(
    _ context: MergeContext, rules: MergeRules, _ folded: Folded, over pending: PendingCommits,
    changed: [DaybookMerging.EntityKey] = []
  ) {
    self.context = context
    self.rules = rules
    self.folded = folded
    self.pending = pending
    side = SideValues(source: context)
    self.changed = changed
  }

  /// The entities that pending commits change, or changed before this slice was folded.
  private var keys: Set<DaybookMerging.EntityKey> { Set(pending.keys).union(changed) }

  // MARK: Deciding

  /// Assigns the log's number to an entity in State.
  mutating func move(_ key: DaybookMerging.EntityKey, to number: UInt64) { moves[key] = number }

  /// Moves the entities that only pending commits insert to numbers after the log's numbers.
  ///
  /// - Parameter start: The log's next number before the slice.
  mutating func makeRoom(_ kind: EntityKind, from start: UInt64?) throws {
    var next = folded.nextNumbers[kind] ?? rules.firstNumber(of: kind)
    if let least = pending.leastNumbers[kind], next <= least { return }
    var own: [(isLeaving: Bool, number: UInt64, key: DaybookMerging.EntityKey)] = []
    var isReused = false
    for key in keys where key.kind == kind && moves[key] == nil {
      let stored = try context.entity(key.kind, key.id)
      if let confirmed = try number(ofConfirmed: key) {
        if let stored, stored.number != confirmed { moves[key] = confirmed }
        continue
      }
      // History also contains the numbers of deleted entities.
      isReused = true
      // If no pending commit changes the entity, its insertion was deferred when the insertion
      // reached the log. The entity won't exist after this slice.
      if let stored { own.append((!pending.change(key), stored.number, key)) }
    }
    own.sort { ($0.isLeaving ? 1 : 0, $0.number) < ($1.isLeaving ? 1 : 0, $1.number) }
    if own.count >= Self.spaciousCount, own[0].number < next { next += UInt64(own.count) }
    var end = next
    for one in own {
      let number = one.isLeaving ? next : max(next, one.number)
      if number != one.number { moves[one.key] = number }
      next = number + 1
      if !one.isLeaving { end = next }
    }
    ends[kind] = end
    pending.leastNumbers[kind] = own.first.map { moves[$0.key] ?? $0.number } ?? .max
    if isReused { context.reuse(kind, from: start ?? rules.firstNumber(of: kind)) }
  }

  /// Returns the number that the log assigned to an entity, or `nil` if the log hasn't inserted the
  /// entity.
  private func number(ofConfirmed key: DaybookMerging.EntityKey) throws -> UInt64? {
    var state = folded.entities[key]
    if state == nil, let element = try side.value(SideKey.entity(key)) {
      var found = Folded()
      try found.readEntity(element)
      state = found.entities[key]
    }
    if let state { return state.number == 0 ? nil : state.number }
    return pending.before(key).flatMap { $0?.number }
  }

  // MARK: Recording

  /// Appends a commit that renumbers entities, and remembers their former positions in State.
  mutating func finish() throws {
    if moves.isEmpty { return }
    let places = try context.renumber(
      moves.map { Renumbering($0.key.kind, $0.key.id, to: $0.value) },
      references: try references.map { (kind: $0.kind, id: $0.id) },
      origin: CommitOrigin(replica: 0, sequence: folded.head))
    for (entity, place) in places {
      try side.put(FormerPlace(entity.id, at: folded.head), of: entity.kind, at: place)
    }
    moves = [:]
  }

  /// The entities that refer to the moved entities.
  ///
  /// The moved entities weren't in the log, so only entities changed by this replica's commits
  /// refer to them.
  private var references: [DaybookMerging.EntityKey] {
    get throws {
      let kinds = Set(moves.keys.map(\.kind))
      let referring = rules.kinds.compactMapValues { rules in
        rules.references.flatMap { kinds.isDisjoint(with: $0.kinds) ? nil : $0 }
      }
      if referring.isEmpty { return [] }
      return try keys.filter { key in
        guard moves[key] == nil, let references = referring[key.kind],
          let record = try context.entity(key.kind, key.id)?.record
        else { return false }
        return references.keys(record).contains { moves[$0] != nil }
      }
    }
  }

  /// Sets the journal's next numbers after the numbers of the log and of pending commits.
  ///
  /// Call this method after all changes have been appended.
  ///
  /// - Parameter isAtRest: Whether there are no pending commits.
  func follow(isAtRest: Bool) {
    for (kind, confirmed) in folded.nextNumbers {
      let known = context.journalNextNumber(kind)
      let end = ends[kind].map { max($0, context.freshEnd(kind)) } ?? known
      let next = isAtRest ? confirmed : max(confirmed, end)
      if next == known { continue }
      context.number(kind, from: next)
      // This device has used numbers that the log hasn't assigned.
      if next < known { context.reuse(kind, from: next) }
    }
  }
}

extension SliceMerge {
  /// Renumbers entities before the slice's other changes, so that other replicas' insertions can
  /// get their numbers.
  mutating func renumber() throws -> NumberMerge {
    var numbers = NumberMerge(
      context, rules: rules, fold.folded, over: pending, changed: touched)
    var concerned: Set<EntityKind> = []
    for key in touched {
      guard let number = fold.folded.entities[key]?.number, number != 0 else { continue }
      if let stored = try context.entity(key.kind, key.id) {
        if stored.number == number { continue }
        numbers.move(key, to: number)
        concerned.insert(key.kind)
      } else if initial.entities[key]?.number ?? 0 == 0 {
        concerned.insert(key.kind)
      }
    }
    for kind in concerned {
      try numbers.makeRoom(kind, from: initial.nextNumbers[kind])
    }
    try numbers.finish()
    pending = numbers.pending
    return numbers
  }
}

extension MergedRecord {
  /// Creates an entity's record according to the log.
  init(_ key: DaybookMerging.EntityKey, _ state: EntityState?) {
    self.init(key.kind, key.id, state?.present, number: state?.number ?? 0)
  }
}
