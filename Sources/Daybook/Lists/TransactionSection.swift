/// A transaction in a list.
///
/// A row keeps its identity when its transaction is amended, even to another day.
public struct TransactionRow: Identifiable, Hashable, Sendable, Codable {
  /// The transaction as of the list's commit.
  public var transaction: Transaction
  /// The total balance of the filter's accounts right after this transaction, in their currency.
  ///
  /// `nil` if the filter has no account, or its accounts have different currencies. The balance
  /// includes transactions that the filter's other conditions leave out.
  public var balance: Total?

  /// The transaction's id.
  public var id: TransactionID { transaction.id }
  /// The row's position in the list.
  public var key: TransactionPosition { transaction.key }

  /// Creates a row, for tests and previews.
  public init(transaction: Transaction, balance: Total? = nil) {
    self.transaction = transaction
    self.balance = balance
  }
}

/// One day of a list: the sums of all the day's transactions, and the loaded rows.
public struct TransactionSection: Identifiable, Hashable, Sendable, Codable {
  /// The day, the number of its transactions that match the filter, and their sums per currency.
  public var summary: DaySection
  /// The day's loaded rows, newest recorded first.
  ///
  /// In the first and last section there may be fewer than ``count``.
  public var rows: [TransactionRow]

  /// The day.
  public var id: Day { summary.day }
  /// The day of all rows of the section.
  public var day: Day { summary.day }
  /// The number of the day's transactions that match the filter, whether loaded or not.
  public var count: Int { summary.count }
  /// The day's sum per currency, in order of currency code; see ``DaySection``.
  public var sums: [Total] { summary.sums }

  /// Creates a section, for tests and previews.
  public init(summary: DaySection, rows: [TransactionRow]) {
    self.summary = summary
    self.rows = rows
  }
}

extension [TransactionRow] {
  /// The rows, which are ordered by day, divided by day.
  var slicedByDay: [(day: Day, rows: ArraySlice<TransactionRow>)] {
    var slices: [(day: Day, rows: ArraySlice<TransactionRow>)] = []
    var start = startIndex
    while start < endIndex {
      let day = self[start].transaction.day
      var end = start + 1
      while end < endIndex, self[end].transaction.day == day { end += 1 }
      slices.append((day, self[start..<end]))
      start = end
    }
    return slices
  }
}

extension TransactionSection {
  /// Combines rows, newest first, with the summaries of their days, one for each day.
  static func sections(_ rows: [TransactionRow], _ summaries: [DaySection]) -> [TransactionSection]
  {
    zip(summaries, rows.slicedByDay).map { summary, slice in
      TransactionSection(summary: summary, rows: Array(slice.rows))
    }
  }
}
