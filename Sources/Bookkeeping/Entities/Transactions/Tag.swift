/// Tags of properties that projections and searches read straight from packed records.
///
/// All properties are said in the tables of the entities (``LedgerEntity/visit(_:)``), which use these.
public enum Tag {
  /// Properties of a category.
  public enum Category {
    /// Income or expense: one byte, ``CategoryKind``.
    public static let kind: UInt8 = 2
  }

  /// Properties of a transaction.
  public enum Transaction {
    /// The day; State keeps transactions in its order.
    public static let day: UInt8 = 1
    /// The label: one byte, ``TransactionType``; absent for an expense.
    public static let type: UInt8 = 2
    /// How far it has been checked: one byte, ``Status``; absent where cleared.
    public static let status: UInt8 = 3
    /// What went where: what a ``PostingCursor`` reads.
    public static let postings: UInt8 = 4
    /// What it was: UTF-8; absent where empty.
    public static let description: UInt8 = 5
    /// Whom it was paid to or came from: UTF-8; absent where empty.
    public static let payee: UInt8 = 6
    /// Free text: UTF-8; absent where empty.
    public static let note: UInt8 = 7
    /// Free labels: a count, then each with its length; absent where there are none.
    public static let tags: UInt8 = 8
    /// The notes of postings.
    public static let postingNotes: UInt8 = 9
    /// That it was imported.
    public static let importMark: UInt8 = 10
    /// The series it belongs to.
    public static let series: UInt8 = 12
    /// The due day in its series.
    public static let occurrence: UInt8 = 13
  }
}
