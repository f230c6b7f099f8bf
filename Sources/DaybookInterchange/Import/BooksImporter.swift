public import Daybook

/// Imports the books of another program as one commit, with accounts, categories, transactions and
/// exchange rates.
///
/// Accounts are found by their identities in the program, or else by name. Categories with the same
/// path as in the ledger are reused, and transactions that are already recorded are skipped.
/// Transactions that were edited in the books since an earlier import are replaced, and
/// transactions that were deleted in the books are listed, or deleted if
/// ``ImportSettings/followsDeletions`` is set, unless they were changed in the ledger. You can
/// therefore import the same books again at any time.
public struct BooksImporter: Sendable {
  /// The import settings.
  public var settings: ImportSettings
  /// Whether to record the books' balance assertions in the ledger, which then checks them.
  public var assertsBalances: Bool

  /// Creates an importer.
  public init(settings: ImportSettings = ImportSettings(), assertsBalances: Bool = false) {
    self.settings = settings
    self.assertsBalances = assertsBalances
  }

  /// Imports the books of a file.
  ///
  /// - Parameters:
  ///   - contents: The contents of the file. Its transactions are released one by one, so the
  ///     import needs less memory if you don't keep a copy.
  ///   - path: The name of the file in messages. The last component identifies a journal.
  ///   - progress: Called periodically, on the import's thread.
  /// - Throws: `InterchangeError` with code `badLines` (which lists all bad lines), `missing` or
  ///   `refused`, or `DaybookError` for errors of the ledger's files. In these cases, nothing was
  ///   recorded.
  /// - Complexity: O(*n*) time and memory in the number of transactions, which is limited to
  ///   `Limits.importRowCountMax`.
  @discardableResult
  @concurrent
  public func run(
    _ contents: consuming FileContents, path: String? = nil, into ledger: Ledger,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportSummary {
    var books = contents.books ?? Books()
    contents.books = nil
    var batch = ImportBatch(settings: settings, path: path)
    batch.badLines = contents.badLines
    batch.badLineCount = contents.badLineCount
    let comparesBooks = !books.program.isEmpty && !settings.keepsDuplicates
    var (recording, comparison) = try ledger.read {
      (
        try BooksRecording(books, in: $0),
        comparesBooks ? try BookComparison(books, path: path, in: $0) : nil
      )
    }
    var update = recording.takeTransactions(of: &books, comparing: &comparison, &batch)
    if books.program == "journal", !update.missing.isEmpty {
      try ledger.read { try update.pair(batch.rows, in: $0) }
    }
    try update.settle(&batch, in: ledger)
    recording.takePlans(of: books, &batch)
    recording.takeAssignments(of: books, &batch)
    if assertsBalances { recording.takeAssertions(of: books, &batch) }
    recording.close(books, &batch)
    batch.first = recording.definitions
    batch.resolver = recording.resolver
    var summary = try await batch.land(in: ledger, progress)
    summary.notices = contents.notices + recording.notices + update.notices
    summary.missing = update.listed
    return summary
  }
}

/// The preparation of the commands that record the books.
private struct BooksRecording {
  var resolver: NameResolver
  private(set) var definitions: [Command] = []
  private(set) var notices: [FileNotice] = []
  private var accounts: [String: AccountID] = [:]
  private var categories: BookCategoryMatcher
  private var opened: Set<AccountID> = []
  /// The new categories to hide.
  private var hidden: [CategoryID] = []
  /// The new categories that carry overspending.
  private var carrying: [CategoryID] = []
  private let base: Currency?
  private let assigned: Set<AllocationID>
  private var stated: Set<Asserted> = []
  private var budgets: Set<String> = []
  private var series: Set<String> = []

  private struct Asserted: Hashable {
    var account: AccountID
    var day: Day
  }

