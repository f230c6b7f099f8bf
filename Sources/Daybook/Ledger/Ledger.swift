package import Projecting
import Synchronization

/// An open ledger: records what happened, and answers questions about it.
///
/// Safe to use from any task or thread. All writing is done by one thread of the ledger; readers
/// run where they are called and never wait for it. Other processes may have the same ledger open.
///
/// ```swift
/// let ledger = try await Ledger.open(at: "Household.daybook")
/// let receipt = try await ledger.append(.openAccount(NewAccount(name: "Cash", currency: kzt)))
/// let accounts = try ledger.read { try $0.accounts() }
/// try await ledger.close()
/// ```
///
/// Closing is explicit, and may be repeated. A ledger that is let go of without it loses nothing,
/// but its views may have to be rebuilt when it is opened next after a power failure.
public final class Ledger: Sendable {
  package let store: EventStore
  package let author: String
  let cache = SnapshotCache()
  private let companions = Mutex<[ObjectIdentifier: any Sendable]>([:])

  /// The folder of the ledger.
  public var path: String { store.path }

  /// What a product above keeps with this ledger: made when it is first asked for, and then the same.
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

  /// Opens the ledger in the folder `path`, and makes it first where there is none.
  ///
  /// Views that are behind the journal, or cannot be trusted, are caught up or rebuilt before
  /// this returns. Projections that are new, or of a new version, are built beside the live views;
  /// other processes go on meanwhile, and this one too with ``Options/waitsForProjections`` off. The
  /// work is done off the caller's actor.
  ///
  /// A ledger of an older format is migrated first; where that cannot be done it is opened for reading
  /// only, and ``readOnlyReason`` says why. So is a ledger on read-only media or in a folder that may not be
  /// written to, and a backup; where its views are not fit to answer, others are built in a temporary folder.
  ///
  /// - Throws: ``DaybookError`` with the codes `missing`, `alreadyOpen`, `foreign`, `damaged`, `newerFormat`, `full`
  ///   or `system`.
  /// - Complexity: O(1) where views are current, otherwise O(commits to apply).
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

  /// A ledger of its own in a temporary folder, without flushes, removed when it is closed: for
  /// tests and previews.
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

  /// Opens a ledger, passes it to `body`, and closes it whether or not `body` throws.
  ///
  /// - Throws: What `body` throws; ``DaybookError`` where opening or closing fails.
  public static func withLedger<Result>(
    at path: String, options: Options = Options(), _ body: (Ledger) async throws -> Result
  ) async throws -> Result {
    let ledger = try await open(at: path, options: options)
    let result: Result
    do {
      result = try await body(ledger)
    } catch {
      // What went wrong first is what the caller needs to hear.
      do { try await ledger.close() } catch {}
      throw error
    }
    try await ledger.close()
    return result
  }

  /// Answers questions about the ledger as of one commit.
  ///
  /// `body` runs at once on the caller's thread and never waits for writers. All that it asks is
  /// answered as of the same commit; what was appended before the call is in it. Keep it short: a
  /// snapshot that is held keeps old pages from being used again.
  ///
  /// - Throws: What `body` throws; ``DaybookError`` with the codes `closed`, `notReady` or
  ///   `system`. Errors of the layers below are turned into ``DaybookError`` on the way out.
  /// - Complexity: O(1) besides what `body` does.
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

  /// Why nothing can be recorded, whatever was asked for: files that may not be written to, or a backup
  /// (`readOnly`), an older format that could not be migrated (`migrationFailed`), or kinds of entities that only a
  /// newer version knows (`newerFormat`).
  public var readOnlyReason: DaybookError? { store.readOnlyReason.map { DaybookError($0) } }

  /// Identifies the newest commit that reads see.
  ///
  /// - Throws: ``DaybookError`` with the codes `closed`, `notReady` or `system`.
  public var token: Token {
    get throws(DaybookError) {
      do { return try store.token() } catch { throw .wrapping(error) }
    }
  }

  /// Waits for what is being appended, writes what is pending and lets go of the files.
  ///
  /// Later calls do nothing; other methods then throw the code `closed`.
  ///
  /// - Throws: ``DaybookError`` with the codes `full` or `system` where the views could not be
  ///   flushed; nothing is lost then, and they are rebuilt when the ledger is opened next.
  public func close() async throws(DaybookError) {
    do { try await store.close() } catch { throw .wrapping(error) }
  }

  static func translated<Value>(_ body: () async throws -> Value) async throws(DaybookError)
    -> Value
  {
    do { return try await body() } catch { throw .wrapping(error) }
  }
}
