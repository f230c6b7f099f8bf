/// Goal: reimplement category rules. Method: follow the documentation of `CategoryRule` and its
/// commands, and “A rule” in SCENARIOS. Compare folded texts scalar by scalar, track all positions
/// that a pattern can reach, and apply rules to every transaction.
import Daybook

extension Oracle {
  mutating func put(_ given: CategoryRule) throws {
    var rule = given
    do {
      rule.name = try checkedName(given.name)
      try check(TransactionDetails(description: rule.description, tags: rule.tags))
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
    for (index, new) in zip(transactions.indices, changes(by: tried)) {
      guard let new else { continue }
      transactions[index] = new
      follow(index)
    }
  }

  /// Returns the changes that rules make to each transaction, in recording order; `nil` for no
  /// change.
  ///
  /// The rule that chose a transaction's category still counts in the order of rules, even if it
  /// isn't one of the given rules.
  func changes(by rules: [CategoryRule]) -> [Transaction?] {
    transactions.map { row in
      let new = ruled(row, by: rules)
      if new == row { return nil }
      // Transactions in the closed period are left unchanged if their figures would change.
      let moves = zip(row.postings, new.postings).contains { $0.account != $1.account }
      if moves, let closed = settings?.closedThrough, row.day <= closed { return nil }
      return new
    }
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
    let isOne = rules.contains { $0.id == row.categorizedBy }
    let silent = isOne ? nil : self.rules.first { $0.id == row.categorizedBy }?.id
    let inOrder = (rules + self.rules.filter { $0.id == silent }).sorted {
      $0.order != $1.order ? $0.order < $1.order : $0.number < $1.number
    }
    for rule in inOrder where rule.isEnabled && matches(rule, row) {
      if rule.id == silent {
        let given = rule.category.flatMap { try? known($0) }
        if given?.isDeleted == false, given?.kind == (try? known(present))?.kind { isChosen = true }
        if rule.continues { continue } else { break }
      }
      if !isChosen, let id = rule.category, let category = try? known(id), !category.isDeleted,
        category.kind == (try? known(present))?.kind
      {
        new.postings[places[0]].account = .category(id)
        new.categorizedBy = rule.id
        isChosen = true
      }
      if rule.description != "" { new.description = rule.description }
      for tag in rule.tags where !new.tags.contains(tag) && new.tags.count < 32 {
        new.tags.append(tag)
      }
      if !rule.continues { break }
    }
    return new
  }

  // MARK: Matching

  private func matches(_ rule: CategoryRule, _ row: Transaction) -> Bool {
    let held = rule.conditions.filter { holds($0, row) }.count
    return rule.matchesAny ? held > 0 : held == rule.conditions.count
  }

  private func holds(_ condition: RuleCondition, _ row: Transaction) -> Bool {
    switch condition {
    case .text(.any, let match, let text):
      return [row.description, row.payee, row.note].contains { isLike($0, match, text) }
    case .text(.description, let match, let text): return isLike(row.description, match, text)
    case .text(.payee, let match, let text): return isLike(row.payee, match, text)
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
