import DaybookEntities

extension Fold {
  /// Folds a replica's pending commits after the log's head, as if they had been placed there in
  /// order, and received infinitely late.
  ///
  /// The confirmed values don't change.
  ///
  /// A base below the floor is accepted. A commit with such a base can no longer be placed in the
  /// log, but its replica shows it until the commit is recorded again.
  ///
  /// - Parameters:
  ///   - commits: The pending commits, in order.
  ///   - isPart: Whether some pending commits are left out. The omitted commits must not change
  ///     anything that the given commits read or change.
  /// - Throws: ``FoldFault`` at the first commit that can't be folded. A commit that is already in
  ///   the log throws ``FoldFault/numberGap(position:replica:expected:found:)``.
  public func pending(
    _ commits: some Sequence<ReplicaCommit>, isPart: Bool = false
  ) throws(FoldFault) -> Pending {
    var replicas = folded.replicas
    var layer = PendingLayer(below: folded)
    var position = folded.head
    for commit in commits {
      position += 1
      try commit.validate(at: position, head: folded.head, among: replicas, gaps: isPart)
      let effect = try commit.merged(
        at: position, received: .max, among: replicas, rules: table, on: layer)
      replicas.note(commit)
      for (key, entity) in effect.entities { layer.pending.entities[key] = entity }
      for (id, finding) in effect.findings { layer.pending.findings[id] = finding }
      for (key, list) in effect.held { layer.pending.held[key] = list }
      for (kind, next) in effect.nextNumbers { layer.pending.nextNumbers[kind] = next }
    }
    return layer.pending
  }
}

/// Pending values on top of confirmed ones.
private struct PendingLayer: EntitySource {
  let below: Folded
  var pending = Pending(entities: [:], findings: [:], held: [:], nextNumbers: [:])

  init(below: Folded) { self.below = below }

  func entity(_ key: EntityKey) -> EntityState? { pending.entities[key] ?? below.entities[key] }

  func held(_ key: EntityKey) -> [HeldChange] { pending.held[key] ?? below.held(key) }

  func forEachEntity(_ body: (EntityKey, EntityState) -> Void) {
    for (key, state) in below.entities where pending.entities[key] == nil { body(key, state) }
    for (key, state) in pending.entities { body(key, state) }
  }

  var isNumbered: Bool { below.isNumbered }

  func nextNumber(_ kind: EntityKind) -> UInt64? {
    pending.nextNumbers[kind] ?? below.nextNumbers[kind]
  }
}
