/// The named maxima of this module; beyond a hard one there is a typed error and nothing is written.
public enum Limits {
  /// The longest key that LMDB takes, in bytes (a compile-time choice of liblmdb; 511 everywhere).
  public static let keyByteCountMax = 511

  /// The length in bytes above which values should be split into several records.
  ///
  /// A soft limit: longer values are stored, but on overflow pages of their own, which LMDB finds
  /// by a slow search of its free list. With a key of 8 bytes the page format allows 2,022.
  public static let valueByteCountSoft = 2000

  /// The longest value that can be stored at all, in bytes.
  public static let valueByteCountMax = 1 << 24

  /// The most named databases that one environment may be opened for.
  public static let databaseCountMax = 4096

  /// The most simultaneous read transactions, over all processes, an environment may be opened for.
  public static let readerCountMax = 1 << 16

  /// The size down to which a map may shrink when there is not enough address space, in bytes.
  public static let mapByteCountLeast = 1 << 28

  /// How many environments of a process may be mapped as amply as their options say.
  public static let amplyMappedCountMax = 16

  /// The largest map of each further environment, in bytes, so that hundreds can be open at once.
  public static let mapByteCountOfMany = 1 << 36

  /// How many pages one transaction should free at most: purges are cut into slices of this size.
  public static let freedPageCountSoft = 500

  /// How long growing the map waits for this process' transactions to end, in seconds.
  public static let growthPatienceSeconds = 10

  /// How long a transaction that wants to begin gives way to a growth that waits, in seconds.
  ///
  /// Bounded, and shorter than the patience above, because the one who begins may hold the very
  /// transaction that the growth waits for.
  public static let growthCourtesySeconds = 1

  /// How many ended read transactions an environment keeps, each with its reader's slot, to begin again.
  public static let spareReaderCountMax = 4

  /// How often a transaction is begun anew because another process has grown the map meanwhile.
  public static let mapAdoptionCountMax = 64
}