  init(_ books: Books, in snapshot: borrowing Snapshot) throws {
    resolver = try NameResolver(snapshot)
    base = try snapshot.settings().baseCurrency
    assigned = Set(try snapshot.allocations().map(\.id))
    categories = try BookCategoryMatcher(books, in: snapshot)
    let defined = Set(try snapshot.currencyDefinitions().map(\.currency))
    for definition in books.currencies where !defined.contains(definition.currency) {
      guard Currency.iso(definition.currency.code) != definition.currency else { continue }
      definitions.append(.defineCurrency(definition))
    }
    for assertion in try snapshot.assertions() {
      stated.insert(Asserted(account: assertion.account, day: assertion.day))
    }
    budgets = Set(try snapshot.budgets().map { Folding.key($0.name) })
    series = Set(try snapshot.series().map { Folding.key($0.name) })
    var matcher = try BookAccountMatcher(books, in: snapshot)
    let known = books.accounts.filter { matcher.knows($0) }
    matcher.rename(known)
    var names: [String: String] = [:]
    for account in known + books.accounts.filter({ !matcher.knows($0) }) {
      switch try matcher.match(account, in: snapshot) {
      case .existing(let found):
        accounts[account.name] = found.id
        names[account.name] = found.name
      case .new(let id, let name, let identifiers):
        opened.insert(id)
        accounts[account.name] = id
        names[account.name] = name
        resolver.open(id, name, account, identifiers: identifiers)
      }
    }
    definitions += matcher.changes
    notices += matcher.notices
    noteCurrencies(of: books.accounts, names)
    categories.rename(&resolver.paths)
    notices += categories.notices
    // Create parents first. A parent created implicitly for a path would have no note.
    let sorted = books.categories.enumerated().sorted {
      ($0.element.path.names.count, $0.offset) < ($1.element.path.names.count, $1.offset)
    }
    for (_, category) in sorted {
      let count = resolver.categories.count
      let id = self.category(category.path, kind: category.kind, note: category.note)
      guard resolver.categories.count > count, let id else { continue }
      if category.isHidden { hidden.append(id) }
      if category.carriesOverspending { carrying.append(id) }
    }
  }

  private mutating func category(
    _ path: CategoryPath, kind: CategoryKind, note: String = ""
  ) -> CategoryID? {
    categories.category(path, kind: kind, note: note, &resolver.paths)
  }

  /// Says in which currency a new account is, if the books don't, and which accounts there are for
  /// one that has several currencies.
  private mutating func noteCurrencies(of given: [BookAccount], _ names: [String: String]) {
    var groups: [String: [BookAccount]] = [:]
    for account in given where !account.identity.isEmpty {
      groups[account.identity, default: []].append(account)
    }
    for account in given {
      guard let group = groups.removeValue(forKey: account.identity),
        group.contains(where: { accounts[$0.name].map(opened.contains) ?? false })
      else { continue }
      let shown = group.map { "“\(names[$0.name] ?? $0.name)” (\($0.currency))" }
      if group.count > 1 {
        notices.append(
          FileNotice(
            line: account.line,
            "“\(account.title)” uses several currencies, with an account for each of them: "
              + "\(shown.joined(separator: ", "))."))
      } else if account.isCurrencyAssumed {
        notices.append(
          FileNotice(
            line: account.line,
            "“\(account.title)” has no transactions; it was imported as an account in "
              + "\(account.currency)."))
      }
    }
  }

  /// Moves the transactions out of the books, so that memory contains them only once.
  ///
  /// - Returns: The changes since earlier imports.
  mutating func takeTransactions(
    of books: inout Books, comparing comparison: inout BookComparison?, _ batch: inout ImportBatch
  ) -> BookUpdate {
    var update = BookUpdate()
    batch.before += books.rates.map(Command.setRate)
    batch.rows.reserveCapacity(books.transactions.count)
    var transactions: [BookTransaction] = []
    swap(&transactions, &books.transactions)
    // Removing elements from the end of the reversed array releases each one before the next is
    // converted.
    transactions.reverse()
    while var transaction = transactions.popLast() {
      switch comparison?.take(&transaction) ?? .new {
      case .new: break
      case .known:
        batch.knownCount += 1
        continue
      case .edited(let recorded): update.edited.append((batch.rows.count, recorded))
      }
      var draft = Draft(
        .postings(postings(of: transaction)), on: transaction.day,
        description: transaction.description, payee: transaction.payee, note: transaction.note,
        tags: transaction.tags, status: transaction.status)
      draft.valueDay = transaction.valueDay == transaction.day ? nil : transaction.valueDay
      draft.code = transaction.code
      batch.rows.append(
        ImportRow(draft, line: transaction.line, reference: transaction.reference))
    }
    // If there are bad lines, their transactions would appear to be missing.
    if batch.badLineCount == 0 { update.missing = comparison?.missing ?? [] }
    return update
  }

  private mutating func postings(of transaction: BookTransaction) -> [Posting] {
    transaction.postings.map {
      Posting(account(of: $0.place, $0.amount.currency), $0.amount, note: $0.note)
    }
  }

