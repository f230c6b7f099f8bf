/// Options for opening an environment.
///
/// `MDB_NOTLS` is always set, so that transactions can be used on any thread. `MDB_WRITEMAP` is
/// never set, so that a stray pointer can't change the file. `MDB_NORDAHEAD` is set unless
/// ``readsAhead`` is true, so that accessing an uncached page reads only that page.
public struct EnvironmentOptions: Sendable, Hashable {
  /// Determines when a commit is flushed to disk.
  public enum Durability: Sendable, Hashable {
    /// A commit is flushed before it returns.
    case durable
    /// A commit is flushed by the next ``Environment/flush()``.
    ///
    /// After a power failure, the file may be damaged.
    case deferred
  }

  /// The default size of the map: 1 TiB of address space, which uses neither memory nor disk.
  ///
  /// The map is smaller on iOS, which grants a process only a few GiB of address space. With
  /// ThreadSanitizer, it is 4 GiB, because tests open hundreds of ledgers in the little address
  /// space that ThreadSanitizer leaves.
  public static var mapByteCountDefault: Int {
    #if TSAN
      1 << 32
    #elseif os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      1 << 30
    #else
      MemoryLayout<Int>.size == 8 ? 1 << 40 : 1 << 30
    #endif
  }

  /// The number of bytes of address space to reserve.
  ///
  /// This is the maximum size of the file until the map grows. If there isn't enough address space,
  /// the size is halved until it fits, but not below ``Limits/mapByteCountLeast``;
  /// ``EnvironmentInfo/mapByteCount`` returns the resulting size.
  public var mapByteCount: Int

  /// The maximum number of open named databases.
  public var maxDatabases = 128

  /// The maximum number of simultaneous read transactions in all processes.
  ///
  /// The first process that opens the environment determines this number for all processes.
  public var maxReaders = 512

  /// Determines when a commit is flushed to disk.
  public var durability = Durability.durable

  /// Whether to open the environment for reading only.
  ///
  /// The files must exist, and the process must be able to read them and their folder.
  public var readOnly = false

  /// The file used for locking instead of LMDB's lock file, for read-only folders; requires
  /// ``readOnly``.
  ///
  /// Without LMDB's lock file, a writer can't know which pages are being read. Writers must
  /// therefore hold an exclusive `flock` on the file at this path. This environment holds a shared
  /// lock while it has live transactions, so that writers wait.
  public var sharedLockPath: String?

  /// The file that waiting callers lock, so that they acquire the lock on ``sharedLockPath`` in
  /// turn.
  public var sharedLockQueuePath: String?

  /// Whether no process will ever write to the file, so that it is read without any lock; requires
  /// ``readOnly``.
  public var isUnchanging = false

  /// Whether the system may read ahead, which is useful for a compacted copy that is read
  /// sequentially.
  public var readsAhead = false

  /// Whether to create an empty environment if the folder is missing or the data file is empty.
  ///
  /// If this is `false`, opening a folder without a data file throws ``LMDBError/Kind/notFound``.
  /// LMDB itself would silently open a partly deleted environment as an empty one.
  public var createIfMissing = true

  /// Whether a durable commit also flushes the drive's cache (`F_FULLFSYNC`) on Apple platforms.
  ///
  /// On these platforms, LMDB calls only `fsync`, which doesn't reach stable storage. The option
  /// has no effect on other platforms.
  public var fullFlush = true

  /// A disk that can be full or slow, for tests.
  package var disk: FaultyDisk?

  /// Creates options with default values and a map of the given size.
  public init(mapByteCount: Int = EnvironmentOptions.mapByteCountDefault) {
    self.mapByteCount = mapByteCount
  }
}
