/// A transaction in a list.
///
/// Its identity is that of the transaction: it stays the same when the transaction is amended, even
/// to another day.
public struct TransactionRow: Identifiable, Hashable, Sendable, Codable {
  /// What is shown, as of the list's commit.
  public var transaction: Transaction
  /// What the accounts of the list's filter held together right after this transaction, in their
  /// currency; `nil` where the list is of no account, or of accounts in different currencies.
  ///
  /// Whatever else the filter leaves out counts all the same.
  public var balance: Total?

  /// The transaction's id.
  public var id: TransactionID { transaction.id }
  /// Where the row stands.
  public var key: TransactionPosition { transaction.key }

  /// A row as a test or preview gives it.
  public init(transaction: Transaction, balance: Total? = nil) {
    self.transaction = transaction
    self.balance = balance
  }
}

/// One day of a list: its sums over all of the day's transactions, and those of its rows that are
/// held.
public struct TransactionSection: Identifiable, Hashable, Sendable, Codable {
  /// The day, how many transactions it has under the filter, and their sum per currency.
  public var summary: DaySection
  /// The day's rows that are held, newest recorded first; at the ends of what is held they may be
  /// fewer than ``count``.
  public var rows: [TransactionRow]

  /// The day.
  public var id: Day { summary.day }
  /// The day that all rows of the section have.
  public var day: Day { summary.day }
  /// How many transactions the day has under the filter, held or not.
  public var count: Int { summary.count }
  /// The day's sum per currency, in order of currency code; see ``DaySection``.
  public var sums: [Total] { summary.sums }

  /// A section as a test or preview gives it.
  public init(summary: DaySection, rows: [TransactionRow]) {
    self.summary = summary
    self.rows = rows
  }
}

extension [TransactionRow] {
  /// The days of rows that are ordered by day, each with its rows.
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
  /// Rows, newest first, under the summaries of their days, one for each day.
  static func sections(_ rows: [TransactionRow], _ summaries: [DaySection]) -> [TransactionSection]
  {
    zip(summaries, rows.slicedByDay).map { summary, slice in
      TransactionSection(summary: summary, rows: Array(slice.rows))
    }
  }
}
