internal import DaybookEngine
import DaybookProjections

extension Ledger {
  /// Options for opening a ledger.
  public struct Options: Sendable {
    /// The author of commits that are appended without an author.
    public var author: String
    /// The name of the process or device, recorded as the source of commits.
    public var source: String
    /// The app's own projections, in addition to the built-in ones.
    public var projections: [any Projection.Type]
    /// Whether to open the ledger for reading only; appends are then refused.
    public var isReadOnly: Bool
    /// Whether to create the ledger if there is none.
    public var createsIfMissing: Bool
    /// Whether `open` waits until projections that are new or have a new version are built.
    ///
    /// If `false`, they are built next to the live views while the ledger is in use. Until they are
    /// built, queries that need them throw ``DaybookError`` with the code `projectionUnavailable`
    /// or `notReady`; other queries are available immediately.
    public var waitsForProjections: Bool
    /// Whether to purge history after opening, according to the retention policy.
    ///
    /// The purge runs while the ledger is in use.
    public var purgesOnOpen = true
    /// Whether to index the texts, statuses and amounts of transactions for searching.
    ///
    /// Without the index, appends are faster and the views smaller. Searches then scan the
    /// transactions, with the same results, which is fast enough for about ten thousand
    /// transactions. Opening the ledger with the index again rebuilds it.
    public var indexesTexts = true
    /// The address space to reserve for each of the ledger's files, in bytes, and so the maximum size
    /// of a file; `nil` for the default, which is 1 GiB on iOS and 1 TiB elsewhere.
    ///
    /// If the system grants less, less is reserved. Reserved space uses neither memory nor disk.
    public var mapByteCount: Int?

    /// Creates options; by default, a missing ledger is created, and the ledger is writable.
    public init(
      author: String = "", source: String = "", projections: [any Projection.Type] = [],
      isReadOnly: Bool = false, createsIfMissing: Bool = true, waitsForProjections: Bool = true
    ) {
      self.author = author
      self.source = source
      self.projections = projections
      self.isReadOnly = isReadOnly
      self.createsIfMissing = createsIfMissing
      self.waitsForProjections = waitsForProjections
    }

    /// The projections to register instead of ``Ledger/projections``, for tests.
    package var builtins: [any Projection.Type]?
    /// Adjusts the engine's options, for tests.
    package var adjustsEngine: (@Sendable (inout EventStoreOptions) -> Void)?

    var registered: [any Projection.Type] {
      let kept = (builtins ?? Ledger.projections).filter { indexesTexts || $0 != Search.self }
      return kept + projections
    }

    var engine: EventStoreOptions {
      var engine = EventStoreOptions()
      engine.source = source
      engine.isReadOnly = isReadOnly
      engine.createsIfMissing = createsIfMissing
      engine.waitsForProjections = waitsForProjections
      engine.purgesOnOpen = purgesOnOpen
      engine.mapByteCount = mapByteCount
      adjustsEngine?(&engine)
      return engine
    }
  }
}
