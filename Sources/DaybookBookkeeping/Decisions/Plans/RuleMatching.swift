import DaybookEntities

extension CategoryRule {
  /// Whether a transaction satisfies all conditions of the rule, or any of them if `matchesAny` is
  /// set.
  ///
  /// Texts are compared as in searches, without case and accents; see ``SearchFolding``.
  public func matches(_ transaction: Transaction) -> Bool {
    guard !conditions.isEmpty else { return false }
    return matchesAny
      ? conditions.contains { $0.holds(of: transaction) }
      : conditions.allSatisfy { $0.holds(of: transaction) }
  }
}

extension RuleCondition {
  fileprivate func holds(of transaction: Transaction) -> Bool {
    switch self {
    case .text(let field, let match, let text):
      let wanted = FoldedText(text)
      // A condition that consists only of accents would match every text.
      if wanted.isEmpty { return false }
      return field.texts(of: transaction).contains { match.holds(of: FoldedText($0), wanted) }
    case .account(let id):
      return transaction.postings.contains { $0.account == .account(id) }
    case .amount(let from, let through):
      let currency = currency
      return transaction.postings.contains { posting in
        guard posting.amount.currency == currency else { return false }
        let size = Int128(posting.amount.minorUnits.magnitude)
        return size >= Int128(from?.minorUnits ?? 0)
          && through.map { size <= Int128($0.minorUnits) } ?? true
      }
    case .type(let type): return transaction.type == type
    }
  }
}

extension RuleField {
  fileprivate func texts(of transaction: Transaction) -> [String] {
    switch self {
    case .any: [transaction.description, transaction.bankPayee, transaction.note]
    case .description: [transaction.description]
    case .payee: [transaction.bankPayee]
    case .note: [transaction.note]
    }
  }
}

extension Transaction {
  /// The payee that rules match: the one that was stated, whatever replaced it.
  fileprivate var bankPayee: String { statedPayee?.payee ?? details.payee }
}

/// A text without case and accents, and the boundaries of its characters.
struct FoldedText {
  /// The folded scalars.
  let scalars: [UInt32]
  /// For each of the scalars, the offset of its character in the text, or `nil` if each character
  /// has exactly one scalar.
  private let characters: [Int]?

  init(_ text: String) {
    var folding = SearchFolding()
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      folding.fold(text)
      characters = nil
    } else {
      let origins = folding.foldTracing(text)
      // The character of each of the text's scalars.
      let owners = text.enumerated().flatMap { offset, character in
        repeatElement(offset, count: character.unicodeScalars.count)
      }
      characters = origins.map { owners[$0] }
    }
    scalars = folding.scalars
  }

  /// Whether nothing of the text remains.
  var isEmpty: Bool { scalars.isEmpty }

  /// The index after the character that contains the scalar at an index: ß becomes ss, but is one
  /// character.
  func end(ofCharacterAt index: Int) -> Int {
    guard let characters else { return index + 1 }
    return characters[index...].firstIndex { $0 != characters[index] } ?? scalars.count
  }
}

extension RuleMatch {
  /// Whether a text matches the text of a condition.
  fileprivate func holds(of text: FoldedText, _ wanted: FoldedText) -> Bool {
    switch self {
    case .contains: RuleMatch.contains(text.scalars, wanted.scalars)
    case .equals: text.scalars == wanted.scalars
    case .starts: text.scalars.starts(with: wanted.scalars)
    case .pattern: RuleMatch.matches(text, wanted.scalars)
    }
  }

  private static func contains(_ text: [UInt32], _ wanted: [UInt32]) -> Bool {
    guard let first = wanted.first else { return true }
    var start = 0
    while start + wanted.count <= text.count {
      if text[start] == first, text[start..<start + wanted.count].elementsEqual(wanted) {
        return true
      }
      start += 1
    }
    return false
  }

  /// Matches a pattern in which `*` stands for any text and `?` for one character.
  ///
  /// - Complexity: O(text · pattern) in the worst case.
  private static func matches(_ text: FoldedText, _ pattern: [UInt32]) -> Bool {
    let (any, one) = (UInt32(UInt8(ascii: "*")), UInt32(UInt8(ascii: "?")))
    var (place, next) = (0, 0)
    var star: (pattern: Int, text: Int)?
    while place < text.scalars.count {
      if next < pattern.count, pattern[next] == any {
        star = (next, place)
        next += 1
      } else if next < pattern.count, pattern[next] == one {
        next += 1
        place = text.end(ofCharacterAt: place)
      } else if next < pattern.count, pattern[next] == text.scalars[place] {
        next += 1
        place += 1
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        next = last.pattern + 1
        place = last.text + 1
      } else {
        return false
      }
    }
    return pattern[next...].allSatisfy { $0 == any }
  }
}

