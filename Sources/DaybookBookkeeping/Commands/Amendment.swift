/// What an amendment can make of a transaction.
public enum TransactionKind: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// Money moves from the account to an expense category.
  case expense
  /// Money moves from an expense category to the account.
  case refund
  /// Money moves from an income category to the account.
  case income
  /// Money moves from the account to an income category.
  case incomeReversal
  /// Money moves from one account to another.
  case transfer

  /// The direction of an entry; `nil` for a transfer.
  package var direction: Draft.Direction? {
    switch self {
    case .expense: .expense
    case .refund: .refund
    case .income: .income
    case .incomeReversal: .incomeReversal
    case .transfer: nil
    }
  }
}

/// The properties to change in a transaction; `nil` leaves a property unchanged.
///
/// Amounts are positive and keep the transaction's direction, unless `type` is set. `amount`,
/// `account`, `category`, `otherAccount`, `accountAmount` and `targetAmount` apply to a transaction
/// between one account and one category, or between two accounts. `account` also applies to a
/// split, and `category` and `otherAccount` to one with a single category or a single other
/// account. For other transactions, set `shape`.
///
/// Amending the amount, currency, account or day recomputes a converted amount at the day's rate,
/// unless that amount is given. An amount that a person or a bank stated stays until an amendment
/// gives another one, or moves the transaction to an account in another currency; see
/// ``Transaction/isConverted``.
///
/// Each of the transaction's details is also a member: `amendment.payee = "Rewe"`.
@dynamicMemberLookup
public struct Amendment: Hashable, Sendable {
  /// What the transaction becomes; it keeps its id, history, links, texts and the amount on its
  /// account.
  ///
  /// Income or an expense becomes a transfer with ``otherAccount``, the account at the other end. A
  /// transfer keeps the account that money leaves (expense, income reversal) or enters (refund,
  /// income). A split becomes a single amount. A category of another kind is replaced by
  /// *Uncategorised*, unless `category` is set. Can't be combined with ``shape``.
  public var type: TransactionKind?
  /// The new day.
  ///
  /// Amounts that were converted at a rate are recomputed; stated ones are not.
  public var day: Day?
  /// The amount; for a transfer, in the source account's currency.
  public var amount: Money?
  /// The account, or `AccountID.outside` for none; for a transfer, the source account.
  public var account: AccountID?
  /// The new category, for income or expense, as appropriate.
  ///
  /// The category counts as chosen by a person unless ``categorizedBy`` is set.
  public var category: CategoryID?
  /// The destination account of a transfer.
  ///
  /// If `type` turns incoming money into a transfer and `account` is not set, this is the source
  /// account.
  public var otherAccount: AccountID?
  /// The amount in the account's currency, if that differs from the currency of `amount`.
  public var accountAmount: Money?
  /// The amount received, in the currency of a transfer's destination account.
  public var targetAmount: Money?
  /// A replacement for the whole shape: another kind of transaction, or other postings.
  public var shape: Draft.Shape?
  /// The details to change, such as the payee, the tags (which replace all existing tags) and the
  /// status.
  ///
  /// `Command.reconcile(_:)` and `Command.unreconcile(_:)` set and remove `.reconciled`.
  public var details: DetailsChange<Transaction>
  /// The occurrence of a recurring transaction, or `.some(nil)` to unlink the transaction.
  public var series: SeriesLink??
  /// The rule that chooses the category.
  ///
  /// The rule must exist. If `nil`, a changed category counts as chosen by a person.
  public var categorizedBy: RuleID?
  /// Whether an amount of the given postings was converted at a rate; see ``Draft/isConverted``.
  public var isConverted = false
  /// Whether `shape` may change the total of an imported transaction.
  ///
  /// If `false`, parts that don't add up to the imported total are refused with the code
  /// `importedTotal`. Setting ``amount`` is never refused for this reason.
  public var changesImportedTotal = false
  /// Whether a changed recurring transaction determines the amounts, including those it stated.
  package var isOfSeries = false

  /// The transaction as the caller last saw it; see ``DetailsChange/seen``.
  public var seen: Transaction? {
    get { details.seen }
    set { details.seen = newValue }
  }

  /// The new value of one of the transaction's details, or `nil` to leave it unchanged.
  public subscript<Value>(
    dynamicMember property: WritableKeyPath<TransactionDetails, Value>
  ) -> Value? {
    @inline(__always)
    get { details[dynamicMember: property] }
    @inline(__always)
    set { details[dynamicMember: property] = newValue }
  }

  /// Creates an amendment of the given properties.
  public init(
    type: TransactionKind? = nil, day: Day? = nil, amount: Money? = nil, account: AccountID? = nil,
    category: CategoryID? = nil, otherAccount: AccountID? = nil, accountAmount: Money? = nil,
    targetAmount: Money? = nil,
    shape: Draft.Shape? = nil, postings: [Posting]? = nil, description: String? = nil,
    payee: String? = nil, note: String? = nil, tags: [String]? = nil, status: Status? = nil,
    seen: Transaction? = nil
  ) {
    self.type = type
    self.day = day
    self.amount = amount
    self.account = account
    self.category = category
    self.otherAccount = otherAccount
    self.accountAmount = accountAmount
    self.targetAmount = targetAmount
    self.shape = postings.map { .postings($0) } ?? shape
    details = DetailsChange(seen: seen)
    if let description { self.description = description }
    if let payee { self.payee = payee }
    if let note { self.note = note }
    if let tags { self.tags = tags }
    if let status { self.status = status }
  }
}
