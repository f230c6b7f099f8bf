/// Limits on the arguments of the public API.
///
/// They are checked before any work is done. Exceeding one throws
/// ``DaybookError/Code/limitExceeded`` or ``DaybookError/Code/invalidQuery``.
///
/// Bookkeeping's `Limits` limit the contents of commands: names, notes, postings, and commands of
/// one group.
public enum LedgerLimits {
  /// Rows returned by one call for a page.
  public static let pageRowCountMax = 100_000
  /// Day sections returned by one call.
  public static let sectionCountMax = 100_000
  /// Points of one series of balances, months or net worth.
  public static let seriesPointCountMax = 100_000
  /// Bytes of an idempotency key in UTF-8; the minimum is 1.
  public static let keyByteCountMax = 255
  /// Bytes of an author in UTF-8.
  public static let authorByteCountMax = 255
  /// Rows of a page of a ``TransactionPager``; the minimum is 1.
  ///
  /// A pager holds at most four pages.
  public static let pagerRowCountMax = 1_000
  /// Rows held by a ``TransactionWindow``.
  public static let windowRowCountMax = 100_000
  /// Months covered by a ``TransactionWindow``; the minimum is 1.
  public static let windowMonthCountMax = 120
  /// Changes that are applied to a list incrementally; after more changes the list is read again.
  public static let listChangeCountMax = 1_000
  /// Bytes of a search text in UTF-8.
  public static let searchTextByteCountMax = 1_000
  /// Days between two transactions that can still be duplicates.
  public static let duplicateDistanceMax = 366
}
