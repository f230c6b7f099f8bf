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
    tags: [String] = [], valueDay: Day? = nil, code: String = ""
  ) {
    self.status = status
    self.description = description
    self.payee = payee
    self.note = note
    self.tags = tags
    rare = valueDay == nil && code.isEmpty ? [] : [RareDetails(valueDay: valueDay, code: code)]
  }

  /// The entity that has these details.
  public typealias Entity = Transaction
}

/// The details that few transactions have.
private struct RareDetails: Hashable, Sendable {
  var valueDay: Day?
  var code = ""
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

  private mutating func change(_ body: (inout RareDetails) -> Void) {
    var value = rare.first ?? RareDetails()
    body(&value)
    rare = value == RareDetails() ? [] : [value]
  }
}
