import Entities
import Journal
import Merging
import Projecting

extension Replica {
  /// Begins anew with a snapshot, where the log has gone on without this replica, and records what is pending anew
  /// on it (``rebase()``).
  ///
  /// The store stays the same, and its journal goes on: what the snapshot says otherwise is appended. All or nothing:
  /// what is interrupted changes nothing, and can be done again. Appends wait meanwhile, reads do not.
  ///
  /// - Parameters:
  ///   - placed: the number of this replica's last commit in the log as far as that is known, also behind the
  ///     snapshot; those up to it are not recorded anew.
  ///   - notes: what is remembered together with it; notes from before that begin with one of `forgetting` go.
  ///   - isRight: whether a digest is that of the snapshot.
  ///   - open: begins to read the snapshot's elements (``forEachElement(_:)``) in their order; `nil` ends them.
  /// - Throws: ``ReplicaFault/incomplete`` where the elements are not those of the digest;
  ///   ``ReplicaFault/unknownOwnCommit(position:number:)``; what `open` throws; `JournalError`.
  /// - Complexity: O(entities), of which those that differ are in memory.
  @discardableResult
  public func rejoin(
    placed: UInt64 = 0, noting notes: [Note] = [], forgetting: [[UInt8]] = [],
    where isRight: @escaping @Sendable (_ digest: [UInt8]) -> Bool = { _ in true },
    from open: @escaping @Sendable () throws -> (() throws -> [UInt8]?)
  ) async throws -> RebaseReceipt {
    let rules = rules
    let receipt = try await store.merge(by: Self.consumer) { context in
      let side = SideValues(source: context)
      var pending = try PendingCommits(side, rules: rules)
      var taking = try SnapshotTaking(context, rules: rules, over: pending, try open())
      let folded = try taking.run(where: isRight)
      try side.forget(forgetting)
      try side.put(notes)

      let own = ReplicaID(rawValue: context.replica)
      let last = max(placed, folded.replicas[own]?.last ?? 0)
      while let first = pending.entries.first?.commit, first.replica == own, first.number <= last {
        pending.removeFirst()
      }
      let known = pending.lastPlaced
      guard last == 0 || known.replica == own && known.number == last else {
        throw ReplicaFault.unknownOwnCommit(position: folded.head, number: last)
      }
      var merge = try SliceMerge(
        context, rules: rules, from: folded, over: pending, [], isWhole: true, isConfirmed: true)
      merge.erased = taking.erased
      try merge.eraseHere()
      return try merge.rebase()
    }
    if receipt.hasErased { try await store.completeErasures() }
    return receipt
  }
}

/// Puts a snapshot in place of what a replica has.
private struct SnapshotTaking {
  private static let batchCount = 4_096

  private let context: MergeContext
  private let side: SideValues<MergeContext>
  private let element: () throws -> [UInt8]?
  private var digest = StateDigest()
  private var folded = Folded()
  private var records: [MergedRecord] = []
  private let rules: MergeRules
  private let pending: PendingCommits
  /// Which entities have other recording numbers here.
  private var numbers: [Merging.EntityKey: UInt64] = [:]
  /// The kind of the entity that was taken last.
  private var kind: EntityKind?
  /// What the snapshot lacks.
  ///
  /// It goes when the rest is there, the last first: what refers to others is of a later kind.
  private var gone: [Merging.EntityKey] = []
  /// What was erased while this replica was away.
  private(set) var erased: Set<Merging.EntityKey> = []
  private var wasErased: Set<Merging.EntityKey> = []
  /// The entity that the snapshot goes on with.
  private var next: (key: Merging.EntityKey, state: EntityState, element: [UInt8])?

  init(
    _ context: MergeContext, rules: MergeRules, over pending: PendingCommits,
    _ element: @escaping () throws -> [UInt8]?
  ) throws {
    self.context = context
    self.rules = rules
    self.pending = pending
    self.element = element
    side = SideValues(source: context)
  }

