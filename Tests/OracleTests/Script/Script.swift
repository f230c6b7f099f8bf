/// Goal: sequences of everything that can happen to a ledger, reproducible from a seed. Method: the
/// oracle alone says what there is to be changed while a script is made; some commands are wrong on
/// purpose.
import Daybook
import SampleData

@testable import DaybookTesting

/// One step of a script.
enum ScriptStep: Hashable {
  /// Commands as one commit.
  case append([Command])
  /// The same with an idempotency key, and once more.
  case appendTwice([Command], key: String)
  /// Several appends at once, in any order.
  case appendTogether([[Command]])
  /// Commands that expect the commit before the newest to be the newest.
  case appendStale([Command])
  /// Closes and opens the ledger again.
  case reopen
  /// The same, with the views of an earlier time, as if a process had died between its two commits.
  case reopenWithOldViews
  /// The same, with the views deleted between.
  case reopenWithoutViews
  /// Makes the views anew.
  case rebuild
  /// Asks everything as of an earlier commit: of those there were, this one, counted round.
  case timeTravel(Int)
  /// Takes back the newest commit.
  case undoNewest
  /// Takes back an earlier commit, and then that again.
  case undoTwice(Int)
  /// Lets go of all but so many commits.
  case purge(keeping: Int)
  /// Does something with a consumer of history.
  case consumer(ConsumerStep)
  /// Makes the journal anew without free pages.
  case compact
  /// Takes the personal text of something out of everything.
  case erase(Int)
  /// Deletes some transaction and brings it back.
  case deleteAndRestore(Int)
}

/// What is done to a ledger, step by step.
struct Script {
  var seed: UInt64
  var steps: [ScriptStep]

  /// A script that depends on the seed alone.
  ///
  /// - Parameter onDisk: whether the ledger can be reopened.
  init(seed: UInt64, stepCount: Int, onDisk: Bool) {
    self.seed = seed
    var writer = ScriptWriter(seed: seed)
    steps = [.append(writer.beginnings())]
    writer.take(steps[0])
    for index in 0..<stepCount {
      var step = writer.step(index)
      if onDisk, writer.random.chance(25) {
        step = writer.random.pick([
          .reopen, .reopen, .reopenWithOldViews, .reopenWithOldViews, .reopenWithoutViews, .rebuild,
        ])
      } else if writer.random.chance(2) {
        step = .rebuild
      } else if writer.random.chance(20) {
        step = writer.random.pick([
          .timeTravel(index &* 7_919), .undoNewest, .undoNewest, .undoTwice(index &* 104_729),
          .purge(keeping: writer.random.number(0...6)),
          .purge(keeping: writer.random.number(0...2)), .compact, .erase(index &* 31_337),
          .deleteAndRestore(index &* 17), .deleteAndRestore(index &* 23),
        ])
      } else if writer.random.chance(20) {
        step = .consumer(.random(&writer.random))
      }
      writer.take(step)
      steps.append(step)
    }
  }

  init(seed: UInt64, steps: [ScriptStep]) {
    self.seed = seed
    self.steps = steps
  }
}

extension Script: CustomStringConvertible {
  var description: String {
    "seed \(seed)\n"
      + steps.enumerated().map { index, step in "  \(index): \(terse("\(step)"))" }
      .joined(separator: "\n")
  }
}

/// The description of commands without what says nothing.
func terse(_ text: String) -> String {
  text.replacing("Bookkeeping.", with: "")
    .replacing("00000000-0000-0007-0000-0000000", with: "#")
    .replacing(/x{99,}/, with: "x…")
    .replacing(/, \w+: (nil|""|\[\])/, with: "")
}

/// Makes the steps of one script.
struct ScriptWriter {
  var random: SeededGenerator
  var oracle = Oracle()
  /// Every version of every transaction there was: what a caller may still believe.
  var past: [Transaction] = []
  /// Rows that a file may hold again.
  var file: [ImportRow] = []
  private var lastID: UInt64 = 0

