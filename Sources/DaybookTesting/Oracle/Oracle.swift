package import Daybook

/// The error for a command that the oracle refuses.
///
/// The code is `nil` if several codes are acceptable.
struct OracleRefusal: Error {
  var code: Refusal.Code?

  init(_ code: Refusal.Code?) { self.code = code }
}

/// A naive model of a ledger, independent of the engine.
///
/// The model consists of plain lists of the current entities. Each command changes the lists, and
/// each query walks over all of them. The model uses the engine's values, such as money, days, ids
/// and the structs that queries return. It reimplements all rules for postings, amendments,
/// deletions, locks, conversions and figures.
package struct Oracle {
  package var accounts: [Account] = []
  package var categories: [Category] = []
  /// The transactions, by ascending recording number.
  package var transactions: [Transaction] = []
  package var rates: [ExchangeRate] = []
  package var settings: LedgerSettings?
  package var assertions: [BalanceAssertion] = []
  var currencies: [CurrencyDefinition] = []
  /// The recurring transactions, by ascending recording number.
  package var series: [Series] = []
  /// The budgets, by ascending recording number.
  package var budgets: [Budget] = []
  /// The rules, by ascending recording number.
  package var rules: [CategoryRule] = []
  /// The mappings, by ascending recording number.
  package var mappings: [SavedMapping] = []
  /// The money given to envelopes, by ascending recording number.
  package var allocations: [Allocation] = []
  /// The terms of accounts, by ascending recording number.
  package var terms: [AccountTerms] = []
  /// The original values of imported transactions.
  var imported: [TransactionID: Print] = [:]
  /// The file rows of imported transactions, if the transactions' ids are derived from their rows.
  var fileRows: [TransactionID: FileRow] = [:]
  /// The file rows of deleted transactions.
  var deletedFileRows: Set<FileRow> = []
  /// The file rows of transactions whose text was erased; the transactions keep their ids.
  var erasedFileRows: [TransactionID: FileRow] = [:]
  /// The transactions that have other ids than the rows that they settled, by those rows.
  var otherReferences: [Reference: TransactionID] = [:]
  var otherFileRows: [FileRow: TransactionID] = [:]
  /// The numbers of transactions that were settled, by their values before.
  var settledPrints: [Print: Int] = [:]
  var settledReferencedPrints: [Print: Int] = [:]
  /// The ids of occurrences that must not be generated.
  var skipped: Set<TransactionID> = []
  /// The number of other deleted transactions without a reference, by their original values.
  var deletedPrints: [Print: Int] = [:]
  /// The number of deleted transactions with a reference, by their original values.
  var deletedReferencedPrints: [Print: Int] = [:]
  /// The number of rows that are halves of transfers now, by the values by which they are
  /// recognised.
  var joinedPrints: [Print: Int] = [:]
  /// The same for rows with a reference.
  var joinedReferencedPrints: [Print: Int] = [:]
  /// The references of imported transactions.
  var references: [TransactionID: Reference] = [:]
  /// The references of deleted transactions.
  var deletedReferences: [Reference: Int] = [:]
  /// The last recording number of each kind.
  var lastNumber: [EntityKind: UInt64] = [.account: 15, .category: 15]
  /// The upper half of stand-in ids.
  ///
  /// It is different while creating a script and while running it, so that the ids are never
  /// confused.
  package var standInMark: UInt64 = 8
  /// The ids that the engine generated for commands without an id, in order.
  var givenIDs: [EntityID] = []

  /// Creates an empty model.
  package init() {}

  /// Executes all of the commands, or none if one of them is refused.
  ///
  /// - Parameter given: The ids that the engine generated for the commands.
  package mutating func append(_ commands: [Command], given: [EntityID] = []) throws {
    var next = self
    next.givenIDs = given
    for command in commands { try next.apply(command) }
    next.givenIDs = []
    self = next
  }

  private mutating func apply(_ command: Command) throws {
    switch command {
    case .openAccount(let new): try open(new)
    case .amendAccount(let id, let change): try amend(id, change)
    case .closeAccount(let id): try setClosed(id, true)
    case .reopenAccount(let id): try setClosed(id, false)
    case .deleteAccount(let id, let policy): try delete(id, policy)
    case .mergeAccounts(let id, let other): try merge(id, into: other)
    case .setOpening(let id, let opening, let day): try setOpening(id, opening, day)
    case .correctBalance(let id, let balance, let day, let correction):
      try correct(id, balance, on: day, by: correction)
    case .createCategory(let new): try create(new)
    case .amendCategory(let id, let change): try amend(id, change)
    case .deleteCategory(let id, let policy): try delete(id, policy)
    case .mergeCategories(let id, let other): try merge(id, into: other)
    case .record(let draft): try insert(ruled(try transaction(of: draft)), verb: true)
    case .amend(let id, let amendment): try amend(id, amendment)
    case .delete(let id): try delete(try index(of: id))
    case .reconcile(let ids): try reconcile(ids, true)
    case .unreconcile(let ids): try reconcile(ids, false)
    case .importRows(let rows, let options): try importRows(rows, options)
    default: try applyRarer(command)
    }
  }

  private mutating func applyRarer(_ command: Command) throws {
    switch command {
    case .closePeriod(let day):
      try check(day.isInRange, .day)
      try check(day >= settings?.closedThrough ?? day, .day)
      changeSettings { $0.closedThrough = day }
    case .reopenPeriod(let day):
      try check(day?.isInRange ?? true, .day)
      if let day { try check(day <= settings?.closedThrough ?? .min, .day) }
      if settings?.closedThrough != nil { changeSettings { $0.closedThrough = day } }
    case .setRate(let rate): try set(rate)
    case .removeRate(let base, let quoted, let day):
      let found = rates.firstIndex { $0.base == base && $0.quoted == quoted && $0.day == day }
      guard let found else { throw OracleRefusal(.missing) }
      rates.remove(at: found)
    case .setSettings(let change):
      if let base = change.baseCurrency, let base { try check(base) }
      try check((1...7).contains(change.firstWeekday ?? 1), .value)
      changeSettings { settings in
        if let base = change.baseCurrency { settings.baseCurrency = base }
        settings.firstWeekday = change.firstWeekday ?? settings.firstWeekday
        settings.mergePolicy = change.mergePolicy ?? settings.mergePolicy
        for day in change.addedHolidays where !settings.holidays.contains(day) {
          settings.holidays.append(day)
        }
        settings.holidays.removeAll { change.removedHolidays.contains($0) }
        settings.holidays.sort()
      }
    case .defineCurrency(let definition): try define(definition)
    case .assertBalance(let account, let balance, let day, let note, let id):
      try state(
        BalanceAssertion(
          id: id, account: account, day: day, balance: balance, note: note), balance)
    case .removeAssertion(let id):
      let found = assertions.firstIndex { $0.id == id }
      guard let found else { throw OracleRefusal(.missing) }
      assertions.remove(at: found)
    default: try applyRecurring(command)
    }
  }

  private mutating func applyRecurring(_ command: Command) throws {
    switch command {
    case .putSeries(let series): try put(series)
    case .amendSeries(let series, let scope): try replace(series, scope)
    case .putBudget(let budget): try put(budget)
    case .removeBudget(let id):
      guard let found = budgets.firstIndex(where: { $0.id == id }) else {
        throw OracleRefusal(.missing)
      }
      budgets.remove(at: found)
    case .removeSeries(let id, let withRows): try removeSeries(id, withRows: withRows)
    case .pauseSeries(let id, let day): try pause(id, after: day)
    case .resumeSeries(let id, let day): try resume(id, on: day)
    case .stopSeries(let id, let day): try stop(id, after: day)
    case .skipOccurrence(let link): try skip(link)
    case .unskipOccurrence(let link): try unskip(link)
    case .generateDue(let day): try generateDue(through: day)
    case .link(let id, let link): try self.link(id, link)
    case .unlink(let id): try link(id, nil)
    case .linkTransfer(let id, let other): try linkTransfer(id, other)
    case .unlinkTransfer(let id): try unlinkTransfer(id)
    case .putRule(let rule): try put(rule)
    case .removeRule(let id): try removeRule(id)
    case .setRules(let rules): try setRules(rules)
    case .applyRules(let ids): try applyRules(ids)
    case .putMapping(let mapping): try put(mapping)
    case .removeMapping(let id): try removeMapping(id)
    case .assign(let amount, let category, let month): try assign(amount, to: category, in: month)
    case .assignPayment(let amount, let account, let month):
      try assign(amount, toPaymentOf: account, in: month)
    case .moveMoney(let amount, let source, let category, let month, let note, let id):
      try put(
        move: Allocation(
          id: id, month: month, category: category, source: source, amount: amount, note: note))
    case .removeMove(let id): try removeMove(id)
    case .setTerms(let terms): try put(terms)
    case .removeTerms(let id): try removeTerms(of: id)
    case .postInterest(let day, let account): try postInterest(through: day, account)
    case .payLoan(let payment): try pay(payment)
    case .repayLoan(let repayment): try repay(repayment)
    default: preconditionFailure("The oracle does not know \(command).")
    }
  }

  // MARK: Helpers

  func check(_ holds: Bool, _ code: Refusal.Code?) throws {
    if !holds { throw OracleRefusal(code) }
  }

  mutating func number(_ kind: EntityKind) -> UInt64 {
    lastNumber[kind, default: 0] += 1
    return lastNumber[kind, default: 0]
  }

  /// Returns the id in a command if it is free, or the next id that the engine generated.
  mutating func id<Owner>(_ id: Identifier<Owner>?, isTaken: Bool) throws
    -> Identifier<Owner>
  {
    guard let id else {
      return Identifier(givenIDs.isEmpty ? standIn() : givenIDs.removeFirst())
    }
    try check(!isTaken, .duplicateID)
    return id
  }

  /// Returns a stand-in for an id generated by the engine, for creating scripts without an engine.
  private mutating func standIn() -> EntityID {
    EntityID(high: standInMark, low: number(EntityKind(rawValue: 255)))
  }

  /// Returns whether a transaction has a stand-in id.
  func isStandIn(_ transaction: Transaction) -> Bool {
    transaction.id.rawValue.high == standInMark
  }

  private mutating func changeSettings(_ change: (inout LedgerSettings) -> Void) {
    var next = settings ?? LedgerSettings(number: number(.settings))
    change(&next)
    settings = next
  }

  private mutating func set(_ rate: ExchangeRate) throws {
    try check(rate.day.isInRange, .day)
    try check(rate.base)
    try check(rate.quoted)
    try check(rate.base != rate.quoted, .value)
    var rate = rate
    let old = rates.firstIndex {
      $0.base == rate.base && $0.quoted == rate.quoted && $0.day == rate.day
    }
    if let old {
      rate.number = rates[old].number
      rates[old] = rate
    } else {
      rate.number = number(.rate)
      rates.append(rate)
    }
  }

  private mutating func define(_ definition: CurrencyDefinition) throws {
    try check(Currency.iso(definition.currency.code) == nil, .duplicateID)
    var definition = definition
    let old = currencies.firstIndex { $0.currency.code == definition.currency.code }
    if let old {
      try check(currencies[old].currency == definition.currency, .inUse)
      definition.number = currencies[old].number
      currencies[old] = definition
    } else {
      definition.number = number(.currency)
      currencies.append(definition)
    }
  }

  private mutating func state(_ assertion: BalanceAssertion, _ balance: Money) throws {
    let account = accounts[try accountIndex(assertion.account)]
    try check(assertion.day.isInRange, .day)
    try check(balance.currency == account.currency, .currencyMismatch)
    var assertion = assertion
    if let old = assertions.firstIndex(where: { $0.id == assertion.id }) {
      assertion.number = assertions[old].number
      assertions[old] = assertion
    } else {
      assertion.number = number(.assertion)
      assertions.append(assertion)
    }
  }

  /// Refuses an unknown currency.
  func check(_ currency: Currency) throws {
    let known =
      Currency.iso(currency.code)
      ?? currencies.first { $0.currency.code == currency.code }?.currency
    try check(known == currency, .currency)
  }

  /// Refuses a day in the closed period.
  func checkOpen(_ day: Day) throws {
    if let through = settings?.closedThrough { try check(day > through, .closedPeriod) }
  }

  func checkedName(_ name: String) throws -> String {
    let trimmed = String(
      name.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    try check(!trimmed.isEmpty, .text)
    try check(trimmed.utf8.count <= 200, .limit)
    try check(!trimmed.unicodeScalars.contains { $0.value < 32 }, .text)
    return trimmed
  }

  func accountIndex(_ id: AccountID) throws -> Int {
    try check(!id.isBuiltin, .builtin)
    guard let found = accounts.firstIndex(where: { $0.id == id }) else {
      throw OracleRefusal(.missing)
    }
    return found
  }

  func index(of id: TransactionID) throws -> Int {
    guard let found = transactions.firstIndex(where: { $0.id == id }) else {
      throw OracleRefusal(.missing)
    }
    return found
  }

  /// Returns a category, which may be built in.
  func known(_ id: CategoryID) throws -> Category {
    if id == .uncategorizedExpense {
      return Category(id: id, number: 4, name: "Uncategorised", kind: .expense)
    }
    if id == .uncategorizedIncome {
      return Category(id: id, number: 5, name: "Uncategorised", kind: .income)
    }
    guard let found = categories.first(where: { $0.id == id }) else {
      throw OracleRefusal(.missing)
    }
    return found
  }
}
