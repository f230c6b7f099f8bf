public import Bookkeeping

/// One row of a bank's file, whatever its format.
public struct StatementRow: Hashable, Sendable {
  /// The physical line where the row begins, from 1.
  public var line: Int
  /// The day it was booked.
  public var day: Day
  /// What the row adds to the account; negative where money leaves it.
  public var amount: Money
  /// Whether money comes in: what a zero amount cannot tell.
  public var isInflow: Bool
  /// The account's name; empty where the statement around the row says which account it is.
  public var account: String
  /// The category's name and those of its subcategories, from the top; empty for none.
  public var category: CategoryPath
  /// The other account of a transfer.
  public var target: String?
  /// What the transfer moves in the other account's currency, positive; where it differs.
  public var targetAmount: Money?
  /// What it was: the text that the payer or payee wrote.
  public var description: String
  /// Whom it was paid to or came from.
  public var payee: String
  /// What else the file says: the other's account number, the bank's own words.
  public var note: String
  /// The tags.
  public var tags: [String]
  /// What the bank charged, in the amount already; negative where it gave it back.
  public var fee: Money?
  /// The category of the fee, from the top.
  public var feeCategory: CategoryPath = []
  /// What was paid or received in another currency, positive.
  public var original: Money?
  /// The balance in minor units that the bank states after the row.
  public var statedBalance: Int64?
  /// What few rows have; at most one element.
  ///
  /// An array, so that the rows that have nothing of it stay small.
  var rare: [Rare] = []

  /// What few formats tell of a row.
  struct Rare: Hashable, Sendable {
    var reference = ""
    var code = ""
    var valueDay: Day?
    var isPending = false
    var isReconciled = false
    var parts: [Part] = []
  }

  /// A part of a row that has several categories.
  public struct Part: Hashable, Sendable {
    /// What the part adds to the account, in the row's currency; the parts make the row's amount.
    public var amount: Money
    /// The category's path from the top; empty for none.
    public var category: CategoryPath
    /// The other account, where the part is a transfer.
    public var target: String?
    /// Free text.
    public var note: String

    /// A part of a row.
    public init(
      _ amount: Money, category: CategoryPath = [], target: String? = nil, note: String = ""
    ) {
      self.amount = amount
      self.category = category
      self.target = target
      self.note = note
    }
  }

  /// A row; what a format does not know is left out.
  ///
  /// - Parameters:
  ///   - line: the physical line where the row begins, from 1.
  ///   - day: the day it was booked.
  ///   - amount: what it adds to the account.
  ///   - isInflow: whether money comes in; by the amount's sign where `nil`.
  public init(
    line: Int, day: Day, amount: Money, isInflow: Bool? = nil, account: String = "",
    category: CategoryPath = [], description: String = "", payee: String = "", note: String = "",
    tags: [String] = []
  ) {
    self.line = line
    self.day = day
    self.amount = amount
    self.isInflow = isInflow ?? (amount.minorUnits > 0)
    self.account = account
    self.category = category
    self.description = description
    self.payee = payee
    self.note = note
    self.tags = tags
  }
}

extension StatementRow {
  /// The bank's own id of the row, with the name of the format and a colon before it: `ofx:20240131-7`.
  ///
  /// A row of the same account, day, amount and reference is the same row, whatever its text says. Rows
  /// of other formats are known by their texts. Without an id of the bank the part behind the colon
  /// is empty.
  public var reference: String {
    get { rare.first?.reference ?? "" }
    set { if newValue != reference { change { $0.reference = newValue } } }
  }
  /// What the payer called it: a cheque's number, an end-to-end id.
  public var code: String {
    get { rare.first?.code ?? "" }
    set { if newValue != code { change { $0.code = newValue } } }
  }
  /// The day from which it counts for interest, where the file has one.
  public var valueDay: Day? {
    get { rare.first?.valueDay }
    set { if newValue != valueDay { change { $0.valueDay = newValue } } }
  }
  /// Whether the bank has not booked it yet.
  public var isPending: Bool {
    get { rare.first?.isPending ?? false }
    set { if newValue != isPending { change { $0.isPending = newValue } } }
  }
  /// Whether somebody has compared it with the bank's statement, where the file says so.
  public var isReconciled: Bool {
    get { rare.first?.isReconciled ?? false }
    set { if newValue != isReconciled { change { $0.isReconciled = newValue } } }
  }
  /// What the row consists of, where it has several categories; empty for most.
  public var parts: [Part] {
    get { rare.first?.parts ?? [] }
    set { if newValue != parts { change { $0.parts = newValue } } }
  }

  private mutating func change(_ body: (inout Rare) -> Void) {
    var value = rare.first ?? Rare()
    body(&value)
    rare = value == Rare() ? [] : [value]
  }
}
