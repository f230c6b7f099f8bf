internal import DaybookCLMDB
import DaybookPlatform

/// An error of LMDB or of the file system: the code, the operation and the path.
///
/// Switch on ``kind``. Show ``description``, which includes the cause and how to fix it.
public struct LMDBError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The raw code: negative if it is from LMDB (from -30799), positive if it is from the system
  /// (`errno`), or a code of this module.
  public let code: Int32

  /// The name of the function that failed, such as `mdb_put` or `open`.
  public let operation: String

  /// The folder or file that the operation used.
  public let path: String

  /// Creates an error from a code of LMDB, of the system, or of this module.
  public init(code: Int32, operation: String, path: String) {
    self.code = code
    self.operation = operation
    self.path = path
  }

  /// Codes of this module, for errors for which neither LMDB nor the system has a code.
  enum Own {
    static let alreadyOpen: Int32 = -40_001
    static let truncated: Int32 = -40_002
    static let closed: Int32 = -40_003
    static let nestedWrite: Int32 = -40_004
    static let transactionsLive: Int32 = -40_005
    static let unsupportedDatabase: Int32 = -40_006
    static let invalidName: Int32 = -40_007
    static let invalidOptions: Int32 = -40_008
    static let semaphoreRefused: Int32 = -40_009
    static let semaphoreLimit: Int32 = -40_010
  }

  /// Returns the code of a failed opening, which is different if LMDB's locks are named semaphores.
  ///
  /// LMDB passes on the error number of the semaphore, which otherwise means something else.
  static func opening(_ code: Int32, withSemaphores: Bool) -> Int32 {
    guard withSemaphores else { return code }
    return switch code {
    case EPERM, EINVAL: Own.semaphoreRefused
    case ENOSPC: Own.semaphoreLimit
    default: code
    }
  }

  /// The kind of error.
  public var kind: Kind { Kind(code: code) }

  /// The operation, the cause and how to fix it, in one paragraph.
  public var description: String {
    "\(operation) failed on \(path) (\(kind), code \(code)): \(cause) \(remedy)"
  }
}

extension LMDBError {
  /// The kinds of errors that a program may need to distinguish.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// The reserved address space is used up.
    case mapFull
    /// There is no disk space left, or the quota or the maximum file size is reached.
    case diskFull
    /// A page of the file is damaged.
    case corrupted
    /// The file has a different version of LMDB's format.
    case versionMismatch
    /// A key, database, file or folder does not exist.
    case notFound
    /// The key already exists, or an appended key doesn't follow the last one.
    case keyExist
    /// All reader slots are in use.
    case readersFull
    /// The length of a key or value is out of range.
    case badValueSize
    /// A resource is in use: transactions are live, or a file is locked.
    case busy
    /// The device failed to read or write.
    case io
    /// An argument, a file or a state is invalid.
    case invalid
    /// The file ends before the last page that its trees reach.
    case truncated
    /// This process already has the environment open.
    case alreadyOpen
    /// An earlier failure made the environment unusable.
    case panic
    /// Another process has grown the map.
    case mapResized
    /// A database, cursor or transaction is invalid, or a limit on its number or size was exceeded.
    case database
    /// The file or folder can't be read or written because of its permissions.
    case notPermitted
    /// The system has run out of memory, address space, threads or file descriptors.
    case resources
    /// The environment was closed.
    case closed
    /// The thread is already in a write transaction.
    case nestedWrite
    /// Any other system error.
    case other

    init(code: Int32) {
      switch code {
      case MDB_MAP_FULL: self = .mapFull
      case ENOSPC, EDQUOT, EFBIG: self = .diskFull
      case MDB_CORRUPTED, MDB_PAGE_NOTFOUND: self = .corrupted
      case MDB_VERSION_MISMATCH: self = .versionMismatch
      case MDB_NOTFOUND, ENOENT, ENOTDIR: self = .notFound
      case MDB_KEYEXIST: self = .keyExist
      case MDB_READERS_FULL: self = .readersFull
      case MDB_BAD_VALSIZE: self = .badValueSize
      case EBUSY, EAGAIN, Own.transactionsLive: self = .busy
      case EIO: self = .io
      case MDB_INVALID, EINVAL, Own.invalidName, Own.invalidOptions: self = .invalid
      case Own.truncated: self = .truncated
      case Own.alreadyOpen: self = .alreadyOpen
      case MDB_PANIC: self = .panic
      case MDB_MAP_RESIZED: self = .mapResized
      case MDB_DBS_FULL, MDB_INCOMPATIBLE, MDB_BAD_DBI, MDB_BAD_TXN, MDB_BAD_RSLOT, MDB_TXN_FULL,
        MDB_CURSOR_FULL, MDB_PAGE_FULL, MDB_TLS_FULL, Own.unsupportedDatabase:
        self = .database
      case EACCES, EPERM, EROFS, Own.semaphoreRefused: self = .notPermitted
      case ENOMEM, EMFILE, ENFILE, Own.semaphoreLimit: self = .resources
      case Own.closed: self = .closed
      case Own.nestedWrite: self = .nestedWrite
      default: self = .other
      }
    }
  }
}
