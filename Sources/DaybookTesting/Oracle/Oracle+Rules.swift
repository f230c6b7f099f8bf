/// Goal: reimplement category rules. Method: follow the documentation of `CategoryRule` and its
/// commands, and “A rule” in SCENARIOS. Compare folded texts scalar by scalar, track all positions
/// that a pattern can reach, and apply rules to every transaction.
import Daybook

extension Oracle {
  mutating func put(_ given: CategoryRule) throws {
    var rule = given
    do {
      rule.name = try checkedName(given.name)
      try check(
        TransactionDetails(description: rule.description, payee: rule.payee, tags: rule.tags))
      try check(!rule.conditions.isEmpty, nil)
      for condition in rule.conditions {
        switch condition {
        case .text(_, _, let text): try check(!searched(text).isEmpty, nil)
        case .account(let id): _ = try usable(id, [])
        case .amount(let from, let through):
          try check(from != nil || through != nil, nil)
          for bound in [from, through].compactMap(\.self) { try check(bound.currency) }
          if let from, let through { try check(from.currency == through.currency, nil) }
          // Sizes are never negative, so the lower bound defaults to 0.
          if let through { try check(from?.minorUnits ?? 0 <= through.minorUnits, nil) }
        case .type: break
        }
      }
      if let category = rule.category { _ = try usable(category, .expense, []) }
      if let id = rule.transferAccount {
        try check(rule.category == nil, nil)
        guard let account = try usable(id, []) else { throw OracleRefusal(nil) }
        for condition in rule.conditions where !rule.matchesAny {
          guard case .account(let own) = condition, let other = try usable(own, []) else {
            continue
          }
          try check(own != id && other.currency == account.currency, nil)
        }
      }
    } catch { throw OracleRefusal(nil) }
    if let old = rules.firstIndex(where: { $0.id == rule.id }) {
      rule.number = rules[old].number
      rules[old] = rule
    } else {
      rule.number = number(.rule)
      rules.append(rule)
    }
  }

  mutating func removeRule(_ id: RuleID) throws {
    try checkThere(id)
    rules.removeAll { $0.id == id }
  }

  mutating func setRules(_ wanted: [CategoryRule]) throws {
    rules.removeAll { rule in !wanted.contains { $0.id == rule.id } }
    for rule in wanted { try put(rule) }
  }

  /// Refuses an unknown rule.
  func checkThere(_ id: RuleID) throws {
    try check(rules.contains { $0.id == id }, .missing)
  }

  /// Replaces an account or category in all rules.
  mutating func moveRules(from old: PostingAccount, to new: PostingAccount) {
    for index in rules.indices {
      switch (old, new) {
      case (.account(let id), .account(let other)):
        rules[index].conditions = rules[index].conditions.map {
          $0 == .account(id) ? .account(other) : $0
        }
        if rules[index].transferAccount == id { rules[index].transferAccount = other }
      case (.category(let id), .category(let other)):
        if rules[index].category == id { rules[index].category = other }
      default: break
      }
    }
  }

  // MARK: Applying

  /// Applies the rules to a new transaction, unless the caller specified the rule that chose its
  /// category.
  func ruled(_ new: Transaction) -> Transaction {
    new.categorizedBy == nil ? ruled(new, by: rules) : new
  }

  mutating func applyRules(_ ids: [RuleID]?) throws {
    for id in ids ?? [] { try checkThere(id) }
    let tried = rules.filter { ids?.contains($0.id) ?? true }
    if !tried.contains(where: \.isEnabled) { return }
    // A transaction that becomes the half of a transfer isn't there for later ones, so the order
    // matters: built-in categories first, and the transactions of each category by their ids.
    let places = [CategoryID.uncategorizedExpense, .uncategorizedIncome] + categories.map(\.id)
    let all = transactions
    var done: Set<TransactionID> = []
    for place in places {
      let rows = all.filter { row in row.postings.contains { $0.account == .category(place) } }
      for id in rows.map(\.id).sorted(by: { $0.rawValue < $1.rawValue })
      where done.insert(id).inserted {
        guard let index = transactions.firstIndex(where: { $0.id == id }),
          let new = change(of: transactions[index], by: tried)
        else { continue }
        transactions[index] = new
        follow(index)
        if new.type == .transfer { _ = join(id) }
      }
    }
  }

  /// Returns the changes that rules make to each transaction, in recording order; `nil` for no
  /// change.
  ///
  /// The rule that chose a transaction's category still counts in the order of rules, even if it
  /// isn't one of the given rules.
  func changes(by rules: [CategoryRule]) -> [Transaction?] {
    transactions.map { change(of: $0, by: rules) }
  }

  private func change(of row: Transaction, by rules: [CategoryRule]) -> Transaction? {
    let new = ruled(row, by: rules)
    if new == row { return nil }
    // Transactions in the closed period are left unchanged if their figures would change.
    let moves = row.postings.map(\.account) != new.postings.map(\.account)
    if moves, let closed = settings?.closedThrough, row.day <= closed { return nil }
    return new
  }

