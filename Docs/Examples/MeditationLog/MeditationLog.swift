public import DaybookEngine
public import DaybookEntities
internal import DaybookJournal

/// A meditation log on an event store: an example of an app's own rules, and of a consumer.
///
/// ```swift
/// let log = try await MeditationLog.open(at: "Meditation")
/// try await log.add(start: began, minutes: 20, technique: .breath, now: now)
/// let waiting = try log.notYetSynced()
/// try await SessionExporter(log, send: upload).export()
/// try await log.close()
/// ```
public final class MeditationLog: Sendable {
  let store: EventStore

  /// The allowed lengths of a session, in minutes.
  public static let minutesRange: ClosedRange<UInt32> = 1...600

  /// The maximum length of a note, in bytes of UTF-8.
  public static let noteByteCountMax = 1_000

  private init(_ store: EventStore) { self.store = store }

  /// Opens the log in a folder, creating it if necessary.
  ///
  /// - Parameter options: The event store's options, such as another clock.
  public static func open(
    at path: String, options: EventStoreOptions = EventStoreOptions()
  ) async throws -> MeditationLog {
    MeditationLog(
      try await EventStore.open(
        at: path, schema: Session.schema, projections: [Calendar.self], options: options))
  }

  /// Creates a log in memory, which is discarded when it is closed.
  public static func inMemory() async throws -> MeditationLog {
    MeditationLog(
      try await EventStore.ephemeral(schema: Session.schema, projections: [Calendar.self]))
  }

  /// Closes the files.
  public func close() async throws { try await store.close() }

  // MARK: Recording

  /// The reason why a session was refused.
  public enum Refusal: Error, Hashable, Sendable {
    /// There is no such session.
    case unknown(EntityID)
    /// Its length is outside ``MeditationLog/minutesRange``.
    case length(minutes: UInt32)
    /// It would end in the future.
    case future(end: UInt64, now: UInt32)
    /// It shares at least one minute with another session.
    case overlaps(EntityID)
    /// The note is longer than ``MeditationLog/noteByteCountMax``.
    case noteTooLong(byteCount: Int)
  }

  /// Adds a session that is over, and returns its id.
  ///
  /// - Parameter now: The current time, in minutes since 1970; the log has no clock of its own.
  /// - Throws: ``Refusal``, without writing anything.
  @discardableResult
  public func add(
    start: UInt32, minutes: UInt32, technique: Session.Technique, note: String = "", now: UInt32
  ) async throws -> EntityID {
    let appended = try await store.append { context in
      let session = Session(
        id: context.newID(), start: start, minutes: minutes, technique: technique, note: note)
      try MeditationLog.check(session, now: now, context)
      try context.apply(
        Change(
          kind: Session.kind, id: session.id, number: try context.nextNumber(Session.kind),
          before: nil, after: session.record))
      return session.id
    }
    guard let id = appended.result else { throw Refusal.length(minutes: minutes) }
    return id
  }

  /// Changes a session in place.
  ///
  /// `change` receives the session as it is when the change is made, which may be newer than the
  /// one that the caller saw.
  ///
  /// - Throws: ``Refusal``, without writing anything.
  public func amend(
    _ id: EntityID, now: UInt32, _ change: @escaping @Sendable (inout Session) -> Void
  ) async throws {
    try await store.append { context in
      guard let stored = try context.entity(Session.kind, id) else { throw Refusal.unknown(id) }
      var session = try Session(id: id, record: stored.record.span)
      change(&session)
      try MeditationLog.check(session, now: now, context)
      try context.apply(
        Change(
          kind: Session.kind, id: id, number: stored.number, before: stored.record,
          after: session.record))
    }
  }

  /// Deletes a session.
  ///
  /// - Throws: ``Refusal`` if there is no such session.
  public func delete(_ id: EntityID) async throws {
    try await store.append { context in
      guard let stored = try context.entity(Session.kind, id) else { throw Refusal.unknown(id) }
      try context.apply(
        Change(
          kind: Session.kind, id: id, number: stored.number, before: stored.record, after: nil))
    }
  }

  // MARK: Queries

  /// Returns all sessions, in the order in which they began.
  public func sessions() throws -> [Session] { try store.read { try $0.sessions() } }

  /// Returns the commits that no exporter has acknowledged, oldest first.
  ///
  /// - Throws: `JournalError` with `refused` if no exporter has ever run, or `token(.expired)` if a
  ///   purge has passed its token.
  public func notYetSynced() throws -> History {
    try store.history(forConsumer: SessionExporter.consumer)
  }

  /// Purges old history, except commits that a required consumer hasn't acknowledged.
  @discardableResult
  public func purge(_ options: PurgeOptions) async throws -> PurgeReport {
    try await store.purge(options)
  }

  /// Compares every row with the sessions.
  public func verify() throws -> Bool { try store.verify().isSound }
}

extension View {
  func sessions() throws -> [Session] {
    var sessions: [Session] = []
    try forEachEntity(Session.kind) { _, id, record in
      sessions.append(try Session(id: id, record: record))
      return true
    }
    return sessions
  }
}
