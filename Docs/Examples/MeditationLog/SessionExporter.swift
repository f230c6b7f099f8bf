internal import DaybookEngine
public import DaybookEntities
public import DaybookJournal

/// Exports sessions to somewhere else: a consumer of history that misses nothing.
///
/// Outside, each commit arrives at least once: whoever is interrupted between sending and acknowledging
/// sends it again, so `send` should take the same delivery twice without harm. In the exporter's own
/// table, here in the log, each commit counts exactly once, because the table is written in the same
/// step as the token.
///
/// It is a best-effort consumer: when it has not been seen for ``allowanceSeconds``, a purge may pass it,
/// and it begins again with all sessions as they are then.
public struct SessionExporter: Sendable {
  /// What is sent.
  public enum Delivery: Hashable, Sendable {
    /// All there is, in place of whatever was sent before.
    case everything([Session])
    /// Sessions that are new or have changed, and ids of those that are gone, by one commit.
    case changes(put: [Session], removed: [EntityID])
  }

  /// Sends a delivery, and returns what the other side calls it.
  public typealias Send = @Sendable (Delivery) async throws -> String

  /// The name of the consumer, and of its table.
  public static let consumer = "session exporter"

  /// For how long a purge waits for it.
  public static let allowanceSeconds: Int64 = 30 * 86_400

  private let store: EventStore
  private let send: Send

  /// An exporter of a log.
  public init(_ log: MeditationLog, send: @escaping Send) {
    store = log.store
    self.send = send
  }

  /// Sends what has not been acknowledged yet, a commit at a time.
  ///
  /// - Returns: The place up to which everything has arrived.
  @discardableResult
  public func export() async throws -> Token {
    try await register()
    if try mustBeginWithEverything() { return try await exportEverything() }
    do {
      return try await exportHistory()
    } catch let error as JournalError where error.isExpiry {
      return try await exportEverything()
    }
  }

  /// Exports, and goes on with every commit to come, until the task is cancelled or the log closed.
  public func follow() async throws {
    while !Task.isCancelled {
      let reached = try await export()
      do {
        for try await recorded in store.changes(after: reached) {
          try await deliver(recorded.commit, upTo: recorded.token)
        }
        return
      } catch let error as JournalError where error.isExpiry {
        // A purge has passed it while it waited: once more from the beginning.
      }
    }
  }

  private func register() async throws {
    let isKnown = try store.consumers().contains { $0.name == SessionExporter.consumer }
    if isKnown { return }
    try await store.register(
      consumer: SessionExporter.consumer,
      .bestEffort(allowanceSeconds: SessionExporter.allowanceSeconds))
  }

  /// Whether nothing has ever been sent, and a purge has taken the beginning of history already: what is
  /// left of it is not all.
  private func mustBeginWithEverything() throws -> Bool {
    guard try exportedCount() == 0, try epoch() == 0 else { return false }
    do {
      _ = try store.token(at: 0)
      return false
    } catch let error as JournalError where error.isExpiry {
      return true
    }
  }

  private func exportHistory() async throws -> Token {
    var history = try store.history(forConsumer: SessionExporter.consumer).cursor()
    while let commit = try history.next() {
      try await deliver(commit, upTo: store.token(at: commit.header.sequence))
    }
    let reached = try store.consumers().first { $0.name == SessionExporter.consumer }?.sequence
    return try store.token(at: reached ?? 0)
  }

  private func deliver(_ commit: Commit, upTo token: Token) async throws {
    var put: [Session] = []
    var removed: [EntityID] = []
    // A commit says which properties changed; what is sent is the session as it is now. If it has changed
    // again since, that is sent twice, which does no harm.
    let ids = Set(commit.changes.filter { $0.kind == Session.kind }.map(\.id))
    try store.read { view throws in
      for id in ids.sorted() {
        if let stored = try view.entity(Session.kind, id) {
          put.append(try Session(id: id, record: stored.record.span))
        } else {
          removed.append(id)
        }
      }
    }
    var rows: [[UInt8]: [UInt8]?] = [:]
    // Commits without sessions, such as the note that a purge leaves, are only acknowledged.
    if !ids.isEmpty {
      let name = Array(try await send(.changes(put: put, removed: removed)).utf8)
      let epoch = try epoch()
      for session in put { rows[Row.session(session.id)] = Row.value(epoch, name) }
      for id in removed { rows.updateValue(nil, forKey: Row.session(id)) }
    }
    rows[Row.count] = Row.number(try exportedCount() + 1)
    try await store.acknowledge(token, by: SessionExporter.consumer, putting: rows)
  }

  /// Begins again with all there is: what the recipe for an expired token says.
  private func exportEverything() async throws -> Token {
    let (token, sessions) = try store.read { view throws in (view.token, try view.sessions()) }
    let name = Array(try await send(.everything(sessions)).utf8)
    // Rows of sessions that were deleted meanwhile stay, but of an earlier epoch they say nothing.
    let epoch = try epoch() + 1
    var rows: [[UInt8]: [UInt8]?] = [Row.epoch: Row.number(epoch)]
    for session in sessions { rows[Row.session(session.id)] = Row.value(epoch, name) }
    try await store.acknowledge(token, by: SessionExporter.consumer, putting: rows)
    return token
  }
}

extension SessionExporter {
  // MARK: Its table

  /// What the other side called the delivery that a session was last part of; `nil` where it is not
  /// there.
  public func remoteName(of id: EntityID) throws -> String? {
    let found = try store.value(Row.session(id), ofConsumer: SessionExporter.consumer)
    guard let found else { return nil }
    var reader = ByteReader(found)
    guard try reader.u64be() == epoch() else { return nil }
    return try reader.text(found.count - reader.offset)
  }

  /// How many commits it has dealt with.
  public func exportedCount() throws -> UInt64 { try number(Row.count) }

  /// How often it has begun with all there is.
  public func epoch() throws -> UInt64 { try number(Row.epoch) }

  private func number(_ key: [UInt8]) throws -> UInt64 {
    let found = try store.value(key, ofConsumer: SessionExporter.consumer)
    guard let found else { return 0 }
    var reader = ByteReader(found)
    return try reader.u64be()
  }

  /// The rows of its table.
  private enum Row {
    static let count: [UInt8] = [0]
    static let epoch: [UInt8] = [1]

    static func session(_ id: EntityID) -> [UInt8] {
      var writer = ByteWriter(reserving: 17)
      writer.u8(2)
      writer.id(id)
      return writer.bytes
    }

    static func number(_ value: UInt64) -> [UInt8] {
      var writer = ByteWriter(reserving: 8)
      writer.u64be(value)
      return writer.bytes
    }

    static func value(_ epoch: UInt64, _ name: [UInt8]) -> [UInt8] { number(epoch) + name }
  }
}

extension JournalError {
  /// Whether a purge has passed the place.
  fileprivate var isExpiry: Bool {
    if case .token(.expired) = code { return true }
    return false
  }
}
