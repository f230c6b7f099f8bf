/// The limits of a ledger.
///
/// A command that exceeds a limit is refused and writes nothing.
public enum Limits {
  /// Bytes of UTF-8 in the name of an account, category, budget, series, rule, mapping or currency.
  public static let nameByteCountMax = 200
  /// Bytes of UTF-8 in a detail without its own limit.
  public static let textByteCountMax = 200
  /// Bytes of UTF-8 in a transaction's description.
  public static let descriptionByteCountMax = 500
  /// Bytes of UTF-8 in a transaction's payee.
  public static let payeeByteCountMax = 200
  /// Bytes of UTF-8 in a note.
  public static let noteByteCountMax = 4000
  /// Bytes of UTF-8 in the note of one posting.
  public static let postingNoteByteCountMax = 200
  /// Tags of one transaction, series or rule.
  public static let tagCountMax = 32
  /// Bytes of UTF-8 in one tag.
  public static let tagByteCountMax = 64
  /// Bytes of UTF-8 in the id of a row in its file.
  public static let referenceByteCountMax = 200
  /// Bytes of UTF-8 in a transaction's code, such as a check number.
  public static let codeByteCountMax = 200
  /// IBANs and other numbers of one account.
  public static let identifierCountMax = 32
  /// Bytes of UTF-8 in one number of an account.
  public static let identifierByteCountMax = 100
  /// Postings of one transaction.
  public static let postingCountMax = 256
  /// Parts of one split.
  public static let partCountMax = 250
  /// Levels of categories, from a top-level category to its deepest descendant, including both.
  public static let categoryDepthMax = 32
  /// Commands in one group.
  public static let commandCountMax = 10_000
  /// Transactions in one command to reconcile.
  public static let reconcileCountMax = 10_000
  /// Rows in one import.
  public static let importRowCountMax = 1_000_000
  /// Bad rows listed by a refused import; its message gives the total.
  public static let faultCountMax = 10_000
  /// Categories of one budget.
  public static let budgetCategoryCountMax = 256
  /// Changes to the amount of one budget.
  public static let budgetStepCountMax = 1000
  /// Conditions of one rule.
  public static let conditionCountMax = 64
  /// Bytes of UTF-8 in the text of one condition.
  public static let conditionByteCountMax = 500
  /// Bytes of UTF-8 in the text of one saved mapping.
  public static let mappingByteCountMax = 65_536
  /// Columns of the files for one saved mapping.
  public static let mappingColumnCountMax = 4096
  /// Ranges of skipped days of one series.
  public static let skippedCountMax = 1000
  /// Units between two due dates of a series.
  public static let scheduleCountMax = 1000
  /// Future transactions that a series generates in advance.
  public static let aheadCountMax = 1000
  /// Transactions that one command generates; the report says whether there are more.
  public static let generatedCountMax = 10_000
  /// Occurrences of one series.
  public static let occurrenceCountMax: Int64 = 100_000
}
