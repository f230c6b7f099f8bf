// Goal: entities and random changes of them for the tests of projections.
// Method: a seeded generator makes inserts, amendments and deletions of accounts, transactions, rates,
// categories, budgets and settings; what is current is kept in plain arrays, so that a naive model can be asked about it.

import DaybookBookkeeping
import DaybookEngine
import DaybookEntities
import DaybookRandom

extension Currency {
  static let usd = Currency(packed: 0x5553_4400_0000_0002)
  static let eur = Currency(packed: 0x4555_5200_0000_0002)
  static let kzt = Currency(packed: 0x4B5A_5400_0000_0002)
  static let all: [Currency] = [.eur, .kzt, .usd]
}

/// The entities there are, and changes of them.
final class World: StateReading {
  var random: SeededGenerator
  var accounts: [Account] = []
  var categories: [DaybookBookkeeping.Category] = []
  var transactions: [Transaction] = []
  var rates: [ExchangeRate] = []
  var budgets: [Budget] = []
  var allocations: [Allocation] = []
  var settings: LedgerSettings?
  private var nextTransaction: UInt64 = 1
  private var nextRate: UInt64 = 1
  private var numbers: [EntityID: UInt64] = [:]
  private var kinds: [EntityID: Record] = [:]

  /// Whether budgets, the tree of categories and the settings change too.
  let changesPlans: Bool

  init(seed: UInt64, changesPlans: Bool = false) {
    random = SeededGenerator(seed: seed)
    self.changesPlans = changesPlans
  }

  // MARK: State

  func number(of id: EntityID, kind: EntityKind) throws -> UInt64? { numbers[id] }
  func record(of id: EntityID, kind: EntityKind) throws -> Record? { kinds[id] }

  // MARK: Changes

  /// The accounts and categories that everything else needs.
  func founding() -> [Change] {
    var changes: [Change] = []
    for position in 0..<6 {
      var account = Account(
        id: AccountID(EntityID(high: 2, low: UInt64(position))), name: "Account \(position)",
        kind: position == 4 ? .liability : .asset, currency: Currency.all[position % 3])
      account.number = UInt64(16 + position)
      if position % 2 == 0 { account.openingBalance = Int64(position - 3) * 1_000 }
      if position == 2 { account.openingDay = Day(year: 2025, month: 12, day: 20) }
      accounts.append(account)
      changes.append(inserted(account))
    }
    for position in 0..<7 {
      let id = CategoryID(EntityID(high: 3, low: UInt64(position)))
      var category = Category(
        id: id, number: UInt64(16 + position), name: "Category \(position)",
        kind: position < 5 ? .expense : .income)
      // 1 and 2 are below 0, 3 is below 1.
      if position == 1 || position == 2 { category.parent = categories[0].id }
      if position == 3 { category.parent = categories[1].id }
      categories.append(category)
      changes.append(inserted(category))
    }
    if changesPlans {
      changes.append(newBudget(watchesAll: true))
      // One that stays as it is: no random change leaves a world without budgets.
      changes.append(
        inserted(
          Budget(
            id: BudgetID(EntityID(high: 6, low: 999)), number: 999, name: "Everything",
            categories: [], amount: Money(1_000, .kzt), period: .weekly)))
    }
    return changes
  }

  /// One random change of one entity.
  func step() -> Change {
    let choice = Int.random(in: 0..<100, using: &random)
    if choice < 4 { return amendAccount() }
    if choice < 10 { return changeRate() }
    if choice < 20, changesPlans { return changePlan() }
    if choice < 55 || transactions.isEmpty {
      let transaction = newTransaction(
        id: TransactionID(EntityID(high: 4, low: nextTransaction)), number: nextTransaction)
      nextTransaction += 1
      transactions.append(transaction)
      return inserted(transaction)
    }
    let position = Int.random(in: transactions.indices, using: &random)
    let old = transactions[position]
    if choice < 75 {
      transactions.remove(at: position)
      return change(old, nil)
    }
    var new = old
    if random.chance(30) {
      new.description = "amended \(choice)"
      new.tags = random.chance(50) ? ["ab", "caf\u{e9}"] : []
    } else if random.chance(40) {
      new.day = day()
    } else if random.chance(30) {
      new.valueDay = random.chance(30) ? nil : day()
    } else {
      new = newTransaction(id: old.id, number: old.number)
    }
    transactions[position] = new
    return change(old, new)
  }

  func inserted(_ entity: some LedgerEntity) -> Change {
    numbers[entity.entityID] = entity.number
    kinds[entity.entityID] = entity.record()
    return Change(
      kind: Swift.type(of: entity).kind, id: entity.entityID, number: entity.number, before: nil,
      after: entity.record())
  }

  func change<Entity: LedgerEntity>(_ old: Entity, _ new: Entity?) -> Change {
    Change(
      kind: Entity.kind, id: old.entityID, number: old.number, before: old.record(),
      after: new?.record())
  }

  private func amendAccount() -> Change {
    let position = Int.random(in: accounts.indices, using: &random)
    let old = accounts[position]
    accounts[position].openingBalance = Int64.random(in: -5_000...5_000, using: &random)
    accounts[position].openingDay = random.chance(50) ? day() : nil
    return change(old, accounts[position])
  }