  /// - Returns: the log's end and the replicas.
  mutating func run(where isRight: (_ digest: [UInt8]) -> Bool) throws -> Folded {
    try makeRoom()
    try forget()
    try advance()
    // Both are in the order of kinds and ids.
    try context.forEachEntity { kind, stored in
      if kind.rawValue == 0 { return true }
      let key = Merging.EntityKey(kind, stored.id)
      while let known = next, known.key < key { try take(known) }
      if let known = next, known.key == key {
        try take(known, over: stored)
      } else {
        gone.append(key)
      }
      return true
    }
    while let known = next { try take(known) }
    for key in gone.reversed() { try append(MergedRecord(key.kind, key.id, nil)) }
    try write()
    try renumber()
    guard folded.head > 0, isRight(digest.hash) else { throw ReplicaFault.incomplete }
    try side.put(folded.end, under: SideKey.end)
    try side.put(digest.bytes, under: SideKey.digest)
    return folded
  }

  /// Reads the log's end, which comes first, and moves entities that only pending commits insert behind the snapshot's
  /// numbers.
  private mutating func makeRoom() throws {
    let before = try side.end.nextNumbers
    guard let bytes = try element() else { throw ReplicaFault.incomplete }
    try folded.readEnd(bytes)
    digest.add(bytes)
    var merge = NumberMerge(context, rules: rules, folded, over: pending)
    for kind in folded.nextNumbers.keys { try merge.makeRoom(kind, from: before[kind]) }
    try merge.finish()
  }

  /// Gives entities the snapshot's numbers, before anything refers to them that this replica has not recorded.
  private mutating func renumber() throws {
    if numbers.isEmpty { return }
    try write()
    var merge = NumberMerge(context, rules: rules, folded, over: pending)
    for (key, number) in numbers { merge.move(key, to: number) }
    try merge.finish()
    numbers = [:]
  }

  private mutating func forget() throws {
    var old = Folded()
    try side.forEach(SideKey.entities) {
      try old.readEntity($1)
      return true
    }
    wasErased = Set(old.entities.filter(\.value.isErased).keys)
    for letter in SideKey.elements {
      var keys: [[UInt8]] = []
      try side.forEach(letter) { key, _ in
        keys.append(key)
        return true
      }
      for key in keys { try side.put(nil, under: key) }
    }
  }

  private mutating func take(
    _ known: (key: Merging.EntityKey, state: EntityState, element: [UInt8]),
    over stored: StoredEntity? = nil
  ) throws {
    if known.key.kind != kind, rules.kinds[known.key.kind]?.references != nil { try renumber() }
    kind = known.key.kind
    if known.state.present != stored?.record {
      try append(MergedRecord(known.key, known.state))
    }
    if let stored, known.state.exists, folded.isNumbered {
      // Entities that pending commits change may have been moved out of the way.
      let number =
        pending.change(known.key)
        ? try context.entity(known.key.kind, known.key.id)?.number : stored.number
      if number != known.state.number { numbers[known.key] = known.state.number }
    }
    if known.state.isErased, !wasErased.contains(known.key) { erased.insert(known.key) }
    if !known.state.isPlain { try side.put(known.element, under: SideKey.entity(known.key)) }
    try advance()
  }

  private mutating func append(_ one: MergedRecord) throws {
    records.append(one)
    if records.count == Self.batchCount { try write() }
  }

  private mutating func write() throws {
    try context.append(records, origin: CommitOrigin(replica: 0, sequence: folded.head))
    records = []
  }

  /// Reads up to the next entity.
  private mutating func advance() throws {
    next = nil
    while let bytes = try element() {
      digest.add(bytes)
      switch bytes.first {
      case 2: try folded.readReplica(bytes)
      case 3:
        var one = Folded()
        try one.readEntity(bytes)
        guard let (key, state) = one.entities.first else { continue }
        next = (key, state, bytes)
        return
      case 5:
        var one = Folded()
        try one.readHeld(bytes)
        for change in one.held.values.joined() {
          try side.put(bytes, under: SideKey.held(change.id))
        }
      default:
        var one = Folded()
        try one.readFinding(bytes)
        for finding in one.findings.values {
          try side.put(finding.element, under: SideKey.finding(finding.id))
        }
      }
    }
    for (id, progress) in folded.replicas {
      try side.put(progress.element(of: id), under: SideKey.replica(id))
    }
  }
}
