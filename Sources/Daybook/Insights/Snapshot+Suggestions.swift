import DaybookProjections

/// A category suggested for a transaction, and the reason for it.
public struct CategorySuggestion: Hashable, Sendable, Codable {
  /// The category, which is of the transaction's kind.
  public var category: CategoryID
  /// The rule that matches; `nil` if the category is the payee's usual one.
  public var rule: RuleID?
  /// The number of the payee's transactions with the category; 0 for a rule.
  public var count: Int
  /// The number of the payee's transactions that were compared; 0 for a rule.
  public var total: Int

  /// Creates a suggestion.
  public init(category: CategoryID, rule: RuleID? = nil, count: Int = 0, total: Int = 0) {
    self.category = category
    self.rule = rule
    self.count = count
    self.total = total
  }
}

/// A transaction that needs a category, and the suggested category if there is one.
public struct UncategorizedTransaction: Hashable, Sendable, Codable {
  /// The transaction, of which at least one part is uncategorised.
  public var transaction: Transaction
  /// The suggestion; `nil` if nothing indicates a category, or if the transaction is split.
  public var suggestion: CategorySuggestion?

  /// Creates a transaction that needs a category.
  public init(transaction: Transaction, suggestion: CategorySuggestion?) {
    self.transaction = transaction
    self.suggestion = suggestion
  }

  /// The command that accepts the suggestion; `nil` if there is none.
  public var command: Command? {
    guard let suggestion else { return nil }
    var amendment = Amendment(seen: transaction)
    amendment.category = suggestion.category
    return .amend(transaction.id, amendment)
  }
}

extension Snapshot {
  /// Returns a page of uncategorised transactions, newest first, each with a suggested category.
  ///
  /// A suggestion changes nothing until ``UncategorizedTransaction/command`` is appended. The first
  /// of the following that applies determines it:
  ///
  /// 1. The enabled rules would choose the category. If they would make a transfer, nothing is
  ///    suggested.
  /// 2. The payee has a usual category: of its newest ``LedgerLimits/suggestionRowCountMax``
  ///    categorised transactions of the same type, at least two and at least 60 % have this
  ///    category. Payees are compared as ``SearchFolding`` folds them. Transactions with several
  ///    categories, or with a hidden or deleted one, don't count, and only the payee's newest
  ///    ``LedgerLimits/suggestionReadCountMax`` transactions are read.
  ///
  /// Transactions in a closed period are left out, because their categories are locked.
  ///
  /// - Parameters:
  ///   - filter: Further conditions for the transactions; its categories are ignored.
  ///   - key: The key of the previous page's last transaction, or `nil` for the first page.
  ///   - limit: The maximum number of transactions, from 0 to ``LedgerLimits/pageRowCountMax``.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   an argument is invalid.
  /// - Complexity: That of ``transactions(_:after:limit:)``, plus O(rules) for each transaction and
  ///   at most ``LedgerLimits/suggestionReadCountMax`` rows for each distinct payee.
  public func suggestions(
    _ filter: TransactionFilter = .all, after key: TransactionPosition? = nil, limit: Int
  ) throws -> [UncategorizedTransaction] {
    let open = try openFilter(filter)
    return try suggested(try transactions(open, after: key, limit: limit))
  }

  /// Returns those of the given transactions that are uncategorised, each with a suggested
  /// category, as for ``suggestions(_:after:limit:)``.
  ///
  /// - Parameter ids: The transactions; those that don't exist, need no category or are in a closed
  ///   period are left out.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``, and with the code `invalidQuery` if
  ///   there are more than ``LedgerLimits/pageRowCountMax`` ids.
  /// - Complexity: O(transactions · log n), plus O(rules) for each transaction and at most
  ///   ``LedgerLimits/suggestionReadCountMax`` rows for each distinct payee.
  public func suggestions(for ids: [TransactionID]) throws -> [UncategorizedTransaction] {
    try Snapshot.check(ids.count, LedgerLimits.pageRowCountMax, "The number of transactions")
    let closed = try settings().closedThrough
    return try suggested(
      ids.compactMap { try transaction($0) }.filter { row in
        row.needsCategory && closed.map { row.day > $0 } ?? true
      })
  }

  /// Returns a suggested category for each transaction to record, as for
  /// ``suggestions(_:after:limit:)``.
  ///
  /// - Parameter drafts: The transactions.
  /// - Returns: A suggestion for each draft, in the same order; `nil` if nothing indicates a category,
  ///   if the draft has a category already, or if it isn't an entry.
  /// - Throws: ``DaybookError`` as described at ``Snapshot``.
  /// - Complexity: O(rules) for each draft, plus at most ``LedgerLimits/suggestionReadCountMax`` rows
  ///   for each distinct payee.
  public func suggestions(for drafts: [Draft]) throws -> [CategorySuggestion?] {
    let rows = drafts.enumerated().compactMap { index, draft in
      Transaction(uncategorized: draft).map { (index: index, transaction: $0) }
    }
    var found: [CategorySuggestion?] = drafts.map { _ in nil }
    for (row, suggestion) in zip(rows, try categories(for: rows.map(\.transaction))) {
      found[row.index] = suggestion
    }
    return found
  }

