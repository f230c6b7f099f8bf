/// The limits of this module.
///
/// Exceeding a hard limit throws a typed error, and nothing is written.
public enum Limits {
  /// The maximum number of bytes of a key (a compile-time constant of liblmdb; 511 on all
  /// platforms).
  public static let keyByteCountMax = 511

  /// The number of bytes above which a value should be split into several records.
  ///
  /// This is a soft limit: longer values are stored on separate overflow pages, which LMDB
  /// allocates by a slow search of its free list. With a key of 8 bytes, the page format allows
  /// 2,022 bytes.
  public static let valueByteCountSoft = 2000

  /// The maximum number of bytes of a value.
  public static let valueByteCountMax = 1 << 24

  /// The maximum number of named databases that an environment's options can request.
  public static let databaseCountMax = 4096

  /// The maximum number of simultaneous read transactions that an environment's options can
  /// request.
  ///
  /// The number applies to all processes together.
  public static let readerCountMax = 1 << 16

  /// The minimum size of a map, in bytes, if address space is scarce.
  public static let mapByteCountLeast = 1 << 28

  /// The number of environments per process that get the full map size from their options.
  public static let largeMapCountMax = 16

  /// The maximum map size, in bytes, of environments beyond that number, so that hundreds can be
  /// open at once.
  public static let mapByteCountOfMany = 1 << 36

  /// The maximum time that growing the map waits for this process's transactions to end, in
  /// seconds.
  public static let growthWaitSeconds = 10

  /// The maximum time that a new transaction waits for a pending growth of the map, in seconds.
  ///
  /// The time is limited, and shorter than ``growthWaitSeconds``, because the waiting thread itself
  /// may have the transaction that the growth waits for.
  public static let growthPauseSeconds = 1

  /// The maximum number of ended read transactions that an environment keeps for renewal.
  ///
  /// Each of them occupies a reader slot.
  public static let spareReaderCountMax = 4

  /// The maximum number of attempts to begin a transaction while other processes keep growing the
  /// map.
  public static let mapAdoptionCountMax = 64
}
