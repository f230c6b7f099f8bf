public import DaybookBookkeeping

/// A row of a bank file, independent of the file's format.
public struct StatementRow: Hashable, Sendable {
  /// The physical line where the row begins, from 1.
  public var line: Int
  /// The booking date.
  public var day: Day
  /// The change of the account's balance; negative for outgoing money.
  public var amount: Money
  /// Whether the money is incoming.
  ///
  /// The sign of `amount` doesn't determine this if the amount is zero.
  public var isInflow: Bool
  /// The name of the account; empty if the enclosing statement names it.
  public var account: String
  /// The path of the category, from the top; empty for none.
  public var category: CategoryPath
  /// The other account, if the row is a transfer.
  public var target: String?
  /// The transferred amount in the other account's currency, which is positive, if the currencies
  /// differ.
  public var targetAmount: Money?
  /// The description that the payer or payee wrote.
  public var description: String
  /// The other party of the transaction.
  public var payee: String
  /// Further information from the file, such as the other party's account number and the bank's own
  /// text.
  public var note: String
  /// The tags.
  public var tags: [String]
  /// The bank's fee, which is included in `amount`; negative for a refunded fee.
  public var fee: Money?
  /// The path of the fee's category, from the top.
  public var feeCategory: CategoryPath = []
  /// The positive amount in the currency of the purchase or payment, if it differs from the
  /// account's currency.
  public var original: Money?
  /// The balance after the row, in minor units, as stated by the bank.
  public var statedBalance: Int64?
  /// The properties that few rows have, as an array of at most one element.
  ///
  /// This is an array so that rows without these properties stay small.
  var rare: [Rare] = []

  /// Properties that few formats provide.
  struct Rare: Hashable, Sendable {
    var reference = ""
    var code = ""
    var valueDay: Day?
    var isPending = false
    var isReconciled = false
    var parts: [Part] = []
    var statement = 0
  }

  /// A part of a row that is split among several categories.
  public struct Part: Hashable, Sendable {
    /// The amount of the part, in the row's currency.
    ///
    /// The parts add up to the row's amount.
    public var amount: Money
    /// The path of the category, from the top; empty for none.
    public var category: CategoryPath
    /// The other account, if the part is a transfer.
    public var target: String?
    /// A free-text note.
    public var note: String

    /// Creates a part.
    public init(
      _ amount: Money, category: CategoryPath = [], target: String? = nil, note: String = ""
    ) {
      self.amount = amount
      self.category = category
      self.target = target
      self.note = note
    }
  }

  /// Creates a row.
  ///
  /// Set the other properties if the format provides them.
  ///
  /// - Parameters:
  ///   - line: The physical line where the row begins, from 1.
  ///   - day: The booking date.
  ///   - amount: The change of the account's balance.
  ///   - isInflow: Whether the money is incoming; `nil` to use the amount's sign.
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
  /// The bank's own id of the row, prefixed with the format's name and a colon, such as
  /// `ofx:20240131-7`.
  ///
  /// Two rows with the same account, day, amount and reference are the same row, regardless of
  /// their texts. If the bank provides no id, the part after the colon is empty. Rows of formats
  /// without references are compared by their texts.
  public var reference: String {
    get { rare.first?.reference ?? "" }
    set { if newValue != reference { change { $0.reference = newValue } } }
  }
  /// The payer's reference, such as a check number or an end-to-end id.
  public var code: String {
    get { rare.first?.code ?? "" }
    set { if newValue != code { change { $0.code = newValue } } }
  }
  /// The value date, if the file has one.
  public var valueDay: Day? {
    get { rare.first?.valueDay }
    set { if newValue != valueDay { change { $0.valueDay = newValue } } }
  }
  /// Whether the bank hasn't booked the row yet.
  public var isPending: Bool {
    get { rare.first?.isPending ?? false }
    set { if newValue != isPending { change { $0.isPending = newValue } } }
  }
  /// Whether the file marks the row as reconciled with a bank statement.
  public var isReconciled: Bool {
    get { rare.first?.isReconciled ?? false }
    set { if newValue != isReconciled { change { $0.isReconciled = newValue } } }
  }
  /// The parts of a split row; empty for most rows.
  public var parts: [Part] {
    get { rare.first?.parts ?? [] }
    set { if newValue != parts { change { $0.parts = newValue } } }
  }

  /// The number of earlier statements of the same account in the file.
  ///
  /// Rows that are also in an earlier statement are imported only once.
  public var statement: Int {
    get { rare.first?.statement ?? 0 }
    set { if newValue != statement { change { $0.statement = newValue } } }
  }

  private mutating func change(_ body: (inout Rare) -> Void) {
    var value = rare.first ?? Rare()
    body(&value)
    rare = value == Rare() ? [] : [value]
  }
}
