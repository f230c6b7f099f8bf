/// Goal: envelopes of a household over three years are right after every command, also of commands that
/// change the past. Method: seeded commands that households give, compared with the oracle, which walks
/// from the first month on; then again after a rebuild and after deleting history.
import Daybook
import DaybookRandom
import Testing

@testable import DaybookTesting

@Suite struct EnvelopeHouseholdTests {
  private static let start = Month(year: 2023, month: 3)
  private static let monthCount = 36
  private static let today = start.adding(monthCount - 1).first.adding(days: 17)

  @Test func threeYears() async throws {
    var kinds: Set<String> = []
    for seed in 1...2 as ClosedRange<UInt64> { kinds.formUnion(try await threeYears(seed: seed)) }
    // The households do everything that this test is about.
    #expect(
      kinds == [
        "card", "carried overspending", "debt", "foreign", "goal", "overspent", "refund", "split",
        "transfer out",
      ])
  }

  /// Plays a household; returns what it does.
  private func threeYears(seed: UInt64) async throws -> Set<String> {
    let ledger = try await Ledger.inMemory(options: Ledger.Options(author: "tests"))
    var writer = EnvelopeWriter(seed: seed)
    var kinds: Set<String> = []
    for month in 0..<Self.monthCount {
      let commands = month == 0 ? writer.beginnings() : []
      for command in commands + writer.commands(of: Self.start.adding(month)) {
        var next = writer.oracle
        do {
          try next.append([command])
        } catch {
          _ = await #expect(throws: DaybookError.self, "seed \(seed), \(command)") {
            try await ledger.append([command])
          }
          continue
        }
        try await ledger.append([command])
        writer.take(next)
        kinds.formUnion(try writer.kinds(in: Self.start.adding(month)))
        try compare(ledger, writer.oracle, through: Self.start.adding(month), "\(seed) \(command)")
      }
    }
    let last = Self.start.adding(Self.monthCount + 1)
    try compare(ledger, writer.oracle, through: last, "seed \(seed), at the end")
    try await ledger.rebuild()
    try compare(ledger, writer.oracle, through: last, "seed \(seed), rebuilt")
    var options = PurgeOptions()
    options.policy = .count(10)
    try await ledger.purge(options)
    try compare(ledger, writer.oracle, through: last, "seed \(seed), without history")
    try await ledger.close()
    return kinds
  }

  private func compare(
    _ ledger: Ledger, _ oracle: Oracle, through last: Month, _ comment: String
  ) throws {
    let months = max(Self.start, last.adding(-2))..<last.adding(1)
    let found = try ledger.read { try $0.envelopes(over: months, today: Self.today) }
    let expected = try oracle.envelopes(over: months, today: Self.today)
    guard found != expected else { return }
    for (one, other) in zip(found, expected) where one != other {
      Issue.record("\(comment)\n\(one.text)\nexpected\n\(other.text)")
    }
  }
}

extension EnvelopeMonth {
  /// The figures in one line.
  fileprivate var text: String {
    let envelopes = envelopes.map {
      "\($0.category.name) \([$0.carriedOver, $0.assigned, $0.moved, $0.spent].map(\.units))"
        + " needs \($0.needed?.units ?? -1)"
    }
    let payments = payments.map {
      "\($0.account.name) \([$0.debt, $0.carriedOver, $0.assigned, $0.setAside].map(\.units))"
        + " over \($0.overspent.units)"
    }
    return
      "\(month) \(money.total.units) ready \(readyToAssign.units) later \(assignedLater.units) "
      + (envelopes + payments).joined(separator: ", ")
  }
}

/// Writes the commands of a household.
private struct EnvelopeWriter {
  private(set) var oracle = Oracle()
  private var random: SeededGenerator
  private var lastID: UInt64 = 0
  private var cash: [AccountID] = []
  private var cards: [AccountID] = []
  private var outside: [AccountID] = []
  private var salary = CategoryID.uncategorizedIncome
  private var categories: [CategoryID] = []

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func fresh<Owner>() -> Identifier<Owner> {
    lastID += 1
    return Identifier(EntityID(high: 7, low: lastID))
  }

  private mutating func amount(_ range: ClosedRange<Int>, _ currency: Currency = .eur) -> Money {
    Money(Int64(random.number(range)), currency)
  }

  mutating func take(_ next: Oracle) { oracle = next }

  mutating func beginnings() -> [Command] {
    cash = [fresh(), fresh()]
    cards = [fresh(), fresh()]
    outside = [fresh()]
    salary = fresh()
    categories = (0..<5).map { _ in fresh() }
    var commands: [Command] = [.setSettings(SettingsChange(baseCurrency: .some(.eur)))]
    func open(
      _ id: AccountID, _ name: String, _ kind: AccountKind, _ currency: Currency, _ units: Int64
    ) {
      commands.append(
        .openAccount(
          NewAccount(
            id: id, name: name, kind: kind, currency: currency, opening: Money(units, currency))))
    }
    open(cash[0], "Checking", .asset, .eur, 150_000)
    open(cash[1], "Dollars", .asset, .usd, 40_000)
    open(cards[0], "Card", .liability, .eur, -30_000)
    open(cards[1], "Dollar card", .liability, .usd, 0)
    open(outside[0], "Broker", .asset, .eur, 500_000)
    var change = AccountChange()
    change.isOutsideBudget = true
    commands.append(.amendAccount(outside[0], change))
    commands.append(.createCategory(NewCategory(id: salary, name: "Salary", kind: .income)))
    for (index, id) in categories.enumerated() {
      commands.append(
        .createCategory(NewCategory(id: id, name: "Envelope \(index)", kind: .expense)))
    }
    var carries = CategoryChange()
    carries.carriesOverspending = true
    for id in categories.prefix(2) { commands.append(.amendCategory(id, carries)) }
    return commands
  }

