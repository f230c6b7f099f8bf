public import Journal

extension EventStore {
  /// Registers a consumer: purging heeds what it has not acknowledged.
  ///
  /// One that is known already stays where it is and gets the kind.
  ///
  /// - Parameters:
  ///   - name: 1 to ``/Journal/Consumer/nameByteCountMax`` bytes.
  ///   - kind: What a purge owes it.
  ///   - token: Where a new one begins; without one, at the beginning of what is kept.
  /// - Throws: `JournalError` with `refused` or `token`; ``ProjectingError``.
  public func register(
    consumer name: String, _ kind: Consumer.Kind = .required, after token: Token? = nil
  ) async throws {
    let clock = options.clock
    try await aside { journal in
      let beginning = try token ?? journal.token(at: journal.floor().sequence)
      try journal.register(consumer: name, kind, at: beginning, now: clock())
    }
  }

  /// Forgets a consumer and what it remembered.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func unregister(consumer name: String) async throws -> Bool {
    try await aside { try $0.unregister(consumer: name) }
  }

  /// Notes that a consumer has dealt with everything up to a token, together with what it wants to
  /// remember: both or neither.
  ///
  /// A consumer that keeps its results in its table here deals with each commit exactly once; one
  /// that keeps them elsewhere, at least once.
  ///
  /// - Parameter values: Its table's rows by key; `nil` removes one.
  /// - Throws: `JournalError` with `token` or `refused`.
  public func acknowledge(
    _ token: Token, by name: String, putting values: [[UInt8]: [UInt8]?] = [:]
  ) async throws {
    let clock = options.clock
    try await aside { try $0.acknowledge(token, by: name, putting: values, now: clock()) }
  }

  /// The consumers in the order of their names.
  public func consumers() throws -> [Consumer] { try openStore().journal.consumers() }

  /// What a consumer remembers under a key.
  public func value(_ key: [UInt8], ofConsumer name: String) throws -> [UInt8]? {
    try openStore().journal.value(key, of: name)
  }

  /// What a consumer has not acknowledged yet, oldest first.
  ///
  /// - Throws: `JournalError` with `refused` where there is no such consumer, `token(.expired)` where a
  ///   purge has passed it: it takes a full snapshot and acknowledges the snapshot's token.
  public func history(
    forConsumer name: String, matching filter: HistoryFilter = HistoryFilter()
  ) throws -> History {
    try history(after: try openStore().journal.token(of: name), matching: filter)
  }

  /// How much history is kept.
  public func retention() throws -> RetentionPolicy { try openStore().journal.retention() }

  /// Says how much history is kept; purged by the next ``purge(_:progress:)``, and at every opening.
  public func setRetention(_ policy: RetentionPolicy) async throws {
    try await aside { try $0.setRetention(policy) }
  }

  /// Runs something on the live journal, on the writer's thread, with `WRITER` held.
  func aside<Result: Sendable>(
    _ body: @escaping @Sendable (JournalStore) throws -> Result
  ) async throws -> Result {
    try await exclusively { writer in
      try writer.withLock {
        try writer.adoptCurrentGenerations()
        return try body(writer.open.journal)
      }
    }
  }
}
