/// Goal: reimplement envelopes.
///
/// Method: keep the allocations as a list, and walk from the first month with any figure to the
/// requested one, category by category, summing the transactions of each month.
import Daybook

extension Oracle {
  // MARK: Commands

  mutating func assign(_ amount: Money, to id: CategoryID, in month: Month) throws {
    let known = allocations.firstIndex { $0.isAssignment(of: id, in: month) }
    do {
      try checkEnvelope(id, mayBeDeleted: known != nil)
      try checkAllocation(amount, month)
    } catch { throw OracleRefusal(nil) }
    if let known {
      allocations[known].amount = amount
    } else if amount.minorUnits != 0 {
      insert(Allocation(assigning: amount, to: id, in: month))
    }
  }

  mutating func assign(_ amount: Money, toPaymentOf id: AccountID, in month: Month) throws {
    let new = Allocation(assigning: amount, toPaymentOf: id, in: month)
    let known = allocations.firstIndex { $0.id == new.id }
    do {
      let account = accounts[try accountIndex(id)]
      try check(account.kind == .liability && !account.isOutsideBudget, nil)
      try check(known != nil || !account.isDeleted, nil)
      try checkAllocation(amount, month)
    } catch { throw OracleRefusal(nil) }
    if let known {
      allocations[known].amount = amount
    } else if amount.minorUnits != 0 {
      insert(new)
    }
  }

  /// Gives the money assigned to the payment of a card to another account.
  mutating func movePayments(from id: AccountID, to other: AccountID) throws {
    for old in allocations where old.account == id {
      allocations.removeAll { $0.id == old.id }
      let new = Allocation(assigning: old.amount, toPaymentOf: other, in: old.month)
      if let heir = allocations.firstIndex(where: { $0.id == new.id }), old.amount.minorUnits != 0 {
        let sum = allocations[heir].amount
        try check(sum.minorUnits == 0 || sum.currency == old.amount.currency, nil)
        allocations[heir].amount = Money(
          sum.minorUnits + old.amount.minorUnits, old.amount.currency)
      } else if old.amount.minorUnits != 0 {
        insert(new)
      }
    }
  }

  mutating func put(move: Allocation) throws {
    let old = allocations.firstIndex { $0.id == move.id }
    do {
      try check(move.category != move.source, nil)
      try check(move.amount.minorUnits > 0, nil)
      try checkAllocation(move.amount, move.month)
      try check(move.note.utf8.count <= 4000, nil)
      if let source = move.source { try checkEnvelope(source, mayBeDeleted: true) }
      if let category = move.category {
        let isKnown = old.map { allocations[$0].category == category } ?? false
        try checkEnvelope(category, mayBeDeleted: isKnown)
      }
      if let old { try check(!allocations[old].isAssigned, nil) }
      try check(!move.isAssigned, nil)
    } catch { throw OracleRefusal(nil) }
    if let old {
      let number = allocations[old].number
      allocations[old] = move
      allocations[old].number = number
    } else {
      insert(move)
    }
  }

  mutating func removeMove(_ id: AllocationID) throws {
    let known = allocations.firstIndex { $0.id == id && !$0.isAssigned }
    guard let known else { throw OracleRefusal(.missing) }
    allocations.remove(at: known)
  }

  /// Returns the money of a deleted category to the money that is ready to assign.
  mutating func releaseAllocations(of id: CategoryID) {
    allocations = allocations.compactMap { old in
      if old.account != nil { return old }
      var new = old
      if new.category == id { new.category = nil }
      if new.source == id { new.source = nil }
      return new.category == new.source ? nil : new
    }
  }

  mutating func moveAllocations(from id: CategoryID, to other: CategoryID) throws {
    if other.isBuiltin { return releaseAllocations(of: id) }
    for old in allocations where old.category == id || old.source == id {
      guard let index = allocations.firstIndex(where: { $0.id == old.id }) else { continue }
      if old.isAssigned {
        allocations.remove(at: index)
        let heir = allocations.firstIndex { $0.isAssignment(of: other, in: old.month) }
        if let heir, old.amount.minorUnits != 0 {
          let sum = allocations[heir].amount
          try check(sum.minorUnits == 0 || sum.currency == old.amount.currency, nil)
          allocations[heir].amount = Money(
            sum.minorUnits + old.amount.minorUnits, old.amount.currency)
        } else if old.amount.minorUnits != 0 {
          insert(Allocation(assigning: old.amount, to: other, in: old.month))
        }
      } else {
        if old.category == id { allocations[index].category = other }
        if old.source == id { allocations[index].source = other }
        if allocations[index].category == allocations[index].source {
          allocations.remove(at: index)
        }
      }
    }
  }