extension Transaction {
  /// Whether no person has chosen the category.
  ///
  /// This is the case if the transaction has exactly one category posting, and its category is a
  /// built-in one or was chosen by a rule.
  public var isOpenToRules: Bool {
    var found: CategoryID?
    for posting in postings {
      guard case .category(let id) = posting.account else { continue }
      if found != nil { return false }
      found = id
    }
    return found.map { $0.isBuiltin || categorizedBy != nil } ?? false
  }

  /// Applies rules to the transaction; returns `nil` if they don't change it.
  ///
  /// Rules are tried by `order`, and then by recording number. The first matching rule ends the
  /// search unless its `continues` is set. A category is set only if a person has not chosen one,
  /// and only if the rule's category has the same kind and isn't deleted. A transfer is made only
  /// if it is possible; see ``CategoryRule/transferAccount``. If several rules match, the first one
  /// that sets a category or makes a transfer determines it; so does the first one that sets a
  /// payee. Tags beyond `Limits.tagCountMax` are left out.
  ///
  /// - Parameters:
  ///   - rules: The rules to apply.
  ///   - category: Returns a category by its id, including built-in and deleted ones, or `nil` if
  ///     it doesn't exist.
  ///   - account: Returns an account by its id, or `nil` if it doesn't exist.
  public func ruled(
    by rules: [CategoryRule], category: (CategoryID) throws -> Category?,
    account: (AccountID) throws -> Account?
  ) rethrows -> Transaction? {
    try ruled(by: rules, heeding: nil, category: category, account: account)
  }

  /// Applies some of the rules to the transaction; returns `nil` if they don't change it.
  ///
  /// If another rule chose the category, its place in the order still counts: later rules can't
  /// choose another category, and aren't tried at all if its `continues` is not set. The other rule
  /// isn't applied again.
  ///
  /// - Parameters:
  ///   - tried: The rules to apply, which may be new ones that are not in `rules` yet.
  ///   - rules: All existing rules.
  ///   - category: Returns a category by its id, including built-in and deleted ones, or `nil` if
  ///     it doesn't exist.
  ///   - account: Returns an account by its id, or `nil` if it doesn't exist.
  package func ruled(
    by tried: [CategoryRule], among rules: [CategoryRule],
    category: (CategoryID) throws -> Category?, account: (AccountID) throws -> Account?
  ) rethrows -> Transaction? {
    let isTried = tried.contains { $0.id == categorizedBy }
    let chooser = isTried ? nil : rules.first { $0.id == categorizedBy }
    return try ruled(by: tried, heeding: chooser, category: category, account: account)
  }

  private func ruled(
    by tried: [CategoryRule], heeding other: CategoryRule?,
    category: (CategoryID) throws -> Category?, account: (AccountID) throws -> Account?
  ) rethrows -> Transaction? {
    guard isOpenToRules, let current = categoryTargets.first else { return nil }
    let kind = try category(current)?.kind
    var new = self
    var (isChosen, isPaid) = (false, !isPayeeOpenToRules)
    let ordered = (tried + (other.map { [$0] } ?? [])).filter(\.isEnabled).sorted {
      ($0.order, $0.number) < ($1.order, $1.number)
    }
    for rule in ordered where rule.matches(self) {
      let isTried = rule.id != other?.id
      if !isChosen, let given = try rule.category.flatMap(category), !given.isDeleted,
        given.kind == kind
      {
        if isTried { new.choose(given.id, insteadOf: current, by: rule.id) }
        isChosen = true
      }
      if !isChosen, let given = try rule.transferAccount.flatMap(account),
        let postings = transferPostings(with: given)
      {
        if isTried { new.becomeTransfer(postings, by: rule.id) }
        isChosen = true
      }
      if !isPaid, !rule.payee.isEmpty, isTried {
        new.setPayee(rule.payee, by: rule.id)
        isPaid = true
      }
      if isTried { new.describe(rule) }
      if !rule.continues { break }
    }
    return new == self ? nil : new
  }

  private mutating func choose(_ category: CategoryID, insteadOf old: CategoryID, by rule: RuleID) {
    for index in postings.indices where postings[index].account == .category(old) {
      postings[index].account = .category(category)
    }
    categorizedBy = rule
  }

  private mutating func describe(_ rule: CategoryRule) {
    if !rule.description.isEmpty { details.description = rule.description }
    for tag in rule.tags
    where !details.tags.contains(tag) && details.tags.count < Limits.tagCountMax {
      details.tags.append(tag)
    }
  }
}
