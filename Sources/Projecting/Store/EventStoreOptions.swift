package import Journal
package import LMDB

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// How a store is opened.
public struct EventStoreOptions: Sendable {
  /// What the commits of this process say of their source: a program or device.
  public var source = ""
  /// Opens for reading only: nothing is written, caught up or rebuilt.
  public var isReadOnly = false
  /// Creates the store where there is none.
  public var createsIfMissing = true
  /// Keeps everything in a private temporary folder without flushes, gone when it is closed.
  public var isEphemeral = false
  /// The most requests that may wait for the writer.
  public var queueCountMax = 100_000
  /// After so many idle seconds the views are flushed, as apps on phones are never closed.
  public var idleSeconds = 2
  /// While somebody follows the store live, commits of other processes are noticed after so many
  /// milliseconds at the latest; mostly at once.
  public var pollMilliseconds = 1_000
  /// A batch with more changes than this share of the entities rebuilds the views instead.
  public var bulkShare = 0.1
  /// Whether `open` returns only when projections that are new, or of a new version, have been built;
  /// otherwise they are built while the store is in use, and say `building` until then.
  public var waitsForProjections = true
  /// Purges after opening what the policy of retention lets go.
  public var purgesOnOpen = true
  /// Microseconds since 1970 for commits.
  public var clock: @Sendable () -> Int64 = EventStoreOptions.systemClock
  /// Which formats can be opened: for tests of migrations.
  package var formats = FormatSupport.current
  /// What is locked while something is read, where nothing can be written.
  var sharedLockPath: String?
  /// Stands in for the operating system's boot identity: for tests of what follows a power failure.
  package var bootIdentity: String?
  /// The address space that each environment reserves: for tests of a full map.
  package var mapByteCount: Int?
  /// Fewer changes than this are always applied one by one: fewer in tests of batches that rebuild the views.
  package var bulkChangeCountMin = 20_000
  /// A disk that can be full or slow: for tests.
  package var disk: FaultyDisk?
  /// When small commits are made durable by the journal's redo log: sooner in tests.
  package var redoing = RedoPolicy.standard
  /// Opens the journal with `MDB_NOSYNC`: for the control of tests of power failures, which has to lose commits.
  package var leavesJournalUnflushed = false
  /// Leaves the doorbell unheard, so that only looking now and then is left: for tests.
  package var isDeafToDoorbell = false
  /// Called at named points of the writer's work: for tests that kill the process just there.
  package var trace: (@Sendable (String) -> Void)?

  /// The defaults.
  public init() {}
}

extension EventStoreOptions {
  /// The system's wall clock in microseconds since 1970.
  @Sendable
  public static func systemClock() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