  /// Returns the number of transactions that ``suggestions(_:after:limit:)`` pages through, counted
  /// up to a maximum.
  ///
  /// - Throws: ``DaybookError`` as described at ``Snapshot``.
  /// - Complexity: That of ``count(_:upTo:)``.
  public func uncategorizedCount(
    _ filter: TransactionFilter = .all, upTo most: Int
  ) throws -> (count: Int, hasMore: Bool) {
    try count(openFilter(filter), upTo: most)
  }

  /// Returns the filter for uncategorised transactions whose category isn't locked.
  private func openFilter(_ filter: TransactionFilter) throws -> TransactionFilter {
    var open = filter
    open.categories = []
    open.isUncategorized = true
    if let closed = try settings().closedThrough {
      let first = closed.adding(days: 1)
      let days = filter.days ?? first..<Day(rawValue: .max)
      open.days = max(days.lowerBound, first)..<max(days.upperBound, first)
    }
    return open
  }

  private func suggested(_ rows: [Transaction]) throws -> [UncategorizedTransaction] {
    zip(rows, try categories(for: rows)).map {
      UncategorizedTransaction(transaction: $0, suggestion: $1)
    }
  }

  private func categories(for rows: [Transaction]) throws -> [CategorySuggestion?] {
    if rows.isEmpty { return [] }
    let rules = try self.rules()
    let chart = try chartOfAccounts()
    let tree = chart.tree
    var usual: [PayeeAndType: CategorySuggestion?] = [:]
    return try rows.map { row in
      var suggestion: CategorySuggestion?
      if !row.isSplit {
        let ruled = row.ruled(
          by: rules, category: { tree[$0] }, account: { chart.accountsByID[$0] })
        if let ruled, ruled.postings.map(\.account) != row.postings.map(\.account) {
          // The category is `nil` if the rules make a transfer.
          suggestion = ruled.category.map {
            CategorySuggestion(category: $0, rule: ruled.categorizedBy)
          }
        } else {
          let key = PayeeAndType(payee: SearchTerm(row.payee).scalars, type: row.type)
          if let known = usual[key] {
            suggestion = known
          } else {
            suggestion = try usualCategory(ofPayee: row.payee, row.type, tree)
            usual[key] = .some(suggestion)
          }
        }
      }
      return suggestion
    }
  }

  /// Returns the category that most of a payee's newest transactions of a type have.
  private func usualCategory(
    ofPayee payee: String, _ type: TransactionType, _ tree: CategoryTree
  ) throws -> CategorySuggestion? {
    var counts: [CategoryID: Int] = [:]
    var total = 0
    var unread = LedgerLimits.suggestionReadCountMax
    try PayeesAndTags.forEachTransaction(ofPayee: payee, in: view) { row in
      unread -= 1
      if row.type == type, let id = row.category, !id.isBuiltin, let category = tree[id],
        !category.isDeleted, !category.isHidden
      {
        counts[id, default: 0] += 1
        total += 1
      }
      return unread > 0 && total < LedgerLimits.suggestionRowCountMax
    }
    // No two categories can have 60 %, so there are no ties.
    guard let (category, count) = counts.max(by: { $0.value < $1.value }), count >= 2,
      count * 100 >= total * 60
    else { return nil }
    return CategorySuggestion(category: category, count: count, total: total)
  }
}

private struct PayeeAndType: Hashable {
  var payee: [UInt32]
  var type: TransactionType
}

extension Transaction {
  /// Creates the transaction of a draft without a category; `nil` if the draft is something else.
  fileprivate init?(uncategorized draft: Draft) {
    guard case .entry(let entry) = draft.shape, entry.category?.isBuiltin ?? true else {
      return nil
    }
    let isIncome = entry.direction == .income || entry.direction == .incomeReversal
    let isReceived = entry.direction == .income || entry.direction == .refund
    let paid = entry.accountAmount ?? entry.amount
    guard let given = try? (isReceived ? entry.amount : paid).negated() else { return nil }
    let category = isIncome ? CategoryID.uncategorizedIncome : .uncategorizedExpense
    self.init(
      id: draft.id ?? .unassigned, day: draft.day, type: isIncome ? .income : .expense,
      details: draft.details,
      postings: [
        Posting(.account(entry.account ?? .outside), isReceived ? paid : given),
        Posting(.category(category), isReceived ? given : entry.amount),
      ])
  }

  /// Whether a part has no category yet.
  fileprivate var needsCategory: Bool { postings.contains { $0.categoryID?.isBuiltin ?? false } }
}