  private mutating func insert(_ allocation: Allocation) {
    var new = allocation
    new.number = number(.allocation)
    allocations.append(new)
  }

  private func checkEnvelope(_ id: CategoryID, mayBeDeleted: Bool) throws {
    let category = categories[try categoryIndex(id)]
    try check(category.kind == .expense, nil)
    try check(mayBeDeleted || !category.isDeleted, nil)
  }

  func checkGoal(_ category: Category) throws {
    guard let goal = category.goal else { return }
    try check(category.kind == .expense, .kind)
    if case .byDay(let day) = goal.kind { try check(day.isInRange, .day) }
    try check(goal.amount.minorUnits != 0, .value)
    try check(goal.amount.minorUnits > 0, nil)
    try check(goal.amount.currency == settings?.baseCurrency, nil)
  }

  private func checkAllocation(_ amount: Money, _ month: Month) throws {
    try check(month.year >= 1 && month.year <= 9999, nil)
    try check(amount.currency == settings?.baseCurrency, nil)
  }

  // MARK: Figures

  func envelopes(over months: Range<Month>, today: Day) throws -> [EnvelopeMonth] {
    guard let base = settings?.baseCurrency else { throw Unanswerable() }
    var household = self
    household.accounts = accounts.filter {
      $0.kind != .equity && !$0.isOutsideBudget && !$0.isExcludedFromTotals
    }
    let exclusions = exclusions
    let inside = household.accounts.map { PostingAccount.account($0.id) }
    var paid = self
    paid.transactions = transactions.filter { row in inside.contains { touches(row, $0) } }

    var cards = OracleCards(household, in: self, today, base)
    let busy = paid.transactions.map(\.day).filter { $0 <= today }.map(\.monthOf)
    let earlier = Set(busy + allocations.map(\.month)).union(cards.months)
      .filter { $0 < months.lowerBound }
    var carried: [CategoryID: Int128] = [:]
    var left: [Currency: Unconverted] = [:]
    var found: [EnvelopeMonth] = []
    for month in earlier.sorted() + Array(months) {
      let given = given(in: month, base)
      for part in given.left { left.add(part) }
      let spending = try paid.baseBreakdown(.expense, rollUp: false, nil) { day in
        day.monthOf == month && day <= today
      }
      for part in spending.flatMap(\.amount.unconverted) { left.add(part) }
      var envelopes: [Envelope] = []
      var overspent: [CategoryID: Int128] = [:]
      for category in everyCategory where category.kind == .expense {
        var before = carried[category.id] ?? 0
        if before < 0, !category.carriesOverspending { before = 0 }
        let spent = spending.first { $0.category.id == category.id }?.amount.total.units ?? 0
        let (assigned, moved) = given.units[category.id] ?? (0, 0)
        func total(_ units: Int128) -> Total { Total(units: units, currency: base) }
        let envelope = Envelope(
          category: category, carriedOver: total(before), assigned: total(assigned),
          moved: total(moved), spent: total(spent),
          needed: needed(by: category, month, before - spent, assigned + moved, base).map(total))
        carried[category.id] = before + assigned + moved - spent
        if envelope.available.units < 0, !category.carriesOverspending {
          overspent[category.id] = -envelope.available.units
        }
        let isListed =
          !category.isHidden && !category.isDeleted && !category.id.isBuiltin
          && !exclusions.categories.contains(category.id)
        if isListed || [before, assigned, moved, spent].contains(where: { $0 != 0 }) {
          envelopes.append(envelope)
        }
      }
      let payments = try cards.payments(in: month, overspent, given.cards)
      guard months.contains(month) else { continue }
      let later = Set(allocations.map(\.month)).filter { $0 > month && month >= today.monthOf }
      var assignedLater: Int128 = 0
      for month in later {
        let given = self.given(in: month, base)
        for units in given.units.values { assignedLater += units.assigned + units.moved }
        for units in given.cards.values { assignedLater += units }
      }
      found.append(
        EnvelopeMonth(
          month: month, envelopes: envelopes.sorted { $0.category.number < $1.category.number },
          payments: payments,
          money: try household.baseNetWorth(on: min(month.last, today), nil),
          assignedLater: Total(units: assignedLater, currency: base),
          unconverted: left.values.sorted { $0.total.currency < $1.total.currency }))
    }
    return found
  }

