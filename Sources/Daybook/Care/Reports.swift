/// What `verify` found.
public struct VerifyReport: Hashable, Sendable, Codable {
  /// Commits whose records and links were read and recomputed.
  public var commitCount: UInt64
  /// The number of rows of the views that were compared.
  public var rowCount: UInt64
  /// The problems found, with the first difference of each kind first; empty if there are none.
  public var findings: [String]
  /// Whether everything agreed.
  public var isSound: Bool { findings.isEmpty }

  /// Creates a report, for tests.
  public init(commitCount: UInt64, rowCount: UInt64, findings: [String]) {
    self.commitCount = commitCount
    self.rowCount = rowCount
    self.findings = findings
  }
}

/// The sizes, counts and checkpoints of a ledger.
public struct LedgerInfo: Hashable, Sendable {
  /// The ledger's folder.
  public var path: String
  /// The store's identity, as 32 hexadecimal digits.
  public var store: String
  /// The version of the format on disk.
  public var formatVersion: Int
  /// Why the ledger can't be written to although it was opened for writing; `nil` if it can.
  public var readOnlyReason: String?
  /// The lineage, as 16 hexadecimal digits; a restore begins a new one.
  public var lineage: String
  /// The live generation of the journal.
  public var journalGeneration: UInt32
  /// The live generation of the views.
  public var viewsGeneration: UInt32
  /// The newest commit's sequence.
  public var sequence: UInt64
  /// The newest commit's wall time, in microseconds since 1970; `nil` if there is no commit.
  public var newestCommitMicroseconds: Int64?
  /// The number of current entities of each kind.
  public var entityCounts: [EntityKind: UInt64]
  /// The health of each projection.
  public var projections: [ProjectionInfo]
  /// The journal's environment.
  public var journal: EnvironmentInfo
  /// The views' environment.
  public var views: EnvironmentInfo

  /// The health of one projection.
  public struct ProjectionInfo: Hashable, Sendable, Codable {
    /// The registered name, which errors also use.
    public var name: String
    /// The version of its tables; a newer version is rebuilt when the ledger is opened.
    public var version: UInt32
    /// The last commit applied since the ledger was opened; `nil` if there was none.
    public var sequence: UInt64?
    /// Why it is unavailable; `nil` if it is current.
    public var fault: String?

    /// Creates the health of a projection.
    public init(name: String, version: UInt32, sequence: UInt64?, fault: String?) {
      self.name = name
      self.version = version
      self.sequence = sequence
      self.fault = fault
    }
  }

  /// Figures of one LMDB environment.
  public struct EnvironmentInfo: Hashable, Sendable, Codable {
    /// Bytes of the data file that are or have been in use.
    public var byteCount: UInt64
    /// Bytes of these that are free for later commits; compacting returns them to the file system.
    public var freeByteCount: UInt64
    /// Bytes of reserved address space.
    public var mapByteCount: UInt64
    /// Bytes of one page.
    public var pageByteCount: Int
    /// The maximum number of reader slots that were in use at the same time, in all processes.
    public var readerCount: Int

    /// Creates the figures of an environment.
    public init(
      byteCount: UInt64 = 0, freeByteCount: UInt64 = 0, mapByteCount: UInt64 = 0,
      pageByteCount: Int = 0, readerCount: Int = 0
    ) {
      self.byteCount = byteCount
      self.freeByteCount = freeByteCount
      self.mapByteCount = mapByteCount
      self.pageByteCount = pageByteCount
      self.readerCount = readerCount
    }
  }

  /// Creates the information about a ledger.
  public init(
    path: String, store: String, formatVersion: Int, lineage: String, journalGeneration: UInt32,
    viewsGeneration: UInt32, sequence: UInt64, newestCommitMicroseconds: Int64?,
    entityCounts: [EntityKind: UInt64], projections: [ProjectionInfo], journal: EnvironmentInfo,
    views: EnvironmentInfo
  ) {
    self.path = path
    self.store = store
    self.formatVersion = formatVersion
    self.lineage = lineage
    self.journalGeneration = journalGeneration
    self.viewsGeneration = viewsGeneration
    self.sequence = sequence
    self.newestCommitMicroseconds = newestCommitMicroseconds
    self.entityCounts = entityCounts
    self.projections = projections
    self.journal = journal
    self.views = views
  }
}
