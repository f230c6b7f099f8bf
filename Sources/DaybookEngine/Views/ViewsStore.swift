internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// One generation of views: the environment, and the tables of State and the projections.
///
/// Sendable: all properties are set when the generation is opened.
final class ViewsStore: Sendable {
  let environment: Environment
  let path: String
  let generation: UInt32
  let meta: Database
  let state: StateTable
  /// The registered projections, in the order of registration.
  let registered: [Registered]
  /// The digest of the registered projections; see ``ViewsHead``.
  let registeredDigest: UInt64
  /// Whether an older program wrote State, so that its rows may differ from those of this program.
  ///
  /// This is possible only if the views were opened read-only.
  let isOlder: Bool
  private let positions: [ObjectIdentifier: Int]

  /// A projection of this process, with its tables in this generation.
  struct Registered: Sendable {
    let type: any Projection.Type
    let projection: any Projection
    let handle: ProjectionHandle
    let name: String
    let version: UInt32
    let statusKey: [UInt8]
  }

  static let statusPrefix = JournalTables.metaKey("projection.")

  private static func statusKey(of type: any Projection.Type) -> [UInt8] {
    statusPrefix + Array(type.name.utf8)
  }

  /// Opens a generation, creating it or its tables if they are missing.
  ///
  /// - Precondition: The caller holds `WRITER`, unless it only reads an existing generation.
  /// - Throws: ``OlderViews`` if the views are opened for writing and an older program wrote them.
  init(
    path: String, generation: UInt32, folder: StoreFolder, projections: [any Projection.Type],
    options: EnvironmentOptions
  ) throws {
    self.path = path
    self.generation = generation
    environment = try Environment.open(path: path, options: options)
    let mark = GenerationMark(.views, generation, of: folder, format: StateTable.version)
    let opened =
      options.readOnly
      ? try ViewsStore.openTables(environment, projections, mark)
      : try ViewsStore.createTables(environment, projections, mark, isDurable: folder.isFlushed)
    meta = opened.meta
    state = opened.state
    isOlder = opened.version < StateTable.version
    registered = zip(projections, opened.handles).compactMap { type, handle in
      handle.map {
        Registered(
          type: type, projection: type.init(), handle: $0, name: type.name, version: type.version,
          statusKey: ViewsStore.statusKey(of: type))
      }
    }
    registeredDigest = ViewsHead.digest(of: registered)
    positions = Dictionary(
      uniqueKeysWithValues: registered.enumerated().map { position, entry in
        let asked = (entry.type as? any StandIn.Type)?.standsFor ?? entry.type
        return (ObjectIdentifier(asked), position)
      })
  }

  private struct Opened {
    var meta: Database
    var state: StateTable
    var handles: [ProjectionHandle?]
    var version = StateTable.version
  }

  /// Opens all tables, and durably creates missing ones.
  ///
  /// The generation's mark must be durable, so that a partly written file can be recognised.
  private static func createTables(
    _ environment: Environment, _ projections: [any Projection.Type], _ mark: GenerationMark,
    isDurable: Bool
  ) throws -> Opened {
    do {
      if !isDurable { return try createTables(environment, projections, mark) }
      return try environment.durably { try createTables(environment, projections, mark) }
    } catch let error as LMDBError where error.kind == .notFound {
      // If the name of a table is damaged, an empty table would take the place of the table with
      // the rows.
      throw damage(at: environment.path, "a table is missing")
    }
  }

  private static func createTables(
    _ environment: Environment, _ projections: [any Projection.Type], _ mark: GenerationMark
  ) throws -> Opened {
    var transaction = try environment.beginWrite()
    let meta = try transaction.openMainDatabase()
    let isNew = try transaction.count(of: meta) == 0
    if isNew {
      try transaction.put(GenerationMark.key, mark.bytes, in: meta)
    } else if let found = try transaction.bytes(for: GenerationMark.key, in: meta) {
      let version = try mark.check(found, path: environment.path, oldest: 1)
      if version < StateTable.version { throw OlderViews() }
    } else {
      throw damage(at: environment.path, "they have no mark of their ledger")
    }
    let state = StateTable(
      rows: try transaction.openDatabase(named: "state", create: isNew),
      ids: try transaction.openDatabase(named: "ids", create: isNew),
      overflow: try transaction.openDatabase(named: "overflow", create: isNew))
    var handles: [ProjectionHandle?] = []
    for type in projections {
      var isBuilt = false
      if let value = try transaction.bytes(for: statusKey(of: type), in: meta) {
        let status = try ProjectionStatus(value.span.bytes)
        isBuilt = status.version == type.version && status.condition == .current
      }
      var tables: [Table] = []
      for definition in type.tables {
        let database = try transaction.openDatabase(
          named: "\(type.name).\(definition.name)", create: !isBuilt)
        tables.append(Table(database, definition, of: type.name))
      }
      handles.append(ProjectionHandle(tables: tables))
    }
    try transaction.commit()
    return Opened(meta: meta, state: state, handles: handles)
  }

