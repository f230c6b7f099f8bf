internal import DaybookEntities
internal import DaybookLMDB

extension ProjectionLoader {
  /// Builds a derived projection from the tables of its sources.
  func loadDerived(_ entry: ViewsStore.Registered) throws {
    guard let derived = entry.projection as? any DerivedProjection else { return }
    try cancellation.check()
    // Settling also reads the projection's own tables, so they must be empty.
    try target.environment.write { transaction in
      for index in entry.type.tables.indices {
        try transaction.clear(entry.handle[index].database)
      }
    }
    var tables = sortedTables(of: entry)
    let position = entries.firstIndex { $0.name == entry.name } ?? 0
    var outcome = Outcome(position: position, sorters: [])
    do {
      try checkSources(of: derived, entry)
      try derived.settle(BuiltReading(target), to: &tables)
      if let fault = tables.fault { throw fault }
      outcome.sorters = try finishedSorters(of: &tables)
    } catch let missing as SourceMissing {
      outcome.fault = "\(missing)"
      outcome.isAwaited = missing.isAwaited
    } catch {
      outcome.fault = "\(error)"
    }
    try append([outcome])
  }

  private func checkSources(
    of derived: any DerivedProjection, _ entry: ViewsStore.Registered
  ) throws {
    let place = target.registered.firstIndex { $0.name == entry.name } ?? 0
    for source in type(of: derived).sources {
      let found = target.registered[try target.position(ofSource: source, before: place)]
      let status = try target.environment.read { try target.status(of: found, in: $0.view) }
      if status?.version == found.version, status?.condition == .current { continue }
      let isBroken = status?.version == found.version && status?.condition == .quarantined
      throw SourceMissing(
        source: found.name, reason: isBroken ? status?.reason : nil, isAwaited: !isBroken)
    }
  }
}
