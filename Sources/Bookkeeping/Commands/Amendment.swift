/// What to change about a transaction; `nil` leaves a property as it is.
///
/// Amounts are positive and go the way they went. `amount`, `account`, `category`, `otherAccount`,
/// `accountAmount` and `targetAmount` fit a transaction of one account and one category or of two
/// accounts; `account` and `category` also fit a split that has one. For others give `shape`.
///
/// Amending amount, currency, account or day computes the amount in another currency anew by the
/// day's rate, unless it is given; nothing else does.
public struct Amendment: Hashable, Sendable {
  /// Another day; what was converted by rate is computed anew.
  public var day: Day?
  /// The amount (of a transfer: in the source's currency).
  public var amount: Money?
  /// The account (of a transfer: the source); `AccountID.outside` for none.
  public var account: AccountID?
  /// Another category, of income or expense as it fits; it then counts as a person's choice.
  public var category: CategoryID?
  /// The account a transfer goes to.
  public var otherAccount: AccountID?
  /// The amount in the account's currency, where it is another.
  public var accountAmount: Money?
  /// The amount that arrives, in the currency of a transfer's target.
  public var targetAmount: Money?
  /// Something else altogether: another kind of transaction, or other postings.
  public var shape: Draft.Shape?
  /// What it was.
  public var description: String?
  /// Whom it was paid to or came from.
  public var payee: String?
  /// Free text.
  public var note: String?
  /// Free labels, replacing all.
  public var tags: [String]?
  /// How far it has been checked; to reconcile or to undo that are commands of their own.
  public var status: Status?
  /// The day from which the bank counts it, or `.some(nil)` for none of its own.
  public var valueDay: Day??
  /// The number that stands on the paper.
  public var code: String?
  /// A place in a series, or `.some(nil)` to leave it.
  public var series: SeriesLink??
  /// The rule that chooses the category, which has to be there; without it, a changed category is a
  /// person's choice.
  public var categorizedBy: RuleID?
  /// Whether a `shape` may change the total of an imported transaction.
  ///
  /// Otherwise parts that do not add up to what the bank says are refused with the code
  /// `importedTotal`. An amount that is given alone is never refused for that.
  public var changesImportedTotal = false
  /// What the caller believed the transaction to be.
  ///
  /// A property that is stored differently was changed by somebody else, and the ledger's merge policy
  /// says who wins. Without it the amendment wins.
  public var seen: Transaction?

  /// An amendment of the properties that are given.
  public init(
    day: Day? = nil, amount: Money? = nil, account: AccountID? = nil, category: CategoryID? = nil,
    otherAccount: AccountID? = nil, accountAmount: Money? = nil, targetAmount: Money? = nil,
    shape: Draft.Shape? = nil, postings: [Posting]? = nil, description: String? = nil,
    payee: String? = nil, note: String? = nil, tags: [String]? = nil, status: Status? = nil,
    seen: Transaction? = nil
  ) {
    self.day = day
    self.amount = amount
    self.account = account
    self.category = category
    self.otherAccount = otherAccount
    self.accountAmount = accountAmount
    self.targetAmount = targetAmount
    self.shape = postings.map { .postings($0) } ?? shape
    self.description = description
    self.payee = payee
    self.note = note
    self.tags = tags
    self.status = status
    self.seen = seen
  }
}