  static let today = Day(year: 2026, month: 2, day: 15) ?? .min
  static let currencies = ["KZT", "USD", "EUR", "JPY", "BHD", "CHF"].compactMap {
    Currency.iso($0)
  }
  static let unknown = Currency(code: "XQQ", digits: 2) ?? Currency(packed: 0)
  static let own = Currency(code: "GEMS", digits: 1) ?? Currency(packed: 0)

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    oracle.standInMark = 9
  }

  /// So that several writers give different ids.
  mutating func take(startingIDsAt id: UInt64) { lastID = id }
  mutating func take(_ step: ScriptStep) {
    switch step {
    case .append(let commands), .appendTwice(let commands, _): try? oracle.append(commands)
    case .appendTogether(let groups): for group in groups { try? oracle.append(group) }
    default: break
    }
    past += oracle.transactions.suffix(3)
  }

  /// What a ledger begins with.
  mutating func beginnings() -> [Command] {
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

  mutating func step(_ index: Int) -> ScriptStep {
    if random.chance(12) {
      return .appendTogether((0..<random.number(2...5)).map { _ in group() })
    }
    let commands = group()
    switch random.number(0...99) {
    case 0..<7: return .appendTwice(commands, key: "key \(index)")
    case 7..<10: return .appendStale(commands)
    default: return .append(commands)
    }
  }

  private mutating func group() -> [Command] {
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

  mutating func fresh<Owner>() -> Identifier<Owner> {
    lastID += 1
    return Identifier(EntityID(high: 7, low: lastID))
  }

  /// A command of a kind that is accepted, if one is soon found, most of the time.
  mutating func likely(_ kind: Int) -> Command {
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
    case 0..<24: return .record(draft())
    case 24..<30: return recurring()
    case 30..<34: return budgetCommand()
    case 34..<43: return ruleCommand()
    case 43..<56: return amendment()
    case 56..<62: return .delete(transactionID())
    case 62..<68: return importing()
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

  mutating func day(around year: Int = 2026, months: ClosedRange<Int> = -2...3) -> Day {
    let month = Month(year: year, month: 1).adding(random.number(months))
    let length = month.first.distance(to: month.last)
    return month.first.adding(days: random.chance(20) ? length : random.number(0...length))
  }

  mutating func day() -> Day {
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

  mutating func units() -> Int64 {
    switch random.number(0...99) {
    case 0..<4: 0
    case 4..<6: -Int64(random.number(1...500))
    case 6: Int64.max - Int64(random.number(0...3))
    case 7..<40: Int64(random.number(1...20)) * 100
    default: Int64(random.number(1...99_999))
    }
  }

  mutating func currency() -> Currency {
    random.chance(1)
      ? Self.unknown
      : random.chance(2)
        ? Self.own
        : random.chance(60) ? Self.currencies[0] : random.pick(Self.currencies)
  }

  mutating func money() -> Money { Money(units(), currency()) }

  /// An amount that suits an account, most of the time.
  mutating func money(for account: AccountID?) -> Money {
    let own = oracle.accounts.first { $0.id == account }?.currency
    guard let own, !random.chance(25) else { return money() }
    return Money(units(), own)
  }

  mutating func text() -> String {
    let words = [
      "", "", "", "Bread", "bread ", "  BREAD", "Tea  and milk", "tea and milk", "Caf\u{e9}",
      "Cafe\u{301}", "Z\u{fc}rich, \"quoted\"\n", "Uber", "\u{1F4B6}",
      "Hauptstra\u{df}e 1", "\u{401}\u{43b}\u{43a}\u{430}", "\u{65e9}\u{9910} tea",
    ]
    return random.chance(1) ? String(repeating: "x", count: 5_000) : random.pick(words)
  }

  mutating func tags() -> [String] {
    random.chance(80) ? [] : random.chance(5) ? [""] : random.pick([["home"], ["Food", "b"]])
  }
}
