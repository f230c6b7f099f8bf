/// The values of a closure over a store's views, whenever what it read has changed; see
/// `EventStore.observe`.
public struct ValueSequence<Value: Sendable>: AsyncSequence, Sendable {
  /// What the closure returns.
  public typealias Element = Value
  /// What the closure throws, or the store.
  public typealias Failure = any Error

  let store: EventStore
  let evaluate: @Sendable (ReadTracker) throws -> Value
  let isSame: (@Sendable (Value, Value) -> Bool)?

  package init(
    _ store: EventStore, isSame: (@Sendable (Value, Value) -> Bool)? = nil,
    evaluate: @escaping @Sendable (ReadTracker) throws -> Value
  ) {
    self.store = store
    self.isSame = isSame
    self.evaluate = evaluate
  }

  /// Begins with the present value; each iterator goes its own way.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Goes from value to value.
  public struct Iterator: AsyncIteratorProtocol {
    private let source: ValueSequence
    private var known: ReadDependencies?
    /// What was given last, where the next is compared with it.
    private var last: Value?
    private var listener: Listener?
    private var isFinished = false

    init(_ source: ValueSequence) { self.source = source }

    /// The next value: the first at once, a later one when what was read has changed.
    ///
    /// - Returns: `nil` when the task is cancelled or the store closed, and after an error.
    /// - Throws: what the closure throws; ``ProjectingError`` or `LMDBError` where the store cannot
    ///   be read.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Value? {
      do {
        while !isFinished, !Task.isCancelled {
          listener = try listener ?? Listener(source.store)
          let count = source.store.bell.count
          let outcome = try await source.evaluated(after: known)
          known = outcome.dependencies
          if let value = outcome.value, isNews(value) { return value }
          if outcome.value != nil { continue }
          guard await source.store.bell.wait(after: count) else { break }
        }
        finish()
        return nil
      } catch {
        finish()
        if source.store.isClosed { return nil }
        throw error
      }
    }

    private mutating func isNews(_ value: Value) -> Bool {
      guard let isSame = source.isSame else { return true }
      if let last, isSame(last, value) { return false }
      last = value
      return true
    }

    private mutating func finish() {
      isFinished = true
      known = nil
      last = nil
      listener = nil
    }
  }

  /// A newer value, where there is one, and what it would take to change it.
  ///
  /// Off the caller's actor: a user interface does not wait for a long closure.
  @concurrent
  private func evaluated(
    after known: ReadDependencies?
  ) async throws -> (value: Value?, dependencies: ReadDependencies) {
    if var known, try !store.haveChanged(&known) { return (nil, known) }
    let tracker = ReadTracker()
    let value = try evaluate(tracker)
    return (value, tracker.dependencies)
  }
}
