/// The result of `verify`.
public struct VerifyReport: Hashable, Sendable, Codable {
  /// The number of commits that were read and whose hashes were recomputed.
  public var commitCount: UInt64
  /// The number of rows of the views that were compared.
  public var rowCount: UInt64
  /// The problems found, beginning with the first difference of each kind; empty if there are none.
  public var findings: [String]
  /// Whether no problems were found.
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
  /// The reason why the ledger is read-only although it was opened for writing, or `nil` if it is
  /// writable or was opened only for reading.
  public var readOnlyReason: String?
  /// The acknowledged commits that are missing from the journal; `nil` if it contains all of them.
  public var missingCommits: MissingCommits?
  /// The lineage, as 16 hexadecimal digits; a restore starts a new one.
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
    /// The projection's registered name, which errors also use.
    public var name: String
    /// The version of the projection's tables; if it increases, opening the ledger rebuilds them.
    public var version: UInt32
    /// The last commit applied since the ledger was opened, or `nil` if there was none.
    public var sequence: UInt64?
    /// The reason why the projection is unavailable, or `nil` if it is current.
    public var fault: String?

    /// Creates the health of a projection.
    public init(name: String, version: UInt32, sequence: UInt64?, fault: String?) {
      self.name = name
      self.version = version
      self.sequence = sequence
      self.fault = fault
    }
  }

  /// Statistics about an LMDB environment.
  public struct EnvironmentInfo: Hashable, Sendable, Codable {
    /// The number of bytes in the data file's pages, whether used or free.
    public var byteCount: UInt64
    /// The number of free bytes in these pages.
    ///
    /// Later commits reuse them; compacting returns them to the file system.
    public var freeByteCount: UInt64
    /// The number of bytes of reserved address space.
    public var mapByteCount: UInt64
    /// The number of bytes in a page.
    public var pageByteCount: Int
    /// The maximum number of reader slots, in all processes, that have been in use at the same
    /// time.
    public var readerCount: Int

    /// Creates statistics about an environment.
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
