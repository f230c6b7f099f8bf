/// The effect of a change to a series on its existing transactions.
///
/// Whatever the scope, a new description replaces the old one in all transactions that still have
/// it; so does a new name if the template has neither a description nor a payee.
public enum SeriesScope: Hashable, Sendable {
  /// The existing transactions are unchanged; the series continues after them.
  case seriesOnly
  /// Changes transactions due on or after a day, and removes those that are no longer due.
  case future(from: Day)
  /// Changes all transactions, and removes those due on or after a day that are no longer due.
  case all(from: Day)
}

/// A transaction of a series.
public struct Occurrence: Hashable, Sendable, Codable {
  /// The due date, which can differ from the transaction's day.
  public var due: Day
  /// The transaction recorded for the due date.
  public var transaction: TransactionID

  /// Creates an occurrence.
  public init(due: Day, transaction: TransactionID) {
    self.due = due
    self.transaction = transaction
  }
}

/// The result of generating recurring transactions.
public struct GenerationReport: Hashable, Sendable, Codable {
  /// The new transactions, ordered by series (in recording order) and then by due date.
  public var recorded: [TransactionID] = []
  /// The first occurrence of each series that could not be generated; later occurrences wait for
  /// it.
  public var faults: [OccurrenceFault] = []
  /// Whether more than `Limits.generatedCountMax` transactions are due, so that the command must
  /// run again.
  public var hasMore = false

  /// Creates an empty report.
  public init() {}
}

/// An occurrence that could not be generated.
public struct OccurrenceFault: Hashable, Sendable, Codable {
  /// The series and the due date.
  public var occurrence: SeriesLink
  /// The kind of problem, for code to switch on.
  public var code: Refusal.Code
  /// The problem and its solution.
  public var message: String

  /// Creates a description of an occurrence that could not be generated.
  public init(_ occurrence: SeriesLink, _ code: Refusal.Code, _ message: String) {
    self.occurrence = occurrence
    self.code = code
    self.message = message
  }
}
