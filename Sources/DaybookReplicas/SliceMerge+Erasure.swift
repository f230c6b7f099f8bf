import DaybookEngine
import DaybookEntities
import DaybookJournal
import DaybookMerging

extension SliceMerge {
  /// Removes erased text from the journal and all other files.
  ///
  /// This method appends requests for the erasure, which is performed after the slice is committed
  /// (`EventStore.completeErasures`). An erasure removes all text up to its request. Therefore, the
  /// entity's record without text is appended before the request, and its current record after it.
  mutating func eraseHere() throws {
    if erased.isEmpty { return }
    let anyone = CommitOrigin(replica: 0, sequence: fold.folded.head)
    var asked: [MergedRecord] = []
    var settled: [MergedRecord] = []
    // Text that this device recorded after its own erasure is still pending and must be kept.
    let own = Set(pending.entries.flatMap { $0.commit.changes.map(\.key) })
    for key in erased.subtracting(own.intersection(erasedByThis)).sorted() {
      if let record = try context.entity(key.kind, key.id)?.record,
        let unsettled = rules.unsettled(key, record), unsettled != record
      {
        asked.append(MergedRecord(key.kind, key.id, unsettled))
        settled.append(MergedRecord(key.kind, key.id, record))
      }
      asked.append(Self.request(key))
      try eraseOwnFindings(of: key)
    }
    hasErased = !asked.isEmpty
    try context.append(asked, origin: anyone)
    try context.append(settled, origin: anyone)
  }

  /// Returns a request for an erasure, in the form of an entity of the journal's own kind.
  static func request(_ key: DaybookMerging.EntityKey) -> MergedRecord {
    let id = EntityID(high: .random(in: 1 ... .max), low: .random(in: 1 ... .max))
    let record = ErasureRecord(kind: key.kind, entity: key.id).record
    return MergedRecord(PurgeRecord.kind, id, record)
  }

  /// Removes erased text from the findings and deferred changes that only this replica has.
  private func eraseOwnFindings(of key: DaybookMerging.EntityKey) throws {
    var folded = Folded()
    try side.forEach(SideKey.ownFindings) {
      try folded.readFinding($1)
      return true
    }
    for finding in folded.findings.values where finding.id.key == key {
      try side.put(rules.erased(finding)?.element, under: SideKey.ownFinding(finding.id))
    }
    try side.forEach(SideKey.ownHeld) {
      try folded.readHeld($1)
      return true
    }
    for change in folded.held[key] ?? [] {
      try side.put(rules.erased(change)?.element, under: SideKey.ownHeld(change.id))
    }
  }
}

extension Commit {
  /// The entities whose erasure a commit requests.
  var erasures: [DaybookMerging.EntityKey] {
    changes.compactMap { change in
      guard change.kind == PurgeRecord.kind, change.operation == .insert else { return nil }
      var writer = RecordWriter()
      for property in change.properties {
        if let value = property.after { writer.put(property.tag) { $0.raw(value) } }
      }
      return ErasureRecord(writer.record).map { DaybookMerging.EntityKey($0.kind, $0.entity) }
    }
  }
}
