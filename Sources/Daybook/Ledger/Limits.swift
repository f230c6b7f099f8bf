/// The most that the face takes at once.
///
/// Each is checked before any work is done; beyond it the answer is
/// ``DaybookError/Code/limitExceeded`` or ``DaybookError/Code/invalidQuery``.
///
/// What commands may hold (names, notes, postings, commands of one group) is limited by
/// `Limits` of Bookkeeping.
public enum LedgerLimits {
  /// Rows that one call for a page returns.
  public static let pageRowCountMax = 100_000
  /// Day sections that one call returns.
  public static let sectionCountMax = 100_000
  /// Points of one series of balances, months or net worth.
  public static let seriesPointCountMax = 100_000
  /// Bytes of an idempotency key, as UTF-8.
  ///
  /// The least is one.
  public static let keyByteCountMax = 255
  /// Bytes of an author, as UTF-8.
  public static let authorByteCountMax = 255
  /// Rows of a page of a ``TransactionPager``.
  ///
  /// The least is one; it holds at most four pages.
  public static let pagerRowCountMax = 1_000
  /// Rows that a ``TransactionWindow`` holds.
  public static let windowRowCountMax = 100_000
  /// Months that a ``TransactionWindow`` reaches back.
  ///
  /// The least is one.
  public static let windowMonthCountMax = 120
  /// Changes by which a list is corrected; after more of them it is read anew.
  public static let listChangeCountMax = 1_000
  /// Bytes of a text to search for, as UTF-8.
  public static let searchTextByteCountMax = 1_000
  /// Days that two rows may be apart and still be taken for duplicates.
  public static let duplicateDistanceMax = 366
}
