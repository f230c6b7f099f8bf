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
    isExcludedFromTotals: Bool = false, distinctFrom: [TransactionID] = [],
    attachments: [Attachment] = []
  ) {
    self.status = status
    self.description = description
    self.payee = payee
    self.note = note
    self.tags = tags
    let details = RareDetails(
      valueDay: valueDay, code: code, isExcludedFromTotals: isExcludedFromTotals,
      distinctFrom: distinctFrom, attachments: attachments)
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
  var distinctFrom: [TransactionID] = []
  var attachments: [Attachment] = []
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

  /// The transactions that a person has told apart from this one.
  ///
  /// It isn't a duplicate of them, nor the other half of a transfer, however much they look like it.
  /// One of the two naming the other is enough.
  public var distinctFrom: [TransactionID] {
    get { rare.first?.distinctFrom ?? [] }
    set { change { $0.distinctFrom = newValue } }
  }

  /// The files that belong to the transaction, such as receipts.
  public var attachments: [Attachment] {
    get { rare.first?.attachments ?? [] }
    set { change { $0.attachments = newValue } }
  }

  private mutating func change(_ body: (inout RareDetails) -> Void) {
    var value = rare.first ?? RareDetails()
    body(&value)
    rare = value == RareDetails() ? [] : [value]
  }
}
