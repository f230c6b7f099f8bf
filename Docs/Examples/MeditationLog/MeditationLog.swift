public import DaybookEngine
public import DaybookEntities
internal import DaybookJournal

/// A meditation log on an event store: the worked example of rules of one's own, and of a consumer.
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

  /// How long a session may take, in minutes.
  public static let minutesRange: ClosedRange<UInt32> = 1...600

  /// The longest note, in bytes of UTF-8.
  public static let noteByteCountMax = 1_000

  private init(_ store: EventStore) { self.store = store }

  /// Opens the log in a folder, and makes it where there is none.
  ///
  /// - Parameter options: As those of any event store, such as another clock.
  public static func open(
    at path: String, options: EventStoreOptions = EventStoreOptions()
  ) async throws -> MeditationLog {
    MeditationLog(
      try await EventStore.open(
        at: path, schema: Session.schema, projections: [Calendar.self], options: options))
  }

  /// A log that is gone when it is closed.
  public static func inMemory() async throws -> MeditationLog {
    MeditationLog(
      try await EventStore.ephemeral(schema: Session.schema, projections: [Calendar.self]))
  }

  /// Closes the files.
  public func close() async throws { try await store.close() }

  // MARK: Recording

  /// Why a session was refused.
  public enum Refusal: Error, Hashable, Sendable {
    /// There is no such session.
    case unknown(EntityID)
    /// It would take no time, or more than ``MeditationLog/minutesRange`` allows.
    case length(minutes: UInt32)
    /// It would end after now.
    case future(end: UInt64, now: UInt32)
    /// Somebody sat already at that time; in the same minute, or for a part of it.
    case overlaps(EntityID)
    /// The note has more bytes than it may have.
    case noteTooLong(byteCount: Int)
  }

  /// Adds a session that is over, and returns its id.
  ///
  /// - Parameter now: The present, in minutes since 1970: the log has no clock of its own.
  /// - Throws: ``Refusal``; nothing is written then.
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
  /// `change` sees the session as it is when its turn comes, not as the caller may have seen it.
  ///
  /// - Throws: ``Refusal``; nothing is written then.
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
  /// - Throws: ``Refusal`` where there is no such session.
  public func delete(_ id: EntityID) async throws {
    try await store.append { context in
      guard let stored = try context.entity(Session.kind, id) else { throw Refusal.unknown(id) }
      try context.apply(
        Change(
          kind: Session.kind, id: id, number: stored.number, before: stored.record, after: nil))
    }
  }

  // MARK: Asking

  /// All sessions, in the order in which they began.
  public func sessions() throws -> [Session] { try store.read { try $0.sessions() } }

  /// What no exporter has dealt with yet, oldest first: what lies after the consumer's token.
  ///
  /// - Throws: `JournalError` with `refused` where no exporter has ever run, `token(.expired)` where a
  ///   purge has passed it.
  public func notYetSynced() throws -> History {
    try store.history(forConsumer: SessionExporter.consumer)
  }

  /// Lets go of old history, but of none that a required consumer has to see.
  @discardableResult
  public func purge(_ options: PurgeOptions) async throws -> PurgeReport {
    try await store.purge(options)
  }

  /// Proves every row against the sessions.
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
