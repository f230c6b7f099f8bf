import DaybookEntities

/// The source of the current entities.
protocol EntitySource {
  /// Returns the entity, or `nil` if it is unknown.
  func entity(_ key: EntityKey) -> EntityState?

  /// Returns the deferred changes of an entity, in ascending order of ids.
  func held(_ key: EntityKey) -> [HeldChange]

  /// Calls `body` for each entity, in any order.
  func forEachEntity(_ body: (EntityKey, EntityState) -> Void)

  /// Whether the log assigns recording numbers.
  var isNumbered: Bool { get }

  /// Returns the next recording number of a kind, or `nil` if the log has assigned none.
  func nextNumber(_ kind: EntityKind) -> UInt64?
}

extension Folded: EntitySource {
  func entity(_ key: EntityKey) -> EntityState? { entities[key] }

  func held(_ key: EntityKey) -> [HeldChange] { held[key] ?? [] }

  func forEachEntity(_ body: (EntityKey, EntityState) -> Void) {
    for (key, state) in entities { body(key, state) }
  }

  func nextNumber(_ kind: EntityKind) -> UInt64? { nextNumbers[kind] }
}

/// One commit while it is merged; nothing takes effect before the whole commit is merged.
struct CommitMerge<Source: EntitySource> {
  let author: Author
  let rules: RuleTable
  let source: Source
  /// The entities that the commit changes, as merged so far.
  var entities: [EntityKey: EntityState] = [:]
  var findings: [FindingID: Finding] = [:]
  /// The deferred changes of each entity for which the commit changes them.
  var held: [EntityKey: [HeldChange]] = [:]
  /// The next recording numbers, for the kinds of the entities that the commit inserts.
  private(set) var nextNumbers: [EntityKind: UInt64] = [:]

  init(_ author: Author, rules: RuleTable, on source: Source) {
    self.author = author
    self.rules = rules
    self.source = source
  }

  private func entity(_ key: EntityKey) -> EntityState? { entities[key] ?? source.entity(key) }

  /// Merges changes of the commit, then the parents, and collects the findings.
  ///
  /// The result of an earlier call is discarded.
  mutating func merge(_ changes: [EntityChange]) throws(FoldFault) {
    entities = [:]
    findings = [:]
    nextNumbers = [:]
    let policy = rules.policy { source.entity($0)?.record }
    var merges: [ChangeMerge] = []
    var waiting: [(merge: Int, outcome: RegisterOutcome)] = []
    for change in try withoutRefusedAbsorptions(changes) {
      do {
        var merge = try ChangeMerge(
          change, by: author, of: entity(change.key), map: rules.map(of: change.key.kind))
        let parent = try merge.merge(by: rules, policy)
        if let parent { waiting.append((merges.count, parent)) }
        merge.state.record = try merge.map.record(of: merge.values) ?? merge.before.record
        number(&merge.state, change.key.kind)
        entities[change.key] = merge.state
        merges.append(merge)
      } catch {
        throw .damagedRecord(position: author.position, key: change.key)
      }
    }
    try settleParents(waiting, &merges)
    for index in merges.indices {
      merges[index].tellWhatTheTombstoneKeeps()
      do {
        try merges[index].tellWhatTheFlagMeets()
      } catch {
        throw .damagedRecord(position: author.position, key: merges[index].change.key)
      }
      tell(merges[index])
    }
    try tellWhatIsClosedUnseen()
  }

  /// Assigns a recording number to an entity once it is inserted.
  private mutating func number(_ state: inout EntityState, _ kind: EntityKind) {
    guard source.isNumbered, state.isInserted, state.number == 0 else { return }
    let next = nextNumbers[kind] ?? source.nextNumber(kind) ?? rules.firstNumber(of: kind)
    state.number = next
    nextNumbers[kind] = next + 1
  }

  /// Sets the parents that close no cycle, in the order of the changes, and repeats this until no
  /// more parents can be set.
  ///
  /// Therefore, if all of a commit's parents are valid together, all of them are set, whatever the
  /// order of its changes.
  private mutating func settleParents(
    _ waiting: [(merge: Int, outcome: RegisterOutcome)], _ merges: inout [ChangeMerge]
  ) throws(FoldFault) {
    var waiting = waiting
    while true {
      let count = waiting.count
      var left: [(merge: Int, outcome: RegisterOutcome)] = []
      for one in waiting {
        if try takeParent(one.outcome, merges[one.merge]) {
          merges[one.merge].outcomes.append(one.outcome)
        } else {
          left.append(one)
        }
      }
      waiting = left
      if waiting.isEmpty || waiting.count == count { break }
    }
    for one in waiting {
      var refused = one.outcome
      refused.holds = false
      refused.rule = .cycle
      merges[one.merge].outcomes.append(refused)
    }
  }

  /// Sets a parent, and returns `true`, unless that would close a cycle.
  private mutating func takeParent(
    _ outcome: RegisterOutcome, _ merge: ChangeMerge
  ) throws(FoldFault) -> Bool {
    let key = merge.change.key
    guard let parent = merge.map.rules.parent, var state = entities[key] else { return true }
    do {
      var seen: Set<EntityID> = [key.id]
      var next = parent.id(outcome.wanted.bytes)
      while let id = next {
        if !seen.insert(id).inserted { return false }
        guard let above = entity(EntityKey(key.kind, id)) else { break }
        next = parent.id(try merge.map.values(of: above.record)[parent.register])
      }
      var values = try merge.map.values(of: state.record)
      values[outcome.register] = outcome.wanted.bytes
      state.record = try merge.map.record(of: values) ?? state.record
    } catch {
      throw .damagedRecord(position: author.position, key: key)
    }
    state.setWriter(outcome.wanted.writer, of: outcome.register)
    entities[key] = state
    return true
  }

  /// Collects the findings of one change.
  private mutating func tell(_ merge: ChangeMerge) {
    for rule in [FindingRule.valueLost, .clash, .cycle, .locked, .balanced] {
      let outcomes = merge.outcomes.filter { $0.rule == rule && $0.loss != nil }
      let isDecided = rule == .valueLost || rule == .balanced
      let asks = isDecided && outcomes.contains(where: \.asks)
      put(outcomes.compactMap(\.loss), rule, merge.change.key, asks)
    }
    put(merge.stands, .deletionStands, merge.change.key, false)
    put(merge.beaten, .locked, merge.change.key, false)
  }

  mutating func put(
    _ lost: [LostValue], _ rule: FindingRule, _ key: EntityKey, _ asks: Bool
  ) {
    if lost.isEmpty { return }
    let commit = author.commit
    let id = FindingID(replica: commit.replica, number: commit.number, key: key, rule: rule)
    var finding = findings[id] ?? Finding(id: id, values: [])
    finding.values = (finding.values + lost).sorted { $0.register < $1.register }
    finding.asks = finding.asks || asks
    findings[id] = finding
  }
}
