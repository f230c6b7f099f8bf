/// Options for opening an environment.
///
/// `MDB_NOTLS` is always set and `MDB_WRITEMAP` never: transactions can be used from any thread,
/// and a stray pointer can't change the file. `MDB_NORDAHEAD` is set unless ``readsAhead`` is, so
/// that a cold page costs one read.
public struct EnvironmentOptions: Sendable, Hashable {
  /// When a commit is flushed to disk.
  public enum Durability: Sendable, Hashable {
    /// Before the commit returns.
    case durable
    /// With the next ``Environment/flush()``; after a power failure, the file can't be trusted.
    case deferred
  }

  /// The default size of the map: 1 TiB of address space (not of memory or disk).
  ///
  /// iOS grants a process only a few GiB of address space, so the map is smaller there.
  /// ThreadSanitizer leaves only a small part of it, which hundreds of open ledgers in tests share:
  /// 4 GiB each.
  public static var mapByteCountDefault: Int {
    #if TSAN
      1 << 32
    #elseif os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      1 << 30
    #else
      MemoryLayout<Int>.size == 8 ? 1 << 40 : 1 << 30
    #endif
  }

  /// The number of bytes of address space to reserve, which is the maximum size of the file until
  /// the map grows.
  ///
  /// If there isn't enough address space, the size is halved until it fits, but not below
  /// ``Limits/mapByteCountLeast``; ``EnvironmentInfo/mapByteCount`` has the actual size.
  public var mapByteCount: Int

  /// The maximum number of open named databases.
  public var maxDatabases = 128

  /// The maximum number of simultaneous read transactions, in all processes.
  ///
  /// The first process that opens the environment determines it.
  public var maxReaders = 512

  /// When a commit is flushed to disk.
  public var durability = Durability.durable

  /// Whether the environment is opened for reading only; the files must exist and be readable, as
  /// must their folder.
  public var readOnly = false

  /// Reads without LMDB's lock file, for read-only folders; requires ``readOnly``.
  ///
  /// A writer then can't know which pages are being read. It must therefore hold an exclusive
  /// `flock` on the file at this path. While transactions are alive here, a shared lock is held,
  /// and writers wait.
  public var sharedLockPath: String?

  /// The file that callers waiting for ``sharedLockPath`` keep locked, so that they take turns.
  public var sharedLockQueuePath: String?

  /// Whether the system may read ahead; for a compacted copy that is read sequentially.
  public var readsAhead = false

  /// Whether a missing folder or an empty data file becomes an empty environment.
  ///
  /// Otherwise, opening a folder whose data file is missing throws ``LMDBError/Kind/notFound``.
  /// LMDB itself would silently present a half-deleted environment as an empty one.
  public var createIfMissing = true

  /// On Apple platforms, whether a durable commit also flushes the drive's cache (`F_FULLFSYNC`).
  ///
  /// LMDB only calls `fsync`, which doesn't reach the medium on these platforms. No effect
  /// elsewhere.
  public var fullFlush = true

  /// For tests: a disk that can be full or slow.
  package var disk: FaultyDisk?

  /// Creates options with default values and a map of the given size.
  public init(mapByteCount: Int = EnvironmentOptions.mapByteCountDefault) {
    self.mapByteCount = mapByteCount
  }
}
