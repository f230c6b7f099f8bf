public import DaybookEntities

extension EntityKind {
  /// The ledger's settings, a single entity.
  public static let settings = EntityKind(rawValue: 1)
  /// An account.
  public static let account = EntityKind(rawValue: 2)
  /// A category of income or expense.
  public static let category = EntityKind(rawValue: 3)
  /// A transaction with its postings.
  public static let transaction = EntityKind(rawValue: 4)
  /// An exchange rate of a day.
  public static let rate = EntityKind(rawValue: 5)
  /// A budget.
  public static let budget = EntityKind(rawValue: 6)
  /// A recurring transaction.
  public static let series = EntityKind(rawValue: 7)
  /// A category rule.
  public static let rule = EntityKind(rawValue: 8)
  /// A balance assertion.
  public static let assertion = EntityKind(rawValue: 9)
  /// A count of imported rows that were changed or deleted.
  public static let fingerprint = EntityKind(rawValue: 10)
  /// A currency that the ledger defines.
  public static let currency = EntityKind(rawValue: 11)
  /// A saved mapping of a bank's file columns.
  public static let mapping = EntityKind(rawValue: 12)
  /// Money assigned to an envelope or moved between envelopes.
  public static let allocation = EntityKind(rawValue: 13)
  /// The terms on which an account bears interest.
  public static let terms = EntityKind(rawValue: 14)
  /// In a shared ledger, the dismissal of a finding; its id is the finding's name.
  ///
  /// It isn't a bookkeeping entity and has no ``KindDescription``.
  public static let dismissal = EntityKind(rawValue: 32)
}
