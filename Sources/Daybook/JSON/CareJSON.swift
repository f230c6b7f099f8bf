internal import DaybookEngine
internal import DaybookJournal

// JSON forms of results about the whole ledger, as described in Docs/JSON.md.

extension LedgerInfo: Codable {
  private enum Key: String, CodingKey {
    case path, store, formatVersion, readOnlyReason, missingCommits, lineage, journalGeneration
    case viewsGeneration
    case sequence, newestCommit, entityCounts, projections, journal, views
  }

  /// Encodes the properties; `newestCommit` is a UTC time, and the keys of `entityCounts` are names
  /// of kinds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(path, forKey: .path)
    try container.encode(store, forKey: .store)
    try container.encode(formatVersion, forKey: .formatVersion)
    try container.encodeIfPresent(readOnlyReason, forKey: .readOnlyReason)
    try container.encodeIfPresent(missingCommits, forKey: .missingCommits)
    try container.encode(lineage, forKey: .lineage)
    try container.encode(journalGeneration, forKey: .journalGeneration)
    try container.encode(viewsGeneration, forKey: .viewsGeneration)
    try container.encode(sequence, forKey: .sequence)
    try container.encodeIfPresent(
      newestCommitMicroseconds.map { Moment(microseconds: $0) }, forKey: .newestCommit)
    var counts = container.nestedContainer(keyedBy: MemberName.self, forKey: .entityCounts)
    for (kind, count) in entityCounts.sorted(by: { $0.key < $1.key }) {
      try counts.encode(count, forKey: MemberName(stringValue: kind.name))
    }
    try container.encode(projections, forKey: .projections)
    try container.encode(journal, forKey: .journal)
    try container.encode(views, forKey: .views)
  }

  /// Decodes the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if a member is missing or invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let counts = try container.nestedContainer(keyedBy: MemberName.self, forKey: .entityCounts)
    var entityCounts: [EntityKind: UInt64] = [:]
    for key in counts.allKeys {
      guard let kind = EntityKind(named: key.stringValue) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: counts,
          debugDescription: "“\(key.stringValue.excerpt)” isn't a kind of entity")
      }
      entityCounts[kind] = try counts.decode(UInt64.self, forKey: key)
    }
    self.init(
      path: try container.decode(String.self, forKey: .path),
      store: try container.decode(String.self, forKey: .store),
      formatVersion: try container.decode(Int.self, forKey: .formatVersion),
      lineage: try container.decode(String.self, forKey: .lineage),
      journalGeneration: try container.decode(UInt32.self, forKey: .journalGeneration),
      viewsGeneration: try container.decode(UInt32.self, forKey: .viewsGeneration),
      sequence: try container.decode(UInt64.self, forKey: .sequence),
      newestCommitMicroseconds: try container.decodeIfPresent(Moment.self, forKey: .newestCommit)?
        .microseconds,
      entityCounts: entityCounts,
      projections: try container.decode([ProjectionInfo].self, forKey: .projections),
      journal: try container.decode(EnvironmentInfo.self, forKey: .journal),
      views: try container.decode(EnvironmentInfo.self, forKey: .views))
    readOnlyReason = try container.decodeIfPresent(String.self, forKey: .readOnlyReason)
    missingCommits = try container.decodeIfPresent(MissingCommits.self, forKey: .missingCommits)
  }
}

extension ErasureReceipt: Codable {
  private enum Key: String, CodingKey { case kind, entity, sequence, commitCount, changeCount }

  /// Encodes the properties.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(kind, forKey: .kind)
    try container.encode(entity, forKey: .entity)
    try container.encode(sequence, forKey: .sequence)
    try container.encode(commitCount, forKey: .commitCount)
    try container.encode(changeCount, forKey: .changeCount)
  }

  /// Decodes the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      kind: try container.decode(EntityKind.self, forKey: .kind),
      entity: try container.decode(EntityID.self, forKey: .entity),
      sequence: try container.decode(UInt64.self, forKey: .sequence),
      commitCount: try container.decode(Int.self, forKey: .commitCount),
      changeCount: try container.decode(Int.self, forKey: .changeCount))
  }
}

extension RetentionPolicy: Codable {
  private enum Key: String, CodingKey { case seconds, commits, bytes }

  /// Encodes the policy: `{"seconds": 604800}`, `{"commits": 100}`, `{"bytes": 1048576}`, or `{}`
  /// to keep everything.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .keepEverything: break
    case .age(let seconds): try container.encode(seconds, forKey: .seconds)
    case .count(let count): try container.encode(count, forKey: .commits)
    case .bytes(let count): try container.encode(count, forKey: .bytes)
    }
  }

  /// Decodes the form written by ``encode(to:)``.
  ///
  /// - Throws: `DecodingError` if there is more than one member.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard let key = container.allKeys.first else {
      self = .keepEverything
      return
    }
    guard container.allKeys.count == 1 else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container,
        debugDescription: "expected one of seconds, commits and bytes")
    }
    self =
      switch key {
      case .seconds: .age(seconds: try container.decode(Int64.self, forKey: key))
      case .commits: .count(try container.decode(Int.self, forKey: key))
      case .bytes: .bytes(try container.decode(Int.self, forKey: key))
      }
  }
}

extension LedgerAnchor: Codable {
  /// Encodes the anchor's text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  /// Decodes the anchor's text.
  ///
  /// - Throws: `DecodingError` if the text isn't an anchor.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let anchor = LedgerAnchor(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected an anchor of a ledger")
    }
    self = anchor
  }
}
