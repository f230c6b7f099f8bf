import Daybook
import DaybookInterchange

/// Daybook with all of its projections.
typealias DaybookEngine = DaybookStore<WithTexts>
/// Daybook without its index of texts.
typealias DaybookWithoutTextsEngine = DaybookStore<WithoutTexts>

/// Daybook through its public API.
final class DaybookStore<Texts: TextChoice>: Engine {
  static var name: String { Texts.indexesTexts ? "Daybook" : "Daybook without texts" }
  static var imports: Bool { true }

  private let ledger: Ledger
  private let folder: String
  /// A day after all days of the work, so that nothing counts as planned.
  private let today = Day(rawValue: Int32(WorkGenerator.lastDay + 400))
  private let currencies: [Currency]

  convenience init(opening folder: String) async throws {
    var options = Ledger.Options(author: "benchmark", source: "benchmarks")
    options.indexesTexts = Texts.indexesTexts
    try await self.init(opening: folder, options: options)
  }

  init(opening folder: String, options: Ledger.Options) async throws {
    self.folder = folder
    currencies = Work.currencies.compactMap(Currency.iso)
    ledger = try await Ledger.open(at: folder + "/work.daybook", options: options)
    let isNew = try ledger.read { try $0.accounts().isEmpty }
    if isNew { try await ledger.append(chart()) }
  }

  /// The commands that create the accounts and categories.
  private func chart() -> [Command] {
    let accounts = Work.accounts.map { number in
      Command.openAccount(
        NewAccount(
          id: Self.account(number), name: Work.name(ofAccount: number),
          currency: currencies[Work.currency(ofAccount: number)]))
    }
    let categories = (Work.categories.lowerBound...Work.subcategories.upperBound).map { number in
      let isGroup = Work.categories.contains(number)
      let group = isGroup ? number : Work.parent(ofSubcategory: number)
      return Command.createCategory(
        NewCategory(
          id: Self.category(number), name: Work.name(ofCategory: number),
          kind: group <= 48 ? .expense : .income, parent: isGroup ? nil : Self.category(group)))
    }
    return accounts + categories
  }

  private static func account(_ number: Int) -> AccountID {
    AccountID(rawValue: EntityID(high: 1, low: UInt64(number)))
  }

  private static func category(_ number: Int) -> CategoryID {
    CategoryID(rawValue: EntityID(high: 2, low: UInt64(number)))
  }

  private static func transaction(_ id: WorkID) -> TransactionID {
    TransactionID(rawValue: EntityID(high: id.high, low: id.low))
  }

  func append(_ events: ArraySlice<WorkEvent>) async throws {
    try await ledger.append(events.map(command))
  }

  func appendConcurrently(_ events: [[WorkEvent]]) async throws {
    try await appendFromTasks(events)
  }

  private func command(_ event: WorkEvent) -> Command {
    switch event {
    case .record(let work):
      let amount = Money(work.amount, currencies[work.currency])
      let account = Self.account(work.account)
      let day = Day(rawValue: Int32(work.day))
      let id = Self.transaction(work.id)
      switch work.kind {
      case .expense:
        return .record(
          .expense(
            amount, from: account, category: Self.category(work.counter), on: day, id: id,
            description: work.description))
      case .income:
        return .record(
          .income(
            amount, into: account, category: Self.category(work.counter), on: day, id: id,
            description: work.description))
      case .transfer:
        return .record(
          .transfer(
            amount, from: account, to: Self.account(work.counter), on: day, id: id,
            description: work.description))
      }
    case .amend(let id, let work):
      var amendment = Amendment()
      amendment.day = work.day.map { Day(rawValue: Int32($0)) }
      amendment.amount = work.amount.map { Money($0, currencies[work.currency]) }
      amendment.category = work.category.map(Self.category)
      return .amend(Self.transaction(id), amendment)
    case .delete(let id):
      return .delete(Self.transaction(id))
    }
  }

  func rebuild() async throws { try await ledger.rebuild() }

  func page(newest count: Int) throws -> [Transaction] {
    try ledger.read { try $0.transactions(limit: count) }
  }

