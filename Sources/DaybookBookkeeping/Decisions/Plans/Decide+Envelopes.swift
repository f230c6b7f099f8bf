import DaybookEntities

/// Assigning money to envelopes, and moving it between them.
extension BookkeepingState {
  /// Sets the amount that a category is assigned in a month.
  mutating func assign(
    _ amount: Money, to id: CategoryID, in month: Month
  ) throws(Refusal) -> Outcome {
    let new = Allocation(assigning: amount, to: id, in: month)
    let stored: Stored<Allocation>? = try stored(new.entityID)
    // A category that was deleted since can still be assigned another amount.
    try checkEnvelope(id, isKnown: stored != nil)
    let what = "assign \(amount) to \(name(id))"
    try check(month, what)
    try checkBase(amount, what)
    return try put(new, over: stored)
  }

  /// Sets the amount that the payment of a card is assigned in a month.
  mutating func assign(
    _ amount: Money, toPaymentOf id: AccountID, in month: Month
  ) throws(Refusal) -> Outcome {
    let new = Allocation(assigning: amount, toPaymentOf: id, in: month)
    let stored: Stored<Allocation>? = try stored(new.entityID)
    let account = try required(id)
    let what = "assign \(amount) to the payment of account “\(account.name)”"
    guard account.kind == .liability, !account.isOutsideBudget else {
      throw Refusal(
        .kind,
        "can't \(what): it isn't a card in the budget; choose a liability account in the budget",
        [id.rawValue])
    }
    guard stored != nil || !account.isDeleted else {
      throw Refusal(
        .closed, "can't \(what): the account is deleted; choose another one", [id.rawValue])
    }
    try check(month, what)
    try checkBase(amount, what)
    return try put(new, over: stored)
  }

  private mutating func put(
    _ new: Allocation, over stored: Stored<Allocation>?
  ) throws(Refusal) -> Outcome {
    guard var assignment = stored?.entity else {
      if new.amount.minorUnits != 0 { try emit(nil, new) }
      return .entity(.allocation, new.entityID)
    }
    assignment.amount = new.amount
    try emit(stored, assignment)
    return .entity(.allocation, new.entityID)
  }

  /// Moves money from one envelope to another; replaces the move with the same id.
  mutating func put(move given: Allocation) throws(Refusal) -> Outcome {
    var move = given
    let what = "move \(move.amount)"
    guard move.category != move.source else {
      throw Refusal(
        .transfer,
        move.category == nil
          ? "can't \(what): no category gives or receives it; name one"
          : "can't \(what) from a category to itself; choose two categories")
    }
    try check(move.month, what)
    guard move.amount.minorUnits != 0 else {
      throw Refusal(.value, "can't \(what): the amount is zero; give a positive amount")
    }
    try checkSize(move.amount, "the amount to move")
    try checkBase(move.amount, what)
    try check(move.note, "the note of the move", max: Limits.noteByteCountMax)
    let stored: Stored<Allocation>? = move.id == .unassigned ? nil : try stored(move.entityID)
    guard !move.isAssignment, stored?.entity.isAssignment != true else {
      throw Refusal(
        .duplicateID, "can't \(what): its id is that of an assigned amount; choose another id",
        [move.entityID])
    }
    // The money of a deleted category can be moved to another one.
    if let source = move.source { try checkEnvelope(source, isKnown: true) }
    if let category = move.category {
      try checkEnvelope(category, isKnown: stored?.entity.category == category)
    }
    if move.id == .unassigned { move.id = AllocationID(newID()) }
    try emit(stored, move)
    return .entity(.allocation, move.entityID)
  }

  /// Removes a move.
  mutating func remove(move id: AllocationID) throws(Refusal) -> Outcome {
    guard let stored: Stored<Allocation> = try stored(id.rawValue), !stored.entity.isAssignment
    else { throw Refusal(.missing, "there is no move with the id \(id)", [id.rawValue]) }
    try emit(stored, nil)
    return .entity(.allocation, id.rawValue)
  }

  // MARK: Deleted and merged categories

  /// Removes the amounts assigned to a deleted category; moves from and to it become moves from and
  /// to the money that is ready to assign.
  mutating func releaseAllocations(of id: CategoryID) throws(Refusal) {
    for stored in try all(Allocation.self) where stored.entity.names(id) {
      var move = stored.entity
      if move.category == id { move.category = nil }
      if move.source == id { move.source = nil }
      try emit(stored, move.category == nil && move.source == nil ? nil : move)
    }
  }

  /// Gives the money of a category to another one, month by month.
  mutating func moveAllocations(of id: CategoryID, to other: CategoryID) throws(Refusal) {
    guard !other.isBuiltin else { return try releaseAllocations(of: id) }
    for stored in try all(Allocation.self) where stored.entity.names(id) {
      var allocation = stored.entity
      if allocation.isAssignment {
        try emit(stored, nil)
        let (amount, month) = (allocation.amount, allocation.month)
        try add(Allocation(assigning: amount, to: other, in: month), of: other.rawValue)
        continue
      }
      if allocation.category == id { allocation.category = other }
      if allocation.source == id { allocation.source = other }
      try emit(stored, allocation.category == allocation.source ? nil : allocation)
    }
  }

