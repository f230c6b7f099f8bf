import DaybookProjections

/// The cards in the budget, and the money that is set aside to pay them, month by month.
struct Cards {
  /// The liability accounts in the budget, by ascending id.
  private let cards: [Account]
  /// The accounts in the budget that aren't cards.
  private let others: Set<AccountID>
  private let today: Day
  private let base: Currency
  private let tree: CategoryTree
  private let places: [CategoryID: Int]
  private let exclusions: Exclusions
  private var converter: Converter
  /// The growth of each card's debt in each month in which it has transactions.
  private var growth: [Month: [AccountID: Int128]] = [:]
  private var assigned: [Month: [AccountID: Int128]] = [:]
  /// What is available to pay each card at the end of the last month.
  private var available: [AccountID: Int128] = [:]

  /// Reads the growth of each card's debt before the end of a month, and through today.
  init(
    _ accounts: [Account], before end: Month, today: Day, base: Currency, _ tree: CategoryTree,
    _ places: [CategoryID: Int], _ exclusions: Exclusions, in snapshot: borrowing Snapshot
  ) throws {
    cards = accounts.filter { $0.kind == .liability }.sorted { $0.id < $1.id }
    others = Set(accounts.map(\.id)).subtracting(cards.map(\.id))
    self.today = today
    self.base = base
    self.tree = tree
    self.places = places
    self.exclusions = exclusions
    converter = Converter(to: base)
    for card in cards { try read(card, before: end, in: snapshot) }
  }

  private mutating func read(
    _ card: Account, before end: Month, in snapshot: borrowing Snapshot
  ) throws {
    let (number, current) = (try keyNumber(card), today.monthOf)
    var flows: [(Month, Int128)] = []
    let span = PeriodSpan(.month, .min, min(end, current).rawValue)
    try Balances.forEachFlow(of: number, in: span, in: snapshot.view) { index, flow in
      flows.append((Month(rawValue: index), flow.net))
      return true
    }
    if current < end {
      let days = current.first..<today.adding(days: 1)
      let flow = try Balances.flow(of: number, in: days, in: snapshot.view)
      if flow.count != 0 { flows.append((current, flow.net)) }
    }
    for (month, net) in flows {
      let day = min(month.last, today)
      let units = try converter.convert(-net, card.currency, on: day, in: snapshot)
      growth[month, default: [:]][card.id] = units ?? 0
    }
  }

  /// The months in which something changes.
  var months: Set<Month> { Set(growth.keys).union(assigned.keys) }

  /// Whether an account is a card in the budget.
  func contains(_ id: AccountID) -> Bool { cards.contains { $0.id == id } }

  /// Adds an amount that is assigned to the payment of a card.
  mutating func assign(_ units: Int128, to card: AccountID, in month: Month) {
    assigned[month, default: [:]][card, default: 0] += units
  }

  /// Continues with the next month.
  ///
  /// - Parameters:
  ///   - overspent: What is overspent in each envelope that doesn't carry it, by its place.
  ///   - debt: Returns what a card owes at the end of the month; `nil` if there is no rate.
  /// - Returns: The payments of cards with a rate.
  mutating func payments(
    in month: Month, overspent: [Int: Int128], _ snapshot: borrowing Snapshot,
    debt: (Account) throws -> Int128?
  ) throws -> [CardPayment] {
    func total(_ units: Int128) -> Total { Total(units: units, currency: base) }
    let excess = try overspending(in: month, overspent, in: snapshot)
    var payments: [CardPayment] = []
    for card in cards {
      let carried = max(0, available[card.id] ?? 0)
      let assigned = assigned[month]?[card.id] ?? 0
      let overspent = excess[card.id] ?? 0
      let setAside = (growth[month]?[card.id] ?? 0) - overspent
      available[card.id] = carried + assigned + setAside
      guard let debt = try debt(card) else { continue }
      payments.append(
        CardPayment(
          account: card, debt: total(debt), carriedOver: total(carried),
          assigned: total(assigned), setAside: total(setAside), overspent: total(overspent)))
    }
    return payments
  }

  /// Returns how much of the overspending of a month was spent on each card.
  private mutating func overspending(
    in month: Month, _ overspent: [Int: Int128], in snapshot: borrowing Snapshot
  ) throws -> [AccountID: Int128] {
    var rest = overspent
    var sums: [AccountID: Int128] = [:]
    for card in cards where !rest.isEmpty && growth[month]?[card.id] != nil {
      for (place, units) in try spending(on: card.id, in: month, in: snapshot) where units > 0 {
        guard let left = rest[place] else { continue }
        let part = min(left, units)
        rest[place] = left - part
        sums[card.id, default: 0] += part
      }
    }
    return sums
  }

  /// Returns what a card alone paid in a month, by the category's place.
  private mutating func spending(
    on card: AccountID, in month: Month, in snapshot: borrowing Snapshot
  ) throws -> [Int: Int128] {
    let key = FigureCache.Key(
      subject: .card(card), days: month.days.through(today), base: base)
    return try snapshot.cache.figures.figure(key, in: snapshot) {
      try readSpending(on: card, key.days, in: snapshot)
    }
  }

  private mutating func readSpending(
    on card: AccountID, _ days: Range<Day>, in snapshot: borrowing Snapshot
  ) throws -> [Int: Int128] {
    var filter = TransactionFilter(account: card)
    filter.days = days
    let rows = try snapshot.selection(filter)
    var sums: [Int: Int128] = [:]
    try Transactions.forEach(rows, limit: .max, in: snapshot.view) { _, _, record in
      let row = try PackedSpending(record, base, tree, exclusions)
      guard isPaid(row, by: card), try exclusions.extent(of: record) != .whole else { return }
      for part in row.parts {
        guard let place = tree.place(of: part.key.category) else { continue }
        let units = try converter.convert(part.net, part.key.currency, on: row.day, in: snapshot)
        sums[place, default: 0] += units ?? 0
      }
    }
    return sums
  }

  /// Returns whether a card is the first of the cards that paid, and no other account in the budget
  /// did.
  private func isPaid(_ row: PackedSpending, by card: AccountID) -> Bool {
    !row.accounts.contains(where: others.contains)
      && row.accounts.first(where: contains) == card
  }
}