  private func changeRate() -> Change {
    if rates.count > 3, random.chance(30) {
      return change(rates.remove(at: Int.random(in: rates.indices, using: &random)), nil)
    }
    let base = Currency.all[Int.random(in: 0..<3, using: &random)]
    let quoted = Currency.all.first { $0 != base } ?? .usd
    let quote = Quote(mantissa: Int64.random(in: 1...9_999, using: &random), scale: 2)
    var rate = ExchangeRate(
      base: base, quoted: quoted, day: day(), quote: quote ?? rates[0].quote, number: nextRate)
    if let position = rates.firstIndex(where: { $0.id == rate.id }) {
      rate.number = rates[position].number
      let old = rates[position]
      rates[position] = rate
      return change(old, rate)
    }
    nextRate += 1
    rates.append(rate)
    return inserted(rate)
  }

  /// A day: mostly of some months around the end of 2025, rarely at the ends of the calendar.
  func day() -> Day {
    let choice = Int.random(in: 0..<100, using: &random)
    if choice == 0 { return Day.min }
    if choice == 1 { return Day.max }
    let middle = Day(rawValue: 20_440)  // 2025-12-18
    let reach = choice < 60 ? 20 : choice < 90 ? 120 : 4_000
    return middle.adding(days: Int.random(in: -reach...reach / 2, using: &random))
  }
}

extension World {
  /// A transaction with figures of any kind.
  fileprivate func newTransaction(id: TransactionID, number: UInt64) -> Transaction {
    let postings: [Posting]
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: postings = spending(parts: 1)
    case 4: postings = spending(parts: Int.random(in: 2...9, using: &random))
    case 5, 6: postings = earning()
    case 7: postings = foreign()
    default: postings = transfer()
    }
    // Every third belongs to one of three series.
    let series = random.chance(33) ? SeriesID(EntityID(high: 7, low: number % 3)) : nil
    var transaction = Transaction(
      id: id, number: number, day: day(), type: label(of: postings),
      description: "row \(number)", payee: "Payee \(number % 5)", postings: postings,
      series: series,
      occurrence: series.map { _ in day() })
    if random.chance(15) { transaction.valueDay = day() }
    return transaction
  }

  private func label(of postings: [Posting]) -> TransactionType {
    var type = TransactionType.transfer
    for posting in postings {
      guard case .category(let id) = posting.account else { continue }
      let isIncome =
        id == .uncategorizedIncome
        || categories.contains { $0.id == id && $0.kind == .income }
      if isIncome { return .income }
      type = .expense
    }
    return type
  }

  private func amount() -> Int64 {
    random.chance(5) ? 0 : Int64.random(in: 1...50_000, using: &random)
  }

  private func category(_ kind: CategoryKind) -> PostingAccount {
    if random.chance(10) {
      return .category(kind == .expense ? .uncategorizedExpense : .uncategorizedIncome)
    }
    let chosen = categories.filter { $0.kind == kind }
    return .category(chosen[Int.random(in: chosen.indices, using: &random)].id)
  }

  private func account() -> Account { accounts[Int.random(in: accounts.indices, using: &random)] }

  // An expense, or a refund, in one or several parts; sometimes with no account.
  private func spending(parts: Int) -> [Posting] {
    let account = account()
    let isOutside = random.chance(10)
    let sign: Int64 = random.chance(15) ? -1 : 1
    var postings: [Posting] = []
    var sum: Int64 = 0
    for _ in 0..<parts {
      let units = sign * amount()
      sum += units
      postings.append(Posting(category(.expense), Money(units, account.currency)))
    }
    let source = PostingAccount.account(isOutside ? .outside : account.id)
    return [Posting(source, Money(-sum, account.currency))] + postings
  }

  // Income, sometimes with tax taken off.
  private func earning() -> [Posting] {
    let account = account()
    let gross = amount()
    let tax = random.chance(30) ? gross / 5 : 0
    var postings = [
      Posting(.account(account.id), Money(gross - tax, account.currency)),
      Posting(category(.income), Money(-gross, account.currency)),
    ]
    if tax > 0 { postings.append(Posting(category(.expense), Money(tax, account.currency))) }
    return postings
  }

  // An expense in another currency than its account.
  private func foreign() -> [Posting] {
    let account = account()
    let other = Currency.all.first { $0 != account.currency } ?? .usd
    let units = amount()
    return [
      Posting(.account(account.id), Money(-units / 3, account.currency)),
      Posting(.account(.exchange), Money(units / 3, account.currency)),
      Posting(.account(.exchange), Money(-units, other)),
      Posting(category(.expense), Money(units, other)),
    ]
  }

  private func transfer() -> [Posting] {
    let source = account()
    let target = accounts.filter { $0.id != source.id }
    let other = target[Int.random(in: target.indices, using: &random)]
    let units = amount() + 1
    if source.currency == other.currency {
      return [
        Posting(.account(source.id), Money(-units, source.currency)),
        Posting(.account(other.id), Money(units, other.currency)),
      ]
    }
    return [
      Posting(.account(source.id), Money(-units, source.currency)),
      Posting(.account(.exchange), Money(units, source.currency)),
      Posting(.account(.exchange), Money(-units * 2, other.currency)),
      Posting(.account(other.id), Money(units * 2, other.currency)),
    ]
  }
}
