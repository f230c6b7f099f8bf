internal import Projecting
import Search

extension Ledger {
  /// How a ledger is opened.
  public struct Options: Sendable {
    /// Who is named as the author of commits that name none.
    public var author: String
    /// The process or device that is named as the source of commits.
    public var source: String
    /// An app's own projections, kept up to date beside the built-in ones.
    public var projections: [any Projection.Type]
    /// Whether the ledger is only to be read.
    ///
    /// Appending is then refused.
    public var isReadOnly: Bool
    /// Whether a ledger is made where none is.
    public var createsIfMissing: Bool
    /// Whether `open` waits until projections that are new, or of a new version, have been built.
    ///
    /// If not, they are built beside the live views while the ledger is in use; what they answer
    /// throws the code `projectionUnavailable` or `notReady` until then, everything else answers at
    /// once.
    public var waitsForProjections: Bool
    /// Whether what the policy of retention lets go is purged after opening, while the ledger is in use.
    public var purgesOnOpen = true
    /// Whether the texts, statuses and amounts of transactions are indexed for searching.
    ///
    /// Without the index a search for them reads the rows one after the other and finds the same, which some
    /// ten thousand rows bear; appending takes less, and so do the views. Whoever opens the ledger with it
    /// again builds it anew.
    public var indexesTexts = true
    /// By default, a ledger is made where there is none, and can be written to.
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

    /// For tests: what is registered instead of ``Ledger/projections``.
    package var builtins: [any Projection.Type]?
    /// For tests: changes what the engine is told.
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
