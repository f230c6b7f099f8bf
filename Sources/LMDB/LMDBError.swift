internal import CLMDB

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What went wrong in LMDB or in the file system below it: the code, during what, and where.
///
/// Switch on ``kind``; show ``description``, which says the cause and what to do about it.
public struct LMDBError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The raw code: one of LMDB's (negative, from -30799), an `errno` (positive), or one of ours.
  public let code: Int32

  /// What was being done, as a name of a function: `mdb_put`, `open`.
  public let operation: String

  /// The folder or file it was done to.
  public let path: String

  /// Names an error; `code` is LMDB's, the system's, or one of the constants of this type.
  public init(code: Int32, operation: String, path: String) {
    self.code = code
    self.operation = operation
    self.path = path
  }

  /// Codes for what neither LMDB nor the system has a code for.
  enum Own {
    static let alreadyOpen: Int32 = -40_001
    static let truncated: Int32 = -40_002
    static let closed: Int32 = -40_003
    static let nestedWrite: Int32 = -40_004
    static let transactionsLive: Int32 = -40_005
    static let unsupportedDatabase: Int32 = -40_006
    static let invalidName: Int32 = -40_007
    static let invalidOptions: Int32 = -40_008
  }

  /// What kind of failure it is, to switch on.
  public var kind: Kind { Kind(code: code) }

  /// What happened, why, and what to do, in one paragraph.
  public var description: String {
    "\(operation) failed on \(path) (\(kind), code \(code)): \(cause) \(remedy)"
  }
}

extension LMDBError {
  /// The kinds of failure that a program may want to tell apart.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// The reserved address space is used up.
    case mapFull
    /// No space, no quota or no file size left.
    case diskFull
    /// A page of the file is not what it should be.
    case corrupted
    /// The file was written by another version of LMDB's format.
    case versionMismatch
    /// A key, database, file or folder does not exist.
    case notFound
    /// The key exists already, or is not behind the last one.
    case keyExist
    /// All reader slots are taken.
    case readersFull
    /// A key or value has a length that LMDB does not take.
    case badValueSize
    /// Something is in use that would have to be free: transactions live, a file is locked.
    case busy
    /// The device failed to read or write.
    case io
    /// An argument, a file or a state that LMDB does not take.
    case invalid
    /// The file ends before the last page that its trees reach.
    case truncated
    /// This process has the environment open already.
    case alreadyOpen
    /// An earlier failure made the environment unusable.
    case panic
    /// Another process has grown the map.
    case mapResized
    /// The named databases or transactions are too many, too large or not the expected ones.
    case database
    /// The file or folder may not be read or written.
    case notPermitted
    /// Memory, address space, threads or file descriptors ran out.
    case resources
    /// The environment was closed.
    case closed
    /// A write transaction is begun inside another one of the same thread.
    case nestedWrite
    /// Any other code of the system.
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
      case EACCES, EPERM, EROFS: self = .notPermitted
      case ENOMEM, EMFILE, ENFILE: self = .resources
      case Own.closed: self = .closed
      case Own.nestedWrite: self = .nestedWrite
      default: self = .other
      }
    }
  }
}
