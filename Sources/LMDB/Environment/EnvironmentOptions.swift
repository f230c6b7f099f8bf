/// How an environment is opened.
///
/// Whatever is chosen here, `MDB_NOTLS` is always set and `MDB_WRITEMAP` never: transactions may be used from
/// any thread, and a stray pointer cannot change the file. Unless ``readsAhead`` is chosen, so is
/// `MDB_NORDAHEAD`: a cold page costs one read.
public struct EnvironmentOptions: Sendable, Hashable {
  /// When a commit reaches the disk.
  public enum Durability: Sendable, Hashable {
    /// Before the commit returns.
    case durable
    /// With the next ``Environment/flush()``: after a power failure the file must not be trusted.
    case deferred
  }

  /// The size that is reserved by default: 1 TiB of addresses (not of memory or disk).
  ///
  /// iOS grants a process only a few GiB of addresses, hence less there. ThreadSanitizer leaves a process a
  /// small part of them, which hundreds of ledgers that tests open at once have to share: 4 GiB each.
  public static var mapByteCountDefault: Int {
    #if TSAN
      1 << 32
    #elseif os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      1 << 30
    #else
      MemoryLayout<Int>.size == 8 ? 1 << 40 : 1 << 30
    #endif
  }

  /// How many bytes of address space are reserved: the largest size the file can have until grown.
  ///
  /// Where there is not as much, it is halved until it fits, but not below
  /// ``Limits/mapByteCountLeast``; ``EnvironmentInfo/mapByteCount`` says what it came to.
  public var mapByteCount: Int

  /// How many named databases can be open.
  public var maxDatabases = 128

  /// How many read transactions can run at a time, over all processes.
  ///
  /// The first process that opens the environment decides.
  public var maxReaders = 512

  /// When a commit reaches the disk.
  public var durability = Durability.durable

  /// Whether writing is refused; the files must exist and, with their folder, be readable.
  public var readOnly = false

  /// Reads without LMDB's lock file, for folders in which nothing may be written; only with ``readOnly``.
  ///
  /// Nothing then tells a writer which pages are being read. So whoever writes has to hold an exclusive `flock` on
  /// the file at this path; as long as transactions live here, a shared one is held, and writers wait.
  public var sharedLockPath: String?

  /// The file that those who wait for ``sharedLockPath`` hold locked meanwhile, so that each has its turn.
  public var sharedLockQueuePath: String?

  /// Whether the system may read ahead: for a compacted copy that is read from end to end.
  public var readsAhead = false

  /// Whether a missing folder or an empty data file is made into an empty environment.
  ///
  /// Without it, opening a folder whose data file is missing throws ``LMDBError/Kind/notFound``:
  /// LMDB alone would silently present a half-deleted environment as an empty one.
  public var createIfMissing = true

  /// On Apple platforms, whether a durable commit also empties the drive's cache (`F_FULLFSYNC`).
  ///
  /// LMDB itself only calls `fsync`, which does not reach the medium there. No effect elsewhere.
  public var fullFlush = true

  /// For tests: a disk that can be full or slow.
  package var disk: FaultyDisk?

  /// Options with everything at its default, and a map of the given size.
  public init(mapByteCount: Int = EnvironmentOptions.mapByteCountDefault) {
    self.mapByteCount = mapByteCount
  }
}
