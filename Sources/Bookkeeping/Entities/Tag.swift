/// Tags of properties that projections and searches read straight from packed records.
///
/// All properties are said in the tables of the entities (``LedgerEntity/visit(_:)``), which use these.
public enum Tag {
  /// Properties of a category.
  public enum Category {
    /// The kind.
    public static let kind: UInt8 = 2
  }

  /// Properties of a transaction.
  public enum Transaction {
    /// The day; State keeps transactions in its order.
    public static let day: UInt8 = 1
    /// The type.
    public static let type: UInt8 = 2
    /// The status.
    public static let status: UInt8 = 3
    /// The postings.
    public static let postings: UInt8 = 4
    /// The description.
    public static let description: UInt8 = 5
    /// The payee.
    public static let payee: UInt8 = 6
    /// The note.
    public static let note: UInt8 = 7
    /// The tags.
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
