internal import DaybookEngine
public import DaybookEntities
public import DaybookJournal

/// Exports sessions to another system: a consumer of history that misses no commit.
///
/// The other system receives each commit at least once. An exporter that is interrupted between
/// sending and acknowledging sends the commit again, so receiving it twice must be harmless. In the
/// exporter's own table, which is in the log, each commit counts exactly once, because the table is
/// written together with the token.
///
/// It is a best-effort consumer: if it doesn't run for ``allowanceSeconds``, a purge may delete
/// commits that it hasn't seen. It then starts over with all current sessions.
public struct SessionExporter: Sendable {
  /// The data that is sent.
  public enum Delivery: Hashable, Sendable {
    /// All sessions, replacing everything sent before.
    case everything([Session])
    /// The sessions that one commit added or changed, and the ids of those that it deleted.
    case changes(put: [Session], removed: [EntityID])
  }

  /// Sends a delivery and returns the name that the other system gave it.
  public typealias Send = @Sendable (Delivery) async throws -> String

  /// The name of the consumer and of its table.
  public static let consumer = "session exporter"

  /// The time, in seconds, for which a purge waits for the consumer.
  public static let allowanceSeconds: Int64 = 30 * 86_400

  private let store: EventStore
  private let send: Send

  /// Creates an exporter of a log.
  public init(_ log: MeditationLog, send: @escaping Send) {
    store = log.store
    self.send = send
  }

  /// Sends all unacknowledged commits, one by one.
  ///
  /// - Returns: The token up to which everything has been sent.
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

  /// Exports all commits and each new one until the task is cancelled or the log is closed.
  public func follow() async throws {
    while !Task.isCancelled {
      let reached = try await export()
      do {
        for try await recorded in store.changes(after: reached) {
          try await deliver(recorded.commit, upTo: recorded.token)
        }
        return
      } catch let error as JournalError where error.isExpiry {
        // A purge has passed the token during the wait, so start over.
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

  /// Whether nothing has been sent yet and the beginning of history has been purged, so that the
  /// remaining history is incomplete.
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
    // A commit contains only the changed properties, so the current session is sent. If it has
    // changed again since the commit, the same session is sent twice, which is harmless.
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
    // Commits without sessions, such as the record of a purge, are only acknowledged.
    if !ids.isEmpty {
      let name = Array(try await send(.changes(put: put, removed: removed)).utf8)
      let epoch = try epoch()
      for session in put { rows[Row.session(session.id)] = Row.value(epoch, name) }
      for id in removed { rows.updateValue(nil, forKey: Row.session(id)) }
    }
    rows[Row.count] = Row.number(try exportedCount() + 1)
    try await store.acknowledge(token, by: SessionExporter.consumer, putting: rows)
  }

  /// Sends all sessions again, as documented for an expired token.
  private func exportEverything() async throws -> Token {
    let (token, sessions) = try store.read { view throws in (view.token, try view.sessions()) }
    let name = Array(try await send(.everything(sessions)).utf8)
    // Rows of deleted sessions remain, but are ignored, because they are of an earlier epoch.
    let epoch = try epoch() + 1
    var rows: [[UInt8]: [UInt8]?] = [Row.epoch: Row.number(epoch)]
    for session in sessions { rows[Row.session(session.id)] = Row.value(epoch, name) }
    try await store.acknowledge(token, by: SessionExporter.consumer, putting: rows)
    return token
  }
}

extension SessionExporter {
  // MARK: The table

  /// Returns the name that the other system gave to the last delivery with a session; `nil` if it
  /// doesn't have the session.
  public func remoteName(of id: EntityID) throws -> String? {
    let found = try store.value(Row.session(id), ofConsumer: SessionExporter.consumer)
    guard let found else { return nil }
    var reader = ByteReader(found)
    guard try reader.u64be() == epoch() else { return nil }
    return try reader.text(found.count - reader.offset)
  }

  /// Returns the number of acknowledged commits.
  public func exportedCount() throws -> UInt64 { try number(Row.count) }

  /// Returns how often all sessions were sent.
  public func epoch() throws -> UInt64 { try number(Row.epoch) }

  private func number(_ key: [UInt8]) throws -> UInt64 {
    let found = try store.value(key, ofConsumer: SessionExporter.consumer)
    guard let found else { return 0 }
    var reader = ByteReader(found)
    return try reader.u64be()
  }

  /// The rows of the table.
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
  /// Whether a purge has passed the token.
  fileprivate var isExpiry: Bool {
    if case .token(.expired) = code { return true }
    return false
  }
}
