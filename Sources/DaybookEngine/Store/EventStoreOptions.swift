package import DaybookJournal
package import DaybookLMDB
internal import DaybookPlatform

/// Options for opening a store.
public struct EventStoreOptions: Sendable {
  /// The name of the program or device, recorded as the source of this process's commits.
  public var source = ""
  /// Whether to open the store read-only: nothing is written, updated or rebuilt.
  public var isReadOnly = false
  /// Whether to create the store if it is missing.
  public var createsIfMissing = true
  /// Whether to keep everything in a private temporary folder, without flushes; closing deletes it.
  public var isEphemeral = false
  /// The maximum number of queued requests.
  public var queueCountMax = 100_000
  /// The number of idle seconds after which the views are flushed.
  ///
  /// Apps on phones are never closed, so flushing only on closing isn't enough.
  public var idleSeconds = 2
  /// The maximum delay before an observer notices a commit of another process, in milliseconds.
  ///
  /// Usually there is no delay, because the system notifies the observer.
  public var pollMilliseconds = 1_000
  /// The size of a batch above which the views are rebuilt instead of updated.
  ///
  /// It is the number of changes as a share of the number of entities.
  public var bulkShare = 0.1
  /// Whether `open` waits until projections that are new or have a new version are built.
  ///
  /// Otherwise they are built while the store is in use. Until then their health is `building`, and
  /// their queries throw.
  public var waitsForProjections = true
  /// Whether to purge history according to the retention policy after opening.
  public var purgesOnOpen = true
  /// The clock for the times of commits, in microseconds since 1970.
  public var clock: @Sendable () -> Int64 = EventStoreOptions.systemClock
  /// The formats that can be opened: for tests of migrations.
  package var formats = FormatSupport.current
  /// The file to lock while reading a store that cannot be written.
  var sharedLockPath: String?
  /// Whether the store is a snapshot copy, whose files are read without locks.
  var isUnchanging = false
  /// Replaces the boot identity of the operating system, for tests of power failures.
  package var bootIdentity: String?
  /// The address space to reserve for each of the store's files, in bytes; `nil` for the default.
  public var mapByteCount: Int?
  /// The minimum number of changes in a batch that rebuilds the views; tests use a lower one.
  package var bulkChangeCountMin = 20_000
  /// A disk that can be full or slow, for tests.
  package var disk: FaultyDisk?
  /// When to use the redo log to make small commits durable; tests use it earlier.
  package var redoing = RedoPolicy.standard
  /// Whether to open the journal with `MDB_NOSYNC`.
  ///
  /// Power-failure tests use this in their control group, which must lose commits.
  package var leavesJournalUnflushed = false
  /// Whether to ignore notifications from other processes and only poll, for tests.
  package var ignoresDoorbell = false
  /// Called at named points of the writer's work, for tests that kill the process there.
  package var trace: (@Sendable (String) -> Void)?

  /// Creates the default options.
  public init() {}
}

extension EventStoreOptions {
  /// Returns the time of the system's wall clock in microseconds since 1970.
  @Sendable
  public static func systemClock() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
