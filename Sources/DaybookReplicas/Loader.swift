import DaybookEngine
import DaybookEntities
import DaybookMerging

/// Reads confirmed values.
struct Loader {
  let context: MergeContext
  let side: SideValues<MergeContext>
  /// The pending commits; `nil` if State contains only confirmed values.
  let pending: PendingCommits?

  /// Adds an entity's confirmed state to a fold and returns it; returns `nil` if there is none.
  func confirmed(_ key: DaybookMerging.EntityKey, _ folded: inout Folded) throws -> EntityState? {
    if let element = try side.value(SideKey.entity(key)) {
      try folded.readEntity(element)
      return folded.entities[key]
    }
    let stored: StoredEntity?
    if let known = pending?.before(key) {
      stored = known
    } else {
      stored = try context.entity(key.kind, key.id)
    }
    guard let stored else { return nil }
    let state = EntityState(seenByAll: stored, isNumbered: folded.isNumbered)
    folded.entities[key] = state
    return state
  }
}

extension EntityState {
  /// Creates the state of an entity whose values all replicas have seen.
  ///
  /// - Parameters:
  ///   - stored: The entity in State.
  ///   - isNumbered: Whether the log assigned the entity's recording number.
  init(seenByAll stored: StoredEntity, isNumbered: Bool) {
    self.init()
    record = stored.record
    if isNumbered { number = stored.number }
    isInserted = true
  }

  /// Whether State contains the complete state of the entity.
  var isPlain: Bool {
    exists && !isErased && writers.isEmpty && revivals.isEmpty && deletions.isEmpty
  }
}
