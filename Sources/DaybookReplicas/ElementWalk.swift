import DaybookEngine
import DaybookEntities
import DaybookMerging

/// Visits all elements of a replica's fold, as of the same time.
///
/// It merges three lists with the same order: State, the side values, and the entities before
/// pending commits. An entity's confirmed value is its side value, if it has one. Otherwise, it is
/// the value before the first pending commit that changes the entity or, if none does, the value in
/// State.
struct ElementWalk {
  private let moment: MergeMoment
  private let side: SideValues<MergeMoment>
  private let pending: PendingCommits
  private let keysBefore: [DaybookMerging.EntityKey]

  init(_ moment: MergeMoment, pending: PendingCommits) {
    self.moment = moment
    side = SideValues(source: moment)
    self.pending = pending
    keysBefore = pending.keys.sorted()
  }

  /// Calls `body` with the log's end, the replicas, the findings, the deferred changes, and the
  /// entities, each in ascending order.
  func forEach(_ body: ([UInt8]) throws -> Void) throws {
    try body(side.end.end)
    for letter in SideKey.elements where letter != SideKey.entities {
      try side.forEach(letter) {
        try body($1)
        return true
      }
    }
    try forEachEntity(body)
  }

  private func forEachEntity(_ body: ([UInt8]) throws -> Void) throws {
    let isNumbered = try side.end.isNumbered
    var sides = SideCursor(side)
    var nextSide = try sides.next()
    var nextBefore = 0
    /// Emits the entities up to a key, and returns whether the key itself was one of them.
    func give(through limit: DaybookMerging.EntityKey?) throws -> Bool {
      var isGiven = false
      while true {
        let earlier = nextBefore < keysBefore.count ? keysBefore[nextBefore] : nil
        guard let key = [nextSide?.key, earlier].compactMap({ $0 }).min() else { break }
        if let limit, limit < key { break }
        if let found = nextSide, found.key == key {
          try body(found.element)
          nextSide = try sides.next()
        } else if let stored = pending.before(key) ?? nil {
          try body(EntityState(seenByAll: stored, isNumbered: isNumbered).element(of: key))
        }
        if earlier == key { nextBefore += 1 }
        isGiven = key == limit
      }
      return isGiven
    }
    try moment.forEachEntity { kind, stored in
      if kind.rawValue == 0 { return true }
      let key = DaybookMerging.EntityKey(kind, stored.id)
      if try !give(through: key) {
        try body(EntityState(seenByAll: stored, isNumbered: isNumbered).element(of: key))
      }
      return true
    }
    _ = try give(through: nil)
  }
}

/// Reads the side values of entities in batches.
private struct SideCursor {
  private let side: SideValues<MergeMoment>
  private var found: ArraySlice<(key: DaybookMerging.EntityKey, element: [UInt8])> = []
  private var start: [UInt8]?
  private var isAtEnd = false

  init(_ side: SideValues<MergeMoment>) { self.side = side }

  mutating func next() throws -> (key: DaybookMerging.EntityKey, element: [UInt8])? {
    if found.isEmpty, !isAtEnd { try read() }
    return found.popFirst()
  }

  private mutating func read() throws {
    var batch: [(key: DaybookMerging.EntityKey, element: [UInt8])] = []
    try side.forEach(SideKey.entities, from: start) { key, element in
      batch.append((try SideKey.entity(of: key), element))
      start = SideKey.behind(key)
      return batch.count < 256
    }
    isAtEnd = batch.isEmpty
    found = batch[...]
  }
}
