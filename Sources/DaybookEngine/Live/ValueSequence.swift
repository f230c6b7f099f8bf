/// The values of a closure over a store's views: the current value, and a new one after each
/// change.
///
/// See `EventStore.observe`.
public struct ValueSequence<Value: Sendable>: AsyncSequence, Sendable {
  /// The type of the closure's values.
  public typealias Element = Value
  /// An error of the closure or the store.
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

  /// Returns an iterator that begins with the current value, independently of other iterators.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// An iterator over values.
  public struct Iterator: AsyncIteratorProtocol {
    private let source: ValueSequence
    private var known: ReadDependencies?
    /// The last returned value, or `nil` if consecutive values aren't compared.
    private var last: Value?
    private var listener: Listener?
    private var isFinished = false

    init(_ source: ValueSequence) { self.source = source }

    /// Returns the next value: the first one immediately, later ones when their data has changed.
    ///
    /// - Returns: `nil` if the task is cancelled, if the store is closed, or after an error.
    /// - Throws: The errors of the closure; ``ProjectingError`` or `LMDBError` if the store cannot
    ///   be read.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Value? {
      while !isFinished, !Task.isCancelled {
        let failure: any Error
        do {
          listener = try listener ?? Listener(source.store)
          let count = source.store.bell.count
          let outcome = try await source.evaluated(after: known)
          known = outcome.dependencies
          if let value = outcome.value, isNews(value) { return value }
          if outcome.value != nil { continue }
          guard await source.store.bell.wait(after: count) else { break }
          continue
        } catch {
          failure = error
        }
        if await source.store.isResumed(after: failure) { continue }
        finish()
        if source.store.isClosed { return nil }
        throw failure
      }
      finish()
      return nil
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

  /// Returns a new value and its dependencies if its data has changed.
  ///
  /// Runs off the caller's actor, so that a long closure does not block a user interface.
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
