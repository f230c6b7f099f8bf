package import DaybookJournal
package import DaybookLMDB
internal import DaybookPlatform

/// Options for opening a store.
public struct EventStoreOptions: Sendable {
  /// The source recorded in the commits of this process: a program or device.
  public var source = ""
  /// Whether to open read-only: nothing is written, updated or rebuilt.
  public var isReadOnly = false
  /// Whether to create the store if it is missing.
  public var createsIfMissing = true
  /// Whether to keep everything in a private temporary folder, without flushes, that is removed on
  /// closing.
  public var isEphemeral = false
  /// The maximum number of requests that may wait for the writer.
  public var queueCountMax = 100_000
  /// The number of idle seconds after which the views are flushed, because apps on phones are never
  /// closed.
  public var idleSeconds = 2
  /// The maximum delay before an observer notices commits of other processes, in milliseconds;
  /// usually there is none.
  public var pollMilliseconds = 1_000
  /// The number of changes in a batch, as a share of the number of entities, above which the views
  /// are rebuilt instead.
  public var bulkShare = 0.1
  /// Whether `open` returns only after projections that are new or have a new version are built.
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
  /// The file to lock while reading, for a store that cannot be written.
  var sharedLockPath: String?
  /// Replaces the operating system's boot identity: for tests of power failures.
  package var bootIdentity: String?
  /// The address space that each environment reserves: for tests of a full map.
  package var mapByteCount: Int?
  /// The minimum number of changes of a batch that rebuilds the views: lower in tests.
  package var bulkChangeCountMin = 20_000
  /// A disk that can be full or slow: for tests.
  package var disk: FaultyDisk?
  /// When the redo log is used to make small commits durable: earlier in tests.
  package var redoing = RedoPolicy.standard
  /// Whether to open the journal with `MDB_NOSYNC`: for the control group of power-failure tests,
  /// which must lose commits.
  package var leavesJournalUnflushed = false
  /// Whether to ignore notifications from other processes, so that only polling is left: for tests.
  package var isDeafToDoorbell = false
  /// Called at named points of the writer's work: for tests that kill the process at one of them.
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
