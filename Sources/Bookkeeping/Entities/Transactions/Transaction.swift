public import Entities

/// A label for filters and icons; figures come from postings.
public enum TransactionType: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// Some posting goes to an expense category, none to one of income.
  case expense = 0
  /// Some posting comes from an income category.
  case income = 1
  /// No posting has a category.
  case transfer = 2
}

/// How far a transaction has been checked.
public enum Status: UInt8, Hashable, Sendable, CaseIterable, Codable {
  /// Known to the bank.
  case cleared = 0
  /// Not yet known to the bank.
  case pending = 1
  /// Compared with a statement: account, day and amounts are locked.
  case reconciled = 2
}

/// That a transaction was imported, and what the file called it.
public struct ImportIdentity: Hashable, Sendable {
  /// The file's own id of the row, with the format and a colon before it: `ofx:20240131-7`; or empty.
  ///
  /// Behind the colon there is nothing where the format has such ids and the row has none.
  public var reference: String
  /// The fingerprint it was imported with, once it was changed so that it has another.
  ///
  /// A `Fingerprint` then counts for it; `nil` while its present values say what was imported.
  public var original: EntityID?

  /// An imported row's identity.
  public init(reference: String = "", original: EntityID? = nil) {
    self.reference = reference
    self.original = original
  }
}

extension ImportIdentity {
  /// Whether the file gave the row an id.
  var isReferenced: Bool { !reference.isEmpty && !reference.hasSuffix(":") }
  /// The format that gave it, or empty where there is none.
  var format: Substring {
    isReferenced ? reference.firstIndex(of: ":").map { reference[..<$0] } ?? "?" : ""
  }
}

/// What happened on a day: postings that sum to zero in every currency.
public struct Transaction: LedgerEntity {
  /// The transaction's id.
  public var id: TransactionID
  /// The recording number: newer rows of a day stand before older ones; it survives amendments.
  public var number: UInt64
  /// The calendar day it happened on; later than today, it is planned.
  public var day: Day
  /// A label, derived from the postings when recorded or amended.
  public var type: TransactionType
  /// How far it has been checked.
  public var status: Status
  /// What it was.
  public var description: String
  /// Whom it was paid to or came from.
  public var payee: String
  /// Free text.
  public var note: String
  /// Free labels.
  public var tags: [String]
  /// What went where.
  public var postings: SharedList<Posting>
  /// Where it came from, and what else few have; empty for most, else one element.
  ///
  /// An array, because an optional box of the same size makes the compiler copy every transaction
  /// that is returned once more than is needed.
  var origin: [TransactionOrigin]

  /// What transactions are in the journal: kind 4.
  public static var kind: EntityKind { .transaction }
  /// The id, untyped.
  public var entityID: EntityID { id.rawValue }
}

extension Transaction {
  /// A transaction by its properties; the postings are taken as they are.
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

// MARK: Where it came from

/// What few transactions have: that they came from a file, a series or a rule, a second day, a code.
struct TransactionOrigin: Hashable, Sendable {
  var importIdentity: ImportIdentity?
  var series: SeriesID?
  var occurrence: Day?
  var categorizedBy: RuleID?
  var valueDay: Day?
  var code = ""

  /// The origin as a transaction keeps it: nothing at all where there is nothing to keep.
  var list: [TransactionOrigin] { self == TransactionOrigin() ? [] : [self] }
}

extension Transaction {
  /// That it was imported, or `nil`.
  public var importIdentity: ImportIdentity? {
    get { origin.first?.importIdentity }
    set { change { $0.importIdentity = newValue } }
  }

  /// The recurring series it belongs to.
  public var series: SeriesID? {
    get { origin.first?.series }
    set { change { $0.series = newValue } }
  }

  /// Its due day in that series.
  public var occurrence: Day? {
    get { origin.first?.occurrence }
    set { change { $0.occurrence = newValue } }
  }

  /// The rule that chose its category; `nil` where a person did.
  public var categorizedBy: RuleID? {
    get { origin.first?.categorizedBy }
    set { change { $0.categorizedBy = newValue } }
  }

  /// The day from which the bank counts it for interest, or a journal's second date; `nil` where it is
  /// the day.
  public var valueDay: Day? {
    get { origin.first?.valueDay }
    set { change { $0.valueDay = newValue } }
  }

  /// The number that stands on the paper: of a cheque, an invoice, a payment order; empty for most.
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
