/// The limits of a ledger.
///
/// A command that exceeds a limit is refused and writes nothing.
public enum Limits {
  /// The maximum number of bytes of UTF-8 in the name of an account, category, budget, series,
  /// rule, mapping or currency.
  public static let nameByteCountMax = 200
  /// The maximum number of bytes of UTF-8 in a detail without its own limit.
  public static let textByteCountMax = 200
  /// The maximum number of bytes of UTF-8 in a transaction's description.
  public static let descriptionByteCountMax = 500
  /// The maximum number of bytes of UTF-8 in a transaction's payee.
  public static let payeeByteCountMax = 200
  /// The maximum number of bytes of UTF-8 in a note.
  public static let noteByteCountMax = 4000
  /// The maximum number of bytes of UTF-8 in the note of one posting.
  public static let postingNoteByteCountMax = 200
  /// The maximum number of tags of one transaction, series or rule.
  public static let tagCountMax = 32
  /// The maximum number of bytes of UTF-8 in one tag.
  public static let tagByteCountMax = 64
  /// The maximum number of attachments of one transaction.
  public static let attachmentCountMax = 32
  /// The maximum number of transactions from which one is told apart.
  public static let distinctCountMax = 32
  /// The maximum number of bytes of UTF-8 in the id of a row in its file.
  public static let referenceByteCountMax = 200
  /// The maximum number of bytes of UTF-8 in a transaction's code, such as a check number.
  public static let codeByteCountMax = 200
  /// The maximum number of IBANs and other numbers of one account.
  public static let identifierCountMax = 32
  /// The maximum number of bytes of UTF-8 in one number of an account.
  public static let identifierByteCountMax = 100
  /// The maximum number of postings of one transaction.
  public static let postingCountMax = 256
  /// The maximum number of parts of one split.
  public static let partCountMax = 250
  /// The maximum number of levels of categories, from a top-level category to its deepest
  /// descendant, including both.
  public static let categoryDepthMax = 32
  /// The maximum number of commands in one group.
  public static let commandCountMax = 10_000
  /// The maximum number of transactions in one command to reconcile.
  public static let reconcileCountMax = 10_000
  /// The maximum number of rows in one import.
  public static let importRowCountMax = 1_000_000
  /// The maximum number of bad rows listed by a refused import; its message gives the total.
  public static let faultCountMax = 10_000
  /// The maximum number of categories of one budget.
  public static let budgetCategoryCountMax = 256
  /// The maximum number of changes to the amount of one budget.
  public static let budgetStepCountMax = 1000
  /// The maximum number of weeks or months of one period of a budget.
  public static let budgetPeriodCountMax = 1200
  /// The maximum number of conditions of one rule.
  public static let conditionCountMax = 64
  /// The maximum number of bytes of UTF-8 in the text of one condition.
  public static let conditionByteCountMax = 500
  /// The maximum number of bytes of UTF-8 in the text of one saved mapping.
  public static let mappingByteCountMax = 65_536
  /// The maximum number of columns of the files for one saved mapping.
  public static let mappingColumnCountMax = 4096
  /// The maximum number of ranges of skipped days of one series.
  public static let skippedCountMax = 1000
  /// The maximum number of holidays of a ledger.
  public static let holidayCountMax = 1000
  /// The maximum number of units between two due dates of a series.
  public static let scheduleCountMax = 1000
  /// The maximum number of future transactions that a series generates in advance.
  public static let aheadCountMax = 1000
  /// The maximum number of transactions that one command generates; the report says whether there
  /// are more.
  public static let generatedCountMax = 10_000
  /// The maximum number of occurrences of one series.
  public static let occurrenceCountMax: Int64 = 100_000
  /// The maximum number of changes of an account's interest rate, and of early repayments that lower
  /// payments.
  public static let rateStepCountMax = 1000
  /// The maximum duration of a loan, and of the time for which interest is computed, in months.
  public static let interestMonthCountMax = 1200
}
