/// Tags of properties that projections and searches read directly from packed records.
///
/// The entities define all properties in ``LedgerEntity/visit(_:)``, using these tags.
public enum Tag {
  /// Properties of a category.
  public enum Category {
    /// Income or expense: one byte, ``CategoryKind``.
    public static let kind: UInt8 = 2
  }

  /// Properties of a transaction.
  public enum Transaction {
    /// The day, by which State orders transactions.
    public static let day: UInt8 = 1
    /// The type: one byte, ``TransactionType``; absent for an expense.
    public static let type: UInt8 = 2
    /// The status: one byte, ``Status``; absent if cleared.
    public static let status: UInt8 = 3
    /// The postings, as read by ``PostingCursor``.
    public static let postings: UInt8 = 4
    /// The description: UTF-8; absent if empty.
    public static let description: UInt8 = 5
    /// The payee: UTF-8; absent if empty.
    public static let payee: UInt8 = 6
    /// The note: UTF-8; absent if empty.
    public static let note: UInt8 = 7
    /// The tags: a count, then each tag with its length; absent if there are none.
    public static let tags: UInt8 = 8
    /// The notes of postings.
    public static let postingNotes: UInt8 = 9
    /// The mark of an imported transaction.
    public static let importMark: UInt8 = 10
    /// The series of the transaction.
    public static let series: UInt8 = 12
    /// The due date in the series.
    public static let occurrence: UInt8 = 13
    /// The day on which the bank counts the transaction, or on which a transfer arrives.
    public static let valueDay: UInt8 = 15
    /// The two transactions of which a transfer was made.
    public static let halves: UInt8 = 18
    /// Whether totals leave the transaction out: one byte, 1; absent if they don't.
    public static let isExcludedFromTotals: UInt8 = 19
    /// The attachments: a count, then the name, hash and size of each; absent if there are none.
    public static let attachments: UInt8 = 22
  }
}
