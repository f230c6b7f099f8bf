/// Goal: lists change under those who read them. Method: seeded random commands that append, amend,
/// delete and import transactions, and now and then delete, move or amend the accounts and categories
/// they belong to.
import Daybook
import DaybookRandom

/// Writes at random into a ledger.
actor ListWriter {
  let ledger: Ledger
  private var random: SeededGenerator
  private(set) var accounts: [AccountID] = []
  private(set) var categories: [CategoryID] = []
  /// What it has written, as it stands now.
  private(set) var kept = ListKept()
  static let words = ["milk", "Bread", "rent", "MILK and bread", "tram"]

  init(_ ledger: Ledger, seed: UInt64) {
    self.ledger = ledger
    random = SeededGenerator(seed: seed)
  }

  /// Makes accounts in two currencies, a tree of categories, and some rows.
  func found(rowCount: Int) async throws {
    let quote = try Quote("450")
    var commands: [Command] = [
      .setRate(ExchangeRate(base: usd, quoted: kzt, day: day("2000-01-01"), quote: quote))
    ]
    for (name, currency) in [("A", kzt), ("B", kzt), ("C", usd), ("D", kzt)] {
      commands.append(
        .openAccount(NewAccount(name: name, currency: currency, opening: Money(10_000, currency))))
    }
    accounts = try await append(commands).accounts
    for (name, kind, parent) in [
      ("Food", CategoryKind.expense, nil), ("Out", .expense, 0), ("Lunch", .expense, 1),
      ("Home", .expense, nil), ("Work", .income, nil), ("Gifts", .income, nil),
    ] as [(String, CategoryKind, Int?)] {
      let category = NewCategory(
        name: name, kind: kind, parent: parent.map { categories[$0] })
      categories += try await append([.createCategory(category)]).categories
    }
    _ = try await append((0..<rowCount).map { _ in .record(draft()) })
  }

  private func append(_ commands: [Command]) async throws(DaybookError) -> Receipt {
    let receipt = try await ledger.append(commands)
    kept.take(commands, receipt.outcomes)
    return receipt
  }

  private func randomDay() -> Day {
    let reach = random.chance(70) ? 25 : 500
    return today.adding(days: random.number(-reach...reach / 10))
  }

  private func pick<Value>(_ values: [Value]) -> Value {
    values[random.number(0...values.count - 1)]
  }

  private func draft() -> Draft {
    let position = random.number(0...accounts.count - 1)
    let amount = Money(Int64(random.number(1...9_999)), position == 2 ? usd : kzt)
    let text = "\(pick(ListWriter.words)) \(random.number(0...9))"
    switch random.number(0...9) {
    case 0...5:
      return .expense(
        amount, from: accounts[position],
        category: random.chance(80) ? pick(Array(categories[..<4])) : nil,
        on: randomDay(), description: text)
    case 6, 7:
      return .income(
        amount, into: accounts[position], category: pick(Array(categories[4...])), on: randomDay(),
        description: text, note: random.chance(20) ? "tram" : "")
    default:
      let other = (position + 1 + random.number(0...2)) % 4
      var draft = Draft.transfer(
        amount, from: accounts[position], to: accounts[other], on: randomDay())
      if random.chance(50) { draft.valueDay = randomDay() }
      return draft
    }
  }

  /// Some commits, one after the other.
  func steps(_ count: Int) async throws {
    for _ in 0..<count { try await step() }
  }

  /// One commit; what is refused is refused.
  private func step() async throws {
    let commands = nextCommands()
    do {
      let receipt = try await append(commands)
      if let account = receipt.accounts.first { accounts[1] = account }
      if case .createCategory? = commands.first, let category = receipt.categories.first {
        categories[1] = category
      }
    } catch {
      guard error.code == .refused else { throw error }
    }
  }

  private func nextCommands() -> [Command] {
    let rows = kept.rows
    let row = rows.isEmpty ? nil : pick(rows).id
    switch (random.number(0...99), row) {
    case (0...34, _), (_, nil): return [.record(draft())]
    case (35...49, let row?): return [.delete(row)]
    case (50...56, let row?): return [.amend(row, Amendment(day: randomDay()))]
    case (57...59, let row?):
      var amendment = Amendment()
      amendment.valueDay = .some(random.chance(30) ? nil : randomDay())
      return [.amend(row, amendment)]
    case (60...66, let row?):
      let amount = Money(Int64(random.number(1...9_999)), kzt)
      return [.amend(row, Amendment(amount: amount, description: pick(ListWriter.words)))]
    case (67...70, let row?): return [.amend(row, Amendment(category: pick(categories)))]
    case (71...78, _): return (0..<random.number(2...12)).map { _ in .record(draft()) }
    case (79...82, let row?):
      // Something that is there and gone again, and something that is changed twice.
      var draft = draft()
      let id = TransactionID(EntityID(high: 77, low: random.next()))
      draft.id = id
      return [
        .record(draft), .delete(id), .amend(row, Amendment(day: randomDay())),
        .amend(row, Amendment(description: "twice")),
      ]
    case (83...87, _):
      let imported = (0..<random.number(1...40)).map { _ in ImportRow(draft()) }
      return [.importRows(imported, ImportOptions())]
    case (88, _):
      let name = "\(pick(ListWriter.words)) \(random.number(0...99))"
      return [.amendCategory(pick(categories), CategoryChange(name: name))]
    case (89, _):
      return [.amendAccount(pick(accounts), AccountChange(note: "\(random.next())"))]
    case (90, _):
      return [
        .setOpening(
          accounts[0], Money(Int64(random.number(-999...999)), kzt),
          random.chance(50) ? randomDay() : nil)
      ]
    case (91, _):
      return [
        .createCategory(
          NewCategory(name: "New \(random.next())", kind: .expense, parent: categories[0]))
      ]
    case (92, _): return [.deleteCategory(categories[1], .keepRows)]
    case (93, _): return [.deleteCategory(categories[1], .withRows)]
    case (94, _): return [.deleteCategory(categories[1], .move(to: categories[0]))]
    case (95, _): return [.deleteAccount(accounts[1], .withRows)]
    case (96, _): return [.deleteAccount(accounts[1], .keepRows)]
    case (97, _): return [.openAccount(NewAccount(name: "New \(random.next())", currency: kzt))]
    default: return [.delete(row ?? rows[0].id), .record(draft())]
    }
  }
}
