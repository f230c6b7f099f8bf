/// The details of a transaction: all properties except its day, postings and origin.
///
/// ``Transaction`` and ``Draft`` have them as members, and ``Amendment`` changes them one by one.
public struct TransactionDetails: EntityDetails {
  /// The purpose of the transaction.
  public var description: String
  /// The other party of the transaction.
  public var payee: String
  /// A note.
  public var note: String
  /// The tags.
  public var tags: [String]
  /// The details that few transactions have: one element, or empty for most transactions.
  ///
  /// If they were stored directly, every transaction would be larger by a third, and slower to
  /// copy.
  private var rare: [RareDetails]
  /// The extent to which the transaction has been checked.
  public var status: Status

  /// Creates the details of a transaction.
  public init(
    status: Status = .cleared, description: String = "", payee: String = "", note: String = "",
    tags: [String] = [], valueDay: Day? = nil, code: String = "",
    isExcludedFromTotals: Bool = false
  ) {
    self.status = status
    self.description = description
    self.payee = payee
    self.note = note
    self.tags = tags
    let details = RareDetails(
      valueDay: valueDay, code: code, isExcludedFromTotals: isExcludedFromTotals)
    rare = details == RareDetails() ? [] : [details]
  }

  /// The entity that has these details.
  public typealias Entity = Transaction
}

/// The details that few transactions have.
private struct RareDetails: Hashable, Sendable {
  var valueDay: Day?
  var code = ""
  var isExcludedFromTotals = false
}

extension TransactionDetails {
  /// The bank's value date, or the second date of an imported journal; `nil` if it equals the day.
  public var valueDay: Day? {
    get { rare.first?.valueDay }
    set { change { $0.valueDay = newValue } }
  }

  /// The number on the document, such as a check, invoice or payment order; empty for most
  /// transactions.
  public var code: String {
    get { rare.first?.code ?? "" }
    set { change { $0.code = newValue } }
  }

  /// Whether the transaction is left out of income, spending and transfers.
  ///
  /// A transaction is also left out if all of its accounts are excluded, and its parts are if their
  /// category, or a category above it, is. What is left out counts in no figure of a month, category,
  /// tag, payee, budget or envelope, but still changes the balances of accounts.
  public var isExcludedFromTotals: Bool {
    get { rare.first?.isExcludedFromTotals ?? false }
    set { change { $0.isExcludedFromTotals = newValue } }
  }

  private mutating func change(_ body: (inout RareDetails) -> Void) {
    var value = rare.first ?? RareDetails()
    body(&value)
    rare = value == RareDetails() ? [] : [value]
  }
}
