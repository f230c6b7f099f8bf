#if DEBUG
  #error("benchmarks are built with -c release only")
#endif

/// An id of sixteen bytes, ordered by time.
struct WorkID: Hashable, Sendable {
  var high: UInt64
  var low: UInt64

  /// The bytes in comparison order.
  var bytes: (UInt64, UInt64) { (high.bigEndian, low.bigEndian) }
}

/// The type of a transaction, numbered as in the engines.
enum WorkKind: Int, Sendable {
  case expense = 0
  case income = 1
  case transfer = 2
}

/// One of the two postings of a transaction.
///
/// A positive amount goes into the account or category.
struct WorkPosting: Sendable {
  var isAccount: Bool
  var number: Int
  var amount: Int64
}

/// A transaction in a form that favours no engine.
struct WorkTransaction: Sendable {
  var id: WorkID
  /// The day, counted from 1970-01-01.
  var day: Int
  var kind: WorkKind
  /// The account, 1...20.
  var account: Int
  /// The subcategory, 61...360, or the destination account of a transfer.
  var counter: Int
  /// The amount in hundredths, which is positive.
  var amount: Int64
  var description: String

  var currency: Int { Work.currency(ofAccount: account) }

  var postings: (WorkPosting, WorkPosting) {
    let sign: Int64 = kind == .income ? 1 : -1
    return (
      WorkPosting(isAccount: true, number: account, amount: sign * amount),
      WorkPosting(isAccount: kind == .transfer, number: counter, amount: -sign * amount)
    )
  }
}

/// The properties that an amendment sets.
///
/// `nil` leaves a property unchanged.
struct WorkAmendment: Sendable {
  var day: Int?
  var amount: Int64?
  /// The currency of the amounts, which doesn't change.
  var currency: Int
  /// Another subcategory of the same kind.
  var category: Int?
}

/// One event of the work.
///
/// An engine has to look up the previous state of an amended or deleted row.
enum WorkEvent: Sendable {
  case record(WorkTransaction)
  case amend(WorkID, WorkAmendment)
  case delete(WorkID)
}

/// The chart of accounts that all engines share.
enum Work {
  static let currencies = ["EUR", "USD", "GBP", "CHF"]
  static let accounts = 1...20
  /// The categories 1...60: 48 for expenses and 12 for income, each with five subcategories.
  static let categories = 1...60
  static let subcategories = 61...360
  static let expenseSubcategories = 61...300
  static let incomeSubcategories = 301...360

  /// The currency of an account, 0...3.
  ///
  /// Each currency has five accounts.
  static func currency(ofAccount account: Int) -> Int { (account - 1) / 5 }

  static func name(ofAccount account: Int) -> String { "Account \(account)" }

  static func name(ofCategory category: Int) -> String {
    category <= 60 ? "Group \(category)" : "Category \(category)"
  }

  static func parent(ofSubcategory number: Int) -> Int { (number - 61) / 5 + 1 }

  /// The month, as year * 12 + month - 1, of a day counted from 1970-01-01.
  static func month(ofDay day: Int) -> Int {
    let z = day + 719_468
    let era = z / 146_097
    let dayOfEra = z - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0)) * 12 + month - 1
  }

  /// The first day of a month.
  static func firstDay(ofMonth month: Int) -> Int {
    let number = month % 12 + 1
    let year = month / 12 - (number <= 2 ? 1 : 0)
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (number > 2 ? number - 3 : number + 9) + 2) / 5
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The text of a day, in the form yyyy-MM-dd.
  static func text(ofDay day: Int) -> String {
    let month = month(ofDay: day)
    func padded(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
    return "\(month / 12)-\(padded(month % 12 + 1))-\(padded(day - firstDay(ofMonth: month) + 1))"
  }
}
