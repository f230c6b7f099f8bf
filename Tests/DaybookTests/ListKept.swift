/// Goal: what lists should show is known without asking the ledger. Method: a writer keeps what it appended,
/// amended and deleted in lists of its own; the ledger says only which commands it took and which ids it
/// made up.
import Daybook

/// What a writer has written, as it stands now.
struct ListKept: Sendable {
  struct Account {
    var id: AccountID
    var currency: Currency
    var opening: Int64
    var openingDay: Day?
  }

  struct Category {
    var id: CategoryID
    var name: String
    var parent: CategoryID?
  }

  struct Row {
    var id: TransactionID
    var number: UInt64
    var day: Day
    var valueDay: Day?
    var shape: Draft.Shape
    var description: String
    var note: String
    var isImported: Bool
  }

  private(set) var accounts: [Account] = []
  private(set) var categories = [
    Category(id: .uncategorizedExpense, name: "Uncategorised"),
    Category(id: .uncategorizedIncome, name: "Uncategorised"),
  ]
  private(set) var rows: [Row] = []
  private var lastNumber: UInt64 = 0
  /// The one rate there is, of dollars in tenge.
  static let rate: Int64 = 450

  /// The rows as transactions, newest day first, then newest recorded first.
  var transactions: [Transaction] {
    rows.map { transaction($0) }
      .sorted { $0.day != $1.day ? $0.day > $1.day : $0.number > $1.number }
  }

  // MARK: What was written

  /// Takes over commands that the ledger took.
  mutating func take(_ commands: [Command], _ outcomes: [Outcome]) {
    for (command, outcome) in zip(commands, outcomes) { take(command, outcome) }
  }

  private mutating func take(_ command: Command, _ outcome: Outcome) {
    switch command {
    case .record(let draft):
      if let id = outcome.transaction { add(draft, id, isImported: false) }
    case .importRows(let drafts, _):
      guard let report = outcome.report else { return }
      let taken = drafts.indices.filter { !report.duplicates.contains($0) }
      for (index, id) in zip(taken, report.recorded) {
        add(drafts[index].draft, id, isImported: true)
      }
    case .delete(let id): rows.removeAll { $0.id == id }
    case .amend(let id, let amendment):
      guard let index = rows.firstIndex(where: { $0.id == id }) else { return }
      rows[index].amend(amendment)
    case .openAccount(let new):
      guard let id = outcome.account else { return }
      accounts.append(
        Account(
          id: id, currency: new.currency, opening: new.opening?.minorUnits ?? 0,
          openingDay: new.openingDay))
    case .setOpening(let id, let opening, let day):
      guard let index = accounts.firstIndex(where: { $0.id == id }) else { return }
      accounts[index].opening = opening.minorUnits
      accounts[index].openingDay = day
    case .deleteAccount(let id, let policy):
      guard case .withRows = policy else { return }
      rows.removeAll { $0.accounts.contains(id) }
      guard let index = accounts.firstIndex(where: { $0.id == id }) else { return }
      accounts[index].opening = 0
    case .createCategory(let new):
      guard let id = outcome.category else { return }
      categories.append(Category(id: id, name: new.name, parent: new.parent))
    case .amendCategory(let id, let change):
      guard let index = categories.firstIndex(where: { $0.id == id }) else { return }
      categories[index].name = change.name ?? categories[index].name
    case .deleteCategory(let id, let policy): delete(id, policy)
    case .amendAccount, .setRate: return
    default: preconditionFailure("A writer keeps nothing of \(command).")
    }
  }

  private mutating func add(_ draft: Draft, _ id: TransactionID, isImported: Bool) {
    lastNumber += 1
    rows.append(
      Row(
        id: id, number: lastNumber, day: draft.day, valueDay: draft.valueDay, shape: draft.shape,
        description: draft.description, note: draft.note, isImported: isImported))
  }

  private mutating func delete(_ id: CategoryID, _ policy: DeletionPolicy<CategoryID>?) {
    let parent = categories.first { $0.id == id }?.parent
    for index in categories.indices where categories[index].parent == id {
      categories[index].parent = parent
    }
    switch policy {
    case .withRows: rows.removeAll { $0.category == id }
    case .move(let other):
      for index in rows.indices where rows[index].category == id {
        rows[index].amend(Amendment(category: other))
      }
    default: return
    }
  }

  // MARK: What that comes to

  private func transaction(_ row: Row) -> Transaction {
    var type = TransactionType.transfer
    var postings: [Posting]
    switch row.shape {
    case .entry(let entry):
      let isIncome = entry.direction == .income
      type = isIncome ? .income : .expense
      let whole = isIncome ? negated(entry.amount) : entry.amount
      let last: CategoryID = isIncome ? .uncategorizedIncome : .uncategorizedExpense
      postings = moved(
        negated(arriving(whole, on: entry.account)), on: entry.account, whole,
        .category(entry.category ?? last))
    case .transfer(let transfer):
      postings = moved(
        negated(transfer.amount), on: transfer.source,
        arriving(transfer.amount, on: transfer.target),
        .account(transfer.target ?? .outside))
    default: preconditionFailure("A writer makes entries and transfers.")
    }
    return Transaction(
      id: row.id, number: row.number, day: row.day, type: type,
      details: TransactionDetails(
        description: row.description, note: row.note, valueDay: row.valueDay),
      postings: postings,
      importIdentity: row.isImported ? ImportIdentity(reference: "") : nil)
  }

  /// Two postings, and between two currencies the exchange.
  private func moved(
    _ first: Money, on account: AccountID?, _ last: Money, _ place: PostingAccount
  ) -> [Posting] {
    let ends = [Posting(.account(account ?? .outside), first), Posting(place, last)]
    if first.currency == last.currency { return ends }
    let between = [first, last].map { Posting(.account(.exchange), negated($0)) }
    return [ends[0]] + between + [ends[1]]
  }

  /// An amount in the currency of an account, rounded to the nearest, halves to even.
  private func arriving(_ money: Money, on account: AccountID?) -> Money {
    let found = accounts.first { $0.id == account }
    guard let currency = found?.currency, currency != money.currency else { return money }
    if currency == kzt { return Money(money.minorUnits * ListKept.rate, kzt) }
    let (size, rate) = (abs(money.minorUnits), ListKept.rate)
    let (whole, rest) = (size / rate, 2 * (size % rate))
    let units = rest > rate || (rest == rate && whole % 2 == 1) ? whole + 1 : whole
    return Money(money.minorUnits < 0 ? -units : units, currency)
  }

  private func negated(_ money: Money) -> Money { Money(-money.minorUnits, money.currency) }
}

extension ListKept.Row {
  fileprivate var accounts: [AccountID?] {
    switch shape {
    case .entry(let entry): [entry.account]
    case .transfer(let transfer): [transfer.source, transfer.target]
    default: []
    }
  }

  fileprivate var category: CategoryID? {
    if case .entry(let entry) = shape { entry.category } else { nil }
  }

  fileprivate mutating func amend(_ amendment: Amendment) {
    day = amendment.day ?? day
    description = amendment.description ?? description
    if let given = amendment.valueDay { valueDay = given }
    switch shape {
    case .entry(var entry):
      entry.amount = amendment.amount ?? entry.amount
      entry.category = amendment.category ?? entry.category
      shape = .entry(entry)
    case .transfer(var transfer):
      transfer.amount = amendment.amount ?? transfer.amount
      shape = .transfer(transfer)
    default: preconditionFailure("A writer makes entries and transfers.")
    }
  }
}
