package import DaybookEngine
import Synchronization

/// An open ledger: records commands and answers queries.
///
/// Safe to use from any task or thread. One thread of the ledger does all the writing. Readers run
/// on the calling thread and never wait for the writer. Other processes may have the same ledger
/// open.
///
/// ```swift
/// let ledger = try await Ledger.open(at: "Household.daybook")
/// let receipt = try await ledger.append(.openAccount(NewAccount(name: "Cash", currency: kzt)))
/// let accounts = try ledger.read { try $0.accounts() }
/// try await ledger.close()
/// ```
///
/// Close a ledger explicitly; closing it twice is harmless. A ledger that is deallocated without
/// being closed loses no data, but after a power failure its views may have to be rebuilt on the
/// next opening.
public final class Ledger: Sendable {
  package let store: EventStore
  package let author: String
  let cache = SnapshotCache()
  private let companions = Mutex<[ObjectIdentifier: any Sendable]>([:])

  /// The folder of the ledger.
  public var path: String { store.path }

  /// Returns an object that another module keeps with this ledger, creating it on first use.
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
  /// Views that are behind the journal or can't be trusted are caught up or rebuilt before this
  /// returns. Projections that are new or have a new version are built next to the live views.
  /// Other processes continue to use the ledger in the meantime, and so can this one if
  /// ``Options/waitsForProjections`` is `false`. The work is done off the caller's actor.
  ///
  /// A ledger in an older format is migrated first. If that fails, the ledger is opened for reading
  /// only, and ``readOnlyReason`` says why. A backup, and a ledger on read-only media or in a
  /// folder without write permission, are also opened for reading only; if their views can't be
  /// used, new ones are built in a temporary folder.
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
  /// It is never flushed, and its folder is removed when the ledger is closed.
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
  /// - Throws: What `body` throws; ``DaybookError`` if opening or closing fails.
  public static func withLedger<Result>(
    at path: String, options: Options = Options(), _ body: (Ledger) async throws -> Result
  ) async throws -> Result {
    let ledger = try await open(at: path, options: options)
    let result: Result
    do {
      result = try await body(ledger)
    } catch {
      // The first error matters to the caller, so an error on closing is ignored.
      do { try await ledger.close() } catch {}
      throw error
    }
    try await ledger.close()
    return result
  }

  /// Reads the ledger as of one commit.
  ///
  /// `body` runs synchronously on the caller's thread and never waits for writers. All its queries
  /// see the same commit, which includes everything appended before the call. Keep `body` short: an
  /// open snapshot keeps old pages from being reused.
  ///
  /// - Throws: What `body` throws; ``DaybookError`` with the codes `closed`, `notReady` or
  ///   `system`. Errors of lower layers are translated to ``DaybookError``.
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

  /// Why the ledger can't be written to, regardless of the options it was opened with.
  ///
  /// The code is `readOnly` for a backup or for files without write permission, `migrationFailed`
  /// for an older format that couldn't be migrated, and `newerFormat` for kinds of entities that
  /// only a newer version knows.
  public var readOnlyReason: DaybookError? { store.readOnlyReason.map { DaybookError($0) } }

  /// The token of the newest commit that reads see.
  ///
  /// - Throws: ``DaybookError`` with the codes `closed`, `notReady` or `system`.
  public var token: Token {
    get throws(DaybookError) {
      do { return try store.token() } catch { throw .wrapping(error) }
    }
  }

  /// Waits for running appends, writes pending changes and closes the files.
  ///
  /// Later calls do nothing; other methods then throw the code `closed`.
  ///
  /// - Throws: ``DaybookError`` with the codes `full` or `system` if the views couldn't be flushed.
  ///   No data is lost; the views are rebuilt on the next opening.
  public func close() async throws(DaybookError) {
    do { try await store.close() } catch { throw .wrapping(error) }
  }

  static func translated<Value>(_ body: () async throws -> Value) async throws(DaybookError)
    -> Value
  {
    do { return try await body() } catch { throw .wrapping(error) }
  }
}