  mutating func commands(of month: Month) -> [Command] {
    var commands: [Command] = []
    func day() -> Day { month.first.adding(days: random.below(28)) }
    if let rate = Quote(mantissa: Int64(random.number(8_500...9_900)), scale: 4) {
      commands.append(
        .setRate(ExchangeRate(base: .usd, quoted: .eur, day: month.first, quote: rate)))
    }
    commands.append(
      .record(
        .income(
          amount(150_000...250_000), into: cash[0], category: salary, on: day(), id: fresh())))
    for id in categories where random.chance(60) {
      let target = random.chance(90) ? month : month.adding(random.number(-9...3))
      commands.append(.assign(amount(-2_000...60_000), to: id, in: target))
    }
    for _ in 0..<3 { commands.append(transaction(on: day())) }
    commands.append(rarely(in: month, on: day()))
    return commands
  }

  private mutating func transaction(on day: Day) -> Command {
    let category = random.pick(categories)
    switch random.number(0...11) {
    case 0..<5:
      let account = random.pick(cash + cards + cards + outside)
      let currency = account == cash[1] || account == cards[1] ? Currency.usd : .eur
      return .record(
        .expense(
          amount(100...40_000, currency), from: random.chance(95) ? account : nil,
          category: category, on: day, id: fresh()))
    case 5:
      return .record(
        .refund(
          amount(100...9_000), into: random.pick([cash[0], cards[0]]), category: category, on: day,
          id: fresh()))
    case 6:
      let parts = categories.prefix(3).map { id in
        Draft.Part(amount(100...9_000), id)
      }
      return .record(
        .split(from: random.pick([cash[0], cards[0]]), parts: parts, on: day, id: fresh()))
    case 7, 8:
      return .record(
        .transfer(amount(5_000...60_000), from: cash[0], to: cards[0], on: day, id: fresh()))
    case 9:
      let isRefund = random.chance(30)
      return .record(
        .transfer(
          amount(1_000...30_000), from: isRefund ? outside[0] : cash[0],
          to: isRefund ? cash[0] : outside[0], category: category, isRefund: isRefund, on: day,
          id: fresh()))
    case 10:
      return .record(
        .exchange(
          amount(5_000...20_000), from: cash[0], for: amount(5_000...20_000, .usd),
          into: random.pick([cash[1], cards[1]]), on: day, id: fresh()))
    default:
      return .record(
        .transfer(
          amount(1_000...30_000), from: cash[0], to: outside[0], on: day, id: fresh()))
    }
  }

  /// A move, a payment, a goal, a policy or a change of the past.
  private mutating func rarely(in month: Month, on day: Day) -> Command {
    let category = random.pick(categories)
    switch random.number(0...9) {
    case 0, 1:
      return .moveMoney(
        amount(1...20_000), from: random.chance(80) ? category : nil, to: random.pick(categories),
        in: month, id: fresh())
    case 2, 3: return .assignPayment(amount(-500...20_000), to: random.pick(cards), in: month)
    case 4:
      let kind = random.pick([EnvelopeGoal.Kind.monthly, .balance, .byDay(day.adding(days: 150))])
      return .setGoal(EnvelopeGoal(kind, amount(1_000...90_000)), for: category)
    case 5:
      var change = CategoryChange()
      change.carriesOverspending = random.chance(50)
      return .amendCategory(category, change)
    case 6:
      guard let row = random.some(oracle.transactions) else { return .removeGoal(of: category) }
      return .delete(row.id)
    default:
      guard let row = random.some(oracle.transactions.filter { $0.postings.count == 2 }) else {
        return .removeGoal(of: category)
      }
      let isExpense = row.type == .expense
      return .amend(
        row.id, isExpense ? Amendment(category: category) : Amendment(day: day))
    }
  }

  /// Which of the situations that the test is about a month has.
  func kinds(in month: Month) throws -> Set<String> {
    var kinds: Set<String> = []
    let rows = oracle.transactions.filter { $0.day.monthOf == month }
    for row in rows {
      let accounts = row.postings.compactMap(\.accountID)
      let isSpent = row.postings.contains { $0.accountID == nil }
      if isSpent, accounts.contains(where: cards.contains) { kinds.insert("card") }
      if row.postings.contains(where: { $0.amount.currency == .usd }) { kinds.insert("foreign") }
      if accounts.contains(.outside) { kinds.insert("transfer out") }
      if row.postings.filter({ $0.accountID == nil }).count == 3 { kinds.insert("split") }
      if row.type == .expense,
        row.postings.contains(where: { $0.accountID == nil && $0.amount.minorUnits < 0 })
      {
        kinds.insert("refund")
      }
    }
    let found = try oracle.envelopes(over: month..<month.adding(1), today: month.last)
    for envelope in found.flatMap(\.envelopes) {
      if envelope.available.units < 0 { kinds.insert("overspent") }
      if envelope.carriedOver.units < 0 { kinds.insert("carried overspending") }
      if envelope.needed != nil { kinds.insert("goal") }
    }
    if found.flatMap(\.payments).contains(where: { $0.overspent.units > 0 }) {
      kinds.insert("debt")
    }
    return kinds
  }
}
