import Bookkeeping

/// A transaction as a journal says it, before its commodities are known.
struct JournalEntry: Sendable {
  var line: Int
  /// The file it is in, by its place among the files that were read.
  var file: Int
  var day: Day
  var valueDay: Day?
  var status: Status = .cleared
  var code = ""
  var payee = ""
  var description = ""
  var note = ""
  var tags: [String] = []
  var reference = ""
  var postings: [JournalPosting] = []
}

/// A posting as a journal says it.
struct JournalPosting: Sendable {
  /// How its sum counts.
  enum Sort: Sendable {
    case real
    /// In brackets: virtual, and balanced among its own.
    case balanced
    /// In parentheses: virtual, and balanced by nothing.
    case unbalanced
  }

  var line: Int
  var column: Int
  var account: Int
  var sort: Sort = .real
  /// `nil` where it is left to the balance.
  var amount: JournalAmount?
  /// What it counts as in the balance, where it has a cost or a price.
  var weight: JournalAmount?
  var assertion: JournalAssertion?
  var note = ""
  /// What it counts as in the balance.
  var balance: JournalAmount? { weight ?? amount }
}

/// What an account is said to hold after a posting.
struct JournalAssertion: Sendable {
  var column: Int
  var amount: JournalAmount
  /// Whether the account holds nothing else (`==`).
  var isTotal = false
  /// Whether accounts below it count, too (`=*`).
  var isInclusive = false
}

/// Something in a journal that can't be read, where, and what to do.
struct JournalFault: Error {
  var line: Int
  var column: Int?
  var code: BadLine.Code
  var reason: String
  var remedy: String

  init(
    _ line: Int, _ column: Int?, _ code: BadLine.Code, _ reason: String, _ remedy: String
  ) {
    self.line = line
    self.column = column
    self.code = code
    self.reason = reason
    self.remedy = remedy
  }
}

/// What is gathered while a journal is read, whatever its syntax.
struct JournalMatter {
  var files: [String] = []
  var commodities = CommodityTable()
  var accounts = AccountTable()
  var entries: [JournalEntry] = []
  var prices: [JournalPrice] = []
  /// Balances stated by themselves, with their day; those of postings are with the postings.
  var assertions: [BookAssertion] = []
  var contents = FileContents()

  /// Notes what can't be read; a file that was included is named.
  mutating func note(_ fault: JournalFault, file: Int) {
    contents.note(
      BadLine(
        line: fault.line, column: fault.column, code: fault.code,
        reason: place(file) + fault.reason, remedy: fault.remedy))
  }

  /// Notes what is not taken.
  mutating func notice(_ line: Int, _ message: String, file: Int) {
    contents.notices.append(FileNotice(line: line, place(file) + message))
  }

  private func place(_ file: Int) -> String {
    file > 0 && file < files.count ? "In \(files[file]): " : ""
  }
}

/// A price of one commodity in another on a day.
struct JournalPrice {
  var line: Int
  var file: Int
  var day: Day
  var commodity: Int
  var price: JournalAmount
}
