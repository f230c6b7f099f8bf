import Entities

extension Fold {
  /// Folds a replica's own commits that the log does not have yet, behind its head: as if they had
  /// been placed there, in their order, infinitely late.
  ///
  /// The confirmed values stay as they are.
  ///
  /// A base below the floor is accepted here: such a commit cannot be placed any more, but it is what its
  /// replica shows until it is recorded anew.
  ///
  /// - Parameter isPart: whether some are left out that change nothing which these read or change.
  /// - Throws: ``FoldFault`` at the first commit that cannot be folded. One that the log has already is a
  ///   ``FoldFault/numberGap(position:replica:expected:found:)``.
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

/// Pending values over confirmed ones.
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
