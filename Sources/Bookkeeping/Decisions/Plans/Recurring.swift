/// What a change of a series does to the rows it has.
public enum SeriesScope: Hashable, Sendable {
  /// Rows stay as they are; the series goes on after them.
  case seriesOnly
  /// Rows due on this day or later take what has changed; those that are no longer due go.
  case future(from: Day)
  /// All rows take what has changed; those due on this day or later that are no longer due go.
  case all(from: Day)
}

/// A transaction that belongs to a series.
public struct Occurrence: Hashable, Sendable, Codable {
  /// The day it was due; its transaction may have another.
  public var due: Day
  /// The row that was made for the due day.
  public var transaction: TransactionID

  /// A transaction that belongs to a series.
  public init(due: Day, transaction: TransactionID) {
    self.due = due
    self.transaction = transaction
  }
}

/// What generating has made, and what it could not make.
public struct GenerationReport: Hashable, Sendable, Codable {
  /// The new transactions: series in the order of their recording, due days ascending.
  public var recorded: [TransactionID] = []
  /// The first occurrence of each series that could not be made; those after it wait for it.
  public var faults: [OccurrenceFault] = []
  /// Whether there is more to generate than `Limits.generatedCountMax` rows: run it again.
  public var hasMore = false

  /// A report of nothing.
  public init() {}
}

/// An occurrence that could not be generated.
public struct OccurrenceFault: Hashable, Sendable, Codable {
  /// The series and the due day.
  public var occurrence: SeriesLink
  /// Why.
  public var code: Refusal.Code
  /// Why, in a sentence.
  public var message: String

  /// An occurrence that could not be generated.
  public init(_ occurrence: SeriesLink, _ code: Refusal.Code, _ message: String) {
    self.occurrence = occurrence
    self.code = code
    self.message = message
  }
}
