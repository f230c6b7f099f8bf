/// Limits on the arguments of the public API.
///
/// Limits are checked before any work is done. Exceeding one throws
/// ``DaybookError/Code/limitExceeded`` or ``DaybookError/Code/invalidQuery``.
///
/// Bookkeeping's `Limits` apply to the contents of commands: names, notes, postings, and the number
/// of commands in a group.
public enum LedgerLimits {
  /// The maximum number of rows in a page.
  public static let pageRowCountMax = 100_000
  /// The maximum number of day sections returned by one call.
  public static let sectionCountMax = 100_000
  /// The maximum number of points in a series of balances, months or net worth.
  public static let seriesPointCountMax = 100_000
  /// The maximum number of bytes of an idempotency key in UTF-8; the minimum is 1.
  public static let keyByteCountMax = 255
  /// The maximum number of bytes of an author in UTF-8.
  public static let authorByteCountMax = 255
  /// The maximum number of rows in a page of a ``TransactionPager``; the minimum is 1.
  ///
  /// A pager holds at most four pages.
  public static let pagerRowCountMax = 1_000
  /// The maximum number of rows in a ``TransactionWindow``.
  public static let windowRowCountMax = 100_000
  /// The maximum number of months in a ``TransactionWindow``; the minimum is 1.
  public static let windowMonthCountMax = 120
  /// The maximum number of changes that are applied to a list; after more changes, the list is read
  /// again.
  public static let listChangeCountMax = 1_000
  /// The maximum number of bytes of a search text in UTF-8.
  public static let searchTextByteCountMax = 1_000
  /// The maximum number of days between two transactions that can be duplicates.
  public static let duplicateDistanceMax = 366
  /// The maximum number of days between a day and the arrival of money that is on the way at its
  /// end.
  public static let onTheWayDayCountMax = 90
  /// The maximum number of a payee's categorised transactions from which a category is suggested.
  public static let suggestionRowCountMax = 50
  /// The maximum number of a payee's transactions that are read to suggest a category.
  public static let suggestionReadCountMax = 500
  /// The number of days up to today in which ``Snapshot/inbox(today:limit:)`` looks for duplicates
  /// and transfers.
  public static let inboxDayCount = 92
  /// The number of days after which ``Snapshot/inbox(today:limit:)`` lists a pending transaction.
  public static let pendingDayCount = 14
}