  private mutating func account(
    of place: BookPosting.Place, _ currency: Currency
  ) -> PostingAccount {
    switch place {
    case .account(let name):
      .account(accounts[name] ?? resolver.account(name, currency: currency))
    case .category(let path, let kind):
      .category(
        self.category(path, kind: kind)
          ?? (kind == .income ? .uncategorizedIncome : .uncategorizedExpense))
    case .exchange: .account(.exchange)
    case .opening: .account(.opening)
    case .outside: .account(.outside)
    }
  }

  mutating func takeAssertions(of books: Books, _ batch: inout ImportBatch) {
    for assertion in books.assertions {
      guard let account = accounts[assertion.account],
        stated.insert(Asserted(account: account, day: assertion.day)).inserted
      else { continue }
      batch.after.append(
        .assertBalance(account, assertion.amount, on: assertion.day))
    }
  }

  /// Adds the budgets and recurring transactions whose names aren't in the ledger yet.
  mutating func takePlans(of books: Books, _ batch: inout ImportBatch) {
    for planned in books.budgets where budgets.insert(Folding.key(planned.budget.name)).inserted {
      var budget = planned.budget
      budget.id = .unassigned
      budget.categories = []
      for path in planned.categories {
        if let id = category(path, kind: .expense) { budget.categories.append(id) }
      }
      batch.after.append(.putBudget(budget))
    }
    for planned in books.schedules where series.insert(Folding.key(planned.name)).inserted {
      guard let template = template(of: planned.template) else {
        notices.append(
          FileNotice(
            line: planned.line,
            "Skipped the recurring transaction “\(planned.name)”: it has "
              + "\(planned.template.postings.count) postings, and only those with two can be "
              + "imported."
          ))
        continue
      }
      var new = Series(
        id: .unassigned, name: planned.name, template: template, schedule: planned.schedule,
        anchor: planned.start)
      new.end = planned.end?.adding(days: 1)
      batch.after.append(.putSeries(new))
    }
  }

  /// Assigns amounts to envelopes that have no amount in the month yet.
  mutating func takeAssignments(of books: Books, _ batch: inout ImportBatch) {
    var change = CategoryChange()
    change.carriesOverspending = true
    for id in carrying { batch.after.append(.amendCategory(id, change)) }
    if let first = books.assignments.first, first.amount.currency != base {
      let currency = first.amount.currency
      notices.append(
        FileNotice(
          line: first.line,
          "Left out the \(books.assignments.count) amounts assigned to categories: envelopes are in "
            + "the ledger's base currency. Set it to \(currency), and import the file again."))
      return
    }
    for planned in books.assignments {
      guard let id = category(planned.category, kind: .expense),
        !assigned.contains(.assignment(of: id, in: planned.month))
      else { continue }
      batch.after.append(.assign(planned.amount, to: id, in: planned.month))
    }
  }

  /// Returns the template of a recurring transaction; `nil` unless the transaction has two postings
  /// in the same currency.
  private mutating func template(of transaction: BookTransaction) -> SeriesTemplate? {
    guard transaction.postings.count == 2 else { return nil }
    let sorted = transaction.postings.sorted { $0.amount.minorUnits < $1.amount.minorUnits }
    let (giver, taker) = (sorted[0], sorted[1])
    guard giver.amount.currency == taker.amount.currency, taker.amount.minorUnits > 0 else {
      return nil
    }
    let amount = taker.amount
    let places = (
      account(of: giver.place, amount.currency), account(of: taker.place, amount.currency)
    )
    var template: SeriesTemplate
    switch places {
    case (.account(let source), .category(let category)):
      guard case .category(_, .expense) = taker.place else { return nil }
      template = SeriesTemplate(
        type: .expense, amount: amount, account: source, category: category)
    case (.category(let category), .account(let target)):
      guard case .category(_, .income) = giver.place else { return nil }
      template = SeriesTemplate(
        type: .income, amount: amount, account: target, category: category)
    case (.account(let source), .account(let target)):
      template = SeriesTemplate(
        type: .transfer, amount: amount, account: source, otherAccount: target)
    default: return nil
    }
    template.description = transaction.description
    template.payee = transaction.payee
    template.note = transaction.note
    template.tags = transaction.tags
    return template
  }

  /// Closes the new accounts that are closed in the books, and hides the new categories that are
  /// hidden in them.
  func close(_ books: Books, _ batch: inout ImportBatch) {
    for account in books.accounts where account.isClosed {
      guard let id = accounts[account.name], opened.contains(id) else { continue }
      batch.after.append(.closeAccount(id))
    }
    for id in hidden { batch.after.append(.amendCategory(id, CategoryChange(isHidden: true))) }
  }
}
