#if DEBUG
  #error("benchmarks are built with -c release only")
#endif

/// Sixteen bytes, ordered by time.
struct WorkID: Hashable, Sendable {
  var high: UInt64
  var low: UInt64

  /// The bytes in the order in which they compare.
  var bytes: (UInt64, UInt64) { (high.bigEndian, low.bigEndian) }
}

/// What kind of transaction it is, as the engines number it.
enum WorkKind: Int, Sendable {
  case expense = 0
  case income = 1
  case transfer = 2
}

/// One of the two halves of a transaction: positive goes into the account or category.
struct WorkPosting: Sendable {
  var isAccount: Bool
  var number: Int
  var amount: Int64
}

/// A transaction, in terms that favour no engine.
struct WorkTransaction: Sendable {
  var id: WorkID
  /// Days since 1970-01-01.
  var day: Int
  var kind: WorkKind
  /// An account, 1...20.
  var account: Int
  /// A subcategory, 61...360, or for a transfer the account that receives.
  var counter: Int
  /// Hundredths of a unit, positive.
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

/// What an amendment sets; `nil` stays as it was.
struct WorkAmendment: Sendable {
  var day: Int?
  var amount: Int64?
  /// The currency of the amounts, which stays what it was.
  var currency: Int
  /// Another subcategory of the same kind.
  var category: Int?
}

/// One event of the work.
///
/// What an amended or deleted row was before, an engine looks up itself.
enum WorkEvent: Sendable {
  case record(WorkTransaction)
  case amend(WorkID, WorkAmendment)
  case delete(WorkID)
}

/// The chart of accounts that all engines share.
enum Work {
  static let currencies = ["EUR", "USD", "GBP", "CHF"]
  static let accounts = 1...20
  /// Categories 1...60: 48 of expenses, 12 of income, each with five subcategories.
  static let categories = 1...60
  static let subcategories = 61...360
  static let expenseSubcategories = 61...300
  static let incomeSubcategories = 301...360

  /// 0...3: five accounts of each currency.
  static func currency(ofAccount account: Int) -> Int { (account - 1) / 5 }

  static func name(ofAccount account: Int) -> String { "Account \(account)" }

  static func name(ofCategory category: Int) -> String {
    category <= 60 ? "Group \(category)" : "Category \(category)"
  }

  static func parent(ofSubcategory number: Int) -> Int { (number - 61) / 5 + 1 }

  /// The month, year * 12 + month - 1, of a day since 1970-01-01.
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

  /// A day as yyyy-MM-dd.
  static func text(ofDay day: Int) -> String {
    let month = month(ofDay: day)
    func padded(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
    return "\(month / 12)-\(padded(month % 12 + 1))-\(padded(day - firstDay(ofMonth: month) + 1))"
  }
}
