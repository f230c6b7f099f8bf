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
    /// Options.
    public init(
      author: String = "", source: String = "", projections: [any Projection.Type] = [],
      isReadOnly: Bool = false, createsIfMissing: Bool = true
    ) {
      self.author = author
      self.source = source
      self.projections = projections
      self.isReadOnly = isReadOnly
      self.createsIfMissing = createsIfMissing
    }

    /// For tests: what is registered instead of ``Ledger/projections``.
    package var builtins: [any Projection.Type]?
    /// For tests: changes what the engine is told.
    package var adjustsEngine: (@Sendable (inout EventStoreOptions) -> Void)?

    var registered: [any Projection.Type] { (builtins ?? Ledger.projections) + projections }

    var engine: EventStoreOptions {
      var engine = EventStoreOptions()
      engine.source = source
      engine.isReadOnly = isReadOnly
      engine.createsIfMissing = createsIfMissing
      adjustsEngine?(&engine)
      return engine
    }
  }
}