  /// Returns what a goal still needs, counted month by month from the envelope's rest.
  private func needed(
    by category: Category, _ month: Month, _ rest: Int128, _ given: Int128, _ base: Currency
  ) -> Int128? {
    guard let goal = category.goal, !category.isDeleted else { return nil }
    let amount = goal.amount
    let units = converted(Int128(amount.minorUnits), amount.currency, base, month.first)
    guard let units else { return nil }
    switch goal.kind {
    case .monthly: return given < units ? units - given : 0
    case .balance: return rest + given < units ? units - rest - given : 0
    case .byDay(let day):
      if month > day.monthOf { return 0 }
      let missing = units > rest ? units - rest : 0
      let count = Int128(month.distance(to: day.monthOf)) + 1
      let share = missing / count + (missing % count == 0 ? 0 : 1)
      return given < share ? share - given : 0
    }
  }

  private typealias Given = (
    units: [CategoryID: (assigned: Int128, moved: Int128)], cards: [AccountID: Int128],
    left: [Unconverted]
  )

  /// Returns the amounts that categories are given in a month.
  private func given(in month: Month, _ base: Currency) -> Given {
    struct Place: Hashable {
      var category: CategoryID
      var currency: Currency
    }
    var sums: [Place: (assigned: Int128, moved: Int128)] = [:]
    for allocation in allocations where allocation.month == month {
      let units = Int128(allocation.amount.minorUnits)
      func add(_ category: CategoryID?, _ assigned: Int128, _ moved: Int128) {
        guard let category else { return }
        let place = Place(category: category, currency: allocation.amount.currency)
        sums[place, default: (0, 0)].assigned += assigned
        sums[place, default: (0, 0)].moved += moved
      }
      if allocation.isAssigned {
        add(allocation.category, units, 0)
      } else {
        add(allocation.category, 0, units)
        add(allocation.source, 0, -units)
      }
    }
    var given: Given = ([:], [:], [])
    let cards = accounts.filter { $0.kind == .liability && !$0.isOutsideBudget && !isGone($0) }
    for allocation in allocations
    where allocation.month == month && allocation.amount.minorUnits != 0 {
      guard let id = allocation.account, cards.contains(where: { $0.id == id }) else { continue }
      let (units, currency) = (Int128(allocation.amount.minorUnits), allocation.amount.currency)
      if let converted = converted(units, currency, base, month.first) {
        given.cards[id, default: 0] += converted
      } else {
        given.left.append(Unconverted(total: Total(units: units, currency: currency), count: 1))
      }
    }
    for (place, sum) in sums where sum != (0, 0) {
      if let assigned = converted(sum.assigned, place.currency, base, month.first),
        let moved = converted(sum.moved, place.currency, base, month.first)
      {
        given.units[place.category, default: (0, 0)].assigned += assigned
        given.units[place.category, default: (0, 0)].moved += moved
      } else {
        let total = Total(units: sum.assigned + sum.moved, currency: place.currency)
        given.left.append(Unconverted(total: total, count: 1))
      }
    }
    return given
  }
}

extension Allocation {
  /// Whether the id is that of the category's assignment in the month.
  fileprivate var isAssigned: Bool {
    account != nil || category.map { isAssignment(of: $0, in: month) } ?? false
  }

  fileprivate func isAssignment(of category: CategoryID, in month: Month) -> Bool {
    id == .assignment(of: category, in: month)
  }
}

extension [Currency: Unconverted] {
  fileprivate mutating func add(_ part: Unconverted) {
    let currency = part.total.currency
    self[currency]?.total.units += part.total.units
    self[currency]?.count += part.count
    if self[currency] == nil { self[currency] = part }
  }
}
