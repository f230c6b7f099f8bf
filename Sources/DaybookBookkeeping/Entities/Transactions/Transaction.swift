public import DaybookEntities

/// The type of a transaction, for filters and icons; figures are computed from postings.
public enum TransactionType: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// Money spent: at least one expense category and no income category.
  case expense = 0
  /// Money earned: at least one income category.
  case income = 1
  /// Money moved between accounts: no category.
  case transfer = 2
}

/// The extent to which a transaction has been checked.
public enum Status: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// Booked by the bank.
  case cleared = 0
  /// Not yet booked by the bank.
  case pending = 1
  /// Checked against a statement; the account, day and amounts are locked.
  case reconciled = 2
}

/// The origin of an imported transaction in its file.
public struct ImportIdentity: Hashable, Sendable {
  /// The row's id in the file, prefixed with the format and a colon (`ofx:20240131-7`), or empty.
  ///
  /// If the format has ids but the row has none, nothing follows the colon.
  public var reference: String
  /// The fingerprint of the imported values, if the current values have a different fingerprint.
  ///
  /// If set, a `Fingerprint` counts the row as changed. `nil` if the current values equal the
  /// imported ones.
  public var original: EntityID?

  /// Creates the identity of an imported row.
  public init(reference: String = "", original: EntityID? = nil) {
    self.reference = reference
    self.original = original
  }
}

extension ImportIdentity {
  /// Whether the row has an id in the file.
  var isReferenced: Bool { !reference.isEmpty && !reference.hasSuffix(":") }
  /// The prefix that the references of all rows from the same books share, if the rows have no ids
  /// (`journal/BOOKS/` in `journal/BOOKS/DIGEST:`), otherwise empty.
  ///
  /// The importer of the books has already determined which of their rows are recorded.
  var books: Substring {
    guard reference.utf8.last == UInt8(ascii: ":") else { return "" }
    return reference.lastIndex(of: "/").map { reference[...$0] } ?? ""
  }
  /// The format of the row's id, or empty if it has none.
  var format: Substring {
    isReferenced ? reference.firstIndex(of: ":").map { reference[..<$0] } ?? "?" : ""
  }
}

/// A transaction: postings on one day that sum to zero in every currency.
public struct Transaction: LedgerEntity, Detailed {
  // The details come first, because the type and the day fit into the padding after them.

  /// The details, which are also members of the transaction: `transaction.payee`.
  public var details: TransactionDetails
  /// The type, derived from the postings when the transaction is recorded or amended.
  public var type: TransactionType
  /// The calendar day of the transaction; a transaction after today is planned.
  public var day: Day
  /// The transaction's id.
  public var id: TransactionID
  /// The recording number, which orders the transactions of a day, newest first.
  ///
  /// Amendments don't change it.
  public var number: UInt64
  /// The postings.
  public var postings: SharedList<Posting>
  /// The origin of the transaction: one element, or empty for most transactions.
  ///
  /// This is an array because with an optional box, which has the same size, the compiler copies
  /// every returned transaction once more than necessary.
  var origin: [TransactionOrigin]

  /// The kind of transactions in the journal: 4.
  public static var kind: EntityKind { .transaction }
  /// The untyped id.
  public var entityID: EntityID { id.rawValue }
}

extension Transaction {
  /// Creates a transaction; the postings are not checked.
  public init(
    id: TransactionID, number: UInt64 = 0, day: Day, type: TransactionType,
    status: Status = .cleared, description: String = "", payee: String = "", note: String = "",
    tags: [String] = [], postings: some Sequence<Posting>, importIdentity: ImportIdentity? = nil,
    series: SeriesID? = nil, occurrence: Day? = nil, categorizedBy: RuleID? = nil
  ) {
    self.init(
      id: id, number: number, day: day, type: type,
      details: TransactionDetails(
        status: status, description: description, payee: payee, note: note, tags: tags),
      postings: postings, importIdentity: importIdentity, series: series, occurrence: occurrence,
      categorizedBy: categorizedBy)
  }

  /// Creates a transaction with the given details; the postings are not checked.
  public init(
    id: TransactionID, number: UInt64 = 0, day: Day, type: TransactionType,
    details: TransactionDetails, postings: some Sequence<Posting>,
    importIdentity: ImportIdentity? = nil, series: SeriesID? = nil, occurrence: Day? = nil,
    categorizedBy: RuleID? = nil
  ) {
    let origin = TransactionOrigin(
      importIdentity: importIdentity, series: series, occurrence: occurrence,
      categorizedBy: categorizedBy)
    self.init(
      details: details, type: type, day: day, id: id, number: number,
      postings: SharedList(postings), origin: origin.list)
  }
}

// MARK: Origin

/// The origin of a transaction, for those that were imported, generated, changed by a rule or
/// converted at a rate.
struct TransactionOrigin: Hashable, Sendable {
  var importIdentity: ImportIdentity?
  var series: SeriesID?
  var occurrence: Day?
  var categorizedBy: RuleID?
  var isConverted = false
  /// The two transactions of which a transfer was made; otherwise empty.
  var halves: [Transaction] = []
  /// The payee that was replaced: one element, or empty for most transactions.
  var statedPayee: [StatedPayee] = []

  /// The stored form: an empty array if no property is set.
  var list: [TransactionOrigin] { self == TransactionOrigin() ? [] : [self] }
}

extension Transaction {
  /// The origin in an imported file, or `nil` if the transaction wasn't imported.
  public var importIdentity: ImportIdentity? {
    get { origin.first?.importIdentity }
    set { change { $0.importIdentity = newValue } }
  }

  /// The recurring transaction that this transaction belongs to.
  public var series: SeriesID? {
    get { origin.first?.series }
    set { change { $0.series = newValue } }
  }

  /// The due date in the series.
  public var occurrence: Day? {
    get { origin.first?.occurrence }
    set { change { $0.occurrence = newValue } }
  }

  /// The rule that chose the category; `nil` if a person chose it.
  public var categorizedBy: RuleID? {
    get { origin.first?.categorizedBy }
    set { change { $0.categorizedBy = newValue } }
  }

  /// Whether the amount on its account was converted at the day's rate; `false` if a person or a
  /// bank stated it, or if no amount was exchanged.
  ///
  /// For a transfer, it is the amount received. Amendments recompute a converted amount, and keep a
  /// stated one.
  public var isConverted: Bool {
    get { origin.first?.isConverted ?? false }
    set { change { $0.isConverted = newValue } }
  }

  /// The two transactions of which the transfer was made, as they were.
  ///
  /// The one that paid is first. Empty for all other transactions.
  public var halves: [Transaction] {
    get { origin.first?.halves ?? [] }
    set { change { $0.halves = newValue } }
  }

  /// The payee that the bank or the caller stated, if a rule or a person replaced it.
  ///
  /// Rules match this text instead of the payee.
  public var statedPayee: StatedPayee? {
    get { origin.first?.statedPayee.first }
    set { change { $0.statedPayee = newValue.map { [$0] } ?? [] } }
  }

  private mutating func change(_ body: (inout TransactionOrigin) -> Void) {
    var value = origin.first ?? TransactionOrigin()
    body(&value)
    origin = value.list
  }
}
