import DaybookEngine
import DaybookEntities
import DaybookJournal
import DaybookMerging

extension Replica {
  /// Starts over from a snapshot, because the log no longer contains the entries that this replica
  /// needs.
  ///
  /// The pending commits are recorded again on top of the snapshot (``rebase()``).
  ///
  /// The store and its journal continue: only the differences from the snapshot are appended. The
  /// operation is atomic, so it can be repeated after an interruption. Appends wait for it, but
  /// reads don't.
  ///
  /// - Parameters:
  ///   - placed: The number of this replica's last commit in the log, even if it is after the
  ///     snapshot. Commits up to this number aren't recorded again.
  ///   - notes: Notes to save in the same transaction.
  ///   - forgetting: The key prefixes of notes to remove first.
  /// - isRight: Returns whether a digest is the snapshot's digest.
  /// - open: Starts reading the snapshot's elements (``forEachElement(_:)``) in order; the returned
  ///   reader returns `nil` at the end.
  /// - Throws: ``ReplicaFault/incomplete`` if the elements don't have the snapshot's digest;
  ///   ``ReplicaFault/unknownOwnCommit(position:number:)``; errors of `open`; `JournalError`.
  /// - Complexity: O(entities). Only entities that differ are held in memory.
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

/// Replaces a replica's contents with a snapshot.
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
  /// The recording numbers in the snapshot of entities that have different numbers on this replica.
  private var numbers: [DaybookMerging.EntityKey: UInt64] = [:]
  /// The kind of the previous entity.
  private var kind: EntityKind?
  /// The entities that are missing from the snapshot.
  ///
  /// They are deleted after all additions and in reverse order, because an entity's kind comes
  /// after the kinds of the entities to which it refers.
  private var gone: [DaybookMerging.EntityKey] = []
  /// The entities that were erased while this replica was absent.
  private(set) var erased: Set<DaybookMerging.EntityKey> = []
  private var wasErased: Set<DaybookMerging.EntityKey> = []
  /// The snapshot's next entity.
  private var next: (key: DaybookMerging.EntityKey, state: EntityState, element: [UInt8])?

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

  /// Compares State with the snapshot, and records the differences.
  ///
  /// - Returns: The fold with the log's end and the replicas.
  mutating func run(where isRight: (_ digest: [UInt8]) -> Bool) throws -> Folded {
    try makeRoom()
    try forget()
    try advance()
    // State and the snapshot are both ordered by kind and id.
    try context.forEachEntity { kind, stored in
      if kind.rawValue == 0 { return true }
      let key = DaybookMerging.EntityKey(kind, stored.id)
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

  /// Reads the log's end, which is the first element, and moves the entities that only pending
  /// commits insert to numbers after the snapshot's numbers.
  private mutating func makeRoom() throws {
    let before = try side.end.nextNumbers
    guard let bytes = try element() else { throw ReplicaFault.incomplete }
    try folded.readEnd(bytes)
    digest.add(bytes)
    var merge = NumberMerge(context, rules: rules, folded, over: pending)
    for kind in folded.nextNumbers.keys { try merge.makeRoom(kind, from: before[kind]) }
    try merge.finish()
  }

  /// Assigns the snapshot's numbers to entities before adding any entity that refers to them.
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
    _ known: (key: DaybookMerging.EntityKey, state: EntityState, element: [UInt8]),
    over stored: StoredEntity? = nil
  ) throws {
    if known.key.kind != kind, rules.kinds[known.key.kind]?.references != nil { try renumber() }
    kind = known.key.kind
    if known.state.present != stored?.record {
      try append(MergedRecord(known.key, known.state))
    }
    if let stored, known.state.exists, folded.isNumbered {
      // Entities that pending commits change may have been renumbered.
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

  /// Reads elements up to the next entity.
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
