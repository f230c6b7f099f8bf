import DaybookEngine
import DaybookEntities
import DaybookMerging

extension SliceMerge {
  /// Saves the deferred changes that the slice changed.
  func putHeld() throws {
    let (old, new) = (initial.held, fold.folded.held)
    for key in touched where old[key] != new[key] {
      for change in old[key] ?? [] { try side.put(nil, under: SideKey.held(change.id)) }
      for change in new[key] ?? [] {
        try side.put(change.element, under: SideKey.held(change.id))
      }
    }
  }
}

extension SideValues {
  /// Reads the deferred changes of entities into a fold.
  func readHeld(of keys: some Sequence<DaybookMerging.EntityKey>, _ folded: inout Folded) throws {
    var isAnyHeld = false
    try forEach(SideKey.held) { _, _ in
      isAnyHeld = true
      return false
    }
    if !isAnyHeld { return }
    for key in Set(keys) {
      let start = SideKey.held(key)
      try forEach(SideKey.held, from: start) { found, element in
        guard found.starts(with: start) else { return false }
        try folded.readHeld(element)
        return true
      }
    }
  }

  /// Returns whether an entity has a side value and occurs in the log outside of deferred changes.
  func knows(_ key: DaybookMerging.EntityKey) throws -> Bool {
    guard let element = try value(SideKey.entity(key)) else { return false }
    var folded = Folded()
    try folded.readEntity(element)
    return folded.entities[key]?.isKnown == true
  }
}
