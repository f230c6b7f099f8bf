public import DaybookEntities

/// The type of a transaction, for filters and icons; figures are computed from postings.
public enum TransactionType: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// Has an expense category and no income category.
  case expense = 0
  /// Has an income category.
  case income = 1
  /// Has no category.
  case transfer = 2
}

/// How far a transaction has been checked.
public enum Status: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// Known to the bank.
  case cleared = 0
  /// Not yet known to the bank.
  case pending = 1
  /// Compared with a statement. The account, day and amounts are locked.
  case reconciled = 2
}

/// The origin of an imported transaction in its file.
public struct ImportIdentity: Hashable, Sendable {
  /// The row's id in the file, prefixed with the format and a colon (`ofx:20240131-7`), or empty.
  ///
  /// If the format has ids but the row has none, nothing follows the colon.
  public var reference: String
  /// The fingerprint of the imported values, if the current values have a different one.
  ///
  /// A `Fingerprint` then counts the row as changed. `nil` if the current values are the imported
  /// ones.
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
  /// The format of the row's id, or empty if it has none.
  var format: Substring {
    isReferenced ? reference.firstIndex(of: ":").map { reference[..<$0] } ?? "?" : ""
  }
}

/// A transaction: postings of a day that sum to zero in every currency.
public struct Transaction: LedgerEntity {
  /// The transaction's id.
  public var id: TransactionID
  /// The recording number, which orders the transactions of a day, newest first.
  ///
  /// Amendments don't change it.
  public var number: UInt64
  /// The calendar day of the transaction; a later day than today makes it a planned transaction.
  public var day: Day
  /// The type, derived from the postings when the transaction is recorded or amended.
  public var type: TransactionType
  /// How far it has been checked.
  public var status: Status
  /// What the transaction was for.
  public var description: String
  /// The other party of the transaction.
  public var payee: String
  /// A note.
  public var note: String
  /// The tags.
  public var tags: [String]
  /// The postings.
  public var postings: SharedList<Posting>
  /// The properties that few transactions have: one element, or empty for most transactions.
  ///
  /// This is an array because an optional box of the same size makes the compiler copy every
  /// returned transaction one time more than necessary.
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
    series: SeriesID? = nil, occurrence: Day? = nil, categorizedBy: RuleID? = nil,
    valueDay: Day? = nil, code: String = ""
  ) {
    let origin = TransactionOrigin(
      importIdentity: importIdentity, series: series, occurrence: occurrence,
      categorizedBy: categorizedBy, valueDay: valueDay, code: code)
    self.init(
      id: id, number: number, day: day, type: type, status: status, description: description,
      payee: payee, note: note, tags: tags, postings: SharedList(postings), origin: origin.list)
  }
}

// MARK: Origin

/// The properties that few transactions have: import, series, rule, value date and code.
struct TransactionOrigin: Hashable, Sendable {
  var importIdentity: ImportIdentity?
  var series: SeriesID?
  var occurrence: Day?
  var categorizedBy: RuleID?
  var valueDay: Day?
  var code = ""

  /// The stored form: an empty array if no property is set.
  var list: [TransactionOrigin] { self == TransactionOrigin() ? [] : [self] }
}

extension Transaction {
  /// The origin in an imported file, or `nil` if the transaction wasn't imported.
  public var importIdentity: ImportIdentity? {
    get { origin.first?.importIdentity }
    set { change { $0.importIdentity = newValue } }
  }

  /// The recurring transaction that it belongs to.
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

  /// The bank's value date, or the second date of an imported journal; `nil` if it equals the day.
  public var valueDay: Day? {
    get { origin.first?.valueDay }
    set { change { $0.valueDay = newValue } }
  }

  /// The number on the document, such as a check, invoice or payment order; empty for most
  /// transactions.
  public var code: String {
    get { origin.first?.code ?? "" }
    set { change { $0.code = newValue } }
  }

  private mutating func change(_ body: (inout TransactionOrigin) -> Void) {
    var value = origin.first ?? TransactionOrigin()
    body(&value)
    origin = value.list
  }
}
