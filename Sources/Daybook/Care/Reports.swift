/// What `verify` found.
public struct VerifyReport: Hashable, Sendable, Codable {
  /// Commits whose records and links were read and recomputed.
  public var commitCount: UInt64
  /// Rows of views that were compared.
  public var rowCount: UInt64
  /// What is wrong, the first difference of each kind first.
  ///
  /// Empty where all is well.
  public var findings: [String]
  /// Whether everything agreed.
  public var isSound: Bool { findings.isEmpty }

  /// A report as a test gives it; ``Ledger/verify(progress:)`` gives a ledger's.
  public init(commitCount: UInt64, rowCount: UInt64, findings: [String]) {
    self.commitCount = commitCount
    self.rowCount = rowCount
    self.findings = findings
  }
}

/// Sizes, counts and checkpoints of a ledger.
public struct LedgerInfo: Hashable, Sendable {
  /// The folder.
  public var path: String
  /// The store's identity, as 32 hexadecimal digits.
  public var store: String
  /// The version of the format on disk.
  public var formatVersion: Int
  /// Why nothing can be recorded, where writing was asked for.
  public var readOnlyReason: String?
  /// The lineage, as 16 hexadecimal digits: a restore begins another.
  public var lineage: String
  /// The live generation of the journal.
  public var journalGeneration: UInt32
  /// The live generation of the views.
  public var viewsGeneration: UInt32
  /// The newest commit's sequence.
  public var sequence: UInt64
  /// The newest commit's wall time, in microseconds since 1970, or `nil` where there is none.
  public var newestCommitMicroseconds: Int64?
  /// Current entities of each kind.
  public var entityCounts: [EntityKind: UInt64]
  /// The health of each projection.
  public var projections: [ProjectionInfo]
  /// The journal's environment.
  public var journal: EnvironmentInfo
  /// The views' environment.
  public var views: EnvironmentInfo

  /// One projection's health.
  public struct ProjectionInfo: Hashable, Sendable, Codable {
    /// The name it is registered under, as in errors that name it.
    public var name: String
    /// The version of its tables; a newer one is built anew when the ledger is opened.
    public var version: UInt32
    /// The last commit it has applied since the ledger was opened, or `nil` where there was none.
    public var sequence: UInt64?
    /// Why it is quarantined, or `nil` where it is well.
    public var fault: String?

    /// One projection's health.
    public init(name: String, version: UInt32, sequence: UInt64?, fault: String?) {
      self.name = name
      self.version = version
      self.sequence = sequence
      self.fault = fault
    }
  }

  /// Figures of one LMDB environment.
  public struct EnvironmentInfo: Hashable, Sendable, Codable {
    /// Bytes of the data file that are in use or were.
    public var byteCount: UInt64
    /// Bytes of these that are free, to be used by later commits; compacting gives them back.
    public var freeByteCount: UInt64
    /// Bytes of address space set aside.
    public var mapByteCount: UInt64
    /// Bytes of one page.
    public var pageByteCount: Int
    /// Reader slots that have been in use at the same time, over all processes.
    public var readerCount: Int

    /// Figures of one LMDB environment.
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

  /// Sizes, counts and checkpoints.
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