  /// Removes the amounts assigned to the payment of a deleted card.
  mutating func releasePayments(of id: AccountID) throws(Refusal) {
    for stored in try all(Allocation.self) where stored.entity.account == id {
      try emit(stored, nil)
    }
  }

  /// Gives the money assigned to the payment of a card to that of another one, month by month.
  mutating func movePayments(of id: AccountID, to other: AccountID) throws(Refusal) {
    for stored in try all(Allocation.self) where stored.entity.account == id {
      try emit(stored, nil)
      let (amount, month) = (stored.entity.amount, stored.entity.month)
      try add(Allocation(assigning: amount, toPaymentOf: other, in: month), of: other.rawValue)
    }
  }

  /// Adds an assignment to the one with the same id.
  private mutating func add(
    _ assignment: Allocation, of owner: EntityID
  ) throws(Refusal) {
    guard assignment.amount.minorUnits != 0 else { return }
    var sum = assignment
    guard let stored: Stored<Allocation> = try stored(sum.entityID) else {
      return try emit(nil, sum)
    }
    let (units, overflow) = stored.entity.amount.minorUnits
      .addingReportingOverflow(assignment.amount.minorUnits)
    let isInZero = stored.entity.amount.minorUnits == 0
    guard isInZero || stored.entity.amount.currency == assignment.amount.currency, !overflow else {
      throw Refusal(
        .overflow,
        "can't add the amounts that are assigned in \(assignment.month): \(assignment.amount) and "
          + "\(stored.entity.amount); change one of them first",
        [owner])
    }
    sum = stored.entity
    sum.amount = Money(units, assignment.amount.currency)
    try emit(stored, sum)
  }

  /// Refuses to undo the creation of a card while money is assigned to its payment.
  mutating func checkUnallocated(_ account: Account) throws(Refusal) {
    for stored in try all(Allocation.self) where stored.entity.account == account.id {
      throw Refusal(
        .inUse,
        "can't undo the creation of account “\(account.name)”: money is assigned to its payment in "
          + "\(stored.entity.month); undo that first",
        [account.entityID])
    }
  }

  /// Refuses to undo the creation of a category while an envelope has allocations of it.
  mutating func checkUnallocated(_ category: Category) throws(Refusal) {
    for stored in try all(Allocation.self) where stored.entity.names(category.id) {
      throw Refusal(
        .inUse,
        "can't undo the creation of category “\(category.name)”: money is assigned to it in "
          + "\(stored.entity.month); undo that first",
        [category.entityID])
    }
  }

  // MARK: Checks

  private mutating func checkEnvelope(_ id: CategoryID, isKnown: Bool) throws(Refusal) {
    let category = try required(id)
    guard category.kind == .expense else {
      throw Refusal(
        .kind, "\(name(id)) has no envelope; choose an expense category", [id.rawValue])
    }
    guard isKnown || !category.isDeleted else {
      throw Refusal(
        .closed, "\(name(id)) is deleted and receives no money; choose another one", [id.rawValue])
    }
  }

  /// Refuses a goal that an envelope can't have.
  mutating func checkGoal(of category: Category) throws(Refusal) {
    guard let goal = category.goal else { return }
    let name = "category “\(category.name)”"
    let what = "set a goal of \(goal.amount) for \(name)"
    guard category.kind == .expense else {
      throw Refusal(
        .kind, "can't \(what): it has no envelope; choose an expense category",
        [category.entityID])
    }
    if case .byDay(let day) = goal.kind { try check(day, "the day of the goal of \(name)") }
    guard goal.amount.minorUnits != 0 else {
      throw Refusal(
        .value, "can't \(what): the amount is zero; give a positive amount, or remove the goal")
    }
    try checkSize(goal.amount, "the goal of \(name)")
    try checkBase(goal.amount, what)
  }

  private func check(_ month: Month, _ what: String) throws(Refusal) {
    guard month.isInRange else {
      throw Refusal(
        .day,
        "can't \(what): the month \(month) is out of range; use a month from 0001-01 to 9999-12")
    }
  }

  private mutating func checkBase(
    _ amount: Money, _ what: String
  ) throws(Refusal) {
    guard let base = try reading({ try settings() }).baseCurrency else {
      throw Refusal(
        .currency,
        "can't \(what): envelopes are in the ledger's base currency, and it has none; set the "
          + "base currency first")
    }
    guard amount.currency == base else {
      throw Refusal(
        .currencyMismatch,
        "can't \(what): envelopes are in the ledger's base currency; give an amount in \(base)")
    }
  }
}

extension Allocation {
  fileprivate func names(_ id: CategoryID) -> Bool { category == id || source == id }
}

extension Month {
  /// Whether a ledger accepts the month's days.
  var isInRange: Bool { (1...9999).contains(year) }
}
