/// A transaction in a list.
///
/// A row keeps its identity when its transaction is amended, even if it moves to another day.
public struct TransactionRow: Identifiable, Hashable, Sendable, Codable {
  /// The transaction as of the list's commit.
  public var transaction: Transaction
  /// The day on which the list shows the transaction; see ``TransactionFilter/day(of:)``.
  public var day: Day
  /// The total balance of the filter's accounts right after this transaction, in their currency.
  ///
  /// It is `nil` if the filter has no account, or accounts with different currencies. It includes
  /// transactions that other conditions of the filter exclude.
  public var balance: Total?

  /// The transaction's id.
  public var id: TransactionID { transaction.id }
  /// The row's position in the list.
  public var key: TransactionPosition { TransactionPosition(day: day, number: transaction.number) }

  /// Creates a row, for tests and previews.
  ///
  /// - Parameters:
  ///   - transaction: The transaction.
  ///   - day: The day on which the list shows it, or `nil` for the transaction's day.
  ///   - balance: The account's balance after it, if the list is of a single account.
  public init(transaction: Transaction, day: Day? = nil, balance: Total? = nil) {
    self.transaction = transaction
    self.day = day ?? transaction.day
    self.balance = balance
  }
}

extension TransactionRow {
  /// Reads a row; without a `day`, it is the transaction's.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let transaction = try container.decode(Transaction.self, forKey: .transaction)
    self.init(
      transaction: transaction, day: try container.decodeIfPresent(Day.self, forKey: .day),
      balance: try container.decodeIfPresent(Total.self, forKey: .balance))
  }
}

/// One day of a list, with the sums of all its transactions and the loaded rows.
public struct TransactionSection: Identifiable, Hashable, Sendable, Codable {
  /// The day, the number of its transactions that match the filter, and their sums per currency.
  public var summary: DaySection
  /// The day's loaded rows, newest recorded first.
  ///
  /// The first and the last section of a list may have fewer than ``count`` rows.
  public var rows: [TransactionRow]

  /// The day.
  public var id: Day { summary.day }
  /// The day of the section's rows.
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

extension TransactionRow {
  /// Creates a row of a filter's list.
  init(_ transaction: Transaction, in filter: TransactionFilter) {
    self.init(transaction: transaction, day: filter.day(of: transaction))
  }
}

extension [TransactionRow] {
  /// The rows, sliced by day; they must be ordered by day.
  var slicedByDay: [(day: Day, rows: ArraySlice<TransactionRow>)] {
    var slices: [(day: Day, rows: ArraySlice<TransactionRow>)] = []
    var start = startIndex
    while start < endIndex {
      let day = self[start].day
      var end = start + 1
      while end < endIndex, self[end].day == day { end += 1 }
      slices.append((day, self[start..<end]))
      start = end
    }
    return slices
  }
}

extension TransactionSection {
  /// Combines rows, newest first, with the summaries of their days.
  static func sections(_ rows: [TransactionRow], _ summaries: [DaySection]) -> [TransactionSection]
  {
    zip(summaries, rows.slicedByDay).map { summary, slice in
      TransactionSection(summary: summary, rows: Array(slice.rows))
    }
  }
}