  private func ruled(_ row: Transaction, by rules: [CategoryRule]) -> Transaction {
    let places = row.postings.indices.filter {
      if case .category = row.postings[$0].account { true } else { false }
    }
    guard places.count == 1, case .category(let present) = row.postings[places[0]].account,
      present.isBuiltin || row.categorizedBy != nil
    else { return row }
    var new = row
    var isChosen = false
    var isPaid =
      row.statedPayee == nil
      ? row.importIdentity == nil && row.payee != "" : row.statedPayee?.rule == nil
    let isOne = rules.contains { $0.id == row.categorizedBy }
    let silent = isOne ? nil : self.rules.first { $0.id == row.categorizedBy }?.id
    let inOrder = (rules + self.rules.filter { $0.id == silent }).sorted {
      $0.order != $1.order ? $0.order < $1.order : $0.number < $1.number
    }
    for rule in inOrder where rule.isEnabled && matches(rule, row) {
      if rule.id == silent {
        let given = rule.category.flatMap { try? known($0) }
        if given?.isDeleted == false, given?.kind == (try? known(present))?.kind { isChosen = true }
        if transfer(rule, of: row) != nil { isChosen = true }
        if rule.continues { continue } else { break }
      }
      if !isChosen, let id = rule.category, let category = try? known(id), !category.isDeleted,
        category.kind == (try? known(present))?.kind
      {
        new.postings[places[0]].account = .category(id)
        new.categorizedBy = rule.id
        isChosen = true
      }
      if !isChosen, let postings = transfer(rule, of: row) {
        new.postings = SharedList(postings)
        new.type = .transfer
        new.valueDay = nil
        new.isConverted = false
        new.categorizedBy = rule.id
        isChosen = true
      }
      if !isPaid, rule.payee != "" {
        let stated = row.statedPayee?.payee ?? row.payee
        new.payee = rule.payee
        new.statedPayee = rule.payee == stated ? nil : StatedPayee(stated, rule: rule.id)
        isPaid = true
      }
      if rule.description != "" { new.description = rule.description }
      for tag in rule.tags where !new.tags.contains(tag) && new.tags.count < 32 {
        new.tags.append(tag)
      }
      if !rule.continues { break }
    }
    return new
  }

  /// Returns the postings of the transfer that a rule makes of a transaction, if it can.
  private func transfer(_ rule: CategoryRule, of row: Transaction) -> [Posting]? {
    guard row.importIdentity != nil, row.status != .reconciled,
      let other = accounts.first(where: { $0.id == rule.transferAccount }),
      !other.isClosed, !other.isDeleted
    else { return nil }
    let own = row.postings.filter { $0.accountID != nil && $0.accountID != .exchange }
    guard own.count == 1, let id = own[0].accountID, !id.isBuiltin, id != other.id,
      own[0].amount.currency == other.currency, own[0].amount.minorUnits != 0,
      own[0].amount.minorUnits != .min
    else { return nil }
    return [
      own[0], Posting(.account(other.id), Money(-own[0].amount.minorUnits, other.currency)),
    ]
  }

  // MARK: Matching

  private func matches(_ rule: CategoryRule, _ row: Transaction) -> Bool {
    let held = rule.conditions.filter { holds($0, row) }.count
    return rule.matchesAny ? held > 0 : held == rule.conditions.count
  }

  private func holds(_ condition: RuleCondition, _ row: Transaction) -> Bool {
    switch condition {
    case .text(.any, let match, let text):
      let payee = row.statedPayee?.payee ?? row.payee
      return [row.description, payee, row.note].contains { isLike($0, match, text) }
    case .text(.description, let match, let text): return isLike(row.description, match, text)
    case .text(.payee, let match, let text):
      return isLike(row.statedPayee?.payee ?? row.payee, match, text)
    case .text(.note, let match, let text): return isLike(row.note, match, text)
    case .account(let id): return touches(row, .account(id))
    case .type(let type): return row.type == type
    case .amount(let from, let through):
      return row.postings.contains { posting in
        let size = abs(Int128(posting.amount.minorUnits))
        let isInOne = [from, through].compactMap { $0?.currency }.allSatisfy {
          $0 == posting.amount.currency
        }
        return isInOne && size >= Int128(from?.minorUnits ?? 0)
          && through.map { size <= Int128($0.minorUnits) } ?? true
      }
    }
  }

  private func isLike(_ text: String, _ match: RuleMatch, _ wanted: String) -> Bool {
    let (all, part) = (searched(text), searched(wanted))
    switch match {
    case .equals: return all == part
    case .starts: return Array(all.prefix(part.count)) == part
    case .contains:
      return all.indices.contains { Array(all[$0...].prefix(part.count)) == part }
    case .pattern:
      // The offsets at which a character ends; a character may be folded to several scalars.
      var ends: [Int] = []
      for character in text.split(whereSeparator: \.isWhitespace).joined(separator: " ") {
        let count = character.isWhitespace ? 1 : searched(String(character)).count
        ends.append((ends.last ?? 0) + count)
      }
      // The possible numbers of scalars matched by the pattern so far.
      var taken: Set<Int> = [0]
      for letter in part {
        switch letter {
        case "*": taken = taken.min().map { Set($0...all.count) } ?? []
        case "?": taken = Set(taken.compactMap { place in ends.first { $0 > place } })
        default: taken = Set(taken.filter { $0 < all.count && all[$0] == letter }.map { $0 + 1 })
        }
      }
      return taken.contains(all.count)
    }
  }
}
