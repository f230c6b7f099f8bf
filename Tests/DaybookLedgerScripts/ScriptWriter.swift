/// Goal: commands of every kind, reproducible from a seed. Method: the oracle alone says what there is to be changed; some
/// commands are wrong on purpose.
package import Daybook
package import DaybookRandom
package import DaybookTesting

/// Writes commands for a ledger.
package struct ScriptWriter {
  package var random: SeededGenerator
  /// For details that few commands have, so that they don't change what ``random`` yields.
  package var rare: SeededGenerator
  package var oracle = Oracle()
  /// Every version of every transaction there was: what a caller may still believe.
  package var past: [Transaction] = []
  /// Rows that a file may hold again.
  package var file: [ImportRow] = []
  private var lastID: UInt64 = 0

  package static let today = Day(year: 2026, month: 2, day: 15) ?? .min
  package static let currencies = ["KZT", "USD", "EUR", "JPY", "BHD", "CHF"].compactMap {
    Currency.iso($0)
  }
  package static let unknown = Currency(code: "XQQ", digits: 2) ?? Currency(packed: 0)
  package static let own = Currency(code: "GEMS", digits: 1) ?? Currency(packed: 0)

  package init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    rare = SeededGenerator(seed: ~seed)
    oracle.standInMark = 9
  }

  /// So that several writers give different ids.
  package mutating func take(startingIDsAt id: UInt64) { lastID = id }

  /// What a ledger begins with.
  package mutating func beginnings() -> [Command] {
    var commands: [Command] = []
    if random.chance(80) {
      commands.append(.setSettings(SettingsChange(baseCurrency: .some(Self.currencies[0]))))
    }
    for index in 0..<random.number(2...4) {
      let currency = random.chance(60) ? Self.currencies[0] : random.pick(Self.currencies)
      commands.append(
        .openAccount(
          NewAccount(
            id: fresh(), name: "Account \(index)", currency: currency,
            opening: random.chance(50) ? Money(Int64(random.number(-5000...50000)), currency) : nil,
            openingDay: random.chance(30) ? day() : nil)))
    }
    for (index, kind) in [CategoryKind.expense, .expense, .income].enumerated() {
      commands.append(
        .createCategory(NewCategory(id: fresh(), name: "Category \(index)", kind: kind)))
    }
    if rare.chance(30) { commands += owing() }
    for _ in 0..<random.number(0...3) { commands.append(rate()) }
    for _ in 0..<random.number(0...2) { commands.append(.putBudget(budget(fresh()))) }
    for _ in 0..<random.number(0...3) { commands.append(.putRule(rule(fresh()))) }
    let before = oracle
    try? oracle.append(commands)
    for _ in 0..<random.number(2...6) { commands.append(likely(0)) }
    oracle = before
    // What is refused is left out: it would take the others with it.
    let accepted = commands.filter { command in
      do {
        try oracle.append([command])
        return true
      } catch { return false }
    }
    oracle = before
    return accepted
  }

  /// One command, or a few that go together.
  package mutating func group() -> [Command] {
    let count = random.chance(70) ? 1 : random.number(2...5)
    var commands: [Command] = []
    let before = oracle
    for _ in 0..<count {
      commands.append(likely(random.number(0...99)))
      // So that later commands of the group may be about what earlier ones made.
      if let last = commands.last { try? oracle.append([last]) }
    }
    oracle = before
    return commands
  }

  package mutating func fresh<Owner>() -> Identifier<Owner> {
    lastID += 1
    return Identifier(EntityID(high: 7, low: lastID))
  }

  /// A command of a kind that is accepted, if one is soon found, most of the time.
  package mutating func likely(_ kind: Int) -> Command {
    let triesMax = random.chance(8) ? 1 : 12
    var candidate = command(kind)
    for _ in 0..<triesMax - 1 {
      var tried = oracle
      do {
        try tried.append([candidate])
        return candidate
      } catch { candidate = command(kind) }
    }
    return candidate
  }

  /// A command of a kind, which may be wrong.
  private mutating func command(_ kind: Int) -> Command {
    switch kind {
    case 0..<20: return .record(draft())
    case 20..<25: return recurring()
    case 25..<29: return budgetCommand()
    case 29..<32: return envelopeCommand()
    case 32..<34: return interestCommand()
    case 34..<43: return ruleCommand()
    case 43..<56: return amendment()
    case 56..<62: return .delete(transactionID())
    case 62..<66: return importing()
    case 66..<68: return joining()
    case 68..<76: return accountCommand()
    case 76..<84: return categoryCommand()
    case 84..<88:
      let ids = (0..<random.number(1...3)).map { _ in transactionID() }
      return random.chance(60) ? .reconcile(ids) : .unreconcile(ids)
    case 88..<91:
      let closed = random.chance(80) ? day(around: 2026, months: -3...0) : day()
      return random.chance(50)
        ? .closePeriod(through: closed) : .reopenPeriod(after: random.chance(60) ? nil : closed)
    case 91..<96: return rate()
    default: return rarer()
    }
  }

  // MARK: Values

  package mutating func day(around year: Int = 2026, months: ClosedRange<Int> = -2...3) -> Day {
    let month = Month(year: year, month: 1).adding(random.number(months))
    let length = month.first.distance(to: month.last)
    return month.first.adding(days: random.chance(20) ? length : random.number(0...length))
  }

  package mutating func day() -> Day {
    switch random.number(0...99) {
    case 0..<15: Self.today.adding(days: random.number(-1...1))
    case 15..<75: day(around: 2026)
    case 75..<92: day(around: random.pick([2024, 2025, 2027]), months: 0...11)
    case 92..<94: .min
    case 94..<96: .max
    case 96: Day(rawValue: Day.max.rawValue + 1)
    default: day(around: 1999)
    }
  }

  package mutating func units() -> Int64 {
    switch random.number(0...99) {
    case 0..<4: 0
    case 4..<6: -Int64(random.number(1...500))
    case 6: Int64.max - Int64(random.number(0...3))
    case 7..<40: Int64(random.number(1...20)) * 100
    default: Int64(random.number(1...99_999))
    }
  }

  package mutating func currency() -> Currency {
    random.chance(1)
      ? Self.unknown
      : random.chance(2)
        ? Self.own
        : random.chance(60) ? Self.currencies[0] : random.pick(Self.currencies)
  }

  package mutating func money() -> Money { Money(units(), currency()) }

  /// An amount that suits an account, most of the time.
  package mutating func money(for account: AccountID?) -> Money {
    let own = oracle.accounts.first { $0.id == account }?.currency
    guard let own, !random.chance(25) else { return money() }
    return Money(units(), own)
  }

  package mutating func text() -> String {
    let words = [
      "", "", "", "Bread", "bread ", "  BREAD", "Tea  and milk", "tea and milk", "Caf\u{e9}",
      "Cafe\u{301}", "Z\u{fc}rich, \"quoted\"\n", "Uber", "\u{1F4B6}",
      "Hauptstra\u{df}e 1", "\u{401}\u{43b}\u{43a}\u{430}", "\u{65e9}\u{9910} tea",
    ]
    return random.chance(1) ? String(repeating: "x", count: 5_000) : random.pick(words)
  }

  package mutating func tags() -> [String] {
    random.chance(80) ? [] : random.chance(5) ? [""] : random.pick([["home"], ["Food", "b"]])
  }
}
