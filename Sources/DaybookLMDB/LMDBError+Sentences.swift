internal import DaybookCLMDB
import DaybookPlatform

extension LMDBError {
  /// The cause of the error, as a sentence.
  public var cause: String { sentences.cause }

  /// A sentence that says how to fix the error.
  public var remedy: String { sentences.remedy }

  private typealias Sentences = (cause: String, remedy: String)

  private var sentences: Sentences {
    Self.ownSentences(code) ?? Self.storageSentences(code) ?? Self.usageSentences(code)
      ?? Self.systemSentences(code)
      ?? (
        "The system reports: \(String(cString: mdb_strerror(code))).",
        "Look up the code in errno(3), fix the cause and try again."
      )
  }

  /// Sentences for the codes of this module.
  private static func ownSentences(_ code: Int32) -> Sentences? {
    switch code {
    case Own.alreadyOpen:
      (
        "This process already has the environment open; opening it twice would break LMDB's locks.",
        "Use the open Environment, or close it first."
      )
    case Own.truncated:
      (
        "The file ends before the last page of its trees: it was truncated or only partly copied.",
        "Restore it from a backup."
      )
    case Own.closed:
      (
        "The environment was closed, or lost its memory map.",
        "Open it again and use the new Environment."
      )
    case Own.nestedWrite:
      (
        "This thread is already in a write transaction and would wait for itself forever.",
        "Pass the transaction on instead of beginning another one."
      )
    case Own.transactionsLive:
      (
        "Transactions of this process are still running.",
        "End every snapshot and transaction, then repeat the operation."
      )
    case Own.unsupportedDatabase:
      (
        "The database was created with sorted duplicates or another key order, which isn't supported.",
        "Open the environment with the program that created it, and export the data from there."
      )
    case Own.invalidName:
      (
        "The name of the database is empty, longer than a key, or contains a NUL.",
        "Use a name of 1 to \(Limits.keyByteCountMax) bytes without NUL."
      )
    case Own.semaphoreRefused:
      (
        "The sandbox doesn't allow the semaphores that LMDB uses as locks.",
        "Move the folder into the app's own container, or into a container of an App Group whose "
          + "identifier is in the app's entitlements."
      )
    case Own.semaphoreLimit:
      (
        "The system has reached its limit of semaphores, which LMDB uses as locks.",
        "Close unneeded environments, or end other programs."
      )
    case Own.invalidOptions:
      (
        "The map size, or the number of databases or readers, is outside the limits.",
        "Keep the options within Limits."
      )
    default: nil
    }
  }

  /// Sentences for LMDB's codes for problems with the file.
  private static func storageSentences(_ code: Int32) -> Sentences? {
    switch code {
    case MDB_PAGE_NOTFOUND:
      (
        "A page that a tree points to is missing: the file is damaged.",
        "Restore it from a backup."
      )
    case MDB_CORRUPTED:
      (
        "A page of the file has the wrong type: the file is damaged.",
        "Restore it from a backup."
      )
    case MDB_PANIC:
      (
        "An earlier write to the meta page failed, so LMDB refuses all further work.",
        "Close the environment, check the disk, and open the environment again."
      )
    case MDB_VERSION_MISMATCH:
      (
        "The file or its lock file was written by another version of LMDB's format.",
        "Close all other programs that use it, or use the version that wrote it."
      )
    case MDB_INVALID:
      (
        "The file is not an LMDB data file, or its beginning is damaged.",
        "Check the path; restore the file from a backup if it is the right one."
      )
    case MDB_MAP_FULL:
      (
        "The data has reached the size that the environment was opened with.",
        "Grow the map with growMap(to:) and repeat the transaction."
      )
    case MDB_MAP_RESIZED:
      (
        "Another process has grown the file beyond the map of this process.",
        "End this process's transactions and try again; they then use the larger map."
      )
    case MDB_READERS_FULL:
      (
        "All reader slots are taken by transactions, of this and other processes.",
        "End read transactions sooner, or open with a larger maxReaders."
      )
    default: nil
    }
  }

  /// Sentences for LMDB's codes for incorrect use.
  private static func usageSentences(_ code: Int32) -> Sentences? {
    switch code {
    case MDB_KEYEXIST:
      (
        "The key already exists, or an appended key does not come after the last one.",
        "Write without noOverwrite or append, or choose another key."
      )
    case MDB_NOTFOUND:
      (
        "There is no such key or database.",
        "Check the name, or create the database."
      )
    case MDB_DBS_FULL:
      (
        "More named databases are open than the environment allows.",
        "Open with a larger maxDatabases."
      )
    case MDB_TLS_FULL:
      (
        "The process has no thread-local storage left.",
        "Use fewer libraries or threads; this environment does not use any."
      )
    case MDB_TXN_FULL:
      (
        "The transaction has changed more pages than LMDB can keep track of.",
        "Split it into smaller transactions."
      )
    case MDB_CURSOR_FULL:
      (
        "A tree is deeper than a cursor can follow: the file is damaged.",
        "Restore it from a backup."
      )
    case MDB_PAGE_FULL:
      (
        "A page has no room for an entry that should fit: an internal error of LMDB.",
        "Abort the transaction; compact the environment if it happens again."
      )
    case MDB_INCOMPATIBLE:
      (
        "The operation doesn't suit this kind of database, or the key's record is not a database.",
        "Check that the name belongs to a database that this program created."
      )
    case MDB_BAD_RSLOT:
      (
        "A reader slot was used by two transactions.",
        "Keep each read transaction to one place, and do not use it after fork."
      )
    case MDB_BAD_TXN:
      (
        "The transaction cannot continue after an earlier failure, or has ended.",
        "Abort it and begin another one."
      )
    case MDB_BAD_VALSIZE:
      (
        "A key is empty or longer than \(Limits.keyByteCountMax) bytes, or a value is too long.",
        "Shorten the key; split long values into several records."
      )
    case MDB_BAD_DBI:
      (
        "The database was dropped or changed by another transaction.",
        "Open the database again."
      )
    default: nil
    }
  }
}
