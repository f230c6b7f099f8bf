import DaybookBookkeeping

/// A parsed transaction of a journal, before its commodities have been resolved.
struct JournalEntry: Sendable {
  var line: Int
  /// The index of the entry's file in `JournalMatter.files`.
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

/// A parsed posting of a journal.
struct JournalPosting: Sendable {
  /// The role of a posting in the balance of its transaction.
  enum Sort: Sendable {
    case real
    /// A virtual posting in brackets, which must balance with the transaction's other postings of
    /// this kind.
    case balanced
    /// A virtual posting in parentheses, which doesn't have to balance.
    case unbalanced
  }

  var line: Int
  var column: Int
  var account: Int
  var sort: Sort = .real
  /// The amount; `nil` if it is inferred from the balance.
  var amount: JournalAmount?
  /// The weight of the posting in the balance, if it has a cost or a price.
  var weight: JournalAmount?
  /// The total cost of a lot without a price, by which exchanges of lots balance.
  var lotCost: JournalAmount?
  var assertion: JournalAssertion?
  var note = ""
  /// The weight of the posting in the balance.
  var balance: JournalAmount? { weight ?? amount }
}

/// The asserted balance of an account after a posting.
struct JournalAssertion: Sendable {
  var column: Int
  var amount: JournalAmount
  /// Whether the account must not hold any other commodity (`==`).
  var isTotal = false
  /// Whether subaccounts are included (`=*`).
  var isInclusive = false
}

/// An error at a position in a journal.
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

/// The data collected while reading a journal, independent of its syntax.
struct JournalMatter {
  var files: [String] = []
  var commodities = CommodityTable()
  var accounts = AccountTable()
  var entries: [JournalEntry] = []
  var prices: [JournalPrice] = []
  /// Assertions that aren't part of a posting, with their day.
  var assertions: [BookAssertion] = []
  var contents = FileContents()

  /// Records a bad line.
  ///
  /// The message names the file if it was included.
  mutating func note(_ fault: JournalFault, file: Int) {
    contents.note(
      BadLine(
        line: fault.line, column: fault.column, code: fault.code,
        reason: place(file) + fault.reason, remedy: fault.remedy))
  }

  /// Records a notice about data that isn't imported.
  mutating func notice(_ line: Int, _ message: String, file: Int) {
    contents.notices.append(FileNotice(line: line, place(file) + message))
  }

  private func place(_ file: Int) -> String {
    file > 0 && file < files.count ? "In \(files[file]): " : ""
  }
}

/// The price of a commodity in another commodity on a day.
struct JournalPrice {
  var line: Int
  var file: Int
  var day: Day
  var commodity: Int
  var price: JournalAmount
}
