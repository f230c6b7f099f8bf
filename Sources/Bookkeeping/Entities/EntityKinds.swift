public import Entities

extension EntityKind {
  /// The ledger's settings: one entity.
  public static let settings = EntityKind(rawValue: 1)
  /// An account: what is had or owed, in one currency.
  public static let account = EntityKind(rawValue: 2)
  /// A category of income or expense.
  public static let category = EntityKind(rawValue: 3)
  /// A transaction: a row of the ledger, with its postings.
  public static let transaction = EntityKind(rawValue: 4)
  /// An exchange rate of a day.
  public static let rate = EntityKind(rawValue: 5)
  /// A budget: what may be spent in a period.
  public static let budget = EntityKind(rawValue: 6)
  /// A recurring series.
  public static let series = EntityKind(rawValue: 7)
  /// A category rule.
  public static let rule = EntityKind(rawValue: 8)
  /// A stated balance.
  public static let assertion = EntityKind(rawValue: 9)
  /// A count of imported rows that no longer look as they were imported.
  public static let fingerprint = EntityKind(rawValue: 10)
  /// A currency the ledger defines.
  public static let currency = EntityKind(rawValue: 11)
  /// What the columns of a bank's files mean.
  public static let mapping = EntityKind(rawValue: 12)
  /// Of a shared ledger, a finding that somebody has looked at: its id is the finding's name.
  ///
  /// No entity of the books, so it has no description.
  public static let dismissal = EntityKind(rawValue: 32)
}
