import DaybookBookkeeping
import DaybookFormats

/// Converts Actual's tables to books.
struct ActualReader {
  let database: SQLiteDatabase
  let options: ReadingOptions
  let path: String
  var contents = FileContents()
  var books = Books()
  /// The names of accounts in the books, by id.
  var names: [String: String] = [:]
  /// The transactions that have been imported as the other side of a transfer.
  var consumed: Set<String> = []
  /// The transactions that can't be imported.
  var refused: Set<String> = []
  /// The transfers whose category is kept, as in Actual, although no money left the budget's
  /// accounts.
  var categorizedTransfers: (count: Int, line: Int) = (0, 0)

  init(_ database: SQLiteDatabase, _ options: ReadingOptions, path: String) {
    self.database = database
    self.options = options
    self.path = path
  }

  mutating func read() throws(InterchangeError) -> FileContents {
    do throws(InterchangeError) {
      let tables = try ActualTables(database)
      let currency = try currency(tables)
      takeAccounts(tables, currency)
      takeCategories(tables)
      takeTransactions(tables, currency)
      try checkSums(tables, currency)
      try takeBudgets(tables, currency)
      try takeSchedules(tables, currency)
    } catch {
      var error = error
      error.path = path
      throw error
    }
    contents.notices.sort { $0.line < $1.line }
    books.program = "actual"
    contents.books = books
    return contents
  }

  mutating func notice(_ line: Int, _ message: String) {
    contents.notices.append(FileNotice(line: max(line, 1), message))
  }

  /// Returns the currency of the budget.
  ///
  /// Actual's files don't always contain it.
  private func currency(_ tables: ActualTables) throws(InterchangeError) -> Currency {
    if let code = tables.preferences["defaultCurrencyCode"], !code.isEmpty,
      let known = options.currencies[code] ?? Currency.iso(code)
    {
      return known
    }
    guard let currency = options.currency else {
      throw InterchangeError(
        .format, "The budget doesn't specify its currency.",
        remedy: "Pass it with --currency.")
    }
    return currency
  }

  private mutating func takeAccounts(_ tables: ActualTables, _ currency: Currency) {
    var taken: Set<String> = []
    for id in tables.accountOrder {
      guard let account = tables.accounts[id] else { continue }
      let whole = ActualTables.trimmed(account.name)
      let base = NoteLines.prefix(
        of: whole.isEmpty ? "Account" : whole, byteCount: Limits.nameByteCountMax - 8)
      var name = base
      var copy = 2
      while !taken.insert(Folding.key(name)).inserted {
        name = "\(base) (\(copy))"
        copy += 1
      }
      names[id] = name
      var new = BookAccount(line: account.order, name: name, kind: .asset, currency: currency)
      new.title = base
      new.identity = id
      new.isClosed = account.isClosed
      new.isOutsideBudget = account.isOffBudget
      new.note = NoteLines.prefix(
        of: tables.notes["account-\(id)"] ?? "", byteCount: Limits.noteByteCountMax)
      books.accounts.append(new)
    }
  }

  private mutating func takeCategories(_ tables: ActualTables) {
    for (index, group) in tables.groups.enumerated() {
      var new = BookCategory(line: index + 1, path: [group.name], kind: .expense)
      new.identity = group.id
      books.categories.append(new)
    }
    for (index, id) in tables.categoryOrder.enumerated() {
      guard let category = tables.categories[id], !category.path.names.isEmpty else { continue }
      var new = BookCategory(line: index + 1, path: category.path, kind: category.kind)
      new.identity = id
      new.isHidden = category.isHidden
      new.note = NoteLines.prefix(
        of: tables.notes[id] ?? "", byteCount: Limits.noteByteCountMax)
      books.categories.append(new)
    }
  }

  /// Converts hundredths to an amount; returns `nil` if the amount doesn't fit or the currency has
  /// fewer decimals.
  static func money(_ units: Int64, _ currency: Currency) -> Money? {
    var scaled = Int128(units)
    for _ in 0..<currency.digits { scaled *= 10 }
    let (quotient, rest) = scaled.quotientAndRemainder(dividingBy: 100)
    guard rest == 0, let exact = Int64(exactly: quotient), exact != .min else { return nil }
    return Money(exact, currency)
  }
}