  /// Returns the error for damaged views that only a writer may replace.
  static func damage(
    at path: String, _ what: String? = nil, cause: (any Error)? = nil
  ) -> ProjectingError {
    ProjectingError(
      .damaged,
      "The views in “\(path)” are damaged\(what.map { ": \($0)" } ?? ""). The journal is not "
        + "affected: run `daybook rebuild`, or open the ledger for writing, and the views are "
        + "rebuilt from it.", cause: cause)
  }

  /// Opens the existing tables, leaving out projections with missing tables.
  private static func openTables(
    _ environment: Environment, _ projections: [any Projection.Type], _ mark: GenerationMark
  ) throws -> Opened {
    let meta = try environment.mainDatabase()
    let version = try environment.read { transaction in
      try mark.check(
        try transaction.bytes(for: GenerationMark.key, in: meta), path: environment.path, oldest: 1)
    }
    let state = StateTable(
      rows: try environment.database(named: "state"), ids: try environment.database(named: "ids"),
      overflow: try environment.database(named: "overflow"))
    let handles = try projections.map { type -> ProjectionHandle? in
      var tables: [Table] = []
      for definition in type.tables {
        do {
          let database = try environment.database(named: "\(type.name).\(definition.name)")
          tables.append(Table(database, definition, of: type.name))
        } catch let error as LMDBError where error.kind == .notFound {
          return nil
        }
      }
      return ProjectionHandle(tables: tables)
    }
    return Opened(meta: meta, state: state, handles: handles, version: version)
  }

  /// Returns the index of a projection, or of its stand-in in tests, among the registered
  /// projections.
  func position(of projection: any Projection.Type) -> Int? {
    positions[ObjectIdentifier(projection)]
  }

  /// Returns the stored status of a registered projection.
  func status(of entry: Registered, in view: TransactionView) throws -> ProjectionStatus? {
    guard let value = try view.get(entry.statusKey.span.bytes, in: meta) else { return nil }
    return try ProjectionStatus(value)
  }

  /// Returns the tables of a projection if it is current.
  ///
  /// - Parameter head: The head of the views, read in the same transaction.
  /// - Throws: ``ProjectingError`` if the projection isn't registered or built, is quarantined or
  ///   behind, or if the views contain a newer version of it.
  func handle(
    of projection: any Projection.Type, _ head: ViewsHead, in view: TransactionView
  ) throws -> ProjectionHandle {
    guard let position = positions[ObjectIdentifier(projection)] else {
      throw ProjectingError(
        .notRegistered,
        "The projection “\(projection.name)” is not registered. Pass it to open.")
    }
    if head.currentDigest == registeredDigest { return registered[position].handle }
    let entry = registered[position]
    guard let value = try view.get(entry.statusKey.span.bytes, in: meta) else {
      throw ProjectingError(
        .notReady, "The projection “\(entry.name)” has not been built yet. Ask again soon.")
    }
    var reader = ByteReader(value)
    // Usually, only the first two fields are needed, so the rest isn't decoded.
    if try reader.u32be() == entry.version, try reader.u8() == 0 { return entry.handle }
    throw try ProjectionStatus(value).fault(entry.name, version: entry.version)
  }
}

/// An error that means that views with an older version of State were opened for writing.
struct OlderViews: Error {}

/// The stored status of a projection.
///
/// The format is the version (4 bytes), the condition (1), the first commit for which the condition
/// holds (8), and the reason.
struct ProjectionStatus: Equatable {
  enum Condition: UInt8 {
    case current = 0
    case behind = 1
    case quarantined = 2
  }

  var version: UInt32
  var condition: Condition
  var since: UInt64 = 0
  var reason = ""

  init(version: UInt32, condition: Condition, since: UInt64 = 0, reason: String = "") {
    self.version = version
    self.condition = condition
    self.since = since
    self.reason = reason
  }

  init(_ span: RawSpan) throws {
    var reader = ByteReader(span)
    version = try reader.u32be()
    guard let condition = Condition(rawValue: try reader.u8()) else {
      throw ProjectingError(
        .damaged, "A projection's status cannot be read. Run `daybook rebuild`.")
    }
    self.condition = condition
    since = try reader.u64be()
    reason = try reader.string()
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.u32be(version)
    writer.u8(condition.rawValue)
    writer.u64be(since)
    writer.string(reason)
    return writer.bytes
  }

  func fault(_ name: String, version known: UInt32) -> ProjectingError {
    if version > known {
      return ProjectingError(
        .newerVersion,
        "The projection “\(name)” has version \(version), written by a newer program; this one "
          + "supports version \(known). Update this program.")
    }
    switch condition {
    case .quarantined:
      return ProjectingError(
        .quarantined,
        "The projection “\(name)” was set aside at commit \(since): \(reason). Correct the cause "
          + "and rebuild.")
    case .behind, .current:
      return ProjectingError(
        .behind,
        "The projection “\(name)” has not seen the commits after \(since), which a program without it "
          + "wrote. Open the ledger for writing with it, or rebuild, and it catches up.")
    }
  }
}
