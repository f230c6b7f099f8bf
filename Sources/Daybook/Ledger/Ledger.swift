package import DaybookEngine
import Synchronization

/// An open ledger, which records commands and answers queries.
///
/// A ledger can be used from any task or thread. A thread of the ledger does all of the writing.
/// Reads run on the calling thread and never wait for the writer. Other processes may have the same
/// ledger open.
///
/// ```swift
/// let ledger = try await Ledger.open(at: "Household.daybook")
/// let receipt = try await ledger.append(.openAccount(NewAccount(name: "Cash", currency: kzt)))
/// let accounts = try ledger.read { try $0.accounts() }
/// try await ledger.close()
/// ```
///
/// Close a ledger explicitly; closing it again has no effect. If a ledger is deallocated without
/// being closed, no data is lost, but after a power failure the next open may have to rebuild its
/// views.
public final class Ledger: Sendable {
  package let store: EventStore
  package let author: String
  let cache = SnapshotCache()
  private let companions = Mutex<[ObjectIdentifier: any Sendable]>([:])

  /// The folder of the ledger.
  public var path: String { store.path }

  /// Returns an object that another module associates with this ledger, creating it on first use.
  package func companion<Companion: Sendable>(_ make: (Ledger) -> Companion) -> Companion {
    companions.withLock { companions in
      let key = ObjectIdentifier(Companion.self)
      if let known = companions[key] as? Companion { return known }
      let made = make(self)
      companions[key] = made
      return made
    }
  }

  init(_ store: EventStore, author: String) {
    self.store = store
    self.author = author
  }

  /// Opens the ledger in the folder `path`, creating it if there is none.
  ///
  /// Views that are behind the journal are updated, and views that are damaged (see
  /// ``viewsDamage``) or can't be trusted are rebuilt, before this method returns. Projections that
  /// are new or have a new version are built next to the live views. In the meantime, other
  /// processes continue to use the ledger, and so can this one if ``Options/waitsForProjections`` is
  /// `false`. The work runs off the caller's actor.
  ///
  /// A ledger in an older format is migrated first. If the migration fails, the ledger is opened
  /// for reading only, and ``readOnlyReason`` is the reason. A backup, and a ledger on read-only
  /// media or in a folder without write permission, are also opened for reading only. If their
  /// views can't be used, new ones are built in a temporary folder.
  ///
  /// - Throws: ``DaybookError`` with the codes `missing`, `alreadyOpen`, `foreign`, `damaged`,
  ///   `newerFormat`, `migrationFailed` if an older format can't even be read, `full` or `system`.
  /// - Complexity: O(1) if the views are current, otherwise O(commits to apply).
  @concurrent
  public static func open(at path: String, options: Options = Options()) async throws(DaybookError)
    -> Ledger
  {
    try await translated {
      let store = try await EventStore.open(
        at: path, schema: schema, projections: options.registered,
        options: options.engine)
      return Ledger(store, author: options.author)
    }
  }

  /// Opens a new ledger in a temporary folder, for tests and previews.
  ///
  /// The ledger is never flushed. Closing it deletes its folder.
  ///
  /// - Throws: ``DaybookError`` with the codes `full` or `system`.
  @concurrent
  public static func inMemory(options: Options = Options()) async throws(DaybookError) -> Ledger {
    try await translated {
      let store = try await EventStore.ephemeral(
        schema: schema, projections: options.registered, options: options.engine)
      return Ledger(store, author: options.author)
    }
  }

  /// Opens a ledger, passes it to `body`, and closes it, even if `body` throws.
  ///
  /// - Throws: The errors of `body`; ``DaybookError`` if opening or closing fails.
  public static func withLedger<Result>(
    at path: String, options: Options = Options(), _ body: (Ledger) async throws -> Result
  ) async throws -> Result {
    let ledger = try await open(at: path, options: options)
    let result: Result
    do {
      result = try await body(ledger)
    } catch {
      // The first error matters to the caller, so an error while closing is ignored.
      do { try await ledger.close() } catch {}
      throw error
    }
    try await ledger.close()
    return result
  }

  /// Reads the ledger as of one commit.
  ///
  /// `body` runs synchronously on the caller's thread and doesn't wait for writers. All of its
  /// queries see the same commit, which includes everything appended before the call. Keep `body`
  /// short, because old pages can't be reused while a snapshot is open.
  ///
  /// - Throws: The errors of `body`; ``DaybookError`` with the codes `closed`, `notReady` or
  ///   `system`. Errors of lower layers are converted to ``DaybookError``.
  /// - Complexity: O(1) plus the cost of `body`.
  public func read<Result: ~Copyable>(_ body: (borrowing Snapshot) throws -> Result) throws
    -> Result
  {
    do {
      let snapshot = Snapshot(try store.view(), cache: cache)
      return try body(snapshot)
    } catch {
      throw DaybookError.translating(error)
    }
  }

  /// Reads the ledger as of one commit, off the caller's actor.
  ///
  /// Use it for queries that take long enough to delay a user interface, such as a full-text search
  /// or the figures of many years. If calls wait while the ledger is suspended (see
  /// ``suspend(_:)``), this one does.
  ///
  /// - Throws: As ``read(_:)``; `CancellationError` if the task is cancelled before `body` runs.
  /// - Complexity: O(1) plus the cost of `body`.
  @concurrent
  public func readInBackground<Result: Sendable>(
    _ body: @Sendable (borrowing Snapshot) throws -> Result
  ) async throws -> Result {
    while true {
      let result = Swift.Result {
        try Task.checkCancellation()
        let snapshot = Snapshot(try store.view(), cache: cache)
        return try body(snapshot)
      }
      guard case .failure(let error) = result, (error as? ProjectingError)?.code == .suspended,
        store.callsWait, await store.waitWhileSuspended()
      else { return try result.mapError(DaybookError.translating).get() }
    }
  }

  /// The reason why the ledger's files can't be written regardless of the options, or `nil` if they
  /// can.
  ///
  /// The code is `readOnly` for a backup or for files without write permission, `migrationFailed`
  /// for an older format that couldn't be migrated, and `newerFormat` for kinds of entities that
  /// only a newer version knows.
  public var readOnlyReason: DaybookError? { store.readOnlyReason.map { DaybookError($0) } }

  /// The damage of the views that this ledger has replaced by views rebuilt from the journal; `nil`
  /// if they were sound.
  ///
  /// Nothing recorded is lost, but the disk may be failing.
  public var viewsDamage: DaybookError? { store.viewsDamage.map { DaybookError($0) } }

  /// The token of the newest commit that reads see.
  ///
  /// - Throws: ``DaybookError`` with the codes `closed`, `notReady` or `system`.
  public var token: Token {
    get throws(DaybookError) {
      do { return try store.token() } catch { throw .wrapping(error) }
    }
  }

  /// Waits for appends in progress, writes pending changes and closes the files.
  ///
  /// Further calls do nothing. After closing, other methods throw the code `closed`.
  ///
  /// - Throws: ``DaybookError`` with the codes `full` or `system` if the views couldn't be flushed.
  ///   No data is lost; the next open rebuilds the views.
  public func close() async throws(DaybookError) {
    do { try await store.close() } catch { throw .wrapping(error) }
  }

  static func translated<Value>(_ body: () async throws -> Value) async throws(DaybookError)
    -> Value
  {
    do { return try await body() } catch { throw .wrapping(error) }
  }
}
