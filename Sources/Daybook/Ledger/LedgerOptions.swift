internal import DaybookEngine
import DaybookProjections

extension Ledger {
  /// Options for opening a ledger.
  public struct Options: Sendable {
    /// The author of commits that are appended without one.
    public var author: String
    /// The process or device recorded as the source of commits.
    public var source: String
    /// The app's own projections, in addition to the built-in ones.
    public var projections: [any Projection.Type]
    /// Whether the ledger is opened for reading only; appends are then refused.
    public var isReadOnly: Bool
    /// Whether the ledger is created if there is none.
    public var createsIfMissing: Bool
    /// Whether `open` waits until new projections and new versions of projections have been built.
    ///
    /// If `false`, they are built next to the live views while the ledger is in use. Until then,
    /// their queries throw the code `projectionUnavailable` or `notReady`; other queries are
    /// available immediately.
    public var waitsForProjections: Bool
    /// Whether history that the retention policy no longer keeps is purged after opening, while the
    /// ledger is in use.
    public var purgesOnOpen = true
    /// Whether the texts, statuses and amounts of transactions are indexed for searching.
    ///
    /// Without the index, appends are faster and the views smaller. A search then scans the rows
    /// and finds the same transactions, which is fast enough for some ten thousand rows. Opening
    /// the ledger with the index again rebuilds it.
    public var indexesTexts = true
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

    /// For tests: projections registered instead of ``Ledger/projections``.
    package var builtins: [any Projection.Type]?
    /// For tests: adjusts the engine's options.
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
      adjustsEngine?(&engine)
      return engine
    }
  }
}
