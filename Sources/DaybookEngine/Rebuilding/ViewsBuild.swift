internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// Fills new views from the journal: State, and every projection of this process.
struct ViewsBuild {
  let journal: JournalStore
  let clusterTags: ClusterTags
  let target: ViewsStore
  /// The names of projections that a newer program maintains and that this process must not
  /// replace.
  let newerVersions: Set<String>
  let progress: (@Sendable (RebuildProgress) -> Void)?
  var cancellation = Cancellation()

  /// Builds the views as of `checkpoint`, which is a commit of the journal or the state before its
  /// first commit.
  func run(through checkpoint: Checkpoint) throws {
    try loader(through: checkpoint).load()
    try cancellation.check()
    try target.environment.write { transaction in
      try target.put(ViewsHead(checkpoint), into: &transaction)
      // A rebuild doesn't know when each part last changed, so every part counts as changed in the
      // last commit.
      try target.put(ChangeStamps(base: checkpoint.sequence), into: &transaction)
    }
  }

  /// Returns the loader that fills State and builds the projections.
  func loader(through checkpoint: Checkpoint) -> ProjectionLoader {
    let commits = PhaseProgress(.state, unitCount: Double(checkpoint.sequence), progress)
    let filling = StateLoader(
      journal: journal, clusterTags: clusterTags, target: target, through: checkpoint.sequence,
      progress: { commits.at($0) })
    return ProjectionLoader(
      target: target, entries: target.registered.filter { !newerVersions.contains($0.name) },
      sequence: checkpoint.sequence, filling: filling, tell: progress, cancellation: cancellation)
  }
}

extension ViewsStore {
  /// Returns the names of the projections of this process that a newer program maintains in these
  /// views.
  func newerVersions() throws -> Set<String> {
    var newer: Set<String> = []
    // If the last writing program had the same versions of all projections, a newer version is
    // damage.
    if try environment.read({ try head(in: $0.view).currentDigest }) == registeredDigest {
      return newer
    }
    for (name, status) in try statuses() {
      let entry = registered.first { $0.name == name }
      if let entry, status.version > entry.version { newer.insert(name) }
    }
    return newer
  }

  /// Returns the projections that this process must build, and whether any other projection is
  /// current.
  ///
  /// The projections to build aren't current in these views, and no newer program maintains them.
  func missingProjections(
    in view: TransactionView
  ) throws -> (missing: [Registered], doesAnswer: Bool) {
    let statuses = try statuses(in: view)
    var missing: [Registered] = []
    for entry in registered {
      let isMissing =
        statuses[entry.name].map { status in
          status.version < entry.version
            || (status.version == entry.version && status.condition == .behind)
        } ?? true
      // A projection derived from rebuilt tables must also be rebuilt.
      let sources = (entry.type as? any DerivedProjection.Type)?.sources ?? []
      let isStale = missing.contains { built in
        sources.contains { $0.name == built.name }
          && (statuses[entry.name]?.version ?? 0) <= entry.version
      }
      if isMissing || isStale { missing.append(entry) }
    }
    let names = Set(missing.map(\.name))
    let doesAnswer = statuses.contains {
      !names.contains($0.key) && $0.value.condition == .current
    }
    return (missing, doesAnswer)
  }

  /// Marks projections as behind if only other programs maintain them, or maintain newer versions
  /// of them.
  ///
  /// The other programs then build these projections on their next open instead of treating them as
  /// new.
  func carry(from live: ViewsStore) throws {
    let mine = try statuses()
    let newer = try live.newerVersions()
    var carried: [(key: [UInt8], status: ProjectionStatus)] = []
    for (name, status) in try live.statuses() {
      if !newer.contains(name), registered.contains(where: { $0.name == name }) { continue }
      if let known = mine[name], known.version >= status.version, known.condition == .behind {
        continue
      }
      let behind = ProjectionStatus(version: status.version, condition: .behind)
      carried.append((ViewsStore.statusPrefix + Array(name.utf8), behind))
    }
    guard !carried.isEmpty else { return }
    try environment.write { transaction in
      for (key, status) in carried { try transaction.put(key, status.bytes, in: meta) }
      let head = try head(in: transaction.view)
      try put(ViewsHead(head.checkpoint), into: &transaction)
    }
  }

  func statuses() throws -> [String: ProjectionStatus] {
    try environment.read { try statuses(in: $0.view) }
  }

  private func statuses(in view: TransactionView) throws -> [String: ProjectionStatus] {
    let prefix = ViewsStore.statusPrefix
    var statuses: [String: ProjectionStatus] = [:]
    try view.forEach(in: meta, prefix: prefix.span.bytes) { key, value in
      let name = String(decoding: key.copied().dropFirst(prefix.count), as: UTF8.self)
      statuses[name] = try ProjectionStatus(value)
      return true
    }
    return statuses
  }
}