  func page(after row: Transaction, _ count: Int) throws -> [Transaction] {
    try ledger.read { try $0.transactions(after: row.key, limit: count) }
  }

  func page(offset: Int, _ count: Int) throws -> [Transaction] {
    try ledger.read { try $0.transactions(offset: offset, limit: count) }
  }

  func search(_ text: String, _ count: Int) throws -> [Transaction]? {
    guard Texts.indexesTexts else { return nil }
    return try ledger.read { try $0.transactions(TransactionFilter(text: text), limit: count) }
  }

  func neutral(_ row: Transaction) throws -> PageRow {
    let kind: WorkKind =
      switch row.type {
      case .expense: .expense
      case .income: .income
      case .transfer: .transfer
      }
    var account = 0
    var counter = 0
    var amount: Int64 = 0
    for posting in row.postings {
      switch posting.account {
      case .account(let id) where kind == .transfer && posting.amount.minorUnits > 0:
        counter = Int(id.rawValue.low)
      case .account(let id):
        account = Int(id.rawValue.low)
        amount = abs(posting.amount.minorUnits)
      case .category(let id):
        counter = Int(id.rawValue.low)
      }
    }
    return PageRow(
      id: WorkID(high: row.id.rawValue.high, low: row.id.rawValue.low), day: Int(row.day.rawValue),
      number: Int64(row.number), kind: kind, account: account, counter: counter, amount: amount,
      description: row.description)
  }

  func balance(account: Int, day: Int) throws -> Int64 {
    let day = Day(rawValue: Int32(day))
    return try ledger.read {
      Int64(truncatingIfNeeded: try $0.balance(of: Self.account(account), on: day).units)
    }
  }

  func months(_ range: Range<Int>) throws -> [MonthTotal] {
    try monthTotals(range).flatMap { month in
      month.totals.map { totals in
        MonthTotal(
          month: Int(month.month.rawValue),
          currency: currencies.firstIndex(of: totals.currency) ?? -1,
          income: Int64(truncatingIfNeeded: totals.income.units),
          expense: Int64(truncatingIfNeeded: totals.expense.units),
          transfers: Int64(truncatingIfNeeded: totals.transfers.units), count: Int64(totals.count))
      }
    }
  }

  private func monthTotals(_ range: Range<Int>) throws -> [MonthTotals] {
    let months =
      Month(rawValue: Int32(range.lowerBound))..<Month(rawValue: Int32(range.upperBound))
    return try ledger.read { try $0.months(months, today: today) }
  }

  func monthValues(_ range: Range<Int>) throws -> Int { try monthTotals(range).count }

  func breakdown(month: Int) throws -> [CategoryTotal] {
    try categoryTotals(month).flatMap { total in
      total.amounts.map { amount in
        CategoryTotal(
          category: Int(total.category.id.rawValue.low),
          currency: currencies.firstIndex(of: amount.currency) ?? -1,
          inflow: Int64(truncatingIfNeeded: amount.into.units),
          outflow: Int64(truncatingIfNeeded: amount.out.units), count: Int64(amount.count))
      }
    }
  }

  private func categoryTotals(_ month: Int) throws -> [Daybook.CategoryTotal] {
    let days = Month(rawValue: Int32(month)).days
    return try ledger.read { try $0.breakdown(in: days, kind: .expense, today: today) }
  }

  func breakdownValues(month: Int) throws -> Int { try categoryTotals(month).count }

  func importFile(_ path: String) async throws {
    var mapping = ImportMapping(
      date: .init(column: .name("date")), amount: .init(column: .name("amount")),
      currency: ColumnTemplate(column: .name("currency")),
      account: ColumnTemplate(column: .name("account")))
    mapping.category = [
      ColumnTemplate(column: .name("group")), ColumnTemplate(column: .name("category")),
    ]
    mapping.description = ColumnTemplate(column: .name("description"))
    let settings = ImportSettings(keepsDuplicates: true)
    _ = try await CSVImporter(settings: settings).run(
      CSVFile(path: path), mapping: mapping, into: ledger)
  }

  func compactByteCount() async throws -> Int { folderByteCount(folder) }

  func close() async throws { try await ledger.close() }
}
